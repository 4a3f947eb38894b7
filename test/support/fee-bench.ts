// A chain with an in-memory gas API and node.
import {
  createGasApi,
  createGasEndpoint,
  createRpcClient,
  nodeSchema,
} from '../../packages/client/src';
import type { Chain } from '../../src/chains/chain';
import { createServerWait } from '../../src/chains/servers';
import { createWalletTransport } from '../../src/chains/wallet-node';
import { createFakeNetwork } from './fake-fetch';
import type { Server } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { FEE_ANSWERS, NODE_FEE_ANSWERS } from './fees';

export type FeeBench = {
  chainOf: (id?: bigint) => Chain;
  node: FakeNode;
};

/**
 * Sets up a node and, if `gasServer` is given, a gas API. With a gas API, the node's default fees
 * are close to {@link gasAnswer}.
 */
export function createFeeBench(
  gasServer?: Server,
  answers: NodeAnswers = gasServer ? NODE_FEE_ANSWERS : FEE_ANSWERS,
): FeeBench {
  const network = createFakeNetwork();
  if (gasServer) network.serve('https://gas.example', gasServer);
  const node = createFakeNode({ ...answers });
  const endpoint = createGasEndpoint({ gasBaseUrl: 'https://gas.example' });
  const client = createRpcClient(nodeSchema, createWalletTransport(node.request));
  const gas = gasServer && { gas: createGasApi(endpoint, { fetch: network.fetch }) };
  const wait = createServerWait();
  return { chainOf: (id = 1n) => ({ id, node: client, wait, ...gas }), node };
}
