import { toIncluded } from '../../../src/activity/included';
import { observe } from '../../../src/activity/observe';
import {
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../../../src/client';
import type { SentTransaction } from '../../../src/state/sent-transaction';
import { createFakeNetwork, serving } from '../../support/fake-fetch';
import { askedOf, createFakeNode, refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import { RECEIPT, TRANSACTION } from '../../support/receipts';
import { hashOf, pendingOf } from '../../support/sent-transactions';

const URL = 'https://node.example';

const receipt = { ...RECEIPT, transactionHash: hashOf(1) };

const WAITING = {
  ...TRANSACTION,
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
};

/** A configured node that knows nothing of any transaction, and has seen 7 of the sender. */
function setup(answers: NodeAnswers = {}): {
  look: (sent: readonly SentTransaction[], id?: bigint) => ReturnType<typeof observe>;
  requests: () => number;
  asked: () => string[];
} {
  const node = createFakeNode({
    eth_getTransactionReceipt: null,
    eth_getTransactionByHash: null,
    eth_getTransactionCount: '0x7',
    eth_blockNumber: '0x100',
    ...answers,
  });
  const network = createFakeNetwork();
  network.serve(URL, serving(node));
  const options = { fetch: network.fetch, retry: { maxAttempts: 1 } };
  const client = createNodeClient(
    createHttpTransport(createRpcEndpoint(URL, undefined), options),
  );
  return {
    look: async (sent, id = 1n) => observe(sent, { id, node: client }),
    requests: () => network.sent.length,
    asked: () => askedOf(node).sort(),
  };
}

describe('observing what is pending', () => {
  it('asks all of it in one request, and gives one observation each', async () => {
    const { look, requests } = setup({
      eth_getTransactionReceipt: ([hash]) => (hash === hashOf(1) ? receipt : null),
      eth_getTransactionByHash: ([hash]) => (hash === hashOf(2) ? WAITING : null),
    });
    expect(await look([pendingOf(1), pendingOf(2), pendingOf(3)])).toStrictEqual([
      { found: toIncluded(receipt as never), count: 7n },
      { found: { status: 'pending' }, count: 7n },
      { found: { status: 'absent' }, count: 7n },
    ]);
    expect(requests()).toBe(1);
  });

  it('asks for the head only where nodes forget', async () => {
    const elsewhere = setup();
    await elsewhere.look([pendingOf(1)]);
    const questions = [
      'eth_getTransactionByHash',
      'eth_getTransactionCount',
      'eth_getTransactionReceipt',
    ];
    expect(elsewhere.asked()).toStrictEqual(questions);
    const { look, asked, requests } = setup();
    await look([pendingOf(1)], 97n);
    expect(asked()).toStrictEqual(['eth_blockNumber', ...questions]);
    expect(requests()).toBe(1);
  });

  it.each([
    ['0x80', { status: 'unknown', reason: 'near-head only' }],
    ['0x81', { status: 'absent' }],
    [undefined, { status: 'unknown', reason: 'near-head only' }],
  ] as const)('measures its age there from the head %s', async (head, inclusion) => {
    const { look } = setup();
    const sent = pendingOf(1, head === undefined ? {} : { head });
    expect(await look([sent], 97n)).toStrictEqual([{ found: inclusion, count: 7n }]);
  });

  it('gives nothing for the one of which the node gave no answer', async () => {
    const { look } = setup({
      eth_getTransactionReceipt: ([hash]) =>
        hash === hashOf(1) ? refuses({ code: -32000, message: 'no' })() : null,
    });
    expect(await look([pendingOf(1), pendingOf(2)])).toStrictEqual([
      undefined,
      { found: { status: 'absent' }, count: 7n },
    ]);
  });

  it('gives nothing at all where the node fails', async () => {
    const { look } = setup({
      eth_getTransactionCount: () => {
        throw new Error('broken');
      },
    });
    expect(await look([pendingOf(1), pendingOf(2)])).toStrictEqual([
      undefined,
      undefined,
    ]);
  });

  it('believes no receipt of another transaction', async () => {
    const { look } = setup({ eth_getTransactionReceipt: receipt });
    expect(await look([pendingOf(2)])).toStrictEqual([undefined]);
  });
});
