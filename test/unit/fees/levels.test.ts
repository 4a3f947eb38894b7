import type { Json } from '@metamask/utils';

import type { FeeLevels } from '../../../src/fees/level';
import type { LevelsByChain } from '../../../src/fees/levels';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { askedOf } from '../../support/fake-node';
import { createFeeBench, START } from '../../support/fee-bench';
import type { FeeBench } from '../../support/fee-bench';
import { SUGGESTED_LEVELS } from '../../support/fees';
import { createGate, settle } from '../../support/gate';
import { refusalOf } from '../../support/refusal';

type Bench = FeeBench & {
  /** Get the levels in a worker that was just started. */
  get: (chainId?: bigint) => Promise<FeeLevels>;
  worker: LevelsByChain;
};

function setup(gasServer: Server | undefined = answering(gasAnswer)): Bench {
  const bench = createFeeBench(gasServer);
  const { chainOf, startWorker } = bench;
  return {
    ...bench,
    get: (chainId) => startWorker().get(chainOf(chainId)),
    worker: startWorker(),
  };
}

describe('levels that were fetched before', () => {
  it('are used again for five seconds, also in another worker', async () => {
    const { get, network, clock } = setup();
    const levels = await get();
    expect(levels).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
    clock.time += 4_999;
    expect(await get()).toStrictEqual(levels);
    expect(network.sent).toHaveLength(1);
  });

  it.each([
    ['they are five seconds old', 5_000],
    ['the clock was set back', -1],
  ])('are fetched again once %s', async (_what, change) => {
    const { get, network, clock } = setup();
    await get();
    clock.time += change;
    expect(await get()).toHaveProperty('at', START + change);
    expect(network.sent).toHaveLength(2);
  });

  it('are used from every source, with its name', async () => {
    const { chainOf, startWorker, node } = createFeeBench();
    const levels = await startWorker().get(chainOf());
    expect(levels).toHaveProperty('source', 'fee-history');
    expect(await startWorker().get(chainOf())).toStrictEqual(levels);
    expect(askedOf(node).filter((name) => name === 'eth_feeHistory')).toHaveLength(1);
  });

  it('are those of the same chain', async () => {
    const { get, network, backend } = setup();
    await get(1n);
    await get(2n);
    expect(network.sent).toHaveLength(2);
    const { levels } = backend.document as { levels: Record<string, Json> };
    expect(Object.keys(levels)).toStrictEqual(['eip155:1', 'eip155:2']);
  });

  it('need no head: a chain may know of none', async () => {
    const { chainOf, worker, network } = setup();
    const { id, node, gas } = chainOf();
    const chain = { id, node, ...(gas && { gas }) };
    expect(await worker.get(chain)).toStrictEqual(await worker.get(chain));
    expect(network.sent).toHaveLength(1);
  });
});

describe('levels of a chain whose heads are known', () => {
  it.each([
    ['nearly a minute has passed', 59_999, 1],
    ['a minute has passed in silence', 60_000, 2],
    ['the clock was set back', -1, 2],
  ])(
    'are used again while the head is the same, unless it is old: %s',
    async (_what, change, fetches) => {
      const { get, network, clock, heads } = setup();
      heads.newest = 16n;
      await get();
      clock.time += change;
      await get();
      expect(network.sent).toHaveLength(fetches);
    },
  );

  it.each<[string, bigint | undefined, bigint]>([
    ['the next', 16n, 17n],
    ['one before, after a reorganisation', 16n, 15n],
    ['the first one that is known', undefined, 16n],
  ])('are fetched again once the head is %s', async (_what, before, after) => {
    const { get, network, heads } = setup();
    heads.newest = before;
    await get();
    heads.newest = after;
    await get();
    await get();
    expect(network.sent).toHaveLength(2);
  });

  it('count by their age once the subscription is gone', async () => {
    const { get, network, clock, heads } = setup();
    heads.newest = 16n;
    await get();
    heads.newest = undefined;
    clock.time += 4_999;
    await get();
    expect(network.sent).toHaveLength(1);
    clock.time += 1;
    await get();
    expect(network.sent).toHaveLength(2);
  });

  it('count for the head at which their fetch began', async () => {
    const gate = createGate();
    const { get, network, heads } = setup(async (request) => {
      await gate.opened;
      return answering(gasAnswer)(request);
    });
    heads.newest = 16n;
    const first = get();
    await settle();
    heads.newest = 17n;
    gate.open();
    await first;
    await get();
    expect(network.sent).toHaveLength(2);
  });
});

describe('those who ask at the same time', () => {
  it('share one fetch, whether they get or refresh', async () => {
    const { worker, chainOf, network } = setup();
    const { get, refresh } = worker;
    const calls = [get, get, refresh, get, refresh];
    const answers = await Promise.all(calls.map((call) => call(chainOf())));
    expect(new Set(answers.map(({ at }) => at))).toStrictEqual(new Set([START]));
    expect(network.sent).toHaveLength(1);
  });

  it('do not share it with those of another chain', async () => {
    const { worker, chainOf, network } = setup();
    await Promise.all([worker.get(chainOf(1n)), worker.get(chainOf(2n))]);
    expect(network.sent).toHaveLength(2);
  });

  it('share its failure, and those who come later do not', async () => {
    const { worker, chainOf, node } = createWithoutAnswers();
    const failing = [worker.get(chainOf()), worker.refresh(chainOf())];
    const failures = await Promise.allSettled(failing);
    expect(failures.map(({ status }) => status)).toStrictEqual([
      'rejected',
      'rejected',
    ]);
    expect(askedOf(node).filter((name) => name === 'eth_feeHistory')).toHaveLength(1);
    expect(askedOf(node).filter((name) => name === 'eth_gasPrice')).toHaveLength(1);
    node.answers.eth_gasPrice = '0x7';
    expect(await worker.get(chainOf())).toHaveProperty('source', 'gas-price');
  });

  function createWithoutAnswers(): FeeBench & { worker: LevelsByChain } {
    const bench = createFeeBench(undefined, {});
    return { ...bench, worker: bench.startWorker() };
  }

  it('leave no levels stored if it fails', async () => {
    const { worker, chainOf, backend } = createWithoutAnswers();
    await refusalOf(worker.get(chainOf()));
    const answers = { 'eip155:1': { node: { at: START, kind: 'failed' } } };
    expect(backend.document).toMatchObject({ levels: {}, answers });
  });
});

describe('refreshing', () => {
  it('fetches and keeps levels however fresh the known ones are', async () => {
    const { worker, chainOf, network, clock, heads } = setup();
    heads.newest = 16n;
    await worker.get(chainOf());
    clock.time += 1;
    const levels = await worker.refresh(chainOf());
    expect(levels).toHaveProperty('at', START + 1);
    expect(network.sent).toHaveLength(2);
    expect(await worker.get(chainOf())).toStrictEqual(levels);
    expect(network.sent).toHaveLength(2);
  });
});
