// Inputs as thieves make them, each with what must be said, and ordinary ones of which nothing
// is said: that is as important, since who is warned of everything reads nothing.
import { hexToBytes, isHex, stringToBytes } from 'viem';

import { findMessageAlerts } from '../../../src/eth/message-alerts';
import type { MessageAlert } from '../../../src/eth/message-alerts';
import { findOriginAlerts } from '../../../src/eth/origin';
import { findTypedAlerts, listContracts } from '../../../src/eth/typed-alerts';
import type { TypedAlert } from '../../../src/eth/typed-alerts';
import type { TypedData } from '../../../src/eth/typed-data';
import { writeMessageAlert } from '../../../src/ui/confirm/message-notices';
import { writeTypedAlert } from '../../../src/ui/confirm/typed-notices';
import { findText } from '../../../src/ui/format';
import { ordinaryCalls, phishingCalls } from '../../fixtures/trust/calldata';
import { ACCOUNT, NOW, STRANGER } from '../../fixtures/trust/document';
import { ordinaryMessages, phishingMessages } from '../../fixtures/trust/messages';
import { ordinaryTyped } from '../../fixtures/trust/ordinary-typed';
import { ordinaryOrigins, phishingOrigins } from '../../fixtures/trust/origins';
import { phishingTyped } from '../../fixtures/trust/phishing-typed';
import { translate } from '../../support/view';

const context = {
  origin: 'https://app.example',
  account: ACCOUNT,
  chains: [1n],
  now: NOW * 1_000,
} as const;

const lookAtTyped = (data: TypedData): TypedAlert[] =>
  findTypedAlerts(data, {
    ...context,
    own: [ACCOUNT],
    withoutCode: listContracts(data).filter((each) => each === STRANGER),
  });

const lookAtMessage = (message: string): MessageAlert[] => {
  const bytes = isHex(message) ? hexToBytes(message) : stringToBytes(message);
  return findMessageAlerts({ bytes, text: findText(bytes) }, context);
};

const kindsOf = (alerts: readonly { kind: string }[]): string[] =>
  alerts.map(({ kind }) => kind);

describe('the fixtures', () => {
  it('are at least forty of each', () => {
    const phishing = [phishingTyped, phishingMessages, phishingOrigins, phishingCalls];
    const ordinary = [ordinaryTyped, ordinaryMessages, ordinaryOrigins, ordinaryCalls];
    expect(phishing.flat().length).toBeGreaterThanOrEqual(40);
    expect(ordinary.flat().length).toBeGreaterThanOrEqual(40);
  });
});

describe('what thieves have signed', () => {
  it.each(phishingTyped)('is warned of: %s', (_what, data, kind) => {
    const alerts = lookAtTyped(data);
    expect(kindsOf(alerts)).toContain(kind);
    const severities = alerts.map(
      (alert) => writeTypedAlert(alert, translate).severity,
    );
    expect(severities).toEqual(
      expect.arrayContaining([expect.not.stringMatching('info')]),
    );
  });

  it.each(phishingMessages)('is warned of: %s', (_what, message, kind) => {
    const alerts = lookAtMessage(message);
    expect(kindsOf(alerts)).toStrictEqual([kind]);
    expect(writeMessageAlert(alerts[0] as MessageAlert, translate).text).not.toBe('');
  });

  it.each(phishingOrigins)('is asked for by %s', (origin, kind) => {
    expect(kindsOf(findOriginAlerts(origin))).toContain(kind);
  });
});

describe('what is ordinary', () => {
  it.each(ordinaryTyped)('is not warned of: %s', (_what, data) => {
    const notices = lookAtTyped(data).map((alert) => writeTypedAlert(alert, translate));
    expect(notices.filter(({ severity }) => severity !== 'info')).toStrictEqual([]);
  });

  it.each(ordinaryMessages)('is not warned of: %s', (_what, message) => {
    expect(lookAtMessage(message)).toStrictEqual([]);
  });

  it.each(ordinaryOrigins)('is asked for by %s', (origin) => {
    expect(findOriginAlerts(origin)).toStrictEqual([]);
  });
});
