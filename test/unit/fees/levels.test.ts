import type { Json } from '@metamask/utils';

import { createWalletTransport } from '../../../src/chains/wallet-transport';
import {
  createGasApi,
  createGasEndpoint,
  createRpcClient,
  nodeSchema,
} from '../../../src/client';
import type { FeeLevels } from '../../../src/fees/level';
import { getFeeLevels } from '../../../src/fees/levels';
import { openPublicStore } from '../../../src/state/public-state';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering, createFakeNetwork } from '../../support/fake-fetch';
import type { FakeNetwork, Server } from '../../support/fake-fetch';
import { askedOf, createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';
import { DEAR_FEES, FEE_ANSWERS, SUGGESTED_LEVELS } from '../../support/fees';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const START = 1_700_000_000_000;

type Bench = {
  /** Get the levels in a worker that was just started. */
  get: (chainId?: bigint) => Promise<FeeLevels>;
  clock: { time: number };
  node: FakeNode;
  network: FakeNetwork;
  backend: MemoryBackend;
};

/** A gas API, unless none is given, and a node. */
function setup(gasServer?: Server, answers: NodeAnswers = FEE_ANSWERS): Bench {
  const backend = createMemoryBackend();
  const clock = { time: START };
  const network = createFakeNetwork();
  if (gasServer) network.serve('https://gas.example', gasServer);
  const node = createFakeNode({ ...answers });
  const endpoint = createGasEndpoint({ gasBaseUrl: 'https://gas.example' });
  const client = createRpcClient(nodeSchema, createWalletTransport(node.request));
  const gas = gasServer && { gas: createGasApi(endpoint, { fetch: network.fetch }) };
  const get: Bench['get'] = async (id = 1n) =>
    getFeeLevels(
      { id, node: client, ...gas },
      { store: openPublicStore(backend), now: () => clock.time },
    );
  return { get, clock, node, network, backend };
}

describe('levels from the gas API', () => {
  it('are its figures in wei, with source and time', async () => {
    const { get, network, node } = setup(answering(gasAnswer));
    expect(await get()).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
    expect(network.sent.map(({ url }) => url)).toStrictEqual([
      'https://gas.example/networks/1/suggestedGasFees',
    ]);
    expect(node.calls).toStrictEqual([]);
  });

  it('have no priority fee above the maximum, whatever the server says', async () => {
    const level = { ...gasAnswer.low, suggestedMaxPriorityFeePerGas: '17' };
    const lies = { ...gasAnswer, low: level, medium: level, high: level };
    const { low, medium, high } = await setup(answering(lies)).get();
    const capped = {
      maxFeePerGas: 16_334_026_964n,
      maxPriorityFeePerGas: 16_334_026_964n,
    };
    expect([low, medium, high]).toStrictEqual([capped, capped, capped]);
  });

  const failures: [string, Server][] = [
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers 500', answering({}, 500)],
    ['answers 401', answering({}, 401)],
    ['answers 429', answering({}, 429)],
    ['answers with something else', answering({ low: 1 })],
    ['answers with negative fees', answering({ ...gasAnswer, estimatedBaseFee: '-1' })],
    ['answers with no JSON', () => new Response('<html>')],
    ['asks a whole coin for a unit of gas', answering(DEAR_FEES)],
  ];

  it.each(failures)('are computed from past blocks if it %s', async (_what, server) => {
    const { get, node } = setup(server);
    expect(await get()).toMatchObject({ source: 'fee-history', at: START });
    expect(node.calls).toContainEqual({
      method: 'eth_feeHistory',
      params: ['0x14', 'latest', [20, 50, 80]],
    });
  });
});

describe('levels from the node', () => {
  it('come from past blocks', async () => {
    expect(await setup().get()).toStrictEqual({
      source: 'fee-history',
      at: START,
      estimatedBaseFee: 1_000_000_000n,
      low: { maxFeePerGas: 1_000_000_001n, maxPriorityFeePerGas: 1n },
      medium: { maxFeePerGas: 1_350_000_002n, maxPriorityFeePerGas: 2n },
      high: { maxFeePerGas: 1_700_000_003n, maxPriorityFeePerGas: 3n },
    });
  });

  const missing = refuses({ code: -32601, message: 'unknown method' });
  const noBaseFee = { ...FEE_ANSWERS.eth_feeHistory, baseFeePerGas: ['0x0', '0x0'] };

  it.each([
    ['the node has no fee history', missing],
    ['there are no base fees', { ...noBaseFee, baseFeePerGas: [] }],
    ['all base fees are zero', noBaseFee],
  ])('are the gas price where %s', async (_what, eth_feeHistory) => {
    const pair = { maxFeePerGas: 7n, maxPriorityFeePerGas: 7n };
    const { get } = setup(undefined, { eth_feeHistory, eth_gasPrice: '0x7' });
    expect(await get()).toStrictEqual({
      source: 'gas-price',
      at: START,
      estimatedBaseFee: 0n,
      low: pair,
      medium: pair,
      high: pair,
    });
  });

  it('need no gas price where there is a fee history', async () => {
    const { get } = setup(undefined, { ...FEE_ANSWERS, eth_gasPrice: missing });
    expect(await get()).toHaveProperty('source', 'fee-history');
  });

  it('are not had if the node fails too, and nothing is stored', async () => {
    const { get, backend } = setup(answering({}, 500), {});
    expect(await refusalOf(get())).toStrictEqual({
      code: -32601,
      message:
        "eth_gasPrice at the wallet's node failed: the method eth_gasPrice does not exist",
    });
    expect(backend.document).toBeNull();
  });
});

describe('levels that were fetched before', () => {
  it('are used again for five seconds, also in another worker', async () => {
    const { get, network, clock } = setup(answering(gasAnswer));
    const levels = await get();
    clock.time += 4_999;
    expect(await get()).toStrictEqual(levels);
    expect(network.sent).toHaveLength(1);
  });

  it.each([
    ['they are five seconds old', 5_000],
    ['the clock was set back', -1],
  ])('are fetched again once %s', async (_what, change) => {
    const { get, network, clock } = setup(answering(gasAnswer));
    await get();
    clock.time += change;
    expect(await get()).toHaveProperty('at', START + change);
    expect(network.sent).toHaveLength(2);
  });

  it('are used from every source, with its name', async () => {
    const { get, node } = setup();
    const levels = await get();
    expect(await get()).toStrictEqual(levels);
    expect(askedOf(node)).toStrictEqual(['eth_feeHistory']);
  });

  it('are those of the same chain', async () => {
    const { get, network, backend } = setup(answering(gasAnswer));
    await get(1n);
    await get(2n);
    expect(network.sent).toHaveLength(2);
    const { levels } = backend.document as { levels: Record<string, Json> };
    expect(Object.keys(levels)).toStrictEqual(['eip155:1', 'eip155:2']);
  });
});

describe('a cache that fails', () => {
  it('does not keep fees from being had if it cannot be read', async () => {
    const { get, backend } = setup(answering(gasAnswer));
    backend.document = { version: 1, levels: 'spoiled' };
    expect(await get()).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
  });

  it('does not keep fees from being had if it cannot be written', async () => {
    const { get, backend } = setup(answering(gasAnswer));
    backend.failNextSave = new Error('disk full');
    expect(await get()).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
  });
});
