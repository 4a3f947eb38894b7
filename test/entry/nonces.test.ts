// Transaction nonces, and warnings about transactions with the same nonce.
import type { Json } from '@metamask/utils';
import { toHex } from 'viem';
import type { Hex } from 'viem';

import type { SentTransaction } from '../../src/state/sent-transaction';
import { callersOf } from '../support/callers';
import { sendCallsParam } from '../support/calls-bench';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeActivity, storeChains } from '../support/given';
import { createOperationBench } from '../support/operation-bench';
import { expectRefusal } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { foundOperation, operationReceipt } from '../support/sent-operations';
import { activityOf, listActivity, pendingOf } from '../support/sent-transactions';
import {
  approve,
  DAPP,
  refuse,
  whileDialogOpen,
  OTHER_SITE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { textOf, warningsOf, writeView } from '../support/view';

const noncesOf = async (app: TestApp): Promise<string[]> =>
  (await listActivity(app)).map(({ nonce }) => nonce);

const countAt =
  (latest: string, pending: string) =>
  ([, block]: Json[]): string =>
    block === 'latest' ? latest : pending;

describe('the nonce of a transaction that the node has lost', () => {
  /** Sets up a node that lost the transaction with nonce 5 and refuses to accept it again. */
  async function setup(): Promise<SendBench & { lost: Json; takeAgain: () => void }> {
    const bench = await createSendBench();
    const { edges, pool } = bench;
    const accept = edges.wallet.answers.eth_sendRawTransaction;
    const lost = await bench.send();
    pool.clear();
    edges.wallet.answers.eth_sendRawTransaction = refuses('no');
    await bench.poll(3_000);
    await bench.poll(120_000);
    expect(await listActivity(bench.app)).toMatchObject([
      { hash: lost, status: 'dropped' },
    ]);
    const takeAgain = (): void => {
      edges.wallet.answers.eth_sendRawTransaction = accept ?? null;
    };
    return { ...bench, lost, takeAgain };
  }

  it('is used next even if another node counts the transaction, so that only one is mined', async () => {
    const { send, edges, takeAgain, app } = await setup();
    takeAgain();
    edges.wallet.answers.eth_getTransactionCount = countAt('0x5', '0x6');
    await send({ value: '0x2' });
    await send({ value: '0x3' });
    expect(await noncesOf(app)).toStrictEqual(['0x6', '0x5', '0x5']);
  });

  it('is not reused after a block has used it', async () => {
    const { send, edges, takeAgain, app } = await setup();
    takeAgain();
    edges.wallet.answers.eth_getTransactionCount = countAt('0x6', '0x6');
    await send();
    expect((await noncesOf(app))[0]).toBe('0x6');
  });

  it('causes a warning if it is used again', async () => {
    const { send, edges, takeAgain, lost } = await setup();
    takeAgain();
    await send({ value: '0x2' });
    expect(writeView(edges.dialogs.shown.at(-1))).toContain(
      textOf('replacement.lost', { hash: lost as string, origin: DAPP }),
    );
  });
});

describe('the nonces of several lost transactions', () => {
  it.each([[[5, 6, 7, 8]], [[8, 7, 6, 5]], [[6, 5, 8, 7]], [[7, 5, 6, 8]]])(
    'are reused in ascending order if the transactions were sent in the order %j',
    async (order) => {
      const bench = await createSendBench();
      const { app, address, edges, call } = bench;
      const from = address.toLowerCase() as Hex;
      const lost = order.map((nonce, sentAt) => {
        const fields = { from, nonce: `0x0${nonce}` as Hex, sentAt };
        return pendingOf(nonce, { ...fields, status: 'dropped' });
      });
      await storeActivity(app, lost);
      edges.wallet.answers.eth_getTransactionCount = countAt('0x5', '0x9');
      const calls = [1, 2, 3, 4, 5].map((value) => ({
        to: RECIPIENT,
        value: `0x${value}`,
      }));
      await call('wallet_sendCalls', [sendCallsParam(address, { calls })]);
      const sent = activityOf(edges).filter(({ status }) => status === 'pending');
      const nonceOf = sent.map(({ value, nonce }) => [Number(value), Number(nonce)]);
      expect(nonceOf.sort()).toStrictEqual([
        [1, 5],
        [2, 6],
        [3, 7],
        [4, 8],
        [5, 9],
      ]);
    },
  );
});

describe('a filled-in nonce', () => {
  const OTHER = `0x${'0f'.repeat(20)}` as const;

  it.each<[string, Partial<SentTransaction>[], string]>([
    ["the node's count if nothing is pending", [], '0x5'],
    ['after pending ones', [{ nonce: '0x5' }, { nonce: '0x6' }], '0x7'],
    ['in a gap between pending ones', [{ nonce: '0x5' }, { nonce: '0x9' }], '0x6'],
    ["the node's count if it is higher", [{ nonce: '0x3' }, { nonce: '0x4' }], '0x5'],
    ['after a pending one with a leading zero', [{ nonce: '0x05' }], '0x6'],
    ['not after an included one', [{ nonce: '0x5', status: 'included' }], '0x5'],
    ['not after one on another chain', [{ nonce: '0x5', chain: 'eip155:5' }], '0x5'],
    ['not after one from a different sender', [{ nonce: '0x5', from: OTHER }], '0x5'],
    ['not after a dropped one', [{ nonce: '0x5', status: 'dropped' }], '0x5'],
    ['not after a replaced one', [{ nonce: '0x4', status: 'replaced' }], '0x5'],
  ])('is %s, with one request for each count', async (_what, sent, nonce) => {
    const { app, address, edges, call } = await createSendBench();
    const from = address as Hex;
    const kept = sent.map((fields, index) => pendingOf(index, { from, ...fields }));
    await storeActivity(app, kept);
    const filled = await call('eth_fillTransaction', [
      { from: address, to: RECIPIENT },
    ]);
    expect(filled).toHaveProperty('tx.nonce', nonce);
    const counts = edges.wallet.calls.filter(({ method }) => /Count/u.test(method));
    expect(counts.map(({ params }) => params[1])).toStrictEqual(['pending', 'latest']);
  });

  const fails = (code: number, message: string) => refuses({ code, message });

  it.each<[string, NodeAnswers[string], NodeAnswers[string], number]>([
    ['latest', '0x0', '0x8', 8],
    ['latest', '0x7', '0x8', 8],
    ['pending', '0x9', '0x8', 9],
    ['pending', '0x09', '0x08', 9],
    ['pending', '0x9', fails(-32000, 'header not found'), 9],
    ...[
      fails(-32603, 'Internal error'),
      fails(-32000, 'pending block is not available'),
      fails(-32601, 'the method is not available'),
      fails(-32602, 'invalid argument 1: unknown block tag'),
      null,
      '0x',
      {},
    ].map((pending): [string, NodeAnswers[string], NodeAnswers[string], number] => [
      'latest',
      pending,
      '0x8',
      8,
    ]),
  ])(
    'is the count of the %s block if the pending and latest counts are %j and %j',
    async (...[, pending, latest, next]) => {
      const { edges, send, call, address, signed } = await createSendBench();
      edges.wallet.answers.eth_getTransactionCount = (params) => {
        const answer = params[1] === 'latest' ? latest : pending;
        return typeof answer === 'function' ? answer(params) : answer;
      };
      await send();
      await send({ value: '0x2' });
      await call('wallet_sendCalls', [sendCallsParam(address)]);
      expect(signed().map(({ nonce }) => nonce)).toStrictEqual(
        [0, 1, 2, 3].map((offset) => next + offset),
      );
    },
  );

  it("fails with the latest block's error if the node returns neither count", async () => {
    const { edges, send } = await createSendBench();
    edges.wallet.answers.eth_getTransactionCount = ([, block]: Json[]) =>
      refuses(block === 'latest' ? 'starting' : 'no pending block')();
    await expectRefusal(send(), -32000, 'failed: starting');
  });

  it('is unique among simultaneous transactions, and is reused after a refusal', async () => {
    const { app, send, edges, call, address } = await createSendBench();
    const accept = edges.wallet.answers.eth_sendRawTransaction;
    const capitals = `0x${address.slice(2).toUpperCase()}`;
    await Promise.all([
      send({ value: '0x1' }),
      send({ value: '0x2', from: capitals }),
      send({ value: '0x3' }),
    ]);
    expect((await noncesOf(app)).sort()).toStrictEqual(['0x5', '0x6', '0x7']);
    edges.wallet.answers.eth_sendRawTransaction = refuses('no');
    await expectRefusal(send({ value: '0x4' }), -32000);
    edges.wallet.answers.eth_sendRawTransaction = accept ?? null;
    await call('eth_sendTransaction', [{ from: address, to: RECIPIENT }]);
    expect((await noncesOf(app))[0]).toBe('0x8');
  });

  it('does not delay transactions on another chain', async () => {
    const { app, send, edges } = await createSendBench();
    const url = 'https://other-chain.example';
    const { opened, open } = createGate();
    const arrival = createGate();
    const silent = createFakeNode({ ...edges.wallet.answers });
    edges.network.serve(url, async (request) => {
      if (request.body?.includes('eth_sendRawTransaction')) {
        arrival.open();
        await opened;
      }
      return serving(silent)(request);
    });
    await storeChains(app, { 'eip155:5': { rpcUrl: url } });
    const waiting = send({ chainId: '0x5' });
    await arrival.opened;
    await send();
    open();
    await waiting;
    expect(await noncesOf(app)).toStrictEqual(['0x5', '0x5']);
  });
});

describe('the nonce of a pending transaction', () => {
  /** Sets up a pending transaction with nonce 5, and another site that may use its account. */
  async function setup(): Promise<
    SendBench & {
      hash: string;
      warning: string;
      callAsOther: (method: string, params: Json) => Promise<Json>;
    }
  > {
    const bench = await createSendBench();
    const { rpc } = callersOf(bench.app);
    await rpc(OTHER_SITE, 'eth_requestAccounts');
    const hash = (await bench.send()) as string;
    return {
      ...bench,
      hash,
      warning: textOf('replacement.pending', { hash, origin: DAPP }),
      callAsOther: async (method, params) => rpc(OTHER_SITE, method, params),
    };
  }

  it.each(['eth_sendTransaction', 'eth_signTransaction'])(
    'causes a warning when another site uses it: %s',
    async (method) => {
      const { callAsOther, address, edges, warning } = await setup();
      const transaction = { from: address, to: RECIPIENT, value: '0x2' };
      await callAsOther(method, [{ ...transaction, nonce: '0x5' }]);
      expect(warningsOf(edges.dialogs.shown.at(-1))).toContain(warning);
      await callAsOther(method, [transaction]);
      expect(writeView(edges.dialogs.shown.at(-1))).not.toContain(warning);
    },
  );

  it("causes a warning in MetaMask's own confirmation if the request sets the nonce", async () => {
    const { app, address, warning } = await setup();
    const insight = async (nonce?: string, chainId = 'eip155:1'): Promise<string> => {
      const transaction = { from: address, to: RECIPIENT, value: '0x1', nonce };
      const result = await app.entry.onTransaction({
        transaction: transaction as never,
        chainId: chainId as never,
        transactionOrigin: OTHER_SITE,
      });
      return writeView((result as { content?: unknown } | null)?.content);
    };
    expect(await insight('0x5')).toContain(warning);
    for (const other of [insight('0x6'), insight(), insight('0x5', 'eip155:5')]) {
      expect(await other).not.toContain(warning);
    }
  });

  it('causes no warning in the dialog of its own replacement', async () => {
    const { replace, edges, hash, warning } = await setup();
    await replace(hash, { action: 'speedUp' });
    expect(writeView(edges.dialogs.shown.at(-1))).not.toContain(warning);
  });
});

describe('simultaneous user operations of one account', () => {
  const SEND = 'eth_sendUserOperation';

  /** Sets up a deployed account, and a bundler that accepts only the sequence number 7. */
  async function setup(node: Record<string, Json> = {}) {
    const bench = await createOperationBench({ node });
    const { bundler, call, sent, edges } = bench;
    const accept = bundler.answers[SEND];
    const accepted = new Map<unknown, Json | undefined>();
    bundler.answers[SEND] = (params) => {
      const { nonce } = params[0] as { nonce: string };
      if (BigInt.asUintN(64, BigInt(nonce)) !== 7n) {
        return refuses({ code: -32500, message: 'AA25 invalid account nonce' })();
      }
      const hash = typeof accept === 'function' ? accept(params) : null;
      accepted.set(hash, params[0]);
      return hash;
    };
    bundler.answers.eth_getUserOperationByHash = ([hash]) => {
      const userOperation = accepted.get(hash);
      return userOperation === undefined
        ? null
        : { ...foundOperation(1), userOperation };
    };
    return {
      ...bench,
      sendCalls: async (id: string) =>
        call('wallet_sendCalls', [
          sendCallsParam(bench.address, {
            id,
            calls: [{ to: RECIPIENT, value: '0x1' }],
          }),
        ]),
      keys: () => sent().map(({ nonce }) => Number(BigInt(nonce as string) >> 64n)),
      /** Reports a sent operation as executed, which raises the sequence of its key. */
      execute: async (index: number) => {
        const activity = (await listActivity(bench.app)).reverse();
        const { hash, nonce } = activity[index] ?? { hash: '', nonce: '0x0' };
        const before = edges.wallet.answers.eth_call;
        edges.wallet.answers.eth_call = `0x${'f'.repeat(64)}`;
        const own = { userOpHash: hash, sender: bench.address, nonce };
        bundler.answers.eth_getUserOperationReceipt = ([asked]) =>
          asked === hash ? operationReceipt(1, own) : null;
        await bench.poll(3_000);
        edges.wallet.answers.eth_call = before ?? null;
      },
    };
  }

  it('use separate nonce keys, which are free again after execution', async () => {
    const { sendCalls, keys, execute } = await setup();
    await sendCalls('first');
    await sendCalls('second');
    expect(keys()).toStrictEqual([0, 1]);
    await execute(0);
    await sendCalls('third');
    expect(keys()).toStrictEqual([0, 1, 0]);
  });

  it('are signed with the nonces in their dialogs', async () => {
    const { sendCalls, keys, edges, shown, sent } = await setup();
    const gate = createGate();
    whileDialogOpen(edges, async () => gate.opened);
    const sending = ['first', 'second', 'third'].map(sendCalls);
    await settle();
    const dialogs = shown().map(writeView);
    gate.open();
    await Promise.all(sending);
    expect(new Set(keys())).toStrictEqual(new Set([0, 1, 2]));
    for (const { nonce } of sent()) {
      const key = BigInt(nonce as string) >> 64n;
      const label = key === 0n ? textOf('field.nonce') : textOf('field.nonceKey');
      const value = key === 0n ? '7' : String(key);
      expect(dialogs.some((text) => text.includes(`${label}\n${value}\n`))).toBe(true);
    }
  });

  it('release the key of a rejected operation', async () => {
    const { sendCalls, keys, edges } = await setup();
    await sendCalls('first');
    edges.dialogs.answer = refuse;
    await expectRefusal(sendCalls('second'), 4001);
    edges.dialogs.answer = approve;
    await sendCalls('third');
    expect(keys()).toStrictEqual([0, 1]);
  });

  it('are limited to four, and the fifth is refused without a dialog', async () => {
    const { sendCalls, shown } = await setup();
    for (const id of ['1', '2', '3', '4']) await sendCalls(id);
    await expectRefusal(sendCalls('5'), -32005, 'bundlers accept no more');
    expect(shown()).toHaveLength(4);
  });

  it('are counted separately on each chain', async () => {
    const { sendCalls, keys, app, address } = await setup();
    const elsewhere = { chain: 'eip155:5', from: address, entryPoint: '0.7' } as const;
    const pending = [0n, 1n, 2n, 3n].map((key) => {
      const nonce = toHex((key << 64n) + 7n);
      return pendingOf(Number(key), { ...elsewhere, nonce });
    });
    await storeActivity(app, pending);
    await sendCalls('first');
    expect(keys()).toStrictEqual([0]);
  });

  it('are refused without a dialog until the account is deployed', async () => {
    const { sendCalls, shown, edges, execute } = await setup({ eth_getCode: '0x' });
    await sendCalls('first');
    await expectRefusal(sendCalls('second'), -32002, 'that deploys');
    expect(shown()).toHaveLength(1);
    await execute(0);
    edges.wallet.answers.eth_getCode = '0x6080';
    await sendCalls('second');
    expect(shown()).toHaveLength(2);
  });

  it('reuse the key of a lost operation, so that only one of them is executed', async () => {
    const { sendCalls, keys, bundler, poll, execute } = await setup();
    await sendCalls('first');
    await sendCalls('lost');
    bundler.answers.eth_getUserOperationByHash = null;
    const accept = bundler.answers[SEND];
    bundler.answers[SEND] = refuses('no');
    await execute(0);
    await poll(3_000);
    await poll(120_000);
    bundler.answers[SEND] = accept ?? null;
    await sendCalls('again');
    expect(keys().at(-1)).toBe(1);
  });

  it('use the nonce key that the site sets, with consecutive sequence numbers', async () => {
    const { call, id, sent, bundler } = await setup();
    const { answers } = await createOperationBench().then((other) => other.bundler);
    bundler.answers[SEND] = answers[SEND] ?? null;
    const params = [{ to: RECIPIENT, value: '0x1', data: '0x' }];
    await call(SEND, { account: id, nonceKey: '0x9', params });
    await call(SEND, { account: id, nonceKey: '0x9', params });
    expect(sent().map(({ nonce }) => nonce)).toStrictEqual([
      '0x90000000000000007',
      '0x90000000000000008',
    ]);
  });
});
