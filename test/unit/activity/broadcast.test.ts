import { createBroadcast } from '../../../src/activity/broadcast';
import type { Broadcast } from '../../../src/activity/broadcast';
import type { Outgoing } from '../../../src/activity/keep-and-send';
import {
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../../src/client';
import type { SentTransaction } from '../../../src/state/sent-transaction';
import { failureOf } from '../../support/error-of';
import { breaking, createFakeNetwork, serving } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { askedOf, createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';
import { createLedgerBench } from '../../support/ledger-bench';
import type { LedgerBench } from '../../support/ledger-bench';
import { TRANSACTION } from '../../support/receipts';
import { refusalOf } from '../../support/refusal';
import { hashOf, PENDING, SENT } from '../../support/sent-transactions';
import { createTrackerBench } from '../../support/tracker-bench';
import { withoutFields } from '../../support/transactions';

/** Where the node is. */
const URL = 'https://node.example';

/** What the clock says. */
const NOW = 1_700_000_000_000;

/** What is sent. */
const RAW = '0x02';

/** What is known of it. */
const OUTGOING = withoutFields(PENDING, ['status', 'sentAt']) as unknown as Outgoing;

/** What is kept of it. */
const KEPT = { ...PENDING, sentAt: NOW };

/** The method that sends. */
const SEND = 'eth_sendRawTransaction';

/** Who sends, and what stands behind it. */
type BroadcastBench = LedgerBench & {
  node: FakeNode;
  /** What was done, in order. */
  steps: string[];
  serve: (server: Server) => void;
  send: (id?: bigint) => ReturnType<Broadcast>;
};

/** Send by a configured node that takes whatever it is sent. */
function createBroadcastBench(
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
const losing =
  (node: FakeNode): Server =>
  (request) =>
    request.body?.includes(SEND) ? breaking(request) : serving(node)(request);

describe('sending', () => {
  it('keeps and follows it before it goes out, and watches the chain after', async () => {
    const { send, steps, stored, node } = createBroadcastBench();
    expect(await send()).toBe(hashOf(1));
    expect(steps).toStrictEqual(['follow 1, 0 asked', `watch 1, asked for ${SEND}`]);
    expect(stored()).toStrictEqual([KEPT]);
    expect(node.calls).toMatchObject([{ method: SEND, params: [RAW] }]);
  });

  it('keeps the newest block with it where nodes forget', async () => {
    const { send, stored, node } = createBroadcastBench();
    await send(97n);
    expect(stored()).toStrictEqual([{ ...KEPT, head: '0x64' }]);
    expect(askedOf(node)).toStrictEqual(['eth_blockNumber', SEND]);
  });

  it('does not begin where the newest block cannot be had', async () => {
    const fault = { code: -32000, message: 'no' };
    const { send, stored, node } = createBroadcastBench({
      eth_blockNumber: refuses(fault),
    });
    expect(await refusalOf(send(97n))).toHaveProperty('code', -32000);
    expect([stored(), askedOf(node)]).toStrictEqual([[], ['eth_blockNumber']]);
  });

  it('does not begin where it cannot be kept', async () => {
    const { send, backend, node } = createBroadcastBench();
    backend.failNextSave = new Error('disk full');
    await expect(send()).rejects.toThrow(new Error('disk full'));
    expect(node.calls).toStrictEqual([]);
  });

  it('goes out though the wallet sets no alarm', async () => {
    const bench = createTrackerBench([]);
    bench.wallet.hasNoAlarm = true;
    const { ledger, tracker, stored } = bench;
    const { node } = createBroadcastBench();
    const broadcast = createBroadcast({ ledger, tracker, now: () => NOW });
    const client = createNodeClient({
      label: 'node',
      request: async (call) => node.request(call),
    });
    expect(await broadcast({ id: 1n, node: client }, OUTGOING, RAW)).toBe(hashOf(1));
    expect(stored()).toStrictEqual([KEPT]);
  });
});

describe('a refusal', () => {
  const refused = { [SEND]: refuses({ code: -32000, message: 'nonce too low' }) };

  const refusal = {
    name: 'RpcError',
    code: -32000,
    message: `${SEND} at ${URL} failed: nonce too low.`,
    context: {},
  };

  it('is told as it is, and nothing is kept', async () => {
    const { send, stored, steps } = createBroadcastBench(refused);
    expect(await failureOf(send)).toStrictEqual(refusal);
    expect(stored()).toStrictEqual([]);
    expect(steps).toStrictEqual(['follow 1, 0 asked']);
  });

  it('leaves what was there before', async () => {
    const dropped = { ...SENT, status: 'dropped' as const };
    const { send, stored } = createBroadcastBench(refused, [dropped]);
    await failureOf(send);
    expect(stored()).toStrictEqual([dropped]);
  });

  it('is told also if what was kept cannot be removed', async () => {
    const { send, backend, node } = createBroadcastBench();
    node.answers[SEND] = () => {
      backend.failNextSave = new Error('disk full');
      return refuses({ code: -32000, message: 'nonce too low' })();
    };
    expect(await failureOf(send)).toStrictEqual(refusal);
  });

  it('counts for nothing where the node knows the transaction', async () => {
    const { send, stored } = createBroadcastBench({
      [SEND]: refuses({ code: -32000, message: 'already known' }),
      eth_getTransactionByHash: TRANSACTION,
    });
    expect(await send()).toBe(hashOf(1));
    expect(stored()).toStrictEqual([KEPT]);
  });
});

describe('a node that had it already', () => {
  it.each([
    'already known',
    'AlreadyKnown',
    'Known transaction',
    'ALREADY_EXISTS: already known',
  ])('says %j: it is sent, whatever another node knows', async (message) => {
    const { send, stored } = createBroadcastBench({
      [SEND]: refuses({ code: -32000, message }),
    });
    expect(await send()).toBe(hashOf(1));
    expect(stored()).toStrictEqual([KEPT]);
  });
});

describe('a lost answer', () => {
  it('is made up for by a node that knows the transaction', async () => {
    const { send, serve, node, stored } = createBroadcastBench({
      eth_getTransactionByHash: TRANSACTION,
    });
    serve(losing(node));
    expect(await send()).toBe(hashOf(1));
    expect(stored()).toStrictEqual([KEPT]);
  });

  it.each<[string, (bench: BroadcastBench) => Server]>([
    ['does not know it', ({ node }) => losing(node)],
    ['cannot be reached', () => breaking],
  ])(
    'is told with the hash where the node %s, and it is followed',
    async (_how, to) => {
      const bench = createBroadcastBench();
      bench.serve(to(bench));
      expect(await failureOf(async () => bench.send())).toStrictEqual({
        name: 'TollkeeperError',
        code: -32002,
        message:
          `${SEND} at ${URL} could not be reached. Whether it was carried out is not known: ` +
          `look before you send it again. It is transaction ${hashOf(1)}, which is ` +
          'followed, and sent again until it arrives.',
        context: { mayBeDone: true, transactionHash: hashOf(1) },
      });
      expect(bench.stored()).toStrictEqual([KEPT]);
      expect(bench.steps).toStrictEqual(['follow 1, 0 asked']);
    },
  );

  it('is told as it is where it is no error of a client', async () => {
    const fault = new TypeError('broken');
    const { ledger } = createLedgerBench();
    const broadcast = createBroadcast({
      ledger,
      now: () => NOW,
      tracker: createTrackerBench([]).tracker,
    });
    const client = createNodeClient({
      label: 'node',
      request: async () => Promise.reject(fault),
    });
    const sending = broadcast({ id: 1n, node: client }, OUTGOING, RAW);
    await expect(sending).rejects.toBe(fault);
    expect(await ledger.listPending()).toStrictEqual([KEPT]);
  });
});
