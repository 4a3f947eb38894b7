// User operations that were sent, and a chain's servers in memory.
import {
  createBundlerClient,
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../src/client';
import type { BundlerClient, NodeClient } from '../../src/client';
import type { SentTransaction } from '../../src/state/sent-transaction';
import { createFakeNetwork, serving } from './fake-fetch';
import type { FakeNetwork } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { RECEIPT } from './receipts';
import { hashOf, pendingOf } from './sent-transactions';
import { withoutFields } from './transactions';

const NODE = 'https://node.example';

const BUNDLER = 'https://bundler.example';

/** A chain's node and bundler, and what they were asked. */
export type Servers = {
  node: NodeClient;
  bundler: { client: BundlerClient };
  nodeSide: FakeNode;
  bundlerSide: FakeNode;
  network: FakeNetwork;
};

/** Answer the EntryPoint's count of nonces. */
export const countOf = (count: number): string =>
  `0x${count.toString(16).padStart(64, '0')}`;

/** Start a node at which the sender's next nonce is 7, and a bundler that knows nothing. */
export function createServers(
  answers: { node?: NodeAnswers; bundler?: NodeAnswers } = {},
): Servers {
  const nodeSide = createFakeNode({ eth_call: countOf(7), ...answers.node });
  const bundlerSide = createFakeNode({
    eth_getUserOperationReceipt: null,
    eth_getUserOperationByHash: null,
    ...answers.bundler,
  });
  const network = createFakeNetwork();
  network.serve(NODE, serving(nodeSide));
  network.serve(BUNDLER, serving(bundlerSide));
  const connect = (url: string): ReturnType<typeof createHttpTransport> =>
    createHttpTransport(createRpcEndpoint(url, undefined), {
      fetch: network.fetch,
      retry: { maxAttempts: 1 },
    });
  return {
    node: createNodeClient(connect(NODE)),
    bundler: { client: createBundlerClient(connect(BUNDLER)) },
    nodeSide,
    bundlerSide,
    network,
  };
}

/** One that is pending, of the nonce 7, with no more than there must be. */
export function pendingOperation(
  n: number,
  fields: Partial<SentTransaction> = {},
): SentTransaction {
  const sent = { ...pendingOf(n), entryPoint: '0.7', ...fields } as const;
  return withoutFields(sent, ['raw']) as unknown as SentTransaction;
}

/** Make a bundler's receipt of {@link pendingOperation}. */
export function operationReceipt(
  n: number,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    userOpHash: hashOf(n),
    sender: pendingOf(n).from,
    nonce: '0x7',
    success: true,
    actualGasUsed: '0x64',
    actualGasCost: '0x1f5',
    logs: [],
    receipt: RECEIPT,
    ...fields,
  };
}

/** Make a bundler's answer about a pending operation. */
export function foundOperation(n: number): Record<string, unknown> {
  return {
    userOperation: { sender: pendingOf(n).from, nonce: '0x7' },
    entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    blockNumber: null,
    blockHash: null,
    transactionHash: null,
  };
}
