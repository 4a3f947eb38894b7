// Batches of calls (EIP-5792): what the snap stores of them, and what it reports.
import type { Json } from '@metamask/utils';

import type { CallBatch, SentTransaction } from '../../src/state/sent-transaction';
import { callersOf } from '../support/callers';
import { CALLS, createCallsBench } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { refuses } from '../support/fake-node';
import { hashOf, pendingOf, SENT } from '../support/sent-transactions';
import { createTestApp, DAPP } from '../support/test-app';

const SEND = 'eth_sendRawTransaction';

const DUPLICATE = {
  code: 5720,
  message: 'Calls with the id "mine" were sent already. Choose another id.',
};

/** A site's batch, of which nothing went out yet. */
const batchOf = ({ smart }: CallsBench, fields: Partial<CallBatch>): CallBatch => ({
  id: 'mine',
  origin: DAPP,
  chain: 'eip155:1',
  account: smart.id,
  atomic: false,
  size: 2,
  sentAt: 1,
  hashes: [],
  ...fields,
});

const store = async (
  { app }: Pick<CallsBench, 'app'>,
  batches: CallBatch[],
  sent: SentTransaction[] = [],
): Promise<unknown> => {
  const activity = Object.fromEntries(sent.map((each) => [each.hash, each]));
  return app.services.store.update((state) => ({ ...state, batches, activity }));
};

describe('the status of calls', () => {
  type State = 'pending' | 'included' | 'failed' | 'dropped' | 'replaced' | 'unknown';

  const toSent = (state: State, index: number): SentTransaction => {
    const hash = hashOf(index + 1);
    if (state === 'pending') return pendingOf(index + 1, { sentAt: 1_700_000_000_000 });
    const { inclusion, replaces, replacedBy, ...rest } = SENT;
    expect([replaces, replacedBy]).not.toContain(undefined);
    if (state !== 'included' && state !== 'failed') {
      return { ...rest, hash, status: state };
    }
    const success = state === 'included';
    const isSo = { ...inclusion, success } as Required<SentTransaction>['inclusion'];
    return { ...rest, hash, status: 'included', inclusion: isSo };
  };

  it.each<[number, State[], boolean, string]>([
    [100, ['pending', 'included'], false, 'one is pending'],
    [100, ['failed', 'pending'], false, 'one is pending, and one failed'],
    [200, ['included', 'included'], false, 'all are included'],
    [600, ['included', 'failed'], false, 'one failed'],
    [600, ['included', 'dropped'], false, 'one was dropped'],
    [600, ['included', 'replaced'], false, 'one was replaced'],
    [600, ['included', 'unknown'], false, 'one is unknown'],
    [600, ['included'], false, 'one was never sent'],
    [500, ['failed', 'failed'], false, 'all failed'],
    [500, ['failed', 'dropped'], false, 'one failed, and one was dropped'],
    [500, ['failed'], false, 'one failed, and one was never sent'],
    [400, ['dropped', 'replaced'], false, 'none was included'],
    [400, [], false, 'none was sent'],
    [100, ['pending'], true, 'the operation is pending'],
    [200, ['included'], true, 'the operation is included'],
    [500, ['failed'], true, 'the operation failed'],
    [400, ['dropped'], true, 'the operation was dropped'],
  ])('is %i for %j (atomic: %j): %s', async (status, states, atomic) => {
    const bench = await createCallsBench();
    const sent = states.map(toSent);
    const hashes = sent.map(({ hash }) => hash);
    await store(bench, [batchOf(bench, { atomic, hashes })], sent);
    expect(await bench.status('mine')).toMatchObject({ status, atomic });
  });

  it('is 100 while more may go out, and only in the worker that is at it', async () => {
    const bench = await createCallsBench();
    const { edges, sendCalls, status } = bench;
    const accept = edges.wallet.answers[SEND];
    const seen: Json[] = [];
    const sending: Promise<Json>[] = [];
    edges.wallet.answers[SEND] = (params) => {
      sending.push(
        status('mine').then((answer) => (answer as { status: Json }).status),
      );
      return typeof accept === 'function' ? accept(params) : null;
    };
    await sendCalls({ id: 'mine' });
    seen.push(...(await Promise.all(sending)));
    expect(seen[0]).toBe(100);
    // Its worker was stopped before anything went out.
    await store(bench, [batchOf(bench, { hashes: [] })]);
    const other = callersOf(createTestApp(edges));
    expect(await other.rpc(DAPP, 'wallet_getCallsStatus', ['mine'])).toHaveProperty(
      'status',
      400,
    );
  });
});

describe('a batch of calls', () => {
  it('is kept before anything of it goes out, and grows by what does', async () => {
    const { edges, sendCalls, batches, pool } = await createCallsBench();
    const accept = edges.wallet.answers[SEND];
    const seen: number[] = [];
    edges.wallet.answers[SEND] = (params) => {
      seen.push(batches()[0]?.hashes.length ?? -1);
      return typeof accept === 'function' ? accept(params) : null;
    };
    await sendCalls({ id: 'mine' });
    expect(seen).toStrictEqual([1, 2]);
    expect(batches()).toMatchObject([
      { id: 'mine', origin: DAPP, size: CALLS.length, hashes: [...pool.keys()] },
    ]);
  });

  it.each([
    ['nothing could be kept', undefined],
    ['the first was refused', 0],
    ['the second was refused', 1],
  ])('is forgotten only where nothing was sent: %s', async (_what, taken) => {
    const bench = await createCallsBench();
    const { edges, sendCalls, batches, pool } = bench;
    const accept = edges.wallet.answers[SEND];
    const message = 'x'.repeat(2_000);
    edges.wallet.answers[SEND] = (params) => {
      if (pool.size === taken) return refuses({ code: -32000, message })();
      return typeof accept === 'function' ? accept(params) : null;
    };
    const full = Array.from({ length: 100 }, (_, index) => pendingOf(index));
    if (taken === undefined) await store(bench, [], full);
    await sendCalls({ id: 'mine' }).catch(() => undefined);
    expect(batches().map(({ hashes }) => hashes.length)).toStrictEqual(
      taken === undefined ? [] : [taken + 1],
    );
    const [{ failure = '' } = {}] = batches();
    expect(failure.length).toBeLessThanOrEqual(1_000);
    expect(failure === '').toBe(taken === undefined);
    // An id of which nothing was sent is free again.
    await store(bench, batches());
    edges.wallet.answers[SEND] = accept ?? null;
    const again = await sendCalls({ id: 'mine' }).catch((error: unknown) => error);
    if (taken === undefined) expect(again).toHaveProperty('id', 'mine');
    else expect(again).toMatchObject(DUPLICATE);
  });

  it('is forgotten after a hundred others', async () => {
    const bench = await createCallsBench();
    const all = Array.from({ length: 100 }, (_, n) => batchOf(bench, { id: `${n}` }));
    await store(bench, all);
    await bench.sendCalls({ id: 'mine' });
    expect(bench.batches()).toHaveLength(100);
    expect(bench.batches().map(({ id }) => id)).toEqual(
      expect.arrayContaining(['1', '99', 'mine']),
    );
    expect(bench.batches()[0]?.id).toBe('1');
  });
});
