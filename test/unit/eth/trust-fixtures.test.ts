// Inputs as thieves make them, each with all that must be said, and ordinary ones of which
// nothing is said: that is as important, since who is warned of everything reads nothing.
import { hexToBytes, isHex, stringToBytes } from 'viem';

import { addressesIn } from '../../../src/eth/known-calls';
import { knownContracts } from '../../../src/eth/known-contracts';
import { findLookAlikes } from '../../../src/eth/look-alike';
import type { LookAlike } from '../../../src/eth/look-alike';
import { findMessageAlerts } from '../../../src/eth/message-alerts';
import type { MessageAlert } from '../../../src/eth/message-alerts';
import { findOriginAlerts } from '../../../src/eth/origin';
import { findCallAlerts } from '../../../src/eth/transaction-alerts';
import type { CallContent } from '../../../src/eth/transaction-alerts';
import { findTypedAlerts, listContracts } from '../../../src/eth/typed-alerts';
import type { TypedAlert } from '../../../src/eth/typed-alerts';
import type { TypedData } from '../../../src/eth/typed-data';
import { writeCallAlert } from '../../../src/ui/confirm/call-alerts';
import { writeMessageAlert } from '../../../src/ui/confirm/message-notices';
import { writeTypedAlert } from '../../../src/ui/confirm/typed-notices';
import { findText } from '../../../src/ui/format';
import { originNotices } from '../../../src/ui/origin-notices';
import { ACCOUNT, NOW, STRANGER } from '../../fixtures/trust/document';
import { ordinaryMessages, phishingMessages } from '../../fixtures/trust/messages';
import { ordinaryCalls } from '../../fixtures/trust/ordinary-calls';
import { ordinaryTyped } from '../../fixtures/trust/ordinary-typed';
import { ordinaryOrigins, phishingOrigins } from '../../fixtures/trust/origins';
import { phishingCalls } from '../../fixtures/trust/phishing-calls';
import { phishingOrders } from '../../fixtures/trust/phishing-orders';
import { phishingTyped } from '../../fixtures/trust/phishing-typed';
import {
  acquaintances,
  plainCalls,
  poisonedCalls,
} from '../../fixtures/trust/recipients';
import { translate } from '../../support/view';

const context = {
  origin: 'https://app.example',
  account: ACCOUNT,
  chains: [1n],
  now: NOW * 1_000,
  own: [ACCOUNT],
  operations: [],
} as const;

/** What is more than told: the shape that data have is told of ordinary ones, too. */
const lookAtTyped = (data: TypedData): TypedAlert[] => {
  const withoutCode = listContracts(data).filter((each) => each === STRANGER);
  const alerts = findTypedAlerts(data, { ...context, withoutCode });
  return alerts.filter((each) => writeTypedAlert(each, translate).severity !== 'info');
};

const lookAtMessage = (message: string): MessageAlert[] => {
  const bytes = isHex(message) ? hexToBytes(message) : stringToBytes(message);
  return findMessageAlerts({ bytes, text: findText(bytes) }, context);
};

const lookAtRecipients = (content: CallContent): LookAlike[] =>
  findLookAlikes(addressesIn(content), [...acquaintances, ...knownContracts]);

const allPhishingTyped = [...phishingTyped, ...phishingOrders];

const severe = expect.not.stringMatching('info') as unknown;

describe('the fixtures', () => {
  it('are forty of thieves, and forty ordinary ones, and more', () => {
    const phishing = [
      allPhishingTyped,
      phishingCalls,
      phishingMessages,
      phishingOrigins,
    ];
    const ordinary = [ordinaryTyped, ordinaryCalls, ordinaryMessages, ordinaryOrigins];
    expect(phishing.flat().length).toBeGreaterThanOrEqual(40);
    expect(ordinary.flat().length).toBeGreaterThanOrEqual(40);
  });

  it.each([
    ['typed data', allPhishingTyped, ordinaryTyped],
    ['calldata', phishingCalls, ordinaryCalls],
    ['messages', phishingMessages, ordinaryMessages],
    ['origins', phishingOrigins, ordinaryOrigins],
  ])('are at least ten of each kind of %s', (_what, phishing, ordinary) => {
    expect(phishing.length).toBeGreaterThanOrEqual(10);
    expect(ordinary.length).toBeGreaterThanOrEqual(10);
  });

  it('are no two of the same name', () => {
    const lists = [allPhishingTyped, ordinaryTyped, phishingCalls, ordinaryCalls];
    const names = [...lists, phishingMessages, ordinaryMessages].map((list) =>
      list.map(([name]) => name),
    );
    expect(names.map((each) => [...new Set(each)])).toStrictEqual(names);
  });
});

describe('what thieves have signed', () => {
  it.each(allPhishingTyped)('is warned of: %s', (_what, data, alerts) => {
    expect(alerts).not.toHaveLength(0);
    expect(lookAtTyped(data)).toStrictEqual(alerts);
  });

  it.each(phishingCalls)('is warned of: %s', (_what, content, alerts) => {
    expect(alerts).not.toHaveLength(0);
    expect(findCallAlerts(content)).toStrictEqual(alerts);
    const notices = alerts.map((each) => writeCallAlert(each, translate, 'eip155:1'));
    expect(notices.map(({ severity }) => severity)).toContainEqual(severe);
  });

  it.each(poisonedCalls)('is warned of: %s', (_what, content, found) => {
    expect(found).not.toHaveLength(0);
    expect(lookAtRecipients(content)).toStrictEqual(found);
  });

  it.each(phishingMessages)('is warned of: %s', (_what, message, alerts) => {
    expect(lookAtMessage(message)).toStrictEqual(alerts);
    const notices = alerts.map((each) => writeMessageAlert(each, translate));
    expect(notices.map(({ severity }) => severity)).toContainEqual(severe);
  });

  it.each(phishingOrigins)('is asked for by %s', (origin, alerts) => {
    expect(findOriginAlerts(origin)).toStrictEqual(alerts);
    const notices = originNotices(origin, translate);
    expect(notices.map(({ severity }) => severity)).toContainEqual(severe);
  });
});

describe('what is ordinary', () => {
  it.each(ordinaryTyped)('is not warned of: %s', (_what, data) => {
    const hasChain = data.domain.chainId !== undefined;
    expect(lookAtTyped(data)).toStrictEqual(hasChain ? [] : [{ kind: 'everyChain' }]);
  });

  it.each(ordinaryCalls)('is not warned of: %s', (_what, content) => {
    expect(findCallAlerts(content)).toStrictEqual([]);
  });

  it.each([...ordinaryCalls, ...plainCalls])(
    'names nobody who resembles another: %s',
    (_what, content) => {
      expect(lookAtRecipients(content)).toStrictEqual([]);
    },
  );

  it.each(ordinaryMessages)('is not warned of: %s', (_what, message) => {
    expect(lookAtMessage(message)).toStrictEqual([]);
  });

  it.each(ordinaryOrigins)('is asked for by %s', (origin) => {
    expect(findOriginAlerts(origin)).toStrictEqual([]);
  });
});
