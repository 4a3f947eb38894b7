import type { SentTransaction } from '../../../src/state/sent-transaction';
import { askedOf } from '../../support/fake-node';
import { hashOf, pendingOf, SENT } from '../../support/sent-transactions';
import {
  createEmptyNode,
  createTrackerBench,
  START,
} from '../../support/tracker-bench';
import type { TrackerBench } from '../../support/tracker-bench';

const sentOf = (n: number, fields: Partial<SentTransaction> = {}): SentTransaction =>
  pendingOf(n, { sentAt: START + n, ...fields });

function setup(sent: readonly SentTransaction[]): TrackerBench & {
  /** List hash number and status of what is stored. */
  states: () => [number, string][];
} {
  const bench = createTrackerBench(sent);
  bench.wallet.pendingSince = START;
  bench.clock.time += 1_000;
  const states = (): [number, string][] =>
    bench.stored().map(({ hash, status }) => [Number(hash), status]);
  return { ...bench, states };
}

describe('a poll', () => {
  it('stores what was settled, tells of it, and arms for the rest', async () => {
    const { tracker, include, told, stored, states, wallet } = setup([
      sentOf(1),
      sentOf(2, { nonce: '0x8' }),
    ]);
    include(hashOf(1));
    await tracker.poll();
    expect(states()).toStrictEqual([
      [1, 'included'],
      [2, 'pending'],
    ]);
    expect(told).toStrictEqual([stored().slice(0, 1)]);
    expect([wallet.pendingSince, wallet.alarms]).toStrictEqual([START, [3]]);
  });

  it('takes the flag down when all is settled, and sets no alarm', async () => {
    const { tracker, include, wallet } = setup([sentOf(1)]);
    include(hashOf(1));
    await tracker.poll();
    expect([wallet.pendingSince, wallet.alarms]).toStrictEqual([null, []]);
  });

  it('tells nothing of what is only absent', async () => {
    const { tracker, told, stored } = setup([sentOf(1)]);
    await tracker.poll();
    expect(told).toStrictEqual([]);
    expect(stored()).toStrictEqual([sentOf(1, { absentSince: START + 1_000 })]);
  });

  it('asks and reads nothing while locked, and is armed for later', async () => {
    const { tracker, wallet, nodes, backend } = setup([sentOf(1)]);
    wallet.isLocked = true;
    await tracker.poll();
    expect(nodes[1]?.calls).toStrictEqual([]);
    expect([backend.loads, wallet.alarms]).toStrictEqual([0, [60]]);
  });

  it('asks once where two come at the same time, and again after that', async () => {
    const { tracker, nodes } = setup([sentOf(1)]);
    const receipts = (): number =>
      askedOf(nodes[1] ?? createEmptyNode()).filter((name) => /Receipt/u.test(name))
        .length;
    await Promise.all([tracker.poll(), tracker.poll()]);
    expect(receipts()).toBe(1);
    await tracker.poll();
    expect(receipts()).toBe(2);
  });

  it('asks each chain for its own, and is not held up by one without a node', async () => {
    const { tracker, nodes, include, states } = setup([
      sentOf(1),
      sentOf(2, { chain: 'eip155:5' }),
      sentOf(3, { chain: 'eip155:9' }),
    ]);
    nodes[5] = createEmptyNode();
    include(hashOf(1));
    await tracker.poll();
    const asked = nodes[5].calls
      .filter(({ method }) => method !== 'eth_sendRawTransaction')
      .map(({ params }) => params[0]);
    expect(new Set(asked)).toStrictEqual(new Set([hashOf(2), SENT.from]));
    expect(states()).toStrictEqual([
      [1, 'included'],
      [2, 'pending'],
      [3, 'pending'],
    ]);
  });

  it('is armed again though nothing could be stored', async () => {
    const { tracker, include, wallet, backend, states } = setup([sentOf(1)]);
    include(hashOf(1));
    backend.failNextSave = new Error('disk full');
    await expect(tracker.poll()).rejects.toThrow(new Error('disk full'));
    expect(wallet.alarms).toStrictEqual([3]);
    await tracker.poll();
    expect(states()).toStrictEqual([[1, 'included']]);
  });
});

describe('two with one nonce', () => {
  const included = (n: number, fields: Partial<SentTransaction>): SentTransaction => ({
    ...SENT,
    hash: hashOf(n),
    ...fields,
  });

  it('settle each other in one poll, and both are told of', async () => {
    const { tracker, include, stored, told } = setup([
      sentOf(1),
      sentOf(2, { nonce: '0x07' }),
    ]);
    include(hashOf(2));
    await tracker.poll();
    const [first, second] = stored();
    expect(first).toMatchObject({ status: 'replaced', replacedBy: hashOf(2) });
    expect(second).toHaveProperty('status', 'included');
    expect(second).not.toHaveProperty('replacedBy');
    expect(told).toStrictEqual([[first, second]]);
  });

  it('settle each other when one was included before', async () => {
    const before = included(2, { settledAt: START + 1 });
    const { tracker, states } = setup([sentOf(1), before]);
    await tracker.poll();
    expect(states()).toStrictEqual([
      [1, 'replaced'],
      [2, 'included'],
    ]);
  });

  it.each<[string, Partial<SentTransaction>]>([
    ['included before it was sent, on a chain started anew', { settledAt: START }],
    ['of another chain', { chain: 'eip155:5' }],
    ['of another sender', { from: `0x${'0f'.repeat(20)}` }],
    ['of another nonce', { nonce: '0x8' }],
    ['that was replaced itself', { status: 'replaced' }],
  ])('are none if the other is one %s', async (_what, fields) => {
    const other = included(2, { settledAt: START + 1, ...fields });
    const { tracker, stored } = setup([sentOf(1), other]);
    await tracker.poll();
    expect(stored()[0]).toStrictEqual(sentOf(1, { absentSince: START + 1_000 }));
  });
});

describe('watching', () => {
  it('begins with a sending, and ends when nothing is pending on the chain', async () => {
    const { tracker, include, watched } = setup([
      sentOf(1),
      sentOf(2, { chain: 'eip155:5' }),
    ]);
    expect(tracker.isWatched(1n)).toBe(false);
    await tracker.watch(1n);
    await tracker.watch(5n);
    expect(watched).toStrictEqual([1n, 5n]);
    await tracker.poll();
    expect([1n, 5n].map(tracker.isWatched)).toStrictEqual([true, true]);
    include(hashOf(1));
    await tracker.poll();
    expect([1n, 5n].map(tracker.isWatched)).toStrictEqual([false, true]);
  });

  it('ends after ten minutes', async () => {
    const { tracker, clock } = setup([sentOf(1)]);
    await tracker.watch(1n);
    clock.time += 599_999;
    expect(tracker.isWatched(1n)).toBe(true);
    clock.time += 1;
    expect(tracker.isWatched(1n)).toBe(false);
  });

  it('ends where the clock was set back by more', async () => {
    const { tracker, clock } = setup([sentOf(1)]);
    await tracker.watch(1n);
    clock.time -= 600_000;
    expect(tracker.isWatched(1n)).toBe(false);
  });
});
