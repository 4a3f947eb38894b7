// wallet_sendCalls (EIP-5792): the calls of an ordinary account, which are transactions, and
// of a smart account, which are one user operation.
import type { Json } from '@metamask/utils';
import { parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { readCallData } from '../../src/eth/account-calls';
import { callersOf } from '../support/callers';
import { CALLS, createCallsBench, PAYMASTER_URL } from '../support/calls-bench';
import { refuses } from '../support/fake-node';
import { refusalOf } from '../support/refusal';
import { RECIPIENT } from '../support/send-bench';
import { DAPP, refuse } from '../support/test-app';
import { textOf, warningsOf, writeView } from '../support/view';

const NO = { code: -32000, message: 'insufficient funds' };

const FAILED =
  "eth_sendRawTransaction at the wallet's node failed: insufficient funds.";

const service = { url: PAYMASTER_URL };

const sentOf = (pool: ReadonlyMap<Hex, Hex>): object[] =>
  [...pool.values()].map((raw) => {
    const { nonce, to, value, gas, data } = parseTransaction(raw);
    return { nonce, to, value: String(value), gas: String(gas), data };
  });

describe('the calls of an ordinary account', () => {
  it('are confirmed once, and sent in their order with consecutive nonces', async () => {
    const { sendCalls, pool, edges, batches, app } = await createCallsBench();
    const shown = edges.dialogs.shown.length;
    expect(await sendCalls({ id: 'mine' })).toStrictEqual({ id: 'mine' });
    expect(sentOf(pool)).toStrictEqual([
      { nonce: 5, to: RECIPIENT, value: '1', gas: '21000', data: undefined },
      { nonce: 6, to: RECIPIENT, value: '2', gas: '21000', data: undefined },
    ]);
    const views = edges.dialogs.shown.slice(shown);
    expect(views.map(warningsOf)).toStrictEqual([[textOf('warning.notAtomic')]]);
    const [{ account } = {}, ...others] = await app.services.ledger.list();
    expect(others).toHaveLength(1);
    const [chain, sentAt, hashes] = ['eip155:1', edges.clock.time, [...pool.keys()]];
    expect(batches()).toStrictEqual([
      {
        id: 'mine',
        origin: DAPP,
        chain,
        account,
        atomic: false,
        size: 2,
        hashes,
        sentAt,
      },
    ]);
  });

  it('leave out the nonces of what was sent while the user decided', async () => {
    const { sendCalls, send, edges, pool } = await createCallsBench();
    const { answer } = edges.dialogs;
    edges.dialogs.answer = async (content, id) => {
      edges.dialogs.answer = answer;
      await send({ value: '0x9', nonce: 6 });
      return answer(content, id);
    };
    await sendCalls();
    expect(sentOf(pool)).toMatchObject([{ nonce: 6 }, { nonce: 5 }, { nonce: 7 }]);
  });

  it('create contracts where there is no recipient', async () => {
    const { sendCalls, pool } = await createCallsBench();
    await sendCalls({ calls: [{ data: '0x600a' }] });
    expect(sentOf(pool)).toMatchObject([{ nonce: 5, to: undefined, data: '0x600a' }]);
  });

  it('are marked if a later one cannot be estimated alone', async () => {
    const { sendCalls, edges, pool } = await createCallsBench();
    const { answers } = edges.wallet;
    answers.eth_estimateGas = ([call]) =>
      (call as { value: string }).value === '0x2'
        ? refuses({ code: 3, message: 'reverted' })()
        : '0x5208';
    await sendCalls();
    const text = textOf('warning.notEstimated');
    expect(warningsOf(edges.dialogs.shown.slice(-1))).toContain(
      textOf('calls.about', { number: '2', text }),
    );
    expect(sentOf(pool)).toMatchObject([{ gas: '21000' }, { gas: '500000' }]);
    answers.eth_estimateGas = refuses({ code: -32005, message: 'too many' });
    expect(await refusalOf(sendCalls())).toHaveProperty('code', -32005);
  });

  it.each<[string, Json | (() => never), RegExp]>([
    // Each of them takes 21,000 × 1.71 gwei: it is enough for one.
    [
      'cannot pay for all',
      '0x2f40478f833d',
      new RegExp(textOf('alert.balance', { cost: '0.0000718.*', balance: '.*' }), 'u'),
    ],
    ['cannot be looked up', refuses(NO), new RegExp(textOf('alert.unchecked'), 'u')],
  ])('warn once if the account %s', async (_what, balance, expected) => {
    const { sendCalls, edges } = await createCallsBench();
    edges.wallet.answers.eth_getBalance = balance;
    await sendCalls();
    expect(warningsOf(edges.dialogs.shown.slice(-1))).toStrictEqual([
      expect.stringMatching(expected),
      textOf('warning.notAtomic'),
    ]);
  });

  it('are nothing if the request names another chain', async () => {
    const { address, call, batches, pool } = await createCallsBench();
    const wanted = { version: '2.0.0', from: address, chainId: '0x1', calls: CALLS };
    const params = [{ ...wanted, atomicRequired: false }];
    const asking = call('wallet_sendCalls', { scope: 'eip155:5', params });
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect([batches(), pool.size]).toStrictEqual([[], 0]);
  });

  it('are nothing if the user refuses them, and fail if the node refuses the first', async () => {
    const { sendCalls, edges, batches, app, pool } = await createCallsBench();
    edges.wallet.answers.eth_sendRawTransaction = refuses(NO);
    const { code, message } = await refusalOf(sendCalls());
    expect([code, message]).toStrictEqual([-32000, expect.stringContaining(FAILED)]);
    edges.dialogs.answer = refuse;
    expect(await refusalOf(sendCalls())).toHaveProperty('code', 4001);
    const [{ hash, status } = {}, ...others] = await app.services.ledger.list();
    expect([status, others, pool.size]).toStrictEqual(['dropped', [], 0]);
    expect(batches().map(({ hashes }) => hashes)).toStrictEqual([[hash]]);
  });

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('stay known if the node keeps %s and says no', async (_which, accepted) => {
    const { edges, pool, sendCalls, status, mine, poll } = await createCallsBench();
    const { answers } = edges.wallet;
    const accept = answers.eth_sendRawTransaction as (params: Json[]) => Json;
    const sent: Json[] = [];
    answers.eth_sendRawTransaction = (params) => {
      const hash = accept(params);
      const isAccepted = sent.push(hash) <= accepted;
      return isAccepted ? hash : refuses({ code: -32000, message: 'nonce too low' })();
    };
    answers.eth_getTransactionByHash = null;
    const outcome = JSON.stringify(
      await sendCalls({ id: 'mine' }).catch((error: unknown) => error),
    );
    expect(outcome).toContain(accepted === 0 ? 'nonce too low' : 'mine');
    const again = await refusalOf(sendCalls({ id: 'mine' }));
    expect([again, pool.size]).toMatchObject([{ code: 5720 }, accepted + 1]);
    for (const hash of sent) mine(hash);
    await poll(600_000);
    const [code, count] = accepted === 0 ? [600, 1] : [200, 2];
    const answer = (await status('mine')) as { status: Json; receipts: Json[] };
    expect([answer.status, answer.receipts.length]).toStrictEqual([code, count]);
  });

  it('stay known if it is uncertain whether they arrived', async () => {
    const { sendCalls, edges, batches, app } = await createCallsBench();
    edges.wallet.answers.eth_sendRawTransaction = () => {
      throw new Error('the connection broke');
    };
    await sendCalls({ id: 'mine' });
    const [sent] = await app.services.ledger.list();
    expect(batches()[0]?.hashes).toStrictEqual([sent?.hash]);
    expect(batches()[0]?.failure).toContain('which is followed, and sent again');
  });
});

describe('the calls of a smart account', () => {
  it('are one user operation', async () => {
    const { sendCalls, smart, operations, edges, batches } = await createCallsBench();
    edges.wallet.answers.eth_getCode = '0x6080';
    const from = smart.address;
    await sendCalls({ from, id: 'mine', atomicRequired: true });
    const [[hash, operation] = []] = [...operations];
    expect(readCallData('0.7', operation?.callData ?? '0x').calls).toStrictEqual([
      { to: RECIPIENT, value: 1n, data: '0x' },
      { to: RECIPIENT, value: 2n, data: '0x' },
    ]);
    expect(operation?.paymasterAndData).toBe('0x');
    const [chain, sentAt, account] = ['eip155:1', edges.clock.time, smart.id];
    expect(batches()).toStrictEqual([
      {
        id: 'mine',
        origin: DAPP,
        chain,
        account,
        atomic: true,
        size: 2,
        hashes: [hash],
        sentAt,
      },
    ]);
    await sendCalls({ from, calls: CALLS.slice(1) });
    const [batch, single] = edges.dialogs.shown.slice(-2).map(writeView);
    expect(batch).toContain(textOf('userOperation.batch'));
    expect(single).not.toContain(textOf('userOperation.batch'));
  });

  it('are paid for by the paymaster that the site names, or say why not', async () => {
    const { sendCalls, smart, operations, paymaster, edges } = await createCallsBench();
    edges.wallet.answers.eth_getCode = '0x6080';
    const paymasterService = { ...service, context: { policy: 'p' } };
    const wanted = { from: smart.address, capabilities: { paymasterService } };
    await sendCalls(wanted);
    const contexts = paymaster.calls.map(({ params }) => params[3]);
    expect(contexts).toStrictEqual([{ policy: 'p' }, { policy: 'p' }]);
    const [operation] = [...operations.values()];
    expect(operation?.paymasterAndData.slice(-6)).toBe('c0ffee');
    paymaster.answers.pm_getPaymasterStubData = refuses({
      code: -32000,
      message: 'no budget',
    });
    await sendCalls(wanted);
    expect(warningsOf(edges.dialogs.shown.slice(-1)).join()).toContain('no budget');
  });

  it('are nothing if the user refuses them, and fail if the bundler does', async () => {
    const { sendCalls, smart, bundler, batches, edges, operations } =
      await createCallsBench();
    bundler.answers.eth_sendUserOperation = refuses({ code: -32500, message: 'AA25' });
    const send = async (): Promise<unknown> => sendCalls({ from: smart.address });
    expect(await refusalOf(send())).toHaveProperty('code', -32500);
    edges.dialogs.answer = refuse;
    expect(await refusalOf(send())).toHaveProperty('code', 4001);
    expect([operations.size, batches()]).toMatchObject([0, [{ atomic: true }]]);
    expect(batches()[0]?.hashes).toHaveLength(1);
  });

  it('are refused on chains that it does not serve, or where nothing carries them', async () => {
    const { sendCalls, smart, app } = await createCallsBench('0.6');
    const send = async (fields = {}): Promise<unknown> =>
      refusalOf(sendCalls({ from: smart.address, ...fields }));
    const refusal = (code: number, words: string): object => ({
      code,
      message: expect.stringContaining(words) as string,
    });
    expect(await send({ chainId: '0x5' })).toEqual(
      refusal(5710, 'serves eip155:1, not eip155:5.'),
    );
    expect(await send()).toEqual(
      refusal(-32602, 'whose executeBatch carries no values'),
    );
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await send()).toEqual(
      refusal(5710, 'No bundler is configured for eip155:1.'),
    );
  });
});

describe('wallet_sendCalls', () => {
  const ROOT = 'wallet_sendCalls: params[0]';
  const callWith = (capabilities: object): object => ({
    calls: [{ to: RECIPIENT, capabilities }],
  });
  const unsupported = (name: string): string =>
    `The capability "${name}" is not supported here, and it is not marked as optional.`;
  const badId = `${ROOT}.id must be a string of 1 to 8194 characters.`;

  it.each<[object, number, string]>([
    [
      { version: '1.0' },
      -32602,
      `${ROOT}.version must be 2.0.0, the version of EIP-5792`,
    ],
    [{ calls: [] }, -32602, `${ROOT}.calls must be an array of 1 to 100 entries.`],
    [
      { atomicRequired: undefined },
      -32602,
      `${ROOT}.atomicRequired is missing: it must be`,
    ],
    [
      { atomicRequired: true },
      5760,
      'cannot send calls atomically on eip155:1: no account contract that Tollkeeper knows',
    ],
    [
      { calls: [{ value: '0x1' }] },
      -32602,
      `${ROOT}.calls[0]: a contract creation (no "to")`,
    ],
    [{ id: '' }, -32602, badId],
    [{ id: 'x'.repeat(8_195) }, -32602, badId],
    [{ gas: '0x1' }, -32602, `${ROOT}.gas is not expected here.`],
    [
      { calls: Array(101).fill(CALLS[0]) },
      5740,
      'There are 101 calls, but at most 100',
    ],
    [{ capabilities: { foo: {} } }, 5700, unsupported('foo')],
    [{ capabilities: { foo: true } }, 5700, unsupported('foo')],
    [callWith({ bar: {} }), 5700, unsupported('bar')],
    [callWith({ paymasterService: service }), 5700, unsupported('paymasterService')],
    [
      { capabilities: { paymasterService: service } },
      5700,
      unsupported('paymasterService'),
    ],
    [
      { capabilities: { paymasterService: { url: 'https://me:pass@p.example' } } },
      -32602,
      `${ROOT}.capabilities.paymasterService.url must be a URL with https:// (in `,
    ],
    [{ chainId: '0x5' }, 5710, 'MetaMask does not have the network eip155:5'],
    [{ from: undefined }, -32602, 'granted 2 accounts that offer wallet_sendCalls'],
  ])('refuses %j', async (fields, code, words) => {
    const { sendCalls, edges, batches } = await createCallsBench();
    const shown = edges.dialogs.shown.length;
    const refusal = await refusalOf(sendCalls(fields as Record<string, unknown>));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(batches() ?? []).toStrictEqual([]);
  });

  it.each<object>([
    { id: 'x'.repeat(8_194) },
    { capabilities: { foo: { optional: true } } },
    { capabilities: { paymasterService: { ...service, optional: true } } },
    callWith({ bar: { optional: true }, paymasterService: { optional: true } }),
  ])('takes %j', async (fields) => {
    const { sendCalls, paymaster, status } = await createCallsBench();
    const { id } = await sendCalls({ id: 'mine', ...fields });
    expect(await status(id)).toHaveProperty('id', id);
    expect(paymaster.calls).toStrictEqual([]);
  });

  it('takes an id once from a site, whose own it is', async () => {
    const { sendCalls, smart, edges, pool, app, address } = await createCallsBench();
    const both = await Promise.allSettled(
      [1, 2].map(async () => sendCalls({ id: 'mine' })),
    );
    const states = both.map(({ status }) => status);
    expect(states.sort()).toStrictEqual(['fulfilled', 'rejected']);
    const shown = edges.dialogs.shown.length;
    expect(
      await refusalOf(sendCalls({ id: 'mine', from: smart.address })),
    ).toStrictEqual({
      code: 5720,
      message: 'Calls with the id "mine" were sent already. Choose another id.',
    });
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(pool.size).toBe(2);
    const [account] = await app.services.grants.list(DAPP);
    await app.services.grants.set('https://other.example', [account?.id ?? '']);
    const wanted = { version: '2.0.0', chainId: '0x1', atomicRequired: false };
    const { rpc } = callersOf(app);
    const params = [{ ...wanted, id: 'mine', from: address, calls: CALLS }];
    await rpc('https://other.example', 'wallet_sendCalls', params);
    expect(pool.size).toBe(4);
    const [one, other] = [await sendCalls(), await sendCalls()];
    expect(one.id).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(other.id).not.toBe(one.id);
  });

  it('sends from an account that was granted, and from no other', async () => {
    const { call, sendCalls, app, address, smart, operations } =
      await createCallsBench();
    const wanted = { version: '2.0.0', chainId: '0x1', atomicRequired: false };
    const params = [{ ...wanted, from: address, calls: CALLS }];
    const outright = call('wallet_sendCalls', { account: smart.address, params });
    expect(await refusalOf(outright)).toHaveProperty('code', -32602);
    await app.services.grants.set(DAPP, [smart.id]);
    expect(await refusalOf(sendCalls())).toHaveProperty('code', 4100);
    await sendCalls({ from: undefined });
    expect(operations.size).toBe(1);
    await app.services.grants.revoke(DAPP);
    expect(await refusalOf(sendCalls({ from: undefined }))).toStrictEqual({
      code: 4100,
      message:
        'This origin was granted no account of type eip155:eoa or eip155:erc4337. Ask for ' +
        'one with wallet_requestPermissions.',
    });
  });
});
