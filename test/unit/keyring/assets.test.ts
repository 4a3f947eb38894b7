import {
  GetAccountBalancesResponseStruct,
  ListAccountAssetsResponseStruct,
  ListAccountTransactionsResponseStruct,
  ResolveAccountAddressResponseStruct,
} from '@metamask/keyring-api';
import { is } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { callersOf } from '../../support/callers';
import { createKeyringBench } from '../../support/keyring-bench';
import type { KeyringBench } from '../../support/keyring-bench';
import { refusalOf } from '../../support/refusal';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:1', 'eip155:5'] };
const UNKNOWN = '11111111-1111-4111-8111-111111111111';

function setup(): KeyringBench & {
  ask: (method: string, params: Json) => Promise<Json>;
} {
  const bench = createKeyringBench();
  bench.app.edges.wallet.answers.eth_getBalance = '0x14d1120d7b160000';
  return Object.assign(bench, {
    ask: async (method: string, params: Json) =>
      callersOf(bench.app).keyring('metamask', method, params),
  });
}

describe('the assets of an account', () => {
  it.each([{}, SMART])(
    'are native ones of the chains that are reached: %j',
    async (options) => {
      const { ask, create } = setup();
      const { id } = await create(options);
      const assets = await ask('keyring_listAccountAssets', { id });
      expect(assets).toStrictEqual(['eip155:1/slip44:60']);
      expect(is(assets, ListAccountAssetsResponseStruct)).toBe(true);
    },
  );

  it('are none for a smart account whose chains are not reached', async () => {
    const { ask, create } = setup();
    const { id } = await create({ ...SMART, scopes: ['eip155:5'] });
    expect(await ask('keyring_listAccountAssets', { id })).toStrictEqual([]);
  });

  it('have balances', async () => {
    const { ask, create } = setup();
    const { id } = await create();
    const params = { id, assets: ['eip155:1/slip44:60'] };
    const balances = await ask('keyring_getAccountBalances', params);
    expect(balances).toStrictEqual({
      'eip155:1/slip44:60': { amount: '1.5', unit: 'ETH' },
    });
    expect(is(balances, GetAccountBalancesResponseStruct)).toBe(true);
  });

  it.each([
    ['keyring_listAccountAssets', {}],
    ['keyring_getAccountBalances', { assets: [] }],
    ['keyring_listAccountTransactions', { pagination: { limit: 5 } }],
  ])('are those of an account that is there: %s', async (method, rest) => {
    const { ask } = setup();
    const call = ask(method, { id: UNKNOWN, ...rest });
    expect(await refusalOf(call)).toHaveProperty('code', -32001);
  });
});

it('lists no transactions of an account: nothing is recorded', async () => {
  const { ask, create } = setup();
  const { id } = await create();
  const params = { id, pagination: { limit: 5 } };
  const answer = await ask('keyring_listAccountTransactions', params);
  expect(answer).toStrictEqual({ data: [], next: null });
  expect(is(answer, ListAccountTransactionsResponseStruct)).toBe(true);
});

describe("the account of a dapp's request", () => {
  const sign = (address: string): Json => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'personal_sign',
    params: ['0x12', address],
  });

  it('is the one that the params name', async () => {
    const { ask, create } = setup();
    const { address } = await create();
    const params = { scope: 'eip155:1', request: sign(address) };
    const answer = await ask('keyring_resolveAccountAddress', params);
    expect(answer).toStrictEqual({ address: `eip155:1:${address}` });
    expect(is(answer, ResolveAccountAddressResponseStruct)).toBe(true);
  });

  it('is none if it is not ours', async () => {
    const { ask } = setup();
    const params = { scope: 'eip155:1', request: sign(`0x${'12'.repeat(20)}`) };
    expect(await ask('keyring_resolveAccountAddress', params)).toBeNull();
  });

  it('is none if it does not serve the chain', async () => {
    const { ask, create } = setup();
    const { address: sender } = await create({ ...SMART, scopes: ['eip155:5'] });
    const operation = {
      sender,
      nonce: '0x0',
      initCode: '0x',
      callData: '0x',
      callGasLimit: '0x1',
      verificationGasLimit: '0x1',
      preVerificationGas: '0x1',
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x1',
      paymasterAndData: '0x',
      signature: '0x',
    };
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_signUserOperation',
      params: [operation],
    };
    const resolve = async (scope: string): Promise<Json> =>
      ask('keyring_resolveAccountAddress', { scope, request });
    expect(await resolve('eip155:1')).toBeNull();
    expect(await resolve('eip155:5')).toStrictEqual({ address: `eip155:5:${sender}` });
  });

  it('is none for a method that is not ours', async () => {
    const { ask } = setup();
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
    const params = { scope: 'eip155:1', request };
    expect(await ask('keyring_resolveAccountAddress', params)).toBeNull();
  });

  it.each([
    ['solana:x', sign(`0x${'12'.repeat(20)}`)],
    ['eip155:1', sign('nobody')],
  ])('cannot be found where %s or the params are malformed', async (scope, request) => {
    const { ask } = setup();
    const call = ask('keyring_resolveAccountAddress', { scope, request });
    expect(await refusalOf(call)).toHaveProperty('code', -32602);
  });
});

it('takes which accounts are selected, and keeps nothing of it', async () => {
  const { ask, app } = setup();
  const { saves } = app.edges.backend;
  expect(await ask('keyring_setSelectedAccounts', { accounts: [UNKNOWN] })).toBeNull();
  expect(app.edges.backend.saves).toBe(saves);
});
