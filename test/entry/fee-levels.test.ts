// Fee levels: their sources and the choice between them, their computation, lifetime and storage.
// A site calls the snap, which uses an in-memory gas API and node.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';
import { parseGwei } from 'viem';

import { gasAnswer } from '../fixtures/client/gas-answer';
import { callersOf } from '../support/callers';
import { answering, unreachableServer, serving, silent } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { calledMethods, createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import {
  blocksOf,
  EXCESSIVE_FEES,
  FEE_ANSWERS,
  NODE_FEE_ANSWERS,
  SUGGESTED_LEVELS,
} from '../support/fees';
import { createGate, settle } from '../support/gate';
import { storeChains } from '../support/given';
import { openHome } from '../support/home-bench';
import { refusalOf, expectRefusal } from '../support/refusal';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import { TO } from '../support/transactions';
import { textOf, textsOf } from '../support/view';

const LINEA = 59_144;

const GWEI = 1_000_000_000n;

const unknownMethod = refuses({ code: -32601, message: 'unknown method' });

type Name = 'low' | 'medium' | 'high';

type Level = Record<'maxFeePerGas' | 'maxPriorityFeePerGas', string | bigint>;

type Levels = Record<'source' | 'estimatedBaseFee', string> & Record<Name, Level>;

type Stored = { at: number; market?: { waits: Json } & Record<string, Json> };

type Bench = Awaited<ReturnType<typeof setup>>;

/** Sets up chains 1, 2, 10, 137 and Linea with a node, and optionally a gas API. */
async function setup(
  gas?: Server,
  answers: NodeAnswers = gas ? NODE_FEE_ANSWERS : FEE_ANSWERS,
) {
  let app = createTestApp();
  const { edges } = app;
  const { network } = edges;
  const node = createFakeNode({ ...answers });
  const rpcUrl = 'https://node.example';
  const gasBaseUrl = 'https://gas.example';
  network.serve(rpcUrl, serving(node));
  if (gas) network.serve(gasBaseUrl, gas);
  const row = gas ? { rpcUrl, gasBaseUrl } : { rpcUrl };
  const chains = [1, 2, 10, 137, LINEA].map((id) => [`eip155:${id}`, row] as const);
  await storeChains(app, Object.fromEntries(chains));
  return {
    app,
    edges,
    node,
    /** Calls a method on a chain; by default, gets the fee levels of chain 1. */
    lookUp: async (
      chainId = 1,
      method = 'tollkeeper_getFeeLevels',
      params: Json = [],
    ) =>
      (await callersOf(app).rpc(DAPP, method, {
        scope: `eip155:${chainId}`,
        params,
      })) as unknown as Levels,
    stored: (field: 'levels' | 'answers' | 'baseFees', chainId = 1) => {
      const { [field]: entries = {} } = edges.publicBackend.document as Record<
        string,
        Record<string, unknown>
      >;
      return entries[`eip155:${chainId}`];
    },
    fetches: () => network.sent.filter(({ url }) => url.startsWith(gasBaseUrl)).length,
    restart: () => {
      app = createTestApp(edges);
    },
  };
}

const pairsOf = ({ low, medium, high }: Record<Name, Level>): bigint[][] =>
  [low, medium, high].map(({ maxFeePerGas, maxPriorityFeePerGas }) => [
    BigInt(maxFeePerGas),
    BigInt(maxPriorityFeePerGas),
  ]);

/** Groups six fees into a maximum and a priority fee per level. */
function byLevel(...fees: bigint[]): bigint[][] {
  return [0, 2, 4].map((index) => fees.slice(index, index + 2));
}

/** Parses a maximum and a priority fee in gwei per level. */
const inGwei = (...levels: string[]): bigint[][] =>
  levels.map((level) => level.split(' ').map((fee) => parseGwei(fee)));

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

/** Creates a fee history from fees in wei; each row of rewards belongs to a block. */
const historyOf = (
  baseFees: (bigint | number)[],
  gasUsedRatio: number[] = [],
  rewards?: (bigint | number)[][],
): Record<string, Json> => ({
  oldestBlock: '0x1',
  baseFeePerGas: baseFees.map(hex),
  gasUsedRatio,
  ...(rewards && { reward: rewards.map((row) => row.map(hex)) }),
});

/** Creates a gas API's answer from the maximum and the priority fee of each level, in wei. */
function suggest(pairs: readonly (readonly bigint[])[], baseFee: bigint): Json {
  const toGwei = (wei = 0n) => `${wei / GWEI}.${String(wei % GWEI).padStart(9, '0')}`;
  const toLevel = ([maximum, priority]: readonly bigint[] = []): Json => ({
    ...gasAnswer.low,
    suggestedMaxFeePerGas: toGwei(maximum),
    suggestedMaxPriorityFeePerGas: toGwei(priority),
  });
  const [low, medium, high] = pairs.map(toLevel);
  const levels = { low, medium, high } as Record<string, Json>;
  return { ...gasAnswer, ...levels, estimatedBaseFee: toGwei(baseFee) };
}

describe('levels from the gas API', () => {
  it('are its figures in wei, even on a rollup, with its market data', async () => {
    const { lookUp, stored } = await setup(answering(gasAnswer));
    for (const chainId of [1, LINEA]) {
      const levels = await lookUp(chainId);
      expect(levels).toMatchObject({ source: 'gas-api', ageMs: 0 });
      expect(BigInt(levels.estimatedBaseFee)).toBe(16_284_026_964n);
      expect(pairsOf(levels)).toStrictEqual(pairsOf(SUGGESTED_LEVELS));
    }
    expect(stored('levels')).toHaveProperty('market', SUGGESTED_LEVELS.market);
  });

  it('have ascending wait times that are safe integers', async () => {
    const low = {
      ...gasAnswer.low,
      minWaitTimeEstimate: 2 ** 60,
      maxWaitTimeEstimate: 5,
    };
    const { lookUp, stored } = await setup(answering({ ...gasAnswer, low }));
    await lookUp();
    const { market } = stored('levels') as Stored;
    expect(market?.waits).toHaveProperty('low', {
      min: 5,
      max: Number.MAX_SAFE_INTEGER,
    });
  });

  /** The lowest implausible fee: 100,000 gwei. */
  const LIMIT = 10n ** 14n;

  it.each<[string, bigint[][], bigint]>([
    ['just above half of the base fee', byLevel(51n, 2n, 51n, 2n, 51n, 2n), 100n],
    ['zero without a base fee', byLevel(0n, 0n, 0n, 0n, 0n, 0n), 0n],
    ['up to a wei below 100,000 gwei', byLevel(1n, 1n, 1n, 1n, LIMIT - 1n, 1n), 1n],
  ])('are accepted if they are %s', async (_what, pairs, baseFee) => {
    // The node has no fees to compare them with.
    const { lookUp } = await setup(answering(suggest(pairs, baseFee)), {});
    expect(pairsOf(await lookUp())).toStrictEqual(pairs);
  });

  const justBelow = [LIMIT - 1n, 1n];

  const lowAt = (low: bigint[], baseFee: bigint): Server =>
    answering(suggest([low, justBelow, justBelow], baseFee));

  it.each<[string, Server, string]>([
    ['cannot be reached', unreachableServer, 'unreachable'],
    ['answers 500', answering({}, 500), 'failed'],
    ['answers 401', answering({}, 401), 'denied'],
    ['answers 403', answering({}, 403), 'denied'],
    ['answers 402', answering({}, 402), 'quota'],
    ['answers 404', answering({}, 404), 'failed'],
    ['answers 429', answering({}, 429), 'limited'],
    ['answers with an unknown object', answering({ low: 1 }), 'failed'],
    ['does not answer with JSON', () => new Response('<html>'), 'failed'],
    ['has a maximum fee of 100,000 gwei', answering(EXCESSIVE_FEES), 'failed'],
    ['has a priority fee of 100,000 gwei', lowAt([1n, LIMIT], 1n), 'failed'],
    ['has a base fee of 100,000 gwei', lowAt(justBelow, LIMIT), 'failed'],
    ['has a maximum fee far below its base fee', lowAt([50n, 1n], 100n), 'failed'],
    ['has a maximum fee of zero despite a base fee', lowAt([0n, 0n], 1n), 'failed'],
  ])(
    'are replaced by levels from past blocks if the API %s',
    async (_what, server, kind) => {
      const { lookUp, node, stored } = await setup(server);
      expect(await lookUp()).toHaveProperty('source', 'fee-history');
      // The first two calls check the gas API, and the others replace it.
      const params = ['0x14', 'latest', [0, 5, 10, 20, 50, 100]];
      expect(node.calls.map((call) => call.params)).toStrictEqual([
        params,
        [],
        params,
        ['latest', false],
        ['finalized', false],
      ]);
      expect(stored('answers')).toMatchObject({ gas: { kind }, node: { kind: 'ok' } });
    },
  );

  it('come with the time when a rate-limited gas API can be asked again', async () => {
    const headers = { 'retry-after': '60' };
    const { lookUp, stored, edges } = await setup(
      () => new Response('', { status: 429, headers }),
    );
    await lookUp();
    const retryAt = edges.clock.time + 60_000;
    expect(stored('answers')).toHaveProperty('gas.retryAt', retryAt);
  });
});

describe("a rollup's levels", () => {
  const ESTIMATE = {
    baseFeePerGas: '0x64',
    gasLimit: '0x5208',
    priorityFeePerGas: '0xa',
  };

  it('come from linea_estimateGas, even if the gas API fails', async () => {
    const answers = { ...FEE_ANSWERS, linea_estimateGas: ESTIMATE };
    const { lookUp, node } = await setup(undefined, answers);
    const levels = await lookUp(LINEA);
    expect(levels).toMatchObject({
      source: 'rollup-estimate',
      estimatedBaseFee: '0x64',
    });
    expect(pairsOf(levels)).toStrictEqual(byLevel(160n, 10n, 180n, 10n, 212n, 12n));
    const from = `0x${'00'.repeat(20)}`;
    const call = { from, to: from, value: '0x0' };
    expect(node.calls.map(({ params }) => params)).toStrictEqual([[call]]);
    await lookUp(1);
    expect(calledMethods(node).filter((name) => /estimate/u.test(name))).toHaveLength(
      1,
    );
    const failing = await setup(answering({}, 503), answers);
    expect(await failing.lookUp(LINEA)).toHaveProperty('source', 'rollup-estimate');
  });

  it.each<[string, NodeAnswers[string]]>([
    ['the node lacks the method', unknownMethod],
    ['the estimate fails', refuses('no')],
    ['the answer has no fees', { gasLimit: '0x1' }],
    ['the answer is null', null],
    ['a fee is 100,000 gwei', { ...ESTIMATE, baseFeePerGas: '0x5af3107a4000' }],
  ])('come from past blocks if %s', async (_what, linea_estimateGas) => {
    const { lookUp } = await setup(undefined, { ...FEE_ANSWERS, linea_estimateGas });
    expect(await lookUp(LINEA)).toHaveProperty('source', 'fee-history');
  });
});

describe('levels from the node', () => {
  it('come from past blocks, even without a gas price', async () => {
    const { lookUp, stored } = await setup(undefined, {
      ...FEE_ANSWERS,
      eth_gasPrice: unknownMethod,
    });
    const levels = await lookUp();
    expect(levels).toMatchObject({
      source: 'fee-history',
      estimatedBaseFee: '0x3b9aca00',
    });
    const expected = inGwei('1.501 0.001', '1.71 0.01', '2.1 0.1');
    expect(pairsOf(levels)).toStrictEqual(expected);
    expect(stored('levels')).toHaveProperty('market', {
      congestion: 0.5,
      baseFeeTrend: 'down',
      priorityFeeTrend: 'down',
      waits: {
        low: { min: 12_000, max: 96_000 },
        medium: { min: 12_000, max: 60_000 },
        high: { min: 12_000, max: 36_000 },
      },
    });
  });

  const noBaseFee = { ...FEE_ANSWERS.eth_feeHistory, baseFeePerGas: ['0x0', '0x0'] };
  const implausible = {
    ...noBaseFee,
    baseFeePerGas: [`0x${(2n ** 200n).toString(16)}`],
  };

  it.each<[string, NodeAnswers[string]]>([
    ['the node has no fee history', unknownMethod],
    ['the fee history is malformed', { baseFeePerGas: 1 }],
    ['there are no base fees', { ...noBaseFee, baseFeePerGas: [] }],
    ['all base fees are zero', noBaseFee],
    ['a base fee is implausible', implausible],
  ])('are the gas price if %s', async (_what, eth_feeHistory) => {
    const { lookUp } = await setup(undefined, { eth_feeHistory, eth_gasPrice: '0x7' });
    const levels = await lookUp();
    expect(levels).toMatchObject({ source: 'gas-price', estimatedBaseFee: '0x0' });
    expect(pairsOf(levels)).toStrictEqual(byLevel(7n, 7n, 7n, 7n, 7n, 7n));
  });

  it("are refused if they are implausible, and with the last source's error if all sources fail", async () => {
    const { lookUp, node, stored, edges } = await setup(answering({}, 500), {});
    const reason = 'eth_gasPrice at the node of eip155:59144 failed';
    await expectRefusal(lookUp(LINEA), -32601, reason);
    const methods = [
      'linea_estimateGas',
      'eth_feeHistory',
      'eth_maxPriorityFeePerGas',
      'eth_gasPrice',
      'eth_baseFee',
      'eth_getBlockByNumber',
    ];
    expect(calledMethods(node)).toStrictEqual(methods);
    expect(stored('levels', LINEA)).toBeUndefined();
    const failed = { at: edges.clock.time, kind: 'failed' };
    expect(stored('answers', LINEA)).toStrictEqual({ gas: failed, node: failed });
    node.answers.eth_gasPrice = '0x5af3107a4000';
    expect(await refusalOf(lookUp(LINEA))).toStrictEqual({
      code: -32002,
      message: 'The suggested fees (gas-price) are not plausible.',
    });
  });
});

it.each(['eth_maxPriorityFeePerGas', 'eth_getBlockByNumber'])(
  'waits at most 2 s for %s',
  async (method) => {
    const gate = createGate();
    const { app, lookUp } = await setup(undefined, {
      ...FEE_ANSWERS,
      [method]: () => {
        gate.open();
        return new Promise(() => undefined) as never;
      },
    });
    // Disables batches, whose answers arrive together.
    await storeChains(app, {
      'eip155:1': { rpcUrl: 'https://node.example', singleCallsOnly: ['rpcUrl'] },
    });
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const levels = lookUp();
      await gate.opened;
      let isSettled = false;
      void levels.then(() => (isSettled = true));
      await jest.advanceTimersByTimeAsync(1_999);
      expect(isSettled).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(await levels).toHaveProperty('source', 'fee-history');
    } finally {
      jest.useRealTimers();
    }
  },
);

describe('the priority fees of levels', () => {
  const POLYGON = 137;

  const ZEROS = [0, 0, 0, 0, 0, 0];

  const REWARDS = [0, 1e6, 1e9, 2e9, 3e9, 99e9];

  /** Looks up each level's priority fee, in wei, at a base fee of 30 wei. */
  async function tipsOf(
    suggested: NodeAnswers[string] | undefined,
    { ratio = 0.5, rewards = ZEROS, chainId = 2 } = {},
  ): Promise<bigint[]> {
    const blocks = <Value>(value: Value): Value[] => Array<Value>(20).fill(value);
    const { lookUp } = await setup(undefined, {
      eth_feeHistory: historyOf([...blocks(30), 30], blocks(ratio), blocks(rewards)),
      ...(suggested !== undefined && { eth_maxPriorityFeePerGas: suggested }),
    });
    const pairs = pairsOf(await lookUp(chainId));
    return pairs.map(([, tip = 0n]) => tip);
  }

  const FLOOR = hex(30n * GWEI);

  const atFloor = Array<bigint>(3).fill(30n * GWEI);

  it.each<[string, { ratio?: number; rewards?: number[]; chainId?: number }]>([
    ['all blocks are empty', { ratio: 0 }],
    ['blocks have no rewards', { rewards: [] }],
    ['all rewards are zero', {}],
    ['all rewards are lower', { rewards: [1, 1, 2, 1e9, 2e9, 29e9] }],
    ['some rewards on Polygon are lower', { chainId: POLYGON, rewards: REWARDS }],
  ])("are at least the node's suggestion if %s", async (_what, blocks) => {
    expect(await tipsOf(FLOOR, blocks)).toStrictEqual(atFloor);
  });

  it("come from past blocks if a reward exceeds the node's suggestion", async () => {
    const blocks = { rewards: REWARDS };
    const tips = await tipsOf(undefined, blocks);
    expect(tips).toStrictEqual([1_000_000n, 1_000_000n, 1_000_000n]);
    expect(await tipsOf(FLOOR, blocks)).toStrictEqual(tips);
    expect(await tipsOf('0x1', { ...blocks, chainId: POLYGON })).toStrictEqual(tips);
  });

  it.each<[string, NodeAnswers[string]]>([
    ['lacks the method', unknownMethod],
    ['fails', refuses('No.')],
    ['answers null', null],
    ['suggests zero', '0x0'],
    ['suggests more than 1,000 gwei', hex(1_000n * GWEI + 1n)],
    ['suggests 2^200 wei', hex(2n ** 200n)],
    ['answers with an object', { fee: 1 }],
  ])('are defaults if blocks are empty and the node %s', async (_what, suggested) => {
    const tips = [50_000_000n, 100_000_000n, 300_000_000n];
    expect(await tipsOf(suggested, { ratio: 0 })).toStrictEqual(tips);
  });
});

describe('the base fee of the next block', () => {
  const past = Array<bigint>(20).fill(GWEI);

  it.each<[string, bigint[], bigint]>([
    ['is zero', [...past, 0n], GWEI],
    ['falls by more than an eighth', [...past, 874_999_999n], GWEI],
    ['rises by more than half', [...past, 1_500_000_002n], GWEI],
    ['is 2^200 wei', [...past, 2n ** 200n], GWEI],
    ['follows zeros and implausible base fees', [...past, 0n, 10n ** 14n, 0n], GWEI],
    ['falls by an eighth', [...past, 875_000_000n], 875_000_000n],
    ['rises by an eighth', [...past, 1_125_000_000n], 1_125_000_000n],
    ['rises from 1 wei to 2', [1n, 2n], 2n],
    ['is the only one', [7n], 7n],
    ['follows only zeros', [0n, 0n, 7n], 7n],
    ['is missing', past, GWEI],
  ])('is the last plausible one if the newest %s', async (_what, fees, expected) => {
    const ratios = Array<number>(20).fill(0.5);
    const { lookUp } = await setup(undefined, {
      eth_feeHistory: historyOf(fees, ratios),
    });
    const levels = await lookUp();
    expect(BigInt(levels.estimatedBaseFee)).toBe(expected);
    expect(BigInt(levels.low.maxFeePerGas)).toBeGreaterThanOrEqual(
      (expected * 3n) / 2n,
    );
    const suggested = await lookUp(1, 'gas_suggestedGasFees', [1]);
    expect(parseGwei(suggested.estimatedBaseFee)).toBe(expected);
  });

  it.each<[string, Record<string, Json>]>([
    ['base fees of null', { baseFeePerGas: [null, null] }],
    ['null instead of base fees', { baseFeePerGas: null }],
    ['no base fees', { baseFeePerGas: [] }],
    ['only zeros', { baseFeePerGas: ['0x0', '0x0'] }],
    ['only a base fee of 2^200 wei', { baseFeePerGas: [hex(2n ** 200n)] }],
  ])('comes from the latest block if the history has %s', async (_what, changes) => {
    const { lookUp } = await setup(undefined, {
      eth_feeHistory: { ...historyOf([]), ...changes },
      eth_gasPrice: hex(3n * GWEI),
      eth_getBlockByNumber: {
        number: '0x10',
        timestamp: '0x1',
        baseFeePerGas: hex(2n * GWEI),
      },
    });
    const levels = await lookUp();
    expect(levels).toMatchObject({
      source: 'base-fee',
      estimatedBaseFee: hex(2n * GWEI),
    });
    expect(pairsOf(levels)).toStrictEqual(inGwei('4 1', '4.4 1', '5 1'));
  });

  it("is unknown if the latest block's base fee is not below the gas price", async () => {
    const { lookUp } = await setup(undefined, {
      eth_feeHistory: unknownMethod,
      eth_gasPrice: '0x7',
      eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', baseFeePerGas: '0x7' },
    });
    expect(await lookUp()).toMatchObject({
      source: 'gas-price',
      estimatedBaseFee: '0x0',
    });
  });

  it('is not suggested to sites if it is implausible', async () => {
    const { lookUp } = await setup(undefined, {
      eth_feeHistory: historyOf([2n ** 200n]),
    });
    expect(await refusalOf(lookUp(1, 'gas_suggestedGasFees', [1]))).toStrictEqual({
      code: -32002,
      message: 'The suggested fees (fee-history) are not plausible.',
    });
  });
});

describe('the block time', () => {
  type Header = { number: Json; timestamp: Json } | null;

  const header = (number: number, timestamp: number): Header => ({
    number: `0x${number.toString(16)}`,
    timestamp: `0x${timestamp.toString(16)}`,
  });

  const latest = header(1_000, 5_000);

  const earlier = { '0x3d4': header(980, 4_760) };

  it.each<[string, Record<string, Header>, number]>([
    [
      'measured from the finalized block',
      { latest, finalized: header(936, 4_872) },
      2_000,
    ],
    ['measured below a second', { latest, finalized: header(900, 4_975) }, 250],
    [
      'measured from an earlier block without a finalized one',
      { latest, finalized: null, ...earlier },
      12_000,
    ],
    [
      'measured from an earlier block if the latest is finalized',
      { latest, finalized: latest, ...earlier },
      12_000,
    ],
    [
      'measured from an earlier block if the finalized one is newer',
      { latest, finalized: header(1_001, 4_000), ...earlier },
      12_000,
    ],
    [
      'measured from an earlier block if the finalized one has no number',
      { latest, finalized: { number: null, timestamp: '0x1' }, ...earlier },
      12_000,
    ],
    [
      'measured from block 0 on a new chain',
      { latest: header(3, 1_006), '0x0': header(0, 1_000) },
      2_000,
    ],
    ['at most a minute', { latest: header(3, 9_000_000), '0x0': header(0, 1) }, 60_000],
    ['12 s without blocks', {}, 12_000],
    ['12 s with one block', { latest: header(0, 5), '0x0': header(0, 5) }, 12_000],
    ['12 s without an earlier block', { latest: header(1_000, 6_000) }, 12_000],
    ['12 s for equal times', { latest: header(9, 5), finalized: header(8, 5) }, 12_000],
    [
      '12 s if the timestamps decrease',
      { latest: header(9, 5), finalized: header(8, 6) },
      12_000,
    ],
    ['12 s for a malformed block', { latest: { number: 7, timestamp: [] } }, 12_000],
  ])('is %s', async (_what, blocks, ms) => {
    const eth_getBlockByNumber = ([block]: Json[]) => blocks[block as string] ?? null;
    const { lookUp, stored, edges } = await setup(undefined, {
      ...FEE_ANSWERS,
      eth_getBlockByNumber,
    });
    await lookUp();
    const { market } = stored('levels') as Stored;
    expect(market?.waits).toHaveProperty('low', { min: ms, max: 8 * ms });
    const [first] = edges.network.sent;
    expect(JSON.parse(first?.body ?? '')).toHaveLength(4);
  });

  it('is measured once per chain', async () => {
    const { lookUp, stored, node, edges } = await setup(undefined, {
      ...FEE_ANSWERS,
      eth_getBlockByNumber: blocksOf(2),
    });
    const waits = async (chainId: number): Promise<unknown> => {
      edges.clock.time += 60_000;
      await lookUp(chainId);
      return (stored('levels', chainId) as Stored).market?.waits;
    };
    const first = await waits(1);
    expect(first).toHaveProperty('low.min', 2_000);
    node.answers.eth_getBlockByNumber = blocksOf(3);
    expect(await waits(1)).toStrictEqual(first);
    expect(await waits(10)).toHaveProperty('low.min', 3_000);
    // The second lookup on chain 1 requests only the fee history.
    expect(calledMethods(node)).toHaveLength(4 + 1 + 4);
  });
});

describe('stored levels', () => {
  it.each([
    ['reused for almost 5 s', 4_999, 1],
    ['replaced after 5 s', 5_000, 2],
    ['replaced if the clock was set back', -1, 2],
  ])('are %s', async (_what, ms, count) => {
    const { lookUp, edges, fetches, restart } = await setup(answering(gasAnswer));
    const before = await lookUp();
    edges.clock.time += ms;
    restart();
    expect(await lookUp()).toStrictEqual({ ...before, ageMs: count === 1 ? ms : 0 });
    expect(fetches()).toBe(count);
    // Levels are stored per chain.
    await lookUp(2);
    expect(fetches()).toBe(count + 1);
  });

  it('are shared by concurrent callers, as are errors', async () => {
    const { lookUp, fetches } = await setup(answering(gasAnswer));
    await Promise.all([lookUp(), lookUp(), lookUp()]);
    expect(fetches()).toBe(1);
    const failing = await setup(undefined, {});
    const both = await Promise.allSettled([failing.lookUp(), failing.lookUp()]);
    expect(both.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
    expect(calledMethods(failing.node)).toStrictEqual([
      'eth_feeHistory',
      'eth_maxPriorityFeePerGas',
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_gasPrice',
      'eth_baseFee',
      'eth_getBlockByNumber',
    ]);
    failing.node.answers.eth_gasPrice = '0x7';
    expect(await failing.lookUp()).toHaveProperty('source', 'gas-price');
  });

  it.each<[string, Json]>([
    ['has invalid levels', { version: 1, levels: 'spoiled' }],
    ['has a newer version', { version: 99, levels: {} }],
    ['has no version', {}],
    ['is a string', 'spoiled'],
  ])(
    'are fetched if the stored document %s, which stays unchanged',
    async (_what, document) => {
      const { lookUp, edges, restart } = await setup(answering(gasAnswer));
      edges.publicBackend.document = document;
      restart();
      expect(await lookUp()).toHaveProperty('source', 'gas-api');
      expect(edges.publicBackend.document).toStrictEqual(document);
    },
  );

  it('are fetched if the storage fails', async () => {
    const { lookUp, edges, fetches } = await setup(answering(gasAnswer));
    edges.publicBackend.failNextLoad = new Error('disk gone');
    edges.publicBackend.failNextSave = new Error('disk full');
    expect(await lookUp()).toHaveProperty('source', 'gas-api');
    expect(await lookUp()).toHaveProperty('source', 'gas-api');
    expect(fetches()).toBeGreaterThan(0);
  });
});

describe('suggested fees', () => {
  type Range = [string, string];

  type Suggested = Record<Name, Record<string, string>> & {
    estimatedBaseFee: string;
    networkCongestion: number;
    latestPriorityFeeRange: Range;
    historicalPriorityFeeRange: Range;
    historicalBaseFeeRange: Range;
    priorityFeeTrend: string;
    baseFeeTrend: string;
  };

  async function suggestFrom(eth_feeHistory: NodeAnswers[string]): Promise<Suggested> {
    const { lookUp } = await setup(undefined, { eth_feeHistory });
    return (await lookUp(1, 'gas_suggestedGasFees', [1])) as unknown as Suggested;
  }

  const feesOf = ({ low, medium, high }: Suggested): bigint[][] =>
    [low, medium, high].map((level) => [
      parseGwei(level.suggestedMaxFeePerGas ?? ''),
      parseGwei(level.suggestedMaxPriorityFeePerGas ?? ''),
    ]);

  it('are computed from the rewards of past blocks', async () => {
    const result = await suggestFrom(
      historyOf(
        [100, 110, 120, 130, 140],
        [0.5, 0, 1, 0.25],
        // The second block is empty, so its rewards are ignored.
        [
          [1, 1, 2, 20, 300, 500],
          [0, 0, 0, 0, 0, 0],
          [2, 3, 5, 10, 100, 100],
          [1, 2, 3, 30, 200, 400],
        ],
      ),
    );
    // Maximum fees are 1.5, 1.7 and 2 times the base fee of 140 wei, plus the tip. Blocks with
    // space took a tip of 1 wei, and the full block took 10 wei. The high level's tip is a tenth of
    // the base fee.
    expect(feesOf(result)).toStrictEqual(byLevel(211n, 1n, 248n, 10n, 294n, 14n));
    const wei = (range: Range): bigint[] => range.map((fee) => parseGwei(fee));
    expect([
      parseGwei(result.estimatedBaseFee),
      result.networkCongestion,
      wei(result.latestPriorityFeeRange),
      wei(result.historicalPriorityFeeRange),
      wei(result.historicalBaseFeeRange),
      // Medians of the used blocks: 300, 100, 200.
      result.priorityFeeTrend,
      result.baseFeeTrend,
    ]).toStrictEqual([
      140n,
      0.4375,
      [1n, 400n],
      [1n, 500n],
      [100n, 130n],
      'down',
      'up',
    ]);
  });

  it('cover the requested blocks, even if the node returns more', async () => {
    const fill = <Value>(count: number, value: Value): Value[] =>
      Array<Value>(count).fill(value);
    const requested = historyOf(fill(21, 7), fill(20, 1), fill(20, [1, 2, 3, 4, 5, 6]));
    const longer = historyOf(
      [...fill(1_004, 9), ...fill(21, 7)],
      [...fill(1_004, 0.5), ...fill(20, 1)],
      [...fill(1_004, [9, 9, 9, 9, 9]), ...fill(20, [1, 2, 3, 4, 5, 6, 7, 8, 9])],
    );
    expect(await suggestFrom(longer)).toStrictEqual(await suggestFrom(requested));
  });

  /** Maximum fees are 1.5, 1.7 and 2 times the base fee of 1 gwei, plus the priority fee. */
  const DEFAULTS = inGwei('1.55 0.05', '1.8 0.1', '2.3 0.3');

  it.each<[string, Json, bigint[][]]>([
    ['defaults without rewards', historyOf([GWEI, GWEI], [1]), DEFAULTS],
    ['defaults for empty blocks', historyOf([GWEI, GWEI], [0], [[9, 9, 9]]), DEFAULTS],
    ['defaults without gas used ratios', historyOf([GWEI, GWEI], [], [[9]]), DEFAULTS],
    ['defaults without blocks', historyOf([GWEI]), DEFAULTS],
    [
      'rounded up to a wei',
      historyOf([1, 1], [1], [[0, 0, 0]]),
      byLevel(2n, 0n, 2n, 0n, 2n, 0n),
    ],
    [
      'ascending for fewer percentiles',
      historyOf([100, 100], [1], [[2, 10]]),
      byLevel(160n, 10n, 180n, 10n, 210n, 10n),
    ],
    [
      'based on the lowest substantial tip in a block with space',
      historyOf([GWEI, GWEI], [0.5], [[0, 1, 5e6, 6e6, 9e6, 1e9]]),
      inGwei('1.505 0.005', '1.71 0.01', '2.1 0.1'),
    ],
    [
      'based on shares of the base fee if all tips are tiny',
      historyOf([GWEI, GWEI], [0.5], [[1, 1, 1, 1, 1, 1e9]]),
      inGwei('1.501 0.001', '1.71 0.01', '2.1 0.1'),
    ],
    [
      'based on tips that sufficed in a quarter of the blocks and in the last five',
      historyOf(
        Array<bigint>(9).fill(GWEI),
        Array<number>(8).fill(0.5),
        [9, 1, 3, 4, 5, 8, 7, 6].map((tip) => Array<number>(6).fill(tip * 1e7)),
      ),
      inGwei('1.53 0.03', '1.78 0.08', '2.1 0.1'),
    ],
  ])('are %s', async (_what, history, expected) => {
    expect(feesOf(await suggestFrom(history))).toStrictEqual(expected);
  });

  it.each([
    [[1, 1, 2, 2], 'up'],
    [[2, 2, 1, 1], 'down'],
    [[1, 1, 1, 1], 'down'],
    [[1, 2], 'up'],
    [[5], 'down'],
    // The median belongs to neither half.
    [[1, 9, 2], 'up'],
  ])('include the trend of the base fees %j: %s', async (baseFees, trend) => {
    expect(await suggestFrom(historyOf(baseFees))).toHaveProperty(
      'baseFeeTrend',
      trend,
    );
  });

  it.each([
    [[], 0],
    [[1, 1, 1], 1],
    [[0.25, 0.75], 0.5],
    // Some nodes return more than 1, or less than 0.
    [[1.5, -0.5], 0.5],
  ])(
    'include the congestion for the gas used ratios %j: %d',
    async (ratios, congestion) => {
      const result = await suggestFrom(historyOf([1, 1], ratios));
      expect(result.networkCongestion).toBe(congestion);
    },
  );

  const PERCENTILE = 'gas_baseFeePercentile';

  it.each([
    [[10, 20, 30, 99], '0.00000002'],
    [[30, 10, 20, 99], '0.00000002'],
    // The second of four is the median, because half of them are at most that.
    [[10, 20, 30, 40, 99], '0.00000002'],
    [[10, 10, 10, 40, 99], '0.00000001'],
    [[10, 99], '0.00000001'],
  ])(
    "include the median of the base fees %j without the last one, the next block's",
    async (fees, expected) => {
      const { lookUp } = await setup(undefined, { eth_feeHistory: historyOf(fees) });
      expect(await lookUp(1, PERCENTILE, [1])).toStrictEqual({
        baseFeePercentile: expected,
        source: 'fee-history',
      });
    },
  );

  it('come from the gas API without any request to the node', async () => {
    const { lookUp, node } = await setup(({ url }) => {
      const isPercentile = !url.endsWith('suggestedGasFees');
      const body = isPercentile ? { baseFeePercentile: '23.227829059' } : gasAnswer;
      return new Response(JSON.stringify(body));
    });
    const result = await lookUp(1, 'gas_suggestedGasFees', [1]);
    expect(result).not.toHaveProperty('source');
    expect(result.medium).toStrictEqual(gasAnswer.medium);
    expect(await lookUp(1, PERCENTILE, [1])).toStrictEqual({
      baseFeePercentile: '23.227829059',
    });
    expect(node.calls).toStrictEqual([]);
  });

  it('are refused on a chain without base fees, or if the node fails', async () => {
    const { lookUp, node } = await setup(answering('no', 401), {
      eth_feeHistory: historyOf([0, 0]),
    });
    const refusal = {
      code: -32002,
      message: 'The chain has no base fee, and so no suggested fees.',
    };
    for (const method of ['gas_suggestedGasFees', PERCENTILE]) {
      expect(await refusalOf(lookUp(1, method, [1]))).toStrictEqual(refusal);
    }
    delete node.answers.eth_feeHistory;
    const reason = 'eth_feeHistory at the node of eip155:1 failed';
    await expectRefusal(lookUp(1, PERCENTILE, [1]), -32601, reason);
  });
});

describe('base fees of past blocks', () => {
  /** Opens chain 1's market on the home page, which fetches the base fees. */
  async function visit({ app }: Bench): Promise<void> {
    const home = await openHome(app);
    await home.choose('home.gas.chain', 'eip155:1');
    await settle();
  }

  const historyRequests = ({ node }: Bench): Json[][] =>
    node.calls.map(({ params }) => params).filter(([blocks]) => blocks === '0x3c');

  it('are stored, and fetched again after five seconds', async () => {
    const bench = await setup();
    await visit(bench);
    const baseFees = Array<string>(3).fill('0x3b9aca00');
    const { time } = bench.edges.clock;
    const expected = { at: time, oldest: '0x10', baseFees };
    expect(bench.stored('baseFees')).toStrictEqual(expected);
    const count = historyRequests(bench).length;
    expect(historyRequests(bench)[0]).toStrictEqual(['0x3c', 'latest', []]);
    bench.edges.clock.time += 4_999;
    await visit(bench);
    expect(historyRequests(bench)).toHaveLength(count);
    bench.edges.clock.time += 1;
    await visit(bench);
    expect(historyRequests(bench).length).toBeGreaterThan(count);
    // A failing node leaves the earlier data unchanged.
    delete bench.node.answers.eth_feeHistory;
    bench.edges.clock.time += 6_000;
    await visit(bench);
    expect(bench.stored('baseFees')).toStrictEqual({ ...expected, at: time + 5_000 });
    expect(bench.stored('answers')).toHaveProperty('node.kind');
  });

  it('are limited to the newest 64, and not stored if all are zero', async () => {
    const bench = await setup();
    const fees = Array.from({ length: 70 }, (_, index) => hex(index + 1));
    const history = { oldestBlock: '0x10', gasUsedRatio: [0.5] };
    bench.node.answers.eth_feeHistory = { ...history, baseFeePerGas: ['0x0', '0x0'] };
    await visit(bench);
    expect(bench.stored('baseFees')).toBeUndefined();
    bench.node.answers.eth_feeHistory = { ...history, baseFeePerGas: fees };
    bench.edges.clock.time += 60_000;
    await visit(bench);
    const { oldest, baseFees } = bench.stored('baseFees') as {
      oldest: string;
      baseFees: string[];
    };
    expect([oldest, baseFees.length, baseFees.at(-1)]).toStrictEqual([
      '0x16',
      64,
      '0x46',
    ]);
  });
});

describe('with a gas API and a node,', () => {
  const setupBoth = async (gas: Server, answers: NodeAnswers = {}) =>
    setup(gas, { ...NODE_FEE_ANSWERS, ...answers });

  /** Creates a gas API's answer whose high level has a maximum fee in gwei. */
  function withHigh(gwei: string): Json {
    const high = { ...gasAnswer.high, suggestedMaxFeePerGas: gwei };
    return { ...gasAnswer, high };
  }

  const withFees = (baseFee: bigint, reward: bigint): NodeAnswers => ({
    eth_feeHistory: historyOf([baseFee, baseFee], [0.5], [[reward, reward, reward]]),
  });

  /** Ten times the node's high level: twice the base fee of 16 gwei, plus a tip of 1 gwei. */
  const TENFOLD = '330';

  const ABOVE = '330.000000001';

  const PASSED_OVER = textOf('source.passedOver', {
    source: textOf('source.feeHistory'),
  });

  describe('the gas API', () => {
    const skippedForPrice = { source: 'gas-price', passedOver: 'gas-api' };

    const busy = refuses({ code: -32005, message: 'slow down' });

    it("is used up to ten times the node's fees", async () => {
      const { lookUp } = await setupBoth(answering(withHigh(TENFOLD)));
      const levels = await lookUp();
      expect(levels.source).toBe('gas-api');
      expect(levels).not.toHaveProperty('passedOver');
    });

    it('is used even if it answers long after the node has failed', async () => {
      const slow: Server = async (request) => {
        await settle();
        return answering(gasAnswer)(request);
      };
      const failed = refuses({ code: -32603, message: 'No.' });
      const { lookUp } = await setupBoth(slow, {
        eth_feeHistory: failed,
        eth_gasPrice: failed,
      });
      expect(await lookUp()).toMatchObject({ source: 'gas-api' });
    });

    it("is skipped above ten times the node's fees, and sites are informed", async () => {
      const { lookUp } = await setupBoth(answering(withHigh(ABOVE)));
      expect(await lookUp()).toMatchObject({
        source: 'fee-history',
        passedOver: 'gas-api',
        high: { maxFeePerGas: '0x7aef40a00' },
      });
    });

    it('is skipped for eth_fillTransaction and dialogs, and users are informed', async () => {
      const { app } = await setupBoth(answering(withHigh(ABOVE)), {
        eth_getTransactionCount: '0x5',
        eth_estimateGas: '0x5208',
        eth_getBalance: '0x8ac7230489e80000',
        eth_sendRawTransaction: `0x${'11'.repeat(32)}`,
      });
      const { rpc } = callersOf(app);
      const { address: from } = await createAccount(app);
      await rpc(DAPP, 'eth_requestAccounts');
      const params = [{ from, to: TO, value: '0x1' }];
      const filled = await rpc(DAPP, 'eth_fillTransaction', params);
      expect(filled).toHaveProperty('tx.maxFeePerGas', '0x65ec87800');
      await rpc(DAPP, 'eth_sendTransaction', params);
      const texts = textsOf(app.edges.dialogs.shown.at(-1)).join('\n');
      expect(texts).toContain(PASSED_OVER);
      // The home page shows the stored levels, with their source.
      const home = await openHome(app);
      await home.choose('home.gas.chain', 'eip155:1');
      expect(home.texts()).toContain(PASSED_OVER);
      const failed = textOf('server.failed', { age: '0 sec' });
      expect(home.texts()).toContain(failed);
    });

    const nodeWith = (answers: NodeAnswers): Server =>
      serving(createFakeNode({ ...NODE_FEE_ANSWERS, ...answers }));

    it.each<[string, Server]>([
      ['has far higher fees', nodeWith(withFees(1_000n * GWEI, GWEI))],
      ['has a far higher priority fee', nodeWith(withFees(200n * GWEI, 9_000n * GWEI))],
      ['returns implausible fees', nodeWith(withFees(200_000n * GWEI, GWEI))],
      ['has no fees', serving(createFakeNode())],
      ['is busy', nodeWith({ eth_feeHistory: busy, eth_gasPrice: busy })],
      ['is unreachable', unreachableServer],
      ['does not answer', silent],
    ])('is used if the node %s', async (_what, server) => {
      const { app, lookUp } = await setupBoth(answering(gasAnswer));
      app.edges.network.serve('https://node.example', server);
      expect((await lookUp()).source).toBe('gas-api');
    });

    it.each<[string, bigint[][], [baseFee: bigint, source: string]]>([
      ['has no base fee', byLevel(50n, 1n, 60n, 1n, 70n, 1n), [0n, 'fee-history']],
      ['has maximum fees of 0', byLevel(0n, 0n, 0n, 0n, 0n, 0n), [0n, 'fee-history']],
      ['has a low base fee', byLevel(50n, 1n, 60n, 1n, 70n, 1n), [7n, 'fee-history']],
      ['has a low maximum fee', byLevel(7n, 1n, 60n, 1n, 70n, 1n), [9n, 'fee-history']],
      ['has half the base fee', byLevel(8n, 1n, 60n, 1n, 70n, 1n), [8n, 'gas-api']],
      // Either source may be wrong; the gas API's fees are lower.
      ['has less than a tenth', byLevel(1n, 0n, 1n, 0n, 1n, 0n), [1n, 'gas-api']],
    ])(
      "is checked against the node's base fee of 16 gwei: it %s",
      async (_what, pairs, [baseFee, source]) => {
        const inWei = pairs.map((pair) => pair.map((fee) => fee * GWEI));
        const server = answering(suggest(inWei, baseFee * GWEI));
        const { lookUp, stored } = await setupBoth(server);
        const levels = await lookUp();
        expect(levels.source).toBe(source);
        expect(levels).not.toHaveProperty('passedOver');
        const kind = source === 'gas-api' ? 'ok' : 'failed';
        expect(stored('answers')).toHaveProperty('gas.kind', kind);
      },
    );

    it('is not quoted to sites if it contradicts its own base fee', async () => {
      const pairs = byLevel(50n, 1n, 500n, 1n, 500n, 1n);
      const { lookUp } = await setupBoth(answering(suggest(pairs, 101n)));
      const suggested = await lookUp(1, 'gas_suggestedGasFees', [1]);
      expect(suggested).toHaveProperty('source', 'fee-history');
    });

    it('is compared with the gas price if the node has no fee history', async () => {
      const { lookUp } = await setupBoth(answering(withHigh('81')), {
        eth_feeHistory: undefined as never,
        eth_gasPrice: hex(8n * GWEI),
      });
      expect(await lookUp()).toMatchObject(skippedForPrice);
    });

    it('is compared with the gas price on a chain without base fees', async () => {
      const answers = { ...withFees(0n, 3n * GWEI), eth_gasPrice: '0xb2d05e00' };
      const near = await setupBoth(answering(gasAnswer), answers);
      expect((await near.lookUp()).source).toBe('gas-api');
      // The comparison does not cause another request.
      expect(calledMethods(near.node)).toStrictEqual([
        'eth_feeHistory',
        'eth_maxPriorityFeePerGas',
      ]);
      const { lookUp } = await setupBoth(answering(withHigh('30.1')), answers);
      expect(await lookUp()).toMatchObject(skippedForPrice);
    });
  });

  describe('a failing gas API', () => {
    it.each<[string, Server]>([
      ['denies access', answering({}, 403)],
      ['is unreachable', unreachableServer],
      ['suggests 100,000 gwei', answering(withHigh('100000'))],
    ])("is replaced by the node's fees if it %s", async (_what, gas) => {
      const { node, lookUp } = await setupBoth(gas);
      const levels = await lookUp();
      expect(levels.source).toBe('fee-history');
      expect(levels).not.toHaveProperty('passedOver');
      // The check itself does not measure the block time.
      expect(calledMethods(node)).toStrictEqual([
        'eth_feeHistory',
        'eth_maxPriorityFeePerGas',
        'eth_feeHistory',
        'eth_getBlockByNumber',
        'eth_getBlockByNumber',
      ]);
    });

    it("causes the node's error if the node fails, too", async () => {
      const { lookUp } = await setupBoth(answering({}, 403), {
        eth_feeHistory: undefined as never,
        eth_gasPrice: refuses('no price today'),
      });
      await expect(lookUp()).rejects.toThrow('no price today');
    });
  });

  describe('a node without a fee history', () => {
    const lookUpWith = async (answers: NodeAnswers): Promise<Levels> => {
      const absent = { eth_feeHistory: undefined as never };
      const { lookUp } = await setupBoth(answering({}, 403), { ...absent, ...answers });
      return lookUp();
    };
    const at = (gwei: bigint): string => hex(gwei * GWEI);

    it('provides the base fee, and its gas price minus the base fee as the tip', async () => {
      const levels = await lookUpWith({
        eth_baseFee: at(100n),
        eth_gasPrice: at(103n),
      });
      expect(levels).toMatchObject({ source: 'base-fee', estimatedBaseFee: at(100n) });
      const [low = [], medium = [], high = []] = pairsOf(levels);
      const tips = new Set([low[1], medium[1], high[1]]);
      expect(tips).toStrictEqual(new Set([3n * GWEI]));
      expect(low[0]).toBeGreaterThanOrEqual(103n * GWEI);
      expect(medium[0]).toBeGreaterThanOrEqual(low[0] ?? 0n);
      expect(high[0]).toBeGreaterThan(medium[0] ?? 0n);
    });

    it('leads to the default priority fees if its gas price is below the base fee', async () => {
      const levels = await lookUpWith({ eth_baseFee: at(100n), eth_gasPrice: at(50n) });
      expect(levels.source).toBe('base-fee');
      expect(BigInt(levels.low.maxPriorityFeePerGas)).toBeGreaterThan(0n);
    });

    it.each<[string, NodeAnswers]>([
      ['contradicts its gas price', { eth_baseFee: at(15n) }],
      ['is zero', { eth_baseFee: '0x0' }],
      ['is malformed', { eth_baseFee: 'much' }],
      ['is refused', { eth_baseFee: refuses('No.') }],
      ['is missing', {}],
    ])('provides only its gas price if its base fee %s', async (_what, answers) => {
      const levels = await lookUpWith({ eth_gasPrice: at(7n), ...answers });
      expect(levels).toMatchObject({ source: 'gas-price', estimatedBaseFee: '0x0' });
      expect(pairsOf(levels)[2]).toStrictEqual([7n * GWEI, 7n * GWEI]);
    });
  });
});
