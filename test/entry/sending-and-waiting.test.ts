// Sending: the receipt comes with the answer where blocks come fast (eth_sendRawTransactionSync,
// EIP-7966), and the node is asked for the nonce once the user has approved.
import type { Json } from '@metamask/utils';
import { keccak256, parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { createCallsBench } from '../support/calls-bench';
import { askedOf, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { blocksOf } from '../support/fees';
import { withDialog } from '../support/open-dialog';
import { RECEIPT } from '../support/receipts';
import { refusalOf } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';

const PLAIN = 'eth_sendRawTransaction';

const SYNC = 'eth_sendRawTransactionSync';

const COUNT = 'eth_getTransactionCount';

const receiptOf = (raw: Json | undefined, fields: Record<string, Json> = {}): Json => ({
  ...RECEIPT,
  transactionHash: keccak256(raw as Hex),
  ...fields,
});

/** A chain whose blocks come every so many seconds, and how its node answers to {@link SYNC}. */
async function setup(sync?: NodeAnswers[string], seconds = 2) {
  const bench = await createSendBench();
  const { edges } = bench;
  Object.assign(edges.wallet.answers, {
    eth_getBlockByNumber: blocksOf(seconds),
    ...(sync !== undefined && { [SYNC]: sync }),
  });
  let before = 0;
  const { answer } = edges.dialogs;
  edges.dialogs.answer = async (...shown) => {
    before = edges.wallet.calls.length;
    return answer(...shown);
  };
  return {
    ...bench,
    /** What the node was asked since the user approved. */
    asked: () => askedOf(edges.wallet).slice(before),
    statuses: () => {
      const { activity } = edges.backend.document as {
        activity: Record<string, { status: string }>;
      };
      return Object.values(activity).map(({ status }) => status);
    },
  };
}

describe('a node that waits for the receipt', () => {
  it('settles what was sent with its answer', async () => {
    const bench = await setup(([raw]) => receiptOf(raw));
    const hash = await bench.send();
    expect(bench.asked()).toStrictEqual([COUNT, SYNC]);
    expect(bench.statuses()).toStrictEqual(['included']);
    expect(bench.edges.notifications).toHaveLength(1);
    expect(await bench.call('eth_getTransactionReceipt', [hash])).toBeNull();
    await bench.poll(3_000);
    expect(bench.edges.alarm.due).toBeUndefined();
  });

  it('reports that the transaction failed', async () => {
    const bench = await setup(([raw]) => receiptOf(raw, { status: '0x0' }));
    await bench.send();
    expect(bench.statuses()).toStrictEqual(['included']);
    expect(bench.edges.notifications).toHaveLength(1);
    expect(bench.edges.notifications[0]).toMatch(/failed/u);
  });

  it('is followed where it only promises a block', async () => {
    const promised = { blockHash: `0x${'00'.repeat(32)}` };
    const bench = await setup(([raw]) => receiptOf(raw, promised));
    await bench.send();
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it('is not believed about another transaction', async () => {
    const bench = await setup(([raw]) => {
      bench.pool.set(keccak256(raw as Hex), raw as Hex);
      return receiptOf('0x00');
    });
    expect(await bench.send()).toBe([...bench.pool.keys()][0]);
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it('may have sent nothing if no node knows the hash that it returned', async () => {
    const bench = await setup(() => receiptOf('0x00'));
    const { message } = await refusalOf(bench.send());
    expect(message).toContain('it gave the receipt of');
    expect(message).toContain('which is followed, and sent again until it arrives.');
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it.each<[string, NodeAnswers[string]]>([
    ['by the code', refuses({ code: 4, message: 'The transaction was added …' })],
    [
      'in words',
      refuses({ code: -32000, message: 'Transaction confirmation timeout' }),
    ],
    [
      'as a service',
      refuses({ code: -32000, message: 'The node did not answer in time' }),
    ],
    ['by null', null],
  ])('has sent it when it says %s that it waited in vain', async (_how, answer) => {
    const bench = await setup(answer);
    await bench.send();
    expect(bench.asked()).toStrictEqual([COUNT, SYNC]);
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it('is waited for no longer than four seconds', async () => {
    const never = new Promise<Json>(() => undefined);
    const bench = await setup((() => never) as never);
    const hash = await bench.send();
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(bench.statuses()).toStrictEqual(['pending']);
  });

  it.each([5, 6])(
    'is sent it in the usual way where it queues nothing: %i',
    async (code) => {
      const message = 'The transaction was rejected due to a nonce gap.';
      const bench = await setup(refuses({ code, message }));
      await bench.send();
      expect(bench.asked()).toStrictEqual([COUNT, SYNC, PLAIN]);
      expect(bench.pool.size).toBe(1);
    },
  );

  it('refuses as it does otherwise', async () => {
    const bench = await setup(refuses({ code: -32000, message: 'insufficient funds' }));
    const { message } = await refusalOf(bench.send());
    expect(message).toContain('insufficient funds');
    expect(bench.statuses()).toStrictEqual(['dropped']);
  });

  it('is asked once where it cannot', async () => {
    const bench = await setup();
    await bench.send();
    expect(bench.asked()).toStrictEqual([COUNT, SYNC, PLAIN]);
    await bench.send();
    expect(bench.asked()).toStrictEqual([COUNT, PLAIN]);
    expect(bench.pool.size).toBe(2);
  });

  it('is waited for by the last call of a batch alone', async () => {
    const bench = await createCallsBench();
    const { wallet } = bench.edges;
    Object.assign(wallet.answers, {
      eth_getBlockByNumber: blocksOf(2),
      [SYNC]: ([raw]: Json[]) => receiptOf(raw),
    });
    await bench.sendCalls();
    const sent = askedOf(wallet).filter((method) => method.startsWith(PLAIN));
    expect(sent).toStrictEqual([PLAIN, SYNC]);
  });

  it('is not asked where blocks are slow', async () => {
    const bench = await setup(([raw]) => receiptOf(raw), 3);
    await bench.send();
    expect(bench.asked()).toStrictEqual([COUNT, PLAIN]);
  });
});

describe('an open nonce', () => {
  const nonces = ({ pool }: SendBench): unknown[] =>
    [...pool.values()].map((raw) => parseTransaction(raw).nonce);

  it('is asked for once the user has approved', async () => {
    const bench = await setup(undefined, 12);
    await bench.send();
    await bench.send();
    expect(bench.asked()).toStrictEqual([COUNT, PLAIN]);
    await withDialog(bench.app, bench.send, async () => {
      bench.edges.wallet.answers[COUNT] = '0x8';
      await Promise.resolve();
    });
    expect(nonces(bench)).toStrictEqual([5, 6, 8]);
  });

  it('is not used again when the one before was included at once', async () => {
    const bench = await setup(([raw]) => {
      bench.pool.set(keccak256(raw as Hex), raw as Hex);
      return receiptOf(raw);
    });
    await bench.send();
    await bench.send();
    expect(nonces(bench)).toStrictEqual([5, 6]);
  });

  it.each(['nonce too low', 'no'])(
    'is used once, whatever is said: %s',
    async (message) => {
      const bench = await setup(undefined, 12);
      bench.edges.wallet.answers[PLAIN] = refuses({ code: -32000, message });
      await refusalOf(bench.send());
      expect(bench.asked()).toStrictEqual([COUNT, PLAIN, 'eth_getTransactionByHash']);
    },
  );
});
