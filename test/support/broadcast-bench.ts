// Sending by a configured node: the network, the node and what is kept are in memory.
import { createBroadcast } from '../../src/activity/broadcast';
import type { Broadcast } from '../../src/activity/broadcast';
import type { Outgoing } from '../../src/activity/keep-and-send';
import {
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../src/client';
import type { SentTransaction } from '../../src/state/sent-transaction';
import { breaking, createFakeNetwork, serving } from './fake-fetch';
import type { Server } from './fake-fetch';
import { askedOf, createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { createLedgerBench } from './ledger-bench';
import type { LedgerBench } from './ledger-bench';
import { hashOf, PENDING } from './sent-transactions';
import { withoutFields } from './transactions';

/** Where the node is. */
export const URL = 'https://node.example';

/** What the clock says. */
export const NOW = 1_700_000_000_000;

/** What is sent. */
export const RAW = '0x02';

/** What is known of it. */
export const OUTGOING = withoutFields(PENDING, [
  'status',
  'sentAt',
]) as unknown as Outgoing;

/** What is kept of it. */
export const KEPT = { ...PENDING, sentAt: NOW };

/** The method that sends. */
export const SEND = 'eth_sendRawTransaction';

/** Who sends, and what stands behind it. */
export type BroadcastBench = LedgerBench & {
  node: FakeNode;
  /** What was done, in order. */
  steps: string[];
  serve: (server: Server) => void;
  send: (id?: bigint) => ReturnType<Broadcast>;
};

/** Send by a configured node that takes whatever it is sent. */
export function createBroadcastBench(
  answers: NodeAnswers = {},
  before: SentTransaction[] = [],
): BroadcastBench {
  const bench = createLedgerBench(before);
  const node = createFakeNode({
    [SEND]: hashOf(1),
    eth_getTransactionByHash: null,
    eth_blockNumber: '0x64',
    ...answers,
  });
  const network = createFakeNetwork();
  const serve = (server: Server): void => network.serve(URL, server);
  serve(serving(node));
  const options = { fetch: network.fetch, retry: { maxAttempts: 1 } };
  const transport = createHttpTransport(createRpcEndpoint(URL, undefined), options);
  const steps: string[] = [];
  const broadcast = createBroadcast({
    ledger: bench.ledger,
    now: () => NOW,
    tracker: {
      follow: async (keep) => {
        const result = await keep();
        const kept = await bench.ledger.listPending();
        steps.push(`follow ${kept.length}, ${node.calls.length} asked`);
        return result;
      },
      watch: async (chainId) => {
        await Promise.resolve();
        steps.push(`watch ${chainId}, asked for ${askedOf(node).join()}`);
      },
    },
  });
  const send: BroadcastBench['send'] = async (id = 1n) =>
    broadcast({ id, node: createNodeClient(transport) }, OUTGOING, RAW);
  return { ...bench, node, steps, serve, send };
}

/** Make a server that breaks the connection for sending, and answers all else. */
export const losing =
  (node: FakeNode): Server =>
  (request) =>
    request.body?.includes(SEND) ? breaking(request) : serving(node)(request);
