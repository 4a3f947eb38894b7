import { InternalError } from '../../../src/errors';
import { fetchLevels } from '../../../src/fees/level-sources';
import type { BlockTimes, FetchedLevels } from '../../../src/fees/level-sources';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { askedOf, refuses } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';
import { createFeeBench } from '../../support/fee-bench';
import { blocksOf, DEAR_FEES, FEE_ANSWERS, SUGGESTED_LEVELS } from '../../support/fees';
import { refusalOf } from '../../support/refusal';

const LINEA = 59_144n;

const ESTIMATE = {
  baseFeePerGas: '0x64',
  gasLimit: '0x5208',
  priorityFeePerGas: '0xa',
};

const missing = refuses({ code: -32601, message: 'unknown method' });

type Bench = {
  fetch: (chainId?: bigint) => Promise<FetchedLevels>;
  node: FakeNode;
  urls: () => string[];
};

/** A gas API, unless none is given, and a node. */
function setup(gasServer?: Server, answers?: NodeAnswers): Bench {
  const { chainOf, node, network } = createFeeBench(gasServer, answers);
  return {
    fetch: (chainId) => fetchLevels(chainOf(chainId)),
    node,
    urls: () => network.sent.map(({ url }) => url),
  };
}

describe('levels from the gas API', () => {
  it('are its figures in wei, on a rollup too', async () => {
    const { fetch, urls, node } = setup(answering(gasAnswer));
    expect(await fetch()).toStrictEqual(SUGGESTED_LEVELS);
    expect(await fetch(LINEA)).toStrictEqual(SUGGESTED_LEVELS);
    expect(urls()).toStrictEqual([
      'https://gas.example/networks/1/suggestedGasFees',
      'https://gas.example/networks/59144/suggestedGasFees',
    ]);
    expect(askedOf(node)).toStrictEqual([
      'eth_feeHistory',
      'rollup_estimateGas',
      'eth_feeHistory',
    ]);
  });

  const failures: [string, Server][] = [
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers 500', answering({}, 500)],
    ['answers 401', answering({}, 401)],
    ['answers 429', answering({}, 429)],
    ['answers with something else', answering({ low: 1 })],
    ['answers with negative fees', answering({ ...gasAnswer, estimatedBaseFee: '-1' })],
    ['answers with no JSON', () => new Response('<html>')],
    ['asks 100,000 gwei for a unit of gas', answering(DEAR_FEES)],
    ['contradicts itself', answering({ ...gasAnswer, estimatedBaseFee: '99' })],
  ];

  it.each(failures)('are computed from past blocks if it %s', async (_what, server) => {
    const { fetch, node } = setup(server);
    expect(await fetch()).toHaveProperty('source', 'fee-history');
    // One a level, and what was paid least and most.
    const percentiles = [0, 20, 50, 80, 100];
    const history = {
      method: 'eth_feeHistory',
      params: ['0x14', 'latest', percentiles],
    };
    // To check the gas API first, then in its place.
    expect(node.calls).toStrictEqual([
      history,
      history,
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ]);
  });
});

describe('levels of a rollup', () => {
  const answers = { ...FEE_ANSWERS, rollup_estimateGas: ESTIMATE };
  const address = `0x${'00'.repeat(20)}`;

  it.each([LINEA, 59_141n])('of chain %s come from its estimate', async (chainId) => {
    const { fetch, node } = setup(undefined, answers);
    expect(await fetch(chainId)).toStrictEqual({
      source: 'rollup-estimate',
      estimatedBaseFee: 100n,
      low: { maxFeePerGas: 110n, maxPriorityFeePerGas: 10n },
      medium: { maxFeePerGas: 145n, maxPriorityFeePerGas: 10n },
      high: { maxFeePerGas: 182n, maxPriorityFeePerGas: 12n },
    });
    // No fees: they would be held against the balance of nobody's account.
    const call = { from: address, to: address, value: '0x0' };
    expect(node.calls).toHaveLength(1);
    expect(node.calls[0]?.params).toStrictEqual([call]);
  });

  it('come from its estimate if the gas API fails', async () => {
    const { fetch } = setup(answering({}, 503), answers);
    expect(await fetch(LINEA)).toHaveProperty('source', 'rollup-estimate');
  });

  it.each([
    ['its node has no such method', missing],
    ['the estimate fails', refuses({ code: -32000, message: 'no' })],
    ['it answers with something else', { gasLimit: '0x1' }],
    ['it answers null', null],
    ['a fee is 100,000 gwei', { ...ESTIMATE, baseFeePerGas: '0x5af3107a4000' }],
  ])('come from past blocks if %s', async (_what, rollup_estimateGas) => {
    const { fetch } = setup(undefined, { ...FEE_ANSWERS, rollup_estimateGas });
    expect(await fetch(LINEA)).toHaveProperty('source', 'fee-history');
  });

  it('are not asked for on another chain', async () => {
    const { fetch, node } = setup(undefined, answers);
    expect(await fetch(1n)).toHaveProperty('source', 'fee-history');
    expect(askedOf(node)).not.toContain('rollup_estimateGas');
  });
});

describe('levels from the node', () => {
  it('come from past blocks, without a gas price', async () => {
    const { fetch } = setup(undefined, { ...FEE_ANSWERS, eth_gasPrice: missing });
    expect(await fetch()).toStrictEqual({
      source: 'fee-history',
      estimatedBaseFee: 1_000_000_000n,
      low: { maxFeePerGas: 1_000_000_001n, maxPriorityFeePerGas: 1n },
      medium: { maxFeePerGas: 1_350_000_002n, maxPriorityFeePerGas: 2n },
      high: { maxFeePerGas: 1_700_000_003n, maxPriorityFeePerGas: 3n },
      market: {
        congestion: 0.5,
        baseFeeTrend: 'down',
        priorityFeeTrend: 'down',
        waits: {
          low: { min: 12_000, max: 60_000 },
          medium: { min: 12_000, max: 48_000 },
          high: { min: 12_000, max: 24_000 },
        },
      },
    });
  });

  it('have waits by the time of a block, which is measured once a chain', async () => {
    const answers = { ...FEE_ANSWERS, eth_getBlockByNumber: blocksOf(2) };
    const { chainOf, node } = createFeeBench(undefined, answers);
    const blockTimes: BlockTimes = new Map();
    const fetch = async (id: bigint): Promise<unknown> =>
      (await fetchLevels(chainOf(id), undefined, blockTimes)).market?.waits;
    const waits = {
      low: { min: 2_000, max: 10_000 },
      medium: { min: 2_000, max: 8_000 },
      high: { min: 2_000, max: 4_000 },
    };
    expect(await fetch(1n)).toStrictEqual(waits);
    node.answers.eth_getBlockByNumber = blocksOf(3);
    expect(await fetch(1n)).toStrictEqual(waits);
    expect(await fetch(10n)).toMatchObject({ low: { min: 3_000, max: 15_000 } });
    expect(askedOf(node)).toHaveLength(3 + 1 + 3);
  });

  const noBaseFee = { ...FEE_ANSWERS.eth_feeHistory, baseFeePerGas: ['0x0', '0x0'] };
  const dear = { ...noBaseFee, baseFeePerGas: [`0x${(2n ** 200n).toString(16)}`] };

  it.each([
    ['the node has no fee history', missing],
    ['it is not to be had', refuses({ code: -32000, message: 'not yet' })],
    ['it is something else', { baseFeePerGas: 1 }],
    ['there are no base fees', { ...noBaseFee, baseFeePerGas: [] }],
    ['all base fees are zero', noBaseFee],
    ['a base fee is not plausible', dear],
  ])('are the gas price where %s', async (_what, eth_feeHistory) => {
    const pair = { maxFeePerGas: 7n, maxPriorityFeePerGas: 7n };
    const { fetch } = setup(undefined, { eth_feeHistory, eth_gasPrice: '0x7' });
    expect(await fetch()).toStrictEqual({
      source: 'gas-price',
      estimatedBaseFee: 0n,
      low: pair,
      medium: pair,
      high: pair,
    });
  });

  it('are not had if every source fails: the last one says why', async () => {
    const { fetch, node, urls } = setup(answering({}, 500), {});
    expect(await refusalOf(fetch(LINEA))).toStrictEqual({
      code: -32601,
      message:
        "eth_gasPrice at the wallet's node failed: the method eth_gasPrice does not exist.",
    });
    expect(urls()).not.toStrictEqual([]);
    expect(askedOf(node)).toStrictEqual([
      'rollup_estimateGas',
      'eth_feeHistory',
      'eth_gasPrice',
    ]);
  });

  it('are not had at a gas price of 100,000 gwei', async () => {
    const { fetch } = setup(undefined, { eth_gasPrice: '0x5af3107a4000' });
    expect(await refusalOf(fetch())).toStrictEqual({
      code: -32002,
      message: 'The fees suggested (gas-price) are not plausible.',
    });
  });
});

describe('a fault of ours', () => {
  it.each([
    ['a programming error', new TypeError('x is not a function')],
    ['an internal error', new InternalError('This cannot be.')],
  ])('is not taken for a source that failed: %s', async (_what, fault) => {
    const { chainOf, node } = createFeeBench(answering(gasAnswer));
    const gas = {
      suggestedGasFees: () => Promise.reject(fault),
      baseFeePercentile: () => Promise.reject(fault),
    };
    await expect(fetchLevels({ ...chainOf(), gas })).rejects.toBe(fault);
    expect(askedOf(node)).toStrictEqual(['eth_feeHistory']);
  });
});
