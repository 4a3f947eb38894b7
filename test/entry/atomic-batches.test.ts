// wallet_sendCalls (EIP-5792) of an ordinary account that delegates to an account contract, or is
// about to: one transaction makes all calls. Its calldata is read with viem.
import type { Json } from '@metamask/utils';
import { decodeFunctionData, parseAbi, parseTransaction, recoverAddress } from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import {
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';
import { recoverAuthorizationAddress } from 'viem/utils';

import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { UserOperationStruct } from '../../src/eth/user-operation';
import type { EntryPointVersion } from '../../src/eth/user-operation';
import { parse } from '../../src/schema/parse';
import { CALLS, createCallsBench, PAYMASTER_URL } from '../support/calls-bench';
import {
  ACCOUNT_08,
  ACCOUNT_09,
  CODE_09,
  delegatedTo,
  FOREIGN,
  giveDelegations,
} from '../support/delegations';
import { refuses } from '../support/fake-node';
import { refusalOf } from '../support/refusal';
import { RECIPIENT } from '../support/send-bench';
import { approve } from '../support/test-app';
import { textOf, textsOf, warningsOf } from '../support/view';

const LOWER_08 = ACCOUNT_08.toLowerCase();

const abi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
]);

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup(version?: EntryPointVersion) {
  const bench = await createCallsBench(version);
  const { address, edges, pool, call } = bench;
  const codes = giveDelegations(edges.wallet);
  return {
    ...bench,
    codes,
    /** Delegates the account to a contract. */
    delegate: (to: Hex) => codes.set(address.toLowerCase(), delegatedTo(to)),
    /** Reads the only thing that the node was sent. */
    sent: () => {
      const [raw, ...others] = pool.values();
      expect(others).toStrictEqual([]);
      return parseTransaction(raw ?? '0x') as TransactionSerializableEIP7702;
    },
    /** Gets the capabilities of the account on the chain. */
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

describe('several calls of an account that delegates', () => {
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
    expect(texts).toContain(textOf('userOperation.call', { number: '2' }));
  });

  it('create contracts by the deterministic deployer', async () => {
    const { sendCalls, sent, delegate } = await setup();
    delegate(ACCOUNT_08);
    await sendCalls({ calls: [...CALLS, { data: '0x600a' }] });
    expect(readCalls(sent())[2]).toStrictEqual({
      to: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
      value: 0,
      data: `0x${'00'.repeat(32)}600a`,
    });
  });

  it('count all their values where the balance is too low', async () => {
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
  ])('are followed when they are replaced: %s gives %i', async (action, code) => {
    const { sendCalls, delegate, mine, status, pool, call } = await setup();
    delegate(ACCOUNT_08);
    await sendCalls({ id: 'mine' });
    const [hash] = pool.keys();
    const params = [hash ?? null, { action }];
    mine(await call('tollkeeper_replaceTransaction', params));
    expect(await status('mine')).toHaveProperty('status', code);
  });

  it('are not sent if the delegation is gone when the user approves', async () => {
    const { sendCalls, delegate, codes, address, edges, pool, batches } = await setup();
    delegate(ACCOUNT_08);
    edges.dialogs.answer = async (content) => {
      codes.delete(address.toLowerCase());
      return Promise.resolve(approve(content));
    };
    const { code, message } = await refusalOf(sendCalls());
    expect(code).toBe(5760);
    expect(message).toContain('was changed while the dialog was open');
    expect([pool.size, batches()]).toStrictEqual([0, []]);
  });
});

describe('the first atomic batch of an account', () => {
  it('carries the authorization, which its dialog asks for', async () => {
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
    'delegates to the newest contract whose EntryPoint the bundler serves: %s',
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

  it('is estimated with the code that the account will have', async () => {
    const { sendCalls, edges, address } = await setup();
    await sendCalls({ atomicRequired: true });
    const estimates = edges.wallet.calls.filter(
      ({ method }) => method === 'eth_estimateGas',
    );
    expect(estimates.map(({ params }) => params[2])).toStrictEqual([
      { [address]: { code: delegatedTo(ACCOUNT_08) } },
    ]);
  });

  it('carries it anew while a transaction that can change it is pending', async () => {
    const { sendCalls, delegate, pool } = await setup();
    await sendCalls({ atomicRequired: true });
    delegate(ACCOUNT_08);
    await sendCalls({ atomicRequired: true });
    const raws = [...pool.values()];
    expect(raws.map((raw) => raw.slice(0, 4))).toStrictEqual(['0x04', '0x04']);
    const { authorizationList } = parseTransaction(
      raws[1] ?? '0x',
    ) as TransactionSerializableEIP7702;
    expect(authorizationList).toMatchObject([{ nonce: 8 }]);
  });

  it.each([
    ['of one call', { calls: CALLS.slice(0, 1), atomicRequired: true }, 1],
    ['that need not be atomic', {}, 2],
  ])('is none %s', async (_what, fields, count) => {
    const { sendCalls, pool } = await setup();
    await sendCalls(fields);
    const types = [...pool.values()].map((raw) => raw.slice(0, 4));
    expect(types).toStrictEqual(Array(count).fill('0x02'));
  });

  it('is not sent if the node does not answer which contract the account delegates to', async () => {
    const { sendCalls, edges, pool } = await setup();
    edges.wallet.answers.eth_getCode = refuses({ code: -32000, message: 'no' });
    const refusal = await refusalOf(sendCalls({ atomicRequired: true }));
    expect(refusal).toMatchObject({ code: -32000 });
    expect(pool.size).toBe(0);
    await sendCalls();
    const types = [...pool.values()].map((raw) => raw.slice(0, 4));
    expect(types).toStrictEqual(['0x02', '0x02']);
  });

  it.each<[string, (bench: Bench) => void, RegExp]>([
    [
      'where the account delegates to another contract',
      ({ delegate }) => delegate(FOREIGN),
      /it delegates to 0x63c0.*, which Tollkeeper does not know/u,
    ],
    [
      'where the contract that it delegates to has other code',
      ({ codes, delegate }) => {
        delegate(ACCOUNT_08);
        codes.set(LOWER_08, '0x6001');
      },
      /it delegates to 0xe6ca.*, which Tollkeeper does not know/iu,
    ],
    [
      'where no contract is deployed',
      ({ codes }) => codes.clear(),
      /no account contract that Tollkeeper knows/u,
    ],
  ])('is refused %s', async (_where, prepare, message) => {
    const bench = await setup();
    prepare(bench);
    const shown = bench.edges.dialogs.shown.length;
    const refusal = await refusalOf(bench.sendCalls({ atomicRequired: true }));
    expect(refusal.code).toBe(5760);
    expect(refusal.message).toMatch(message);
    expect(bench.edges.dialogs.shown).toHaveLength(shown);
    expect(bench.pool.size).toBe(0);
  });
});

describe('wallet_getCapabilities of an ordinary account', () => {
  it.each<[string, (bench: Bench) => unknown, string]>([
    ['ready where it can delegate', () => undefined, 'ready'],
    ['supported where it does', ({ delegate }) => delegate(ACCOUNT_08), 'supported'],
    [
      'unsupported where it delegates to another contract',
      ({ delegate }) => delegate(FOREIGN),
      'unsupported',
    ],
    [
      'unsupported where no contract is deployed',
      ({ codes }) => codes.clear(),
      'unsupported',
    ],
    [
      'unsupported where nothing can be asked',
      ({ edges }) => {
        edges.wallet.answers.eth_getCode = refuses({ code: -32000, message: 'no' });
      },
      'unsupported',
    ],
  ])('is %s', async (_what, prepare, status) => {
    const bench = await setup();
    prepare(bench);
    expect(await bench.capabilities()).toMatchObject({ atomic: { status } });
  });
});

describe('the user operations of an account that delegates', () => {
  async function setupOperations(): Promise<Bench> {
    const bench = await setup('0.8');
    bench.delegate(ACCOUNT_08);
    bench.bundler.answers.eth_supportedEntryPoints = [entryPoint08Address];
    return bench;
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

  it('are sent and estimated for the account that is named', async () => {
    const { call, operations, address } = await setupOperations();
    const envelope = { account: address, params: [{ to: RECIPIENT, value: '0x1' }] };
    const limits = await call('eth_estimateUserOperationGas', envelope);
    expect(limits).toHaveProperty('verificationGasLimit');
    const hash = await call('eth_sendUserOperation', envelope);
    expect(operations.get(hash as Hex)).toMatchObject({ sender: address });
  });

  it('are prepared and signed for it, too', async () => {
    const { call, address } = await setupOperations();
    const account = address;
    const wanted = { account, params: [{ to: RECIPIENT, value: '0x1' }] };
    const prepared = (await call('eth_prepareUserOperation', wanted)) as {
      [field in 'callData' | 'initCode' | 'nonce']: Json;
    } & { gasLimits: Record<string, Json> };
    const { callData, initCode, nonce, gasLimits } = prepared;
    const fields = { sender: address, callData, initCode, nonce, ...gasLimits };
    const fees = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' };
    const operation = { ...fields, ...fees, paymasterAndData: '0x', signature: '0x' };
    const params = [operation];
    const signature = await call('eth_signUserOperation', { account, params });
    const hash = hashUserOperation(parse(operation, UserOperationStruct, 'operation'), {
      chainId: 1n,
      entryPoint: '0.8',
    });
    const signer = await recoverAddress({ hash, signature: signature as Hex });
    expect(signer.toLowerCase()).toBe(address.toLowerCase());
  });

  it('have nonces of their own', async () => {
    const bench = await setupOperations();
    const { call, send, mine, address, pool, edges, app } = bench;
    const envelope = { account: address, params: [{ to: RECIPIENT, value: '0x1' }] };
    edges.wallet.answers.eth_getTransactionCount = '0x0';
    await call('eth_sendUserOperation', envelope);
    await send();
    expect(
      [...pool.values()].map((raw) => parseTransaction(raw).nonce ?? 0),
    ).toStrictEqual([0]);
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
    ['it does not', ({ codes, address }) => codes.delete(address.toLowerCase())],
    ['it delegates to another contract', ({ delegate }) => delegate(FOREIGN)],
    ['its contract has other code', ({ codes }) => codes.set(LOWER_08, '0x6001')],
  ])('are none while %s', async (_what, prepare) => {
    const bench = await setupOperations();
    const { call, sendCalls, operations, address, pool } = bench;
    prepare(bench);
    const envelope = { account: address, params: [{ to: RECIPIENT, value: '0x1' }] };
    for (const method of [
      'eth_sendUserOperation',
      'eth_estimateUserOperationGas',
      'eth_prepareUserOperation',
    ]) {
      expect(await refusalOf(call(method, envelope))).toStrictEqual({
        code: 4200,
        message: `The account ${address} delegates to no contract on eip155:1 that takes user operations. Delegate it in Tollkeeper first.`,
      });
    }
    const paymasterService = { url: PAYMASTER_URL };
    const refused = sendCalls({ capabilities: { paymasterService } });
    expect(await refusalOf(refused)).toHaveProperty('code', 5700);
    expect([operations.size, pool.size]).toStrictEqual([0, 0]);
    await sendCalls({
      capabilities: { paymasterService: { ...paymasterService, optional: true } },
    });
    expect([operations.size, pool.size]).toStrictEqual([0, 2]);
  });

  it('are listed as a capability', async () => {
    const { capabilities, codes, address } = await setupOperations();
    const current = async (): Promise<unknown> => capabilities();
    expect(await current()).toHaveProperty('paymasterService', { supported: true });
    codes.delete(address.toLowerCase());
    expect(await current()).toHaveProperty('paymasterService', { supported: false });
  });
});
