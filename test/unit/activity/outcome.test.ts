import { toIncluded } from '../../../src/activity/included';
import { findOutcome, toReplaced } from '../../../src/activity/outcome';
import type { Observation } from '../../../src/activity/outcome';
import type { Receipt } from '../../../src/client';
import type { SentTransaction } from '../../../src/state/sent-transaction';
import { RECEIPT } from '../../support/receipts';
import { hashOf, pendingOf } from '../../support/sent-transactions';
import { withoutFields } from '../../support/transactions';

const NOW = 1_700_000_000_000;

const WEEK = 7 * 24 * 60 * 60 * 1000;

/** One whose nonce is 7, sent just now. */
const SENT = pendingOf(1, { sentAt: NOW });

const receiptOf = (fields: object): Receipt => ({ ...RECEIPT, ...fields }) as Receipt;

const included = (receipt: Receipt): Observation => ({
  found: toIncluded(receipt),
  count: 8n,
});

/** The node does not know it; its nonce is used or not. */
const absent = (isUsed = false): Observation => ({
  found: { status: 'absent' },
  count: isUsed ? 8n : 7n,
});

const PENDING: Observation = { found: { status: 'pending' }, count: 7n };

/** Of a chain whose nodes forget: it may have been included long ago. */
const unknown = (isUsed = false): Observation => ({
  found: { status: 'unknown' },
  count: isUsed ? 8n : 7n,
});

const settledAs = (status: SentTransaction['status'], settledAt = NOW): object => ({
  ...withoutFields(SENT, ['raw']),
  status,
  settledAt,
});

describe('what was included', () => {
  const inclusion = {
    blockNumber: '0x10',
    blockHash: `0x${'cd'.repeat(32)}`,
    gasUsed: '0x5208',
    effectiveGasPrice: '0x3b9aca00',
    cost: '0x1319718a5000',
  };

  it.each([
    ['succeeded', '0x1', true],
    ['failed', '0x0', false],
  ])('%s, at a cost; the signed bytes are forgotten', (_how, status, success) => {
    const receipt = receiptOf({ status });
    const sent = { ...SENT, absentSince: NOW - 1 };
    expect(findOutcome(sent, included(receipt), NOW)).toStrictEqual({
      ...settledAs('included'),
      inclusion: { ...inclusion, success },
      receipt,
    });
  });

  it('neither succeeded nor failed where the receipt does not tell', () => {
    const root = { ...withoutFields(RECEIPT, ['status']), root: hashOf(9) };
    const outcome = findOutcome(SENT, included(root as unknown as Receipt), NOW);
    expect(outcome).toStrictEqual({
      ...settledAs('included'),
      inclusion,
      receipt: root,
    });
  });

  it('keeps a receipt of 16,000 characters, and no longer one', () => {
    const bare = JSON.stringify(receiptOf({ note: '' })).length;
    const noted = (length: number): unknown => {
      const receipt = receiptOf({ note: 'x'.repeat(length - bare) });
      return findOutcome(SENT, included(receipt), NOW).receipt;
    };
    expect(noted(16_000)).toHaveProperty('note');
    expect(noted(16_001)).toBeUndefined();
  });

  it('costs no more than what can be written', () => {
    const most = `0x${'f'.repeat(64)}`;
    const receipt = receiptOf({ gasUsed: most, effectiveGasPrice: most });
    const outcome = findOutcome(SENT, included(receipt), NOW);
    expect(outcome.inclusion?.cost).toBe(most);
  });
});

describe('what the node knows', () => {
  it('stays as it is', () => {
    expect(findOutcome(SENT, PENDING, NOW + WEEK - 1)).toBe(SENT);
  });

  it('is absent no more', () => {
    const sent = { ...SENT, absentSince: NOW - 1 };
    expect(findOutcome(sent, PENDING, NOW)).toStrictEqual(SENT);
  });

  it('is given up after a week', () => {
    const later = NOW + WEEK;
    expect(findOutcome(SENT, PENDING, later)).toStrictEqual(
      settledAs('unknown', later),
    );
  });
});

describe('what the node does not know', () => {
  it.each([absent(false), absent(true), unknown(false), unknown(true)])(
    'is noted to be absent, for it may be late (case %#)',
    (observation) => {
      expect(findOutcome(SENT, observation, NOW)).toStrictEqual({
        ...SENT,
        absentSince: NOW,
      });
    },
  );

  it.each<[SentTransaction['status'], number, Observation]>([
    ['dropped', 120_000, absent(false)],
    ['replaced', 30_000, absent(true)],
    ['dropped', 120_000, unknown(false)],
    ['unknown', 30_000, unknown(true)],
  ])('is %s after %i ms, and not before', (status, ms, observation) => {
    const sent = { ...SENT, absentSince: NOW };
    expect(findOutcome(sent, observation, NOW + ms - 1)).toBe(sent);
    expect(findOutcome(sent, observation, NOW + ms)).toStrictEqual(
      settledAs(status, NOW + ms),
    );
  });

  it('is included by a receipt that comes late', () => {
    const sent = { ...SENT, absentSince: NOW };
    const outcome = findOutcome(sent, included(receiptOf({})), NOW + 30_000);
    expect(outcome).toHaveProperty('status', 'included');
  });

  it('is judged anew where the clock was set back', () => {
    const sent = { ...SENT, absentSince: NOW + WEEK };
    const noted = findOutcome(sent, absent(), NOW);
    expect(noted).toStrictEqual({ ...SENT, absentSince: NOW });
    expect(findOutcome(noted, absent(), NOW + 120_000)).toStrictEqual(
      settledAs('dropped', NOW + 120_000),
    );
  });
});

describe('what no node answers for', () => {
  it('stays as it is for a week, and is given up then', () => {
    expect(findOutcome(SENT, undefined, NOW + WEEK - 1)).toBe(SENT);
    const later = NOW + WEEK;
    const sent = { ...SENT, absentSince: NOW };
    expect(findOutcome(sent, undefined, later)).toStrictEqual(
      settledAs('unknown', later),
    );
  });

  it('is not given up where the clock was set back', () => {
    expect(findOutcome(SENT, undefined, NOW - WEEK)).toBe(SENT);
  });
});

describe('a sibling that was included', () => {
  it('is named by the one that it replaced', () => {
    const sent = { ...SENT, absentSince: NOW };
    expect(toReplaced(sent, pendingOf(2), NOW)).toStrictEqual({
      ...settledAs('replaced'),
      replacedBy: hashOf(2),
    });
  });
});
