// Batches of calls (EIP-5792): how ordinary, delegated and smart accounts send them, and how the
// snap stores them and reports their status.
import type { Json } from '@metamask/utils';
import {
  decodeFunctionData,
  formatEther,
  parseAbi,
  recoverAddress,
  toHex,
  zeroAddress,
} from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import {
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { recoverAuthorizationAddress } from 'viem/utils';

import type { EntryPointVersion } from '../../src/core/entry-points';
import { InternalError } from '../../src/core/errors';
import { hashUserOperation } from '../../src/core/operation';
import { readCallData } from '../../src/eth/account-calls';
import { UserOperationStruct } from '../../src/eth/user-operation';
import { parse } from '../../src/schema/parse';
import type { CallBatch, SentTransaction } from '../../src/state/sent-transaction';
import { toShortHex } from '../../src/ui/format';
import { callersOf } from '../support/callers';
import {
  CALLS,
  createCallsBench,
  PAYMASTER_URL,
  callReceiptOf,
  createSentBench,
  LOG,
  sendCallsParam,
} from '../support/calls-bench';
import type { CallsBench, SentBench } from '../support/calls-bench';
import {
  ACCOUNT_08,
  ACCOUNT_09,
  CODE_09,
  delegatedTo,
  FOREIGN,
  simulateDelegations,
} from '../support/delegations';
import { refuses } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeChains, storeGrant, storeActivity } from '../support/given';
import { RECEIPT } from '../support/receipts';
import { expectRefusal, refusalOf } from '../support/refusal';
import { RECIPIENT } from '../support/send-bench';
import { encodeNonce } from '../support/sent-operations';
import { activityOf, hashOf, pendingOf, SENT } from '../support/sent-transactions';
import {
  DAPP,
  refuse,
  approve,
  createTestApp,
  whileDialogOpen,
  OTHER_SITE,
} from '../support/test-app';
import { advanceTime } from '../support/test-edges';
import { elementsOf, textOf, textsOf, warningsOf } from '../support/view';
import { without } from '../support/without';

const SEND = 'eth_sendRawTransaction';

const NODE_ERROR = 'insufficient funds';

const FAILED = `${SEND} at the wallet's node failed: ${NODE_ERROR}.`;

const DUPLICATE = {
  code: 5720,
  message: 'Calls with the id "mine" were already sent. Choose another id.',
};

const service = { url: PAYMASTER_URL };

/** Creates a site's stored batch; by default, none of its calls was sent. */
const storedBatch = (
  fields: Partial<CallBatch> & Pick<CallBatch, 'account'>,
): CallBatch => ({
  id: 'mine',
  origin: DAPP,
  chain: 'eip155:1',
  atomic: false,
  size: 2,
  sentAt: 1,
  hashes: [],
  ...fields,
});

const sentFields = ({ signed }: Pick<CallsBench, 'signed'>): object[] =>
  signed().map(({ nonce, to, value, gas, data }) => {
    return { nonce, to, value: String(value), gas: String(gas), data };
  });

/** Creates a pending transaction of a sponsor that revokes the delegation of the account that `call`
 * serves, by default of the sponsor. */
async function createRevocation(call?: CallsBench['call']): Promise<SentTransaction> {
  const sponsor = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const unsigned = { address: zeroAddress, chainId: 1, nonce: 5 } as const;
  const signed = call
    ? await call('wallet_signAuthorization', [unsigned])
    : await sponsor.signAuthorization(unsigned);
  const { r, s, yParity } = signed as { r: Hex; s: Hex; yParity: Hex };
  const raw = await sponsor.signTransaction({
    type: 'eip7702',
    chainId: 1,
    to: sponsor.address,
    authorizationList: [{ ...unsigned, r, s, yParity: Number(yParity) }],
  });
  return pendingOf(1, { from: sponsor.address.toLowerCase() as Hex, raw });
}

describe('the calls of an ordinary account', () => {
  it('are confirmed once, and sent in order with consecutive nonces', async () => {
    const { sendCalls, pool, edges, batches, app, signed } = await createCallsBench();
    const shown = edges.dialogs.shown.length;
    expect(await sendCalls({ id: 'mine' })).toStrictEqual({ id: 'mine' });
    expect(sentFields({ signed })).toStrictEqual([
      { nonce: 5, to: RECIPIENT, value: '1', gas: '21000', data: undefined },
      { nonce: 6, to: RECIPIENT, value: '2', gas: '21000', data: undefined },
    ]);
    const views = edges.dialogs.shown.slice(shown);
    expect(views.map(warningsOf)).toStrictEqual([[textOf('warning.notAtomic')]]);
    const [{ account } = {}, ...others] = await app.services.ledger.list();
    expect(others).toHaveLength(1);
    const hashes = [...pool.keys()];
    const sentAt = edges.clock.time;
    const fields = { account: account ?? '', hashes, sentAt };
    expect(batches()).toStrictEqual([storedBatch(fields)]);
  });

  it('skip the nonces of transactions sent while the user decides', async () => {
    const { sendCalls, send, edges, signed } = await createCallsBench();
    const { answer } = edges.dialogs;
    whileDialogOpen(edges, async () => {
      edges.dialogs.answer = answer;
      await send({ value: '0x9', nonce: 6 });
    });
    await sendCalls();
    expect(sentFields({ signed })).toMatchObject([
      { nonce: 6 },
      { nonce: 5 },
      { nonce: 7 },
    ]);
  });

  it('create contracts if they have no recipient', async () => {
    const { sendCalls, signed } = await createCallsBench();
    await sendCalls({ calls: [{ data: '0x600a' }] });
    expect(sentFields({ signed })).toMatchObject([
      { nonce: 5, to: undefined, data: '0x600a' },
    ]);
  });

  it('warn and use a default gas limit if a later call cannot be estimated alone', async () => {
    const { sendCalls, edges, signed } = await createCallsBench();
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
    expect(sentFields({ signed })).toMatchObject([{ gas: '21000' }, { gas: '500000' }]);
    answers.eth_estimateGas = refuses({ code: -32005, message: 'too many' });
    await expectRefusal(sendCalls(), -32005);
  });

  it.each<[string, Json | (() => never), RegExp]>([
    // Each call costs up to 21,000 × 1.71 gwei, so this pays for one.
    [
      'is too low for all of them',
      '0x2f40478f833d',
      new RegExp(textOf('alert.balance', { cost: '0.0000718.*', balance: '.*' }), 'u'),
    ],
    ['is unavailable', refuses(NODE_ERROR), new RegExp(textOf('alert.unchecked'), 'u')],
  ])('warn once if the balance %s', async (_case, balance, expected) => {
    const { sendCalls, edges } = await createCallsBench();
    edges.wallet.answers.eth_getBalance = balance;
    await sendCalls();
    expect(warningsOf(edges.dialogs.shown.slice(-1))).toStrictEqual([
      expect.stringMatching(expected),
      textOf('warning.notAtomic'),
    ]);
  });

  it('are not sent if the scope of the request is a different chain', async () => {
    const { address, call, batches, pool } = await createCallsBench();
    const params = [sendCallsParam(address)];
    const asking = call('wallet_sendCalls', { scope: 'eip155:5', params });
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect([batches(), pool.size]).toStrictEqual([[], 0]);
  });

  it('are not sent if the user refuses, and fail if the node refuses the first', async () => {
    const { sendCalls, edges, batches, app, pool } = await createCallsBench();
    edges.wallet.answers.eth_sendRawTransaction = refuses(NODE_ERROR);
    await expectRefusal(sendCalls(), -32000, FAILED);
    edges.dialogs.answer = refuse;
    await expectRefusal(sendCalls(), 4001);
    const [{ hash, status } = {}, ...others] = await app.services.ledger.list();
    expect([status, others, pool.size]).toStrictEqual(['dropped', [], 0]);
    expect(batches().map(({ hashes }) => hashes)).toStrictEqual([[hash]]);
  });

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])(
    'are stored if the node keeps %s but returns an error',
    async (_which, accepted) => {
      const { edges, pool, sendCalls, status, mine, poll } = await createCallsBench();
      const { answers } = edges.wallet;
      const accept = answers[SEND] as (params: Json[]) => Json;
      const sent: Json[] = [];
      answers[SEND] = (params) => {
        const hash = accept(params);
        const isAccepted = sent.push(hash) <= accepted;
        return isAccepted ? hash : refuses('nonce too low')();
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
    },
  );

  it('are stored if the connection breaks while they are sent', async () => {
    const { sendCalls, edges, batches, app } = await createCallsBench();
    edges.wallet.answers[SEND] = () => {
      throw new Error('the connection broke');
    };
    await sendCalls({ id: 'mine' });
    const [sent] = await app.services.ledger.list();
    expect(batches()[0]?.hashes).toStrictEqual([sent?.hash]);
    expect(batches()[0]?.failure).toContain('will be resent until it arrives');
  });
});

describe('the calls of a smart account', () => {
  it('are sent as one user operation', async () => {
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
    const fields = {
      account: smart.id,
      hashes: [hash ?? '0x'],
      sentAt: edges.clock.time,
    };
    expect(batches()).toStrictEqual([storedBatch({ ...fields, atomic: true })]);
  });

  it("are paid for by the site's paymaster, or the dialog shows why not", async () => {
    const { sendCalls, smart, operations, paymaster, edges } = await createCallsBench();
    edges.wallet.answers.eth_getCode = '0x6080';
    const paymasterService = { ...service, context: { policy: 'p' } };
    const wanted = { from: smart.address, capabilities: { paymasterService } };
    await sendCalls(wanted);
    const contexts = paymaster.calls.map(({ params }) => params[3]);
    expect(contexts).toStrictEqual([{ policy: 'p' }, { policy: 'p' }]);
    const [operation] = [...operations.values()];
    expect(operation?.paymasterAndData.slice(-6)).toBe('c0ffee');
    paymaster.answers.pm_getPaymasterStubData = refuses('no budget');
    await sendCalls(wanted);
    expect(warningsOf(edges.dialogs.shown.slice(-1)).join()).toContain('no budget');
  });

  it('are not sent if the user refuses, and fail if the bundler refuses', async () => {
    const { sendCalls, smart, bundler, batches, edges, operations } =
      await createCallsBench();
    bundler.answers.eth_sendUserOperation = refuses({ code: -32500, message: 'AA25' });
    const send = async (): Promise<unknown> => sendCalls({ from: smart.address });
    await expectRefusal(send(), -32500);
    edges.dialogs.answer = refuse;
    await expectRefusal(send(), 4001);
    expect([operations.size, batches()]).toMatchObject([0, [{ atomic: true }]]);
    expect(batches()[0]?.hashes).toHaveLength(1);
  });

  it('are rejected on unserved chains, with values for EntryPoint 0.6, and without a bundler', async () => {
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
    await storeChains(app, {});
    expect(await send()).toEqual(
      refusal(5710, 'No bundler is configured for eip155:1.'),
    );
  });
});

describe('wallet_sendCalls', () => {
  const ROOT = 'wallet_sendCalls: params[0]';

  it.each([null, '', '0x0', '0X', '0x00'])(
    'is rejected if it requires atomicity and the node returns %j as the code',
    async (code) => {
      const { sendCalls, edges } = await setup();
      edges.wallet.answers.eth_getCode = code;
      await expectRefusal(
        sendCalls({ atomicRequired: true }),
        5760,
        'cannot send calls atomically on eip155:1: no account contract that Tollkeeper knows',
      );
    },
  );

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
      `${ROOT}.version must be 2.0.0, the supported version of EIP-5792`,
    ],
    [{ calls: [] }, -32602, `${ROOT}.calls must be an array of 1 to 100 entries.`],
    [
      { atomicRequired: undefined },
      -32602,
      `${ROOT}.atomicRequired is missing: it must be`,
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
    [
      callWith({ gasLimitOverride: { value: 'lots' } }),
      -32602,
      `${ROOT}.calls[0].capabilities.gasLimitOverride.value must be `,
    ],
    [
      callWith({ gasLimitOverride: {} }),
      -32602,
      `${ROOT}.calls[0].capabilities.gasLimitOverride.value is missing`,
    ],
    [
      { capabilities: { gasLimitOverride: { value: '0x5208' } } },
      5700,
      unsupported('gasLimitOverride'),
    ],
    [callWith({ paymasterService: service }), 5700, unsupported('paymasterService')],
    [
      { capabilities: { paymasterService: service } },
      5700,
      unsupported('paymasterService'),
    ],
    [
      { capabilities: { paymasterService: { url: 'https://me:pass@p.example' } } },
      -32602,
      `${ROOT}.capabilities.paymasterService.url must be a URL that starts with https:// (in `,
    ],
    [{ chainId: '0x5' }, 5710, 'MetaMask does not have the network eip155:5'],
    [{ from: undefined }, -32602, 'granted 2 accounts that offer wallet_sendCalls'],
  ])('rejects %j', async (fields, code, words) => {
    const { sendCalls, edges, batches } = await createCallsBench();
    const shown = edges.dialogs.shown.length;
    await expectRefusal(sendCalls(fields as Record<string, unknown>), code, words);
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(batches() ?? []).toStrictEqual([]);
  });

  it.each<object>([
    { id: 'x'.repeat(8_194) },
    { capabilities: { foo: { optional: true } } },
    { capabilities: { paymasterService: { ...service, optional: true } } },
    callWith({ bar: { optional: true }, paymasterService: { optional: true } }),
  ])('accepts %j', async (fields) => {
    const { sendCalls, paymaster, status } = await createCallsBench();
    const { id } = await sendCalls({ id: 'mine', ...fields });
    expect(await status(id)).toHaveProperty('id', id);
    expect(paymaster.calls).toStrictEqual([]);
  });

  it('accepts an id once per site, and generates one if it is absent', async () => {
    const { sendCalls, smart, edges, pool, app, address } = await createCallsBench();
    const both = await Promise.allSettled(
      [1, 2].map(async () => sendCalls({ id: 'mine' })),
    );
    const states = both.map(({ status }) => status);
    expect(states.sort()).toStrictEqual(['fulfilled', 'rejected']);
    const shown = edges.dialogs.shown.length;
    const again = sendCalls({ id: 'mine', from: smart.address });
    expect(await refusalOf(again)).toStrictEqual(DUPLICATE);
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(pool.size).toBe(2);
    const [account] = await app.services.grants.list(DAPP);
    await app.services.grants.set(OTHER_SITE, [account?.id ?? '']);
    const params = [sendCallsParam(address, { id: 'mine' })];
    await callersOf(app).rpc(OTHER_SITE, 'wallet_sendCalls', params);
    expect(pool.size).toBe(4);
    const [one, other] = [await sendCalls(), await sendCalls()];
    expect(one.id).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(other.id).not.toBe(one.id);
  });

  it('sends from granted accounts only', async () => {
    const { call, sendCalls, app, address, smart, operations } =
      await createCallsBench();
    const envelope = { account: smart.address, params: [sendCallsParam(address)] };
    const mismatched = call('wallet_sendCalls', envelope);
    await expectRefusal(mismatched, -32602);
    await app.services.grants.set(DAPP, [smart.id]);
    await expectRefusal(sendCalls(), 4100);
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

describe("the gas limits in a site's calls (ERC-8132)", () => {
  const withGas = (...limits: (Hex | undefined)[]): Json[] =>
    CALLS.map((call, index) => {
      const value = limits[index];
      return {
        ...call,
        ...(value && { capabilities: { gasLimitOverride: { value } } }),
      };
    });

  it('apply to calls that are sent as separate transactions', async () => {
    const { sendCalls, signed, edges } = await createCallsBench();
    edges.wallet.answers.eth_estimateGas = '0x5208';
    await sendCalls({ calls: withGas('0x1d4c0') });
    expect(signed().map(({ gas }) => gas)).toStrictEqual([120_000n, 21_000n]);
  });

  it('are rejected if they fit in neither a transaction nor a user operation', async () => {
    const { sendCalls, smart, signed, operations } = await createCallsBench();
    const limit: Hex = `0x${'f'.repeat(64)}`;
    const calls = withGas(limit, limit);
    await expectRefusal(sendCalls({ calls }), -32602);
    await expectRefusal(sendCalls({ from: smart.address, calls }), -32602);
    expect([signed(), operations.size]).toStrictEqual([[], 0]);
  });

  it("are the minimum for a smart account's user operation", async () => {
    const { sendCalls, smart, operations, edges } = await createCallsBench();
    edges.wallet.answers.eth_getCode = '0x6080';
    await sendCalls({ from: smart.address, calls: withGas('0x7a120', '0x7a120') });
    await sendCalls({ from: smart.address });
    const [limited, estimated] = [...operations.values()].map((each) =>
      Number(each.callGasLimit),
    );
    expect(limited).toBe(1_020_000);
    expect(estimated).toBeLessThan(200_000);
  });

  it('are the minimum for a batch in one transaction', async () => {
    const { sendCalls, delegate, sent, edges } = await setup();
    delegate(ACCOUNT_08);
    edges.wallet.answers.eth_estimateGas = '0x5208';
    await sendCalls({ atomicRequired: true, calls: withGas('0x7a120') });
    expect(sent().gas).toBe(570_000n);
  });
});

const LOWER_08 = ACCOUNT_08.toLowerCase();

const abi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
]);

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup(version?: EntryPointVersion) {
  const bench = await createCallsBench(version);
  const { address, edges, signed, call } = bench;
  const codes = simulateDelegations(edges.wallet);
  return {
    ...bench,
    codes,
    delegate: (to: Hex) => codes.set(address.toLowerCase(), delegatedTo(to)),
    sent: () => {
      const [transaction, ...others] = signed();
      expect(others).toStrictEqual([]);
      return transaction as TransactionSerializableEIP7702;
    },
    capabilities: async () => {
      const all = await call('wallet_getCapabilities', [address, ['0x1']]);
      return (all as Record<string, Json>)['0x1'] ?? null;
    },
  };
}

function readCalls({ data = '0x' }: { data?: Hex | undefined }): object[] {
  const { args } = decodeFunctionData({ abi, data });
  return args[0].map(({ target, value, data: own }) => ({
    to: target.toLowerCase(),
    value: Number(value),
    data: own,
  }));
}

const TRANSFERS = [
  { to: RECIPIENT, value: 1, data: '0x' },
  { to: RECIPIENT, value: 2, data: '0x' },
];

describe('the calls of an account that delegates to an unknown contract', () => {
  const ONE_BY_ONE = textOf('delegation.oneByOne');

  /** Sets up a node that, like geth, holds one pending transaction per delegating account. */
  async function setupPool() {
    const bench = await setup();
    const { edges, beforeSend, pool, codes, address } = bench;
    bench.delegate(FOREIGN);
    const mined = new Set<Json>();
    beforeSend(() => {
      const isTaken = [...pool.keys()].some((hash) => !mined.has(hash));
      if (codes.has(address.toLowerCase()) && isTaken) {
        refuses('in-flight transaction limit reached for delegated accounts')();
      }
    });
    return {
      ...bench,
      mineLast: (status: '0x0' | '0x1' = '0x1') => {
        const hash = [...pool.keys()].at(-1) ?? null;
        mined.add(hash);
        bench.mine(hash, status);
      },
      /** Advances the clock in steps of 2 s until a request settles; calls `act` before each. */
      until: async <Result>(
        request: Promise<Result>,
        act: () => void,
      ): Promise<Result> => {
        let isOver = false;
        const ended = request.finally(() => {
          isOver = true;
        });
        ended.catch(() => undefined);
        await settle();
        for (let pause = 0; pause < 60 && !isOver; pause += 1) {
          act();
          advanceTime(edges, 2_000);
          await settle();
        }
        return ended;
      },
    };
  }

  const THREE = [...CALLS, { to: RECIPIENT, value: '0x3' }];

  it('are sent one by one, each after the previous one is included', async () => {
    const { sendCalls, until, mineLast, pool, signed, edges, status } =
      await setupPool();
    const sizes: unknown[] = [];
    const sending = until(sendCalls({ id: 'mine', calls: THREE }), () => {
      sizes.push(pool.size);
      mineLast();
    });
    await settle();
    expect(await status('mine')).toHaveProperty('status', 100);
    await sending;
    expect(sizes).toStrictEqual([1, 2]);
    expect(signed().map(({ nonce, value }) => [nonce, value])).toStrictEqual([
      [5, 1n],
      [6, 2n],
      [7, 3n],
    ]);
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    expect(warnings).toStrictEqual([textOf('warning.notAtomic'), ONE_BY_ONE]);
    expect(await status('mine')).toHaveProperty('status', 100);
    mineLast();
    expect(await status('mine')).toMatchObject({ status: 200, receipts: [{}, {}, {}] });
  });

  it('are given up if the previous one is not included within a minute', async () => {
    const bench = await setupPool();
    const { sendCalls, until, mineLast, pool, status, batches, edges, poll, call } =
      bench;
    const sent = await until(sendCalls({ id: 'mine' }), () => undefined);
    expect(sent).toStrictEqual({ id: 'mine' });
    const waited = edges.clock.slept.filter((ms) => ms === 2_000);
    expect(waited).toHaveLength(22);
    const [hash = ''] = pool.keys();
    expect(batches()).toMatchObject([
      {
        hashes: [hash],
        failure: expect.stringContaining(`after ${hash} were not sent`) as string,
      },
    ]);
    expect(await status('mine')).toHaveProperty('status', 100);
    mineLast();
    await poll(60_000);
    await poll(600_000);
    expect(await status('mine')).toMatchObject({ status: 600, receipts: [{}] });
    expect(pool.size).toBe(1);
    await call('wallet_showCallsStatus', ['mine']);
    expect(textsOf(edges.dialogs.shown.at(-1)).join()).toContain('were not sent');
  });

  it('stop at the first failure', async () => {
    const { sendCalls, until, mineLast, pool, status } = await setupPool();
    await until(sendCalls({ id: 'mine' }), () => mineLast('0x0'));
    expect(pool.size).toBe(1);
    expect(await status('mine')).toHaveProperty('status', 500);
  });

  it('stop when the previous one is cancelled', async () => {
    const { sendCalls, until, pool, replace, mine, status } = await setupPool();
    let cancelling: Promise<void> | undefined;
    await until(sendCalls({ id: 'mine' }), () => {
      const [hash = null] = pool.keys();
      cancelling ??= replace(hash, { action: 'cancel' }).then(mine, () => undefined);
    });
    expect(pool.size).toBe(1);
    expect(await status('mine')).toHaveProperty('status', 100);
  });

  it('wait for pending transactions, and are not sent if that takes too long', async () => {
    const { sendCalls, send, until, mineLast, pool, batches } = await setupPool();
    await send();
    const late = until(sendCalls({ id: 'late' }), () => undefined);
    await expectRefusal(late, -32002, 'were not sent: it is pending.');
    expect([pool.size, batches()]).toStrictEqual([1, []]);
    await until(sendCalls({ id: 'mine' }), () => mineLast());
    expect(pool.size).toBe(3);
  });

  it('wait for the last pending transaction, but not for a user operation', async () => {
    const { app, edges, address, send, delegate, codes, ...bench } = await setupPool();
    const from = address.toLowerCase() as Hex;
    codes.delete(from);
    await send();
    const last = (await send({ value: '0x2' })) as Hex;
    delegate(FOREIGN);
    const sentAt = edges.clock.time + 1;
    const operation = pendingOf(1, { from, entryPoint: '0.8', sentAt });
    await storeActivity(app, [...activityOf(edges), operation]);
    const late = bench.until(bench.sendCalls(), () => undefined);
    await expectRefusal(late, -32002, `calls after ${last} were not sent`);
  });

  it("wait for another account's transaction that changes the delegation", async () => {
    const { app, call, until, sendCalls, pool } = await setupPool();
    const pending = await createRevocation(call);
    await storeActivity(app, [pending]);
    const late = until(sendCalls(), () => undefined);
    await expectRefusal(late, -32002, `calls after ${pending.hash} were not sent`);
    // The tracker sends the pending transaction again.
    expect([...pool.values()]).toStrictEqual([pending.raw]);
  });

  it('take the nonce of a transaction that is dropped during the wait', async () => {
    const { app, address, codes, call, until, ...bench } = await setupPool();
    codes.delete(address.toLowerCase());
    const pending = await createRevocation(call);
    await storeActivity(app, [pending]);
    let dropping: Promise<void> | undefined;
    await until(bench.sendCalls(), () => {
      if (dropping) bench.mineLast();
      dropping ??= storeActivity(app, [{ ...pending, status: 'dropped' }]);
    });
    const [sponsored, ...own] = bench.signed().map(({ nonce }) => nonce);
    expect([sponsored, own]).toStrictEqual([0, [5, 6]]);
  });

  it('warn that they are sent one by one while the delegation is pending', async () => {
    const { app, sendCalls, address, edges } = await setup();
    const from = address.toLowerCase() as Hex;
    await storeActivity(app, [pendingOf(1, { from, raw: '0x04' })]);
    edges.dialogs.answer = refuse;
    await expectRefusal(sendCalls(), 4001);
    expect(warningsOf(edges.dialogs.shown.at(-1))).toContain(ONE_BY_ONE);
  });

  it('wait if the account delegates while the user decides', async () => {
    const { sendCalls, until, mineLast, codes, address, edges, delegate, pool } =
      await setupPool();
    codes.delete(address.toLowerCase());
    whileDialogOpen(edges, () => delegate(FOREIGN));
    await until(sendCalls({ id: 'mine' }), () => mineLast());
    expect(pool.size).toBe(2);
  });

  it('warn, like single transactions, that nodes may refuse a second pending one', async () => {
    const { send, edges } = await setupPool();
    await send();
    expect(warningsOf(edges.dialogs.shown.at(-1))).toStrictEqual([]);
    await expectRefusal(send({ value: '0x2' }), -32000, 'in-flight transaction limit');
    expect(warningsOf(edges.dialogs.shown.at(-1))).toContain(
      textOf('delegation.isBusy'),
    );
  });
});

describe('several calls of an account that delegates to a known contract', () => {
  it.each([true, false])('are one transaction (atomicRequired: %j)', async (atomic) => {
    const { sendCalls, sent, delegate, edges, address, batches } = await setup();
    delegate(ACCOUNT_08);
    edges.dialogs.shown.length = 0;
    await sendCalls({ id: 'mine', atomicRequired: atomic });
    expect(sent()).toMatchObject({
      type: 'eip1559',
      nonce: 5,
      to: address.toLowerCase(),
    });
    expect(sent().value ?? 0n).toBe(0n);
    expect(readCalls(sent())).toStrictEqual(TRANSFERS);
    expect(batches()).toMatchObject([{ atomic: true, size: 2 }]);
    expect(edges.dialogs.shown).toHaveLength(1);
    const [dialog] = edges.dialogs.shown;
    expect(warningsOf(dialog)).toStrictEqual([]);
    const texts = textsOf(dialog);
    expect(texts).toContain(textOf('userOperation.batch'));
    expect(texts.filter((each) => /^[12] · Send /u.test(each))).toHaveLength(2);
    // The exact maximum cost, in the collapsed section, includes the value of both calls.
    const { gas = 0n, maxFeePerGas = 0n } = sent();
    const total = `${formatEther(gas * maxFeePerGas + 3n)} ETH`;
    expect(texts[texts.lastIndexOf(textOf('field.maxCost')) + 1]).toBe(total);
  });

  it('are one transaction as soon as a block includes the delegation', async () => {
    const { app, sendCalls, address, delegate, mine, pool } = await setup();
    const pending = pendingOf(1, { from: address.toLowerCase() as Hex, raw: '0x04' });
    await storeActivity(app, [pending]);
    delegate(ACCOUNT_08);
    mine(pending.hash);
    await sendCalls();
    expect(pool.size).toBe(1);
  });

  it('create contracts through the deterministic deployer', async () => {
    const { sendCalls, sent, delegate } = await setup();
    delegate(ACCOUNT_08);
    await sendCalls({ calls: [...CALLS, { data: '0x600a' }] });
    expect(readCalls(sent())[2]).toStrictEqual({
      to: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
      value: 0,
      data: `0x${'00'.repeat(32)}600a`,
    });
  });

  it('warn with the sum of their values if the balance is too low', async () => {
    const { sendCalls, delegate, edges } = await setup();
    delegate(ACCOUNT_08);
    edges.wallet.answers.eth_getBalance = '0xde0b6b3a7640000';
    const calls = [1, 2].map(() => ({ to: RECIPIENT, value: '0x8ac7230489e80000' }));
    await sendCalls({ calls });
    const dialog = edges.dialogs.shown.at(-1);
    expect(warningsOf(dialog)[0]).toMatch(/20\..* ETH/u);
  });

  it('have the status of one transaction', async () => {
    const { sendCalls, delegate, mine, status, pool } = await setup();
    delegate(ACCOUNT_08);
    await sendCalls({ id: 'mine' });
    expect(await status('mine')).toMatchObject({ status: 100, atomic: true });
    const [hash] = pool.keys();
    mine(hash ?? null);
    const answer = await status('mine');
    expect(answer).toMatchObject({ status: 200, atomic: true, receipts: [{}] });
  });

  it.each([
    ['speedUp', 200],
    ['cancel', 400],
  ])('get the status of their replacement: %s gives %i', async (action, code) => {
    const { sendCalls, delegate, mine, status, pool, replace } = await setup();
    delegate(ACCOUNT_08);
    await sendCalls({ id: 'mine' });
    const [hash = null] = pool.keys();
    mine(await replace(hash, { action }));
    expect(await status('mine')).toHaveProperty('status', code);
  });

  it('are not sent if the delegation is removed before approval', async () => {
    const { sendCalls, delegate, codes, address, edges, pool, batches } = await setup();
    delegate(ACCOUNT_08);
    whileDialogOpen(edges, () => codes.delete(address.toLowerCase()));
    await expectRefusal(sendCalls(), 5760, 'was changed while the dialog was open');
    expect([pool.size, batches()]).toStrictEqual([0, []]);
  });

  it.each<[string, Partial<SentTransaction>, string]>([
    ['change to the delegation', { raw: '0x04' }, 'changed while the dialog was open'],
    ['delegation on another chain', { raw: '0x04', chain: 'eip155:10' }, 'sent'],
    ['transaction of a different type', { raw: '0x02' }, 'sent'],
    [
      'transaction of another account that cannot be read',
      { raw: '0x04', from: RECIPIENT },
      'changed while the dialog was open',
    ],
  ])(
    'are checked on approval against a pending %s',
    async (_which, fields, outcome) => {
      const { sendCalls, delegate, address, app, edges, pool, batches } = await setup();
      delegate(ACCOUNT_08);
      const pending = pendingOf(1, { from: address.toLowerCase() as Hex, ...fields });
      whileDialogOpen(edges, async () => storeActivity(app, [pending]));
      const sending = sendCalls().then(() => 'sent', String);
      expect(await sending).toContain(outcome);
      const count = outcome === 'sent' ? 1 : 0;
      expect([pool.size, batches().length]).toStrictEqual([count, count]);
    },
  );

  it.each([
    ['its delegation', true, 'changed while the dialog was open'],
    ["another account's delegation", false, 'sent'],
  ])(
    'are checked on approval against a transaction of another account that revokes %s',
    async (_whose, isOwn, outcome) => {
      const { sendCalls, call, delegate, app, edges } = await setup();
      delegate(ACCOUNT_08);
      const pending = await createRevocation(isOwn ? call : undefined);
      whileDialogOpen(edges, async () => storeActivity(app, [pending]));
      expect(await sendCalls().then(() => 'sent', String)).toContain(outcome);
    },
  );
});

describe('the first atomic batch of an account', () => {
  it('carries the authorization shown in its dialog', async () => {
    const { sendCalls, sent, edges, address } = await setup();
    edges.dialogs.shown.length = 0;
    await sendCalls({ atomicRequired: true });
    expect(readCalls(sent())).toStrictEqual(TRANSFERS);
    const [authorization, ...others] = sent().authorizationList ?? [];
    expect(others).toStrictEqual([]);
    if (!authorization) throw new Error('There is no authorization.');
    expect(authorization).toMatchObject({
      chainId: 1,
      nonce: 6,
      address: ACCOUNT_08.toLowerCase(),
    });
    const signer = await recoverAuthorizationAddress({ authorization });
    expect(signer.toLowerCase()).toBe(address.toLowerCase());
    expect(edges.dialogs.shown).toHaveLength(1);
    const [dialog] = edges.dialogs.shown;
    expect(warningsOf(dialog)).toStrictEqual([
      textOf('delegation.upgrades'),
      textOf('delegation.allows'),
    ]);
    expect(textsOf(dialog)).toContain(ACCOUNT_08);
  });

  it.each<[string, Hex[], Hex, Hex?]>([
    ['0.8', [entryPoint07Address, entryPoint08Address], ACCOUNT_08],
    ['0.8 in lower case', [entryPoint08Address.toLowerCase() as Hex], ACCOUNT_08],
    ['0.9', [entryPoint09Address], ACCOUNT_09],
    ['0.8 and 0.9', [entryPoint08Address, entryPoint09Address], ACCOUNT_09],
    ['neither', [entryPoint07Address], ACCOUNT_09],
    ['0.9, whose contract is not deployed', [entryPoint09Address], ACCOUNT_08, '0x'],
  ])(
    "delegates to the newest contract, preferably for the bundler's EntryPoints: %s",
    async (_served, supported, ...[delegate, code = CODE_09]) => {
      const { sendCalls, sent, codes, bundler } = await setup();
      codes.set(ACCOUNT_09.toLowerCase(), code);
      bundler.answers.eth_supportedEntryPoints = supported;
      await sendCalls({ atomicRequired: true });
      expect(sent().authorizationList).toMatchObject([
        { address: delegate.toLowerCase() },
      ]);
    },
  );

  it("is estimated with the delegated account's code", async () => {
    const { sendCalls, edges, address } = await setup();
    await sendCalls({ atomicRequired: true });
    const estimates = edges.wallet.calls.filter(
      ({ method }) => method === 'eth_estimateGas',
    );
    expect(estimates.map(({ params }) => params[2])).toStrictEqual([
      { [address]: { code: delegatedTo(ACCOUNT_08) } },
    ]);
  });

  it('is followed by another authorization while its transaction is pending', async () => {
    const { sendCalls, delegate, signed } = await setup();
    await sendCalls({ atomicRequired: true });
    delegate(ACCOUNT_08);
    await sendCalls({ atomicRequired: true });
    const type = 'eip7702';
    expect(signed()).toMatchObject([
      { type },
      { type, authorizationList: [{ nonce: 8 }] },
    ]);
  });

  it.each([
    ['a single call', { calls: CALLS.slice(0, 1), atomicRequired: true }, 1],
    ['calls that need not be atomic', {}, 2],
  ])('does not delegate for %s', async (_which, fields, count) => {
    const { sendCalls, signed, batches } = await setup();
    await sendCalls(fields);
    const types = signed().map(({ type }) => type);
    expect(types).toStrictEqual(Array(count).fill('eip1559'));
    expect(batches()).toMatchObject([{ atomic: count === 1 }]);
  });

  it("is not sent if the node does not return the account's code", async () => {
    const { sendCalls, edges, pool, signed } = await setup();
    edges.wallet.answers.eth_getCode = refuses('no');
    await expectRefusal(sendCalls({ atomicRequired: true }), -32000);
    expect(pool.size).toBe(0);
    await sendCalls();
    const types = signed().map(({ type }) => type);
    expect(types).toStrictEqual(['eip1559', 'eip1559']);
  });

  it.each<[string, (bench: Bench) => void, RegExp]>([
    [
      'the account delegates to another contract',
      ({ delegate }) => delegate(FOREIGN),
      /it delegates to 0x63c0.*, which Tollkeeper does not know/u,
    ],
    [
      "the code of the account's contract differs",
      ({ codes, delegate }) => {
        delegate(ACCOUNT_08);
        codes.set(LOWER_08, '0x6001');
      },
      /it delegates to 0xe6ca.*, which Tollkeeper does not know/iu,
    ],
    [
      'no contract is deployed',
      ({ codes }) => codes.clear(),
      /no account contract that Tollkeeper knows/u,
    ],
  ])('is rejected if %s', async (_condition, prepare, message) => {
    const bench = await setup();
    prepare(bench);
    const shown = bench.edges.dialogs.shown.length;
    await expectRefusal(bench.sendCalls({ atomicRequired: true }), 5760, message);
    expect(bench.edges.dialogs.shown).toHaveLength(shown);
    expect(bench.pool.size).toBe(0);
  });
});

describe('wallet_getCapabilities of an ordinary account', () => {
  it.each<[string, string, (bench: Bench) => unknown]>([
    ['ready', 'the account can delegate', () => undefined],
    [
      'supported',
      'the account has a known delegate',
      ({ delegate }) => delegate(ACCOUNT_08),
    ],
    [
      'unsupported',
      'the account has a different delegate',
      ({ delegate }) => delegate(FOREIGN),
    ],
    ['unsupported', 'no contract is deployed', ({ codes }) => codes.clear()],
    [
      'unsupported',
      'the node returns no code',
      ({ edges }) => {
        edges.wallet.answers.eth_getCode = refuses('no');
      },
    ],
  ])('reports atomicity as %s if %s', async (status, _condition, prepare) => {
    const bench = await setup();
    prepare(bench);
    expect(await bench.capabilities()).toMatchObject({ atomic: { status } });
  });
});

describe('the user operations of a delegated account', () => {
  async function setupOperations() {
    const bench = await setup('0.8');
    bench.delegate(ACCOUNT_08);
    bench.bundler.answers.eth_supportedEntryPoints = [entryPoint08Address];
    const params = [{ to: RECIPIENT, value: '0x1' }];
    return { ...bench, envelope: { account: bench.address, params } };
  }

  it('carry calls that a paymaster pays for', async () => {
    const { sendCalls, operations, address, pool, batches } = await setupOperations();
    await sendCalls({ capabilities: { paymasterService: { url: PAYMASTER_URL } } });
    const [[hash, operation] = [], ...others] = operations;
    expect([others, pool.size]).toStrictEqual([[], 0]);
    expect(operation).toMatchObject({ sender: address, initCode: '0x' });
    expect(readCalls({ data: operation?.callData })).toStrictEqual(TRANSFERS);
    expect(batches()).toMatchObject([{ atomic: true, hashes: [hash] }]);
    const signer = await recoverAddress({
      hash: hash ?? '0x',
      signature: operation?.signature ?? '0x',
    });
    expect(signer.toLowerCase()).toBe(address.toLowerCase());
  });

  it('are sent and estimated for the named account', async () => {
    const { call, operations, address, envelope } = await setupOperations();
    const limits = await call('eth_estimateUserOperationGas', envelope);
    expect(limits).toHaveProperty('verificationGasLimit');
    const hash = await call('eth_sendUserOperation', envelope);
    expect(operations.get(hash as Hex)).toMatchObject({ sender: address });
  });

  it('are prepared and signed for the named account', async () => {
    const { call, address, envelope } = await setupOperations();
    const prepared = (await call('eth_prepareUserOperation', envelope)) as {
      [field in 'callData' | 'initCode' | 'nonce']: Json;
    } & { gasLimits: Record<string, Json> };
    const { callData, initCode, nonce, gasLimits } = prepared;
    const fields = { sender: address, callData, initCode, nonce, ...gasLimits };
    const fees = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' };
    const operation = { ...fields, ...fees, paymasterAndData: '0x', signature: '0x' };
    const request = { ...envelope, params: [operation] };
    const signature = await call('eth_signUserOperation', request);
    const hash = hashUserOperation(parse(operation, UserOperationStruct, 'operation'), {
      chainId: 1n,
      entryPoint: '0.8',
    });
    const signer = await recoverAddress({ hash, signature: signature as Hex });
    expect(signer.toLowerCase()).toBe(address.toLowerCase());
  });

  it('do not share nonces with transactions', async () => {
    const bench = await setupOperations();
    const { call, send, mine, pool, signed, edges, app, envelope } = bench;
    edges.wallet.answers.eth_getTransactionCount = '0x0';
    await call('eth_sendUserOperation', envelope);
    await send();
    expect(signed().map(({ nonce = 0 }) => nonce)).toStrictEqual([0]);
    const [hash = '0x'] = pool.keys();
    mine(hash);
    await bench.poll(3_000);
    const sent = await app.services.ledger.list();
    expect(sent.map(({ status, nonce }) => [status, nonce])).toStrictEqual([
      ['included', '0x0'],
      ['pending', '0x0'],
    ]);
  });

  it.each<[string, (bench: Bench) => unknown]>([
    [
      'the account does not delegate',
      ({ codes, address }) => codes.delete(address.toLowerCase()),
    ],
    ['the account delegates to another contract', ({ delegate }) => delegate(FOREIGN)],
    [
      "the code of the account's contract differs",
      ({ codes }) => codes.set(LOWER_08, '0x6001'),
    ],
  ])('are unavailable while %s', async (_condition, prepare) => {
    const bench = await setupOperations();
    const { call, sendCalls, operations, address, pool, envelope } = bench;
    prepare(bench);
    for (const method of [
      'eth_sendUserOperation',
      'eth_estimateUserOperationGas',
      'eth_prepareUserOperation',
    ]) {
      expect(await refusalOf(call(method, envelope))).toStrictEqual({
        code: 4200,
        message: `The account ${address} delegates to no contract on eip155:1 that supports user operations. Delegate it in Tollkeeper first.`,
      });
    }
    const paymasterService = { url: PAYMASTER_URL };
    const refused = sendCalls({ capabilities: { paymasterService } });
    await expectRefusal(refused, 5700);
    expect([operations.size, pool.size]).toStrictEqual([0, 0]);
    await sendCalls({
      calls: CALLS.slice(0, 1),
      capabilities: { paymasterService: { ...paymasterService, optional: true } },
    });
    expect([operations.size, pool.size]).toStrictEqual([0, 1]);
  });

  it('enable the paymasterService capability', async () => {
    const { app, capabilities, codes, address } = await setupOperations();
    const current = async (): Promise<unknown> => capabilities();
    expect(await current()).toHaveProperty('paymasterService', { supported: true });
    const { chains } = await app.services.store.read();
    await storeChains(app, {});
    expect(await current()).toHaveProperty('paymasterService', { supported: false });
    await storeChains(app, chains);
    codes.delete(address.toLowerCase());
    expect(await current()).toHaveProperty('paymasterService', { supported: false });
  });
});

const STATUS = 'wallet_getCallsStatus';

const SHOW = 'wallet_showCallsStatus';

/** Clears the stored transactions, as if newer ones had displaced them. */
async function forget({ app }: CallsBench): Promise<void> {
  await app.services.store.update((state) => ({ ...state, activity: {} }));
}

const answerReceipts = (bench: SentBench, fields: Record<string, Json>): void => {
  bench.edges.wallet.answers.eth_getTransactionReceipt = ([hash]) => ({
    ...RECEIPT,
    transactionHash: hash ?? null,
    ...fields,
  });
};

/** The status fields if no server reports the outcome. */
const unreported = {
  status: 100,
  capabilities: {
    status: {
      reason: 'The node does not report its outcome: do not send it again.',
    },
  },
};

describe('the status of calls of an ordinary account', () => {
  const expected = { version: '2.0.0', id: 'mine', chainId: '0x1', atomic: false };

  it.each<
    [first: '0x0' | '0x1' | undefined, second: '0x0' | '0x1' | undefined, code: number]
  >([
    [undefined, undefined, 100],
    ['0x1', undefined, 100],
    ['0x1', '0x1', 200],
    ['0x1', '0x0', 600],
    ['0x0', '0x0', 500],
  ])('combines the receipt statuses %s and %s into %i', async (first, second, code) => {
    const { status, mine, hashes, edges } = await createSentBench();
    const included = [first, second].flatMap((success, index) =>
      success === undefined ? [] : [{ hash: hashes[index] ?? null, success }],
    );
    for (const { hash, success } of included) mine(hash, success);
    const receipts = included.map(({ hash, success }) => callReceiptOf(hash, success));
    expect(await status('mine')).toStrictEqual({
      ...expected,
      status: code,
      ...(receipts.length > 0 ? { receipts } : {}),
    });
    // The user is notified once, as after a poll.
    expect(edges.notifications).toHaveLength(receipts.length > 0 ? 1 : 0);
  });

  it('has only the log fields of EIP-5792', async () => {
    const bench = await createSentBench();
    answerReceipts(bench, { logs: [LOG] });
    const { address, data, topics } = LOG;
    const receipts = bench.hashes.map((hash) => ({
      ...callReceiptOf(hash),
      logs: [{ address, data, topics }],
    }));
    expect(await bench.status('mine')).toHaveProperty('receipts', receipts);
  });

  it.each([
    ['speedUp', 200],
    ['cancel', 600],
  ])('follows a replaced transaction: %s gives %i', async (action, code) => {
    const { status, replace, mine, hashes } = await createSentBench(3);
    const [first, second] = hashes as [Hex, Hex];
    const replaced = await replace(second, { action });
    mine(first);
    mine(replaced);
    const counted = action === 'speedUp' ? [first, replaced] : [first];
    const receipts = counted.map((hash) => callReceiptOf(hash));
    expect(await status('mine')).toStrictEqual({ ...expected, status: code, receipts });
  });

  it('does not follow a sped-up transaction that only has the same nonce', async () => {
    const { status, replace, mine, hashes, call, address } = await createSentBench(4);
    const [first = null, second = null] = hashes;
    const other = { from: address, ...CALLS[1], data: '0x1234', nonce: '0x6' };
    const hash = await call('eth_sendTransaction', [other]);
    mine(first);
    mine(await replace(hash, { action: 'speedUp' }));
    expect(second).not.toBe(hash);
    const receipts = [callReceiptOf(first)];
    expect(await status('mine')).toStrictEqual({ ...expected, status: 600, receipts });
  });

  it('is requested from the node for forgotten calls', async () => {
    const bench = await createSentBench();
    const { status, mine, hashes } = bench;
    await forget(bench);
    expect(await status('mine')).toStrictEqual({ ...expected, ...unreported });
    hashes.forEach((hash) => mine(hash));
    const receipts = hashes.map((hash) => callReceiptOf(hash));
    expect(await status('mine')).toStrictEqual({ ...expected, status: 200, receipts });
  });

  it('includes receipts that are too long to store', async () => {
    const bench = await createSentBench();
    answerReceipts(bench, { logs: Array.from({ length: 100 }, () => LOG) });
    const { receipts } = (await bench.status('mine')) as {
      receipts: { logs: Json[] }[];
    };
    expect(receipts.map(({ logs }) => logs.length)).toStrictEqual([100, 100]);
    bench.edges.wallet.answers.eth_getTransactionReceipt = null;
    await expectRefusal(bench.status('mine'), -32002);
  });

  it('does not change while saving fails', async () => {
    const { status, mine, hashes, edges } = await createSentBench();
    mine(hashes[0] ?? null);
    const { save } = edges.backend;
    edges.backend.save = async () => Promise.reject(new Error('full'));
    expect(await status('mine')).toStrictEqual({ ...expected, status: 100 });
    edges.backend.save = save;
    expect(await status('mine')).toHaveProperty('receipts');
  });
});

describe('the status of calls of a smart account', () => {
  const expected = { version: '2.0.0', id: 'mine', chainId: '0x1', atomic: true };

  async function setup(): Promise<CallsBench & { hash: Hex }> {
    const bench = await createCallsBench();
    await bench.sendCalls({ id: 'mine', from: bench.smart.address });
    const hash = bench.batches()[0]?.hashes[0] ?? '0x';
    // The EntryPoint's next nonce is 1, so the operation's nonce is used.
    bench.edges.wallet.answers.eth_call = encodeNonce(1);
    return { ...bench, hash };
  }

  it.each([
    [true, 200, '0x1'],
    [false, 500, '0x0'],
  ])(
    'reports the success (%j) and the logs of the operation',
    async (success, code, operationStatus) => {
      const { status, include, hash } = await setup();
      // The nonce is used, but the bundler has no receipt yet.
      expect(await status('mine')).toStrictEqual({ ...expected, ...unreported });
      include(hash, { success });
      const { address, data, topics } = LOG;
      const common = callReceiptOf(RECEIPT.transactionHash, operationStatus);
      const receipts = [{ ...common, logs: [{ address, data, topics }] }];
      expect(await status('mine')).toStrictEqual({
        ...expected,
        status: code,
        receipts,
      });
    },
  );

  it("omits malformed logs, and falls back to the operation's gas", async () => {
    const { status, include, hash } = await setup();
    const receipt = without(RECEIPT, 'gasUsed');
    include(hash, { receipt, logs: [1, LOG] });
    const { receipts } = (await status('mine')) as {
      receipts: { logs: Json[]; gasUsed: string }[];
    };
    expect(receipts).toMatchObject([
      { logs: [{ address: LOG.address }], gasUsed: '0x64' },
    ]);
  });

  it('is requested from the bundler for forgotten calls', async () => {
    const bench = await setup();
    await forget(bench);
    expect(await bench.status('mine')).toStrictEqual({ ...expected, ...unreported });
    bench.include(bench.hash);
    expect(await bench.status('mine')).toHaveProperty('status', 200);
  });
});

describe.each([STATUS, SHOW])('calls looked up by %s', (method) => {
  it('are unknown to other sites, without a grant, and under a different id', async () => {
    const { app, call, smart } = await createSentBench();
    const { rpc } = callersOf(app);
    const [account] = await app.services.grants.list(DAPP);
    await storeGrant(app, OTHER_SITE, account ?? { id: '' });
    const unknown = (id: string): unknown => ({
      code: 5730,
      message: `This origin sent no calls with the id "${id}" from an account that it was granted.`,
    });
    expect(await refusalOf(rpc(OTHER_SITE, method, ['mine']))).toStrictEqual(
      unknown('mine'),
    );
    expect(await refusalOf(call(method, ['yours']))).toStrictEqual(unknown('yours'));
    await storeGrant(app, DAPP, smart);
    expect(await refusalOf(call(method, ['mine']))).toStrictEqual(unknown('mine'));
    await storeGrant(app, DAPP);
    expect(await refusalOf(call(method, ['mine']))).toStrictEqual(unknown('mine'));
    expect(await refusalOf(call(method, []))).toStrictEqual({
      code: -32602,
      message: `${method}: params[0] is missing: it must be a string of 1 to 8194 characters.`,
    });
  });
});

it('wallet_showCallsStatus shows the status and a link per transaction', async () => {
  const { call, edges, hashes, mine } = await createSentBench();
  mine(hashes[0] ?? null);
  expect(await call(SHOW, ['mine'])).toBeNull();
  const content = edges.dialogs.shown.at(-1);
  const links = elementsOf(content).filter(({ type }) => type === 'Link');
  expect(links.map(({ props }) => props.href)).toStrictEqual(
    hashes.map((hash) => `https://etherscan.io/tx/${hash}`),
  );
  expect(textsOf(content)).toStrictEqual([
    textOf('callsStatus.title'),
    textOf('field.status'),
    textOf('callsStatus.pending'),
    textOf('field.chain'),
    'Ethereum',
    textOf('field.callsId'),
    'mine',
    'Send 0.000000000000000001 ETH',
    textOf('sent.included'),
    toShortHex(hashes[0] ?? '0x'),
    'Send 0.000000000000000002 ETH',
    textOf('sent.pending'),
    toShortHex(hashes[1] ?? '0x'),
  ]);
});

describe('wallet_getCapabilities', () => {
  const METHOD = 'wallet_getCapabilities';
  const NODE = { rpcUrl: 'https://node.example' };
  const gasLimitOverride = { supported: true };
  const separate = {
    atomic: { status: 'unsupported' },
    paymasterService: { supported: false },
    gasLimitOverride,
  };
  const together = {
    atomic: { status: 'supported' },
    paymasterService: { supported: true },
    gasLimitOverride,
  };

  type Case = [string, (bench: CallsBench) => Json, Json];

  // Chain 1 has a bundler and the wallet's node; chain 10 has only a node.
  it.each<Case>([
    [
      'the chains of an ordinary account',
      ({ address }) => [address],
      { '0x1': separate, '0xa': separate },
    ],
    [
      'the chains of a smart account',
      ({ smart }) => [smart.address],
      { '0x1': together },
    ],
    [
      'only requested chains',
      ({ address }) => [address, ['0xa', '0x5']],
      { '0xa': separate },
    ],
    [
      "only the chain in the envelope's scope",
      ({ address }) => ({ account: address, scope: 'eip155:1', params: [] }),
      { '0x1': separate },
    ],
  ])('lists %s', async (_which, paramsFor, answer) => {
    const bench = await createCallsBench();
    const { chains } = await bench.app.services.store.read();
    await storeChains(bench.app, { ...chains, 'eip155:10': NODE });
    expect(await bench.call(METHOD, paramsFor(bench))).toStrictEqual(answer);
  });

  it('omits chains that a smart account does not serve or that have no bundler', async () => {
    const { call, smart, app } = await createCallsBench();
    const { chains } = await app.services.store.read();
    const row = { ...NODE, bundlerUrl: 'https://b.example' };
    await storeChains(app, { ...chains, 'eip155:10': row });
    expect(await call(METHOD, [smart.address])).toStrictEqual({ '0x1': together });
    await storeChains(app, {});
    expect(await call(METHOD, [smart.address])).toStrictEqual({});
  });

  it('refuses params for an account other than that of the envelope', async () => {
    const { call, smart, address } = await createCallsBench();
    const params = { account: address, params: [smart.address] };
    await expectRefusal(call(METHOD, params), -32602, `${METHOD}: params[0] is`);
  });

  it('uses the only account if none is named, and rejects malformed params', async () => {
    const { call, app, smart, address } = await createCallsBench();
    for (const params of [[], ['x'], [null, 'x'], [null, null, 1]]) {
      await expectRefusal(call(METHOD, params), -32602);
    }
    await storeGrant(app, DAPP, smart);
    expect(await call(METHOD, [null, ['0x1']])).toStrictEqual({ '0x1': together });
    for (const origin of [DAPP, OTHER_SITE, 'http://localhost:8000']) {
      const asking = callersOf(app).rpc(origin, METHOD, [address]);
      await expectRefusal(asking, 4100);
    }
  });
});

const storeBatches = async (
  { app }: CallsBench,
  batches: CallBatch[],
  sent: SentTransaction[] = [],
): Promise<void> => {
  await storeActivity(app, sent);
  await app.services.store.update((state) => ({ ...state, batches }));
};

describe('the status of calls', () => {
  type State =
    'pending' | 'included' | 'failed' | 'refused' | 'dropped' | 'replaced' | 'unknown';

  const toSent = (state: State, index: number): SentTransaction => {
    const hash = hashOf(index + 1);
    if (state === 'pending') return pendingOf(index + 1, { sentAt: 1_700_000_000_000 });
    const { inclusion, replaces, replacedBy, ...given } = SENT;
    expect([replaces, replacedBy]).not.toContain(undefined);
    const rest = { ...given, nonce: toHex(7 + index), isFinal: true };
    if (state === 'refused') return { ...rest, hash, status: 'dropped', refused: true };
    if (state !== 'included' && state !== 'failed') {
      return { ...rest, hash, status: state };
    }
    const success = state === 'included';
    const outcome = { ...inclusion, success } as Required<SentTransaction>['inclusion'];
    return { ...rest, hash, status: 'included', inclusion: outcome };
  };

  it.each<[number, State[], boolean, string]>([
    [100, ['pending', 'included'], false, 'one is pending'],
    [100, ['failed', 'pending'], false, 'one is pending, and one failed'],
    [200, ['included', 'included'], false, 'all are included'],
    [600, ['included', 'failed'], false, 'one failed'],
    [600, ['included', 'refused'], false, 'one was refused'],
    [600, ['included', 'replaced'], false, 'one was replaced'],
    [100, ['included', 'dropped'], false, 'one was dropped'],
    [100, ['included', 'unknown'], false, 'one is unknown'],
    [600, ['included'], false, 'one was never sent'],
    [500, ['failed', 'failed'], false, 'all failed'],
    [500, ['failed', 'refused'], false, 'one failed, and one was refused'],
    [500, ['failed'], false, 'one failed, and one was never sent'],
    [400, ['refused', 'replaced'], false, 'none was included'],
    [400, [], false, 'none was sent'],
    [100, ['pending'], true, 'the operation is pending'],
    [200, ['included'], true, 'the operation is included'],
    [500, ['failed'], true, 'the operation failed'],
    [400, ['refused'], true, 'the operation was refused'],
    [100, ['dropped'], true, 'no server has the operation'],
  ])('is %i for %j (atomic: %j): %s', async (status, states, atomic) => {
    const bench = await createCallsBench();
    const sent = states.map(toSent);
    const hashes = sent.map(({ hash }) => hash);
    await storeBatches(
      bench,
      [storedBatch({ account: bench.smart.id, atomic, hashes })],
      sent,
    );
    expect(await bench.status('mine')).toMatchObject({ status, atomic });
  });

  it('is 100 while more calls may be sent, but not in a new worker', async () => {
    const bench = await createCallsBench();
    const { edges, sendCalls, status, beforeSend } = bench;
    const asking: Promise<Json>[] = [];
    beforeSend(() => asking.push(status('mine')));
    await sendCalls({ id: 'mine' });
    expect(await asking[0]).toHaveProperty('status', 100);
    await Promise.all(asking);
    // The worker of this batch stopped before it sent anything.
    await storeBatches(bench, [storedBatch({ account: bench.smart.id })]);
    const { rpc } = callersOf(createTestApp(edges));
    expect(await rpc(DAPP, STATUS, ['mine'])).toHaveProperty('status', 400);
  });
});

describe('a batch of calls', () => {
  it('is stored before anything is sent, and grows with each sent call', async () => {
    const { sendCalls, batches, pool, beforeSend } = await createCallsBench();
    const seen: number[] = [];
    beforeSend(() => seen.push(batches()[0]?.hashes.length ?? -1));
    await sendCalls({ id: 'mine' });
    expect(seen).toStrictEqual([1, 2]);
    expect(batches()).toMatchObject([
      { id: 'mine', origin: DAPP, size: CALLS.length, hashes: [...pool.keys()] },
    ]);
  });

  it("does not store an internal error's message", async () => {
    const { sendCalls, batches, edges, beforeSend } = await createCallsBench();
    beforeSend(() => (edges.backend.failNextSave = new InternalError('a secret path')));
    await sendCalls({ id: 'mine' });
    const failure = 'An internal error occurred in Tollkeeper.';
    expect(batches()).toMatchObject([{ failure }]);
  });

  it.each([
    ['the storage was full', undefined],
    ['the first was refused', 0],
    ['the second was refused', 1],
  ])('is forgotten only if nothing was sent: %s', async (_case, accepted) => {
    const bench = await createCallsBench();
    const { edges, sendCalls, batches, pool, beforeSend } = bench;
    const accept = edges.wallet.answers[SEND];
    beforeSend(() => {
      if (pool.size === accepted) refuses('x'.repeat(2_000))();
    });
    const full = Array.from({ length: 100 }, (_, index) => pendingOf(index));
    if (accepted === undefined) await storeBatches(bench, [], full);
    await sendCalls({ id: 'mine' }).catch(() => undefined);
    expect(batches().map(({ hashes }) => hashes.length)).toStrictEqual(
      accepted === undefined ? [] : [accepted + 1],
    );
    const [{ failure = '' } = {}] = batches();
    expect(failure.length).toBeLessThanOrEqual(1_000);
    expect(failure === '').toBe(accepted === undefined);
    // An id without sent calls can be used again.
    await storeBatches(bench, batches());
    edges.wallet.answers[SEND] = accept ?? null;
    const again = await sendCalls({ id: 'mine' }).catch((error: unknown) => error);
    if (accepted === undefined) expect(again).toHaveProperty('id', 'mine');
    else expect(again).toMatchObject(DUPLICATE);
  });

  it('is forgotten after 100 others', async () => {
    const bench = await createCallsBench();
    const account = bench.smart.id;
    const all = Array.from({ length: 100 }, (_, n) =>
      storedBatch({ account, id: `${n}` }),
    );
    await storeBatches(bench, all);
    await bench.sendCalls({ id: 'mine' });
    const ids = bench.batches().map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toStrictEqual([100, '1', 'mine']);
  });
});

const show = async ({ call }: SentBench) => call('wallet_showCallsStatus', ['mine']);

const sign = async ({ call, address }: SentBench): Promise<unknown> =>
  call('personal_sign', ['Hello', address]);

describe('a dialog that shows sent calls', () => {
  it('does not count as a refusal when it is closed', async () => {
    const bench = await createSentBench();
    for (let time = 0; time < 5; time += 1) {
      bench.edges.clock.time += 1_000;
      expect(await show(bench)).toBeNull();
    }
    expect(await sign(bench)).toMatch(/^0x[0-9a-f]{130}$/u);
    const { refusals } = await bench.app.services.store.read();
    expect(refusals).toStrictEqual({});
  });

  it('is shown to a site at most five times a minute', async () => {
    const bench = await createSentBench();
    for (let time = 0; time < 5; time += 1) {
      await show(bench);
      bench.edges.clock.time += 10_000;
    }
    const shown = bench.edges.dialogs.shown.length;
    expect(await refusalOf(show(bench))).toStrictEqual({
      code: -32005,
      message:
        'This origin shows too many status views. It may open the next one in ' +
        '10 s.',
    });
    await expect(show(bench)).rejects.toMatchObject({
      data: { rate: { backoff_seconds: 10 } },
    });
    expect(bench.edges.dialogs.shown).toHaveLength(shown);
    expect(await sign(bench)).toMatch(/^0x/u);
    bench.edges.clock.time += 10_000;
    expect(await show(bench)).toBeNull();
  });

  it('does not count towards the limit if too many dialogs are open', async () => {
    const bench = await createSentBench();
    const { opened, open } = createGate();
    bench.edges.dialogs.answer = async () => opened.then(() => null);
    const signing = Array.from({ length: 5 }, async () =>
      expectRefusal(sign(bench), 4001),
    );
    await settle();
    for (let time = 0; time < 5; time += 1) {
      await expectRefusal(show(bench), -32005, 'Too many confirmations are open');
    }
    open();
    await Promise.all(signing);
    expect(await show(bench)).toBeNull();
  });

  it('is not shown while another one is open', async () => {
    const bench = await createSentBench();
    const { opened, open } = createGate();
    bench.edges.dialogs.answer = async () => {
      await opened;
      return null;
    };
    const first = show(bench);
    await settle();
    expect(await refusalOf(show(bench))).toStrictEqual({
      code: -32005,
      message: 'This origin shows too many status views. It already has one open.',
    });
    open();
    expect(await first).toBeNull();
    expect(await show(bench)).toBeNull();
  });

  it('is not shown to a site after repeated refusals', async () => {
    const bench = await createSentBench();
    bench.edges.dialogs.answer = () => Promise.resolve(null);
    for (let time = 0; time < 3; time += 1) {
      await expectRefusal(sign(bench), 4001);
    }
    await expectRefusal(show(bench), -32005);
    bench.edges.dialogs.answer = approve;
    bench.edges.clock.time += 60_000;
    expect(await show(bench)).toBeNull();
  });
});
