// Fee levels of a chain whose gas API and node are in memory, as is the store.
import { createWalletTransport } from '../../src/chains/wallet-transport';
import {
  createGasApi,
  createGasEndpoint,
  createRpcClient,
  nodeSchema,
} from '../../src/client';
import type { FeeChain } from '../../src/fees/level-sources';
import { createFeeLevels } from '../../src/fees/levels';
import type { LevelsByChain } from '../../src/fees/levels';
import { openPublicStore } from '../../src/state/public-state';
import { createFakeNetwork } from './fake-fetch';
import type { FakeNetwork, Server } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { FEE_ANSWERS, NEAR_ANSWERS } from './fees';
import { createMemoryBackend } from './memory-backend';
import type { MemoryBackend } from './memory-backend';

/** When the clock of a bench starts, in ms since 1970. */
export const START = 1_700_000_000_000;

/** Where fee levels are had. */
export type FeeBench = {
  /** The chain by its id; chain 1 by default. */
  chainOf: (id?: bigint) => FeeChain;
  /** Start a worker over what is stored. */
  startWorker: () => LevelsByChain;
  clock: { time: number };
  /** The newest block's number, while a subscription tells it. */
  heads: { newest: bigint | undefined };
  node: FakeNode;
  network: FakeNetwork;
  backend: MemoryBackend;
};

/** Set up a gas API, unless none is given, and a node; its fees are near {@link gasAnswer}. */
export function createFeeBench(
  gasServer?: Server,
  answers: NodeAnswers = gasServer ? NEAR_ANSWERS : FEE_ANSWERS,
): FeeBench {
  const backend = createMemoryBackend();
  const clock = { time: START };
  const heads: FeeBench['heads'] = { newest: undefined };
  const network = createFakeNetwork();
  if (gasServer) network.serve('https://gas.example', gasServer);
  const node = createFakeNode({ ...answers });
  const endpoint = createGasEndpoint({ gasBaseUrl: 'https://gas.example' });
  const client = createRpcClient(nodeSchema, createWalletTransport(node.request));
  const gas = gasServer && { gas: createGasApi(endpoint, { fetch: network.fetch }) };
  return {
    chainOf: (id = 1n) => ({ id, node: client, ...gas, head: () => heads.newest }),
    startWorker: () =>
      createFeeLevels({ store: openPublicStore(backend), now: () => clock.time }),
    clock,
    heads,
    node,
    network,
    backend,
  };
}
