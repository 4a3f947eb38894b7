// Inputs as thieves make them, each with all that must be said, and ordinary ones of which
// nothing is said: that is as important, since who is warned of everything reads nothing.
import { hexToBytes, isHex, stringToBytes } from 'viem';

import type { TypedData } from '../../../src/eth/typed-data';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import { listAddresses } from '../../../src/review/effects';
import { findLookAlikes, findWarnings } from '../../../src/review/findings';
import { decodeMessage, findMessageWarnings } from '../../../src/review/messages';
import { readCall } from '../../../src/review/read';
import type { CallRequest } from '../../../src/review/read';
import { findOriginWarnings } from '../../../src/ui/origin';
import { knownContracts } from '../../../src/ui/tokens';
import { info, printWarnings, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { context, documentOf, domainOf, STRANGER } from '../../fixtures/trust/document';
import { ordinaryMessages, phishingMessages } from '../../fixtures/trust/messages';
import { ordinaryCalls } from '../../fixtures/trust/ordinary-calls';
import { ordinaryTyped } from '../../fixtures/trust/ordinary-typed';
import { ordinaryOrigins, phishingOrigins } from '../../fixtures/trust/origins';
import { phishingCalls } from '../../fixtures/trust/phishing-calls';
import { phishingOrders } from '../../fixtures/trust/phishing-orders';
import { phishingTyped } from '../../fixtures/trust/phishing-typed';
import { acquaintances, poisonedCalls } from '../../fixtures/trust/recipients';
import { translate } from '../../support/view';

const findAllOfTyped = (data: TypedData): Warning[] => {
  const typed = decodeDocument(data);
  const withoutCode = typed.contracts.filter((each) => each === STRANGER);
  return findTypedWarnings(typed, { ...context, withoutCode });
};

/** Keeps what is more than information: shapes are named for ordinary data, too. */
const lookAtTyped = (data: TypedData): Warning[] =>
  findAllOfTyped(data).filter(({ severity }) => severity !== 'info');

const lookAtMessage = (message: string): Warning[] => {
  const bytes = isHex(message) ? hexToBytes(message) : stringToBytes(message);
  return findMessageWarnings(decodeMessage(bytes), context).filter(
    ({ severity }) => severity !== 'info',
  );
};

const lookAtCall = (content: CallRequest): readonly Warning[] =>
  findWarnings([readCall(content)], '0x');

const lookAtRecipients = (content: CallRequest): Warning[] =>
  findLookAlikes(listAddresses([readCall(content)]), [
    ...acquaintances,
    ...knownContracts,
  ]);

/** Every placeholder of a text must be filled. */
const expectLoud = (warnings: readonly Warning[]): void => {
  const notices = printWarnings(warnings, translate, 'eip155:1');
  expect(notices.map(({ severity }) => severity)).toContainEqual(severe);
};

const allPhishingTyped = [...phishingTyped, ...phishingOrders];

const severe = expect.not.stringMatching('info') as unknown;

describe('what thieves have signed', () => {
  it.each(allPhishingTyped)('is warned of: %s', (_what, data, warnings) => {
    expect(warnings).not.toHaveLength(0);
    expect(lookAtTyped(data)).toStrictEqual(warnings);
    expectLoud(warnings);
  });

  it.each(phishingCalls)('is warned of: %s', (_what, content, warnings) => {
    expect(warnings).not.toHaveLength(0);
    expect(lookAtCall(content)).toStrictEqual(warnings);
    expectLoud(warnings);
  });

  it.each(poisonedCalls)('is warned of: %s', (_what, content, found) => {
    expect(found).not.toHaveLength(0);
    expect(lookAtRecipients(content)).toStrictEqual(found);
  });

  it.each(phishingMessages)('is warned of: %s', (_what, message, warnings) => {
    expect(lookAtMessage(message)).toStrictEqual(warnings);
    expectLoud(warnings);
  });

  it.each(phishingOrigins)('is asked for by %s', (origin, warnings) => {
    expect(findOriginWarnings(origin)).toStrictEqual(warnings);
    expectLoud(warnings);
  });
});

describe('ordinary requests', () => {
  it.each(ordinaryTyped)('is not warned of: %s', (_what, data) => {
    const hasChain = data.domain.chainId !== undefined;
    expect(lookAtTyped(data)).toStrictEqual(
      hasChain ? [] : [warning('typed.everyChain')],
    );
  });

  it.each(ordinaryCalls)('is not warned of: %s', (_what, content) => {
    expect(lookAtCall(content)).toStrictEqual([]);
  });

  it.each(ordinaryCalls)('reports no look-alike: %s', (_what, content) => {
    expect(lookAtRecipients(content)).toStrictEqual([]);
  });

  it.each(ordinaryMessages)('is not warned of: %s', (_what, message) => {
    expect(lookAtMessage(message)).toStrictEqual([]);
  });

  it.each(ordinaryOrigins)('is asked for by %s', (origin) => {
    expect(findOriginWarnings(origin)).toStrictEqual([]);
  });
});

it('says what typed data allow, and warns of a delegation of everything', () => {
  const ofSafe = documentOf(
    domainOf('Safe', STRANGER),
    { SafeMessage: 'bytes message' },
    { message: '0x' },
  );
  const documents = [...allPhishingTyped, ...ordinaryTyped].map(([, data]) => data);
  const all = [...documents, ofSafe].flatMap((data) =>
    findAllOfTyped(data).filter(({ key }) => key.startsWith('shape.')),
  );
  const found = new Map(all.map((each) => [each.key, each]));
  expect([...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1))).toStrictEqual([
    warning('shape.delegation'),
    info('shape.metaTransaction'),
    info('shape.nftPermit'),
    info('shape.order'),
    info('shape.permit'),
    info('shape.permit2Allowance'),
    info('shape.permit2Transfer'),
    info('shape.safeMessage'),
    info('shape.safeTransaction'),
    info('shape.sale'),
    info('shape.signIn'),
    info('shape.transfer'),
    info('shape.voteDelegation'),
  ]);
});
