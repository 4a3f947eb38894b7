// The mock provider, through viem: what it signs, sends and refuses, and how its user is scripted.
import {
  createPublicClient,
  createWalletClient,
  custom,
  verifyMessage,
  verifyTypedData,
} from 'viem';
import type { Address, PublicClient, WalletClient } from 'viem';
import { foundry, sepolia } from 'viem/chains';
import { parseSiweMessage } from 'viem/siwe';

import { announce } from '../../../packages/provider/src';
import { createMockProvider } from '../../../packages/testing/src';
import type { MockOptions, MockProvider } from '../../../packages/testing/src';
import { errorOf } from '../../support/error-of';
import { settle } from '../../support/gate';

type World = {
  provider: MockProvider;
  wallet: WalletClient;
  client: PublicClient;
  connect: () => Promise<Address[]>;
};

function setup(options: MockOptions = {}): World {
  const provider = createMockProvider(options);
  const transport = custom(provider);
  const wallet = createWalletClient({ chain: foundry, transport });
  return {
    provider,
    wallet,
    client: createPublicClient({ transport, pollingInterval: 10 }),
    connect: async () => wallet.requestAddresses(),
  };
}

const FIRST = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const CALLS = [{ to: FIRST, value: 1n }] as const;

const codeOf = async (run: () => Promise<unknown>): Promise<unknown> => {
  let error: unknown = await errorOf(run);
  while (error instanceof Error && error.cause) error = error.cause;
  return (error as { code?: unknown }).code;
};

describe('accounts', () => {
  it('come from the mnemonic, by default that of anvil', async () => {
    const { provider, connect } = setup({ accounts: 2 });
    expect(await provider.request({ method: 'eth_accounts' })).toStrictEqual([]);
    expect(await connect()).toStrictEqual([FIRST]);
    expect(provider.addresses).toHaveLength(2);
    const other = createMockProvider({ mnemonic: `${'abandon '.repeat(11)}about` });
    expect(other.addresses[0]).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  });

  it('are connected and signed in with at once', async () => {
    const { provider } = setup();
    type Connected = {
      accounts: {
        address: Address;
        capabilities: {
          signInWithEthereum?: { message: string; signature: `0x${string}` };
        };
      }[];
    };
    const nonce = 'k13wuyv6db6cz';
    const ask = async (capabilities: object): Promise<Connected> =>
      provider.request({
        method: 'wallet_connect',
        params: [{ version: '1', capabilities }],
      });
    const { accounts } = await ask({ signInWithEthereum: { nonce, chainId: '0x1' } });
    const { message = '', signature = '0x' } =
      accounts[0]?.capabilities.signInWithEthereum ?? {};
    expect(parseSiweMessage(message)).toMatchObject({
      ...{ address: FIRST, domain: 'localhost', chainId: 1, nonce },
    });
    expect(await verifyMessage({ address: FIRST, message, signature })).toBe(true);
    expect(await ask({})).toStrictEqual({
      accounts: [{ address: FIRST, capabilities: {} }],
    });
    expect(await codeOf(async () => ask({ signInWithEthereum: {} }))).toBe(-32602);
    expect(await codeOf(async () => ask({ teleport: {} }))).toBe(5700);
  });

  it('are chosen, told and revoked', async () => {
    const { provider, connect } = setup();
    const told: unknown[] = [];
    provider.on('accountsChanged', (accounts) => told.push(accounts));
    const [first, second] = provider.addresses as [Address, Address];
    provider.user = { accounts: [second, first] };
    expect(await connect()).toStrictEqual([second, first]);
    await provider.setAccounts([first]);
    const eth_accounts = {};
    const permissions = await provider.request({ method: 'wallet_getPermissions' });
    expect(permissions).toMatchObject([
      { parentCapability: 'eth_accounts', caveats: [{ value: [first] }] },
    ]);
    await provider.request({
      method: 'wallet_revokePermissions',
      params: [{ eth_accounts }],
    });
    await provider.setAccounts([first]);
    await provider.request({ method: 'wallet_disconnect' });
    expect(told).toStrictEqual([[second, first], [first], [], [first], []]);
  });

  it('cannot sign before they are connected', async () => {
    const { wallet, provider } = setup();
    const sign = async (): Promise<unknown> =>
      wallet.signMessage({ account: FIRST, message: 'Hello' });
    expect(await codeOf(sign)).toBe(4100);
    expect(provider.questions).toStrictEqual([]);
  });
});

describe('the user', () => {
  it('answers from a queue, which must not run dry', async () => {
    const { provider, connect, wallet } = setup({ user: ['reject', 'approve'] });
    expect(await codeOf(connect)).toBe(4001);
    const [account = FIRST] = await connect();
    const sign = async (): Promise<unknown> =>
      wallet.signMessage({ account, message: 'Hello' });
    const error = await errorOf(sign);
    expect(error.message).toContain('no answer left for personal_sign');
    expect(provider.questions.map(({ method }) => method)).toStrictEqual([
      'eth_requestAccounts',
      'eth_requestAccounts',
      'personal_sign',
    ]);
  });

  it('answers by a function', async () => {
    const { connect, wallet } = setup({
      user: ({ method }) => (method === 'personal_sign' ? 'reject' : 'approve'),
    });
    const [account = FIRST] = await connect();
    const sign = async (): Promise<unknown> =>
      wallet.signMessage({ account, message: 'Hello' });
    expect(await codeOf(sign)).toBe(4001);
  });
});

it('signs messages and typed data', async () => {
  const { connect, wallet } = setup();
  const [address = FIRST] = await connect();
  const message = 'Grüße';
  const signed = await wallet.signMessage({ account: address, message });
  expect(await verifyMessage({ address, message, signature: signed })).toBe(true);
  const document = {
    domain: { name: 'Mail', chainId: 31337n },
    types: { Mail: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Mail',
    message: { amount: 2n ** 200n },
  } as const;
  const signature = await wallet.signTypedData({ account: address, ...document });
  expect(await verifyTypedData({ address, signature, ...document })).toBe(true);
});

describe('a chain without a node', () => {
  it('includes transactions', async () => {
    const { connect, wallet, client } = setup();
    const [account = FIRST] = await connect();
    const [first, second] = [
      await wallet.sendTransaction({ account, chain: null, to: FIRST, value: 1n }),
      await wallet.sendTransaction({ account, chain: null, to: FIRST, value: 1n }),
    ];
    expect(first).not.toBe(second);
    const receipt = await client.waitForTransactionReceipt({ hash: second });
    expect(receipt).toMatchObject({ status: 'success', blockNumber: 2n });
    const call = async (): Promise<unknown> => client.call({ to: FIRST });
    expect((await errorOf(call)).message).toContain('give the chain 31337 an rpcUrl');
  });

  it('carries out batches', async () => {
    const { connect, wallet } = setup();
    const [account = FIRST] = await connect();
    const batch = { account, calls: [...CALLS, ...CALLS], id: '0x1234' };
    const { id } = await wallet.sendCalls(batch);
    const status = await wallet.waitForCallsStatus({ id });
    expect(status).toMatchObject({ id: '0x1234', statusCode: 200, atomic: false });
    expect(status.receipts).toHaveLength(2);
    expect(await wallet.getCapabilities({ account, chainId: 31337 })).toMatchObject({
      atomic: { status: 'unsupported' },
    });
    for (const [code, other] of [
      [5720, {}],
      [5760, { id: '0x2', forceAtomic: true }],
      [5700, { id: '0x3', capabilities: { flowControl: {} } }],
      [5710, { id: '0x4', chain: sepolia }],
    ] as const) {
      const send = async (): Promise<unknown> =>
        wallet.sendCalls({ ...batch, ...other });
      expect(await codeOf(send)).toBe(code);
    }
    expect(await codeOf(async () => wallet.getCallsStatus({ id: '0x5' }))).toBe(5730);
  });
});

describe('the network', () => {
  it('changes by the dapp and by the user', async () => {
    const { provider, wallet } = setup({ chains: [{ id: 31_337 }, { id: 10 }] });
    const told: unknown[] = [];
    provider.on('chainChanged', (chainId) => told.push(chainId));
    await wallet.switchChain({ id: 10 });
    expect(await wallet.getChainId()).toBe(10);
    provider.setChain(31_337);
    expect(await codeOf(async () => wallet.switchChain({ id: 11_155_111 }))).toBe(4902);
    await wallet.addChain({ chain: sepolia });
    expect(told).toStrictEqual(['0xa', '0x7a69', '0xaa36a7']);
  });
});

it('refuses what it does not know', async () => {
  const { provider, connect } = setup();
  await connect();
  const codes = await Promise.all(
    [
      { method: 'eth_sendUserOperation', params: [{}] },
      { method: 'personal_sign', params: [5] },
      { method: 'eth_signTypedData_v4', params: [FIRST, '{'] },
      { method: 'wallet_revokePermissions', params: [{}] },
      { method: 'wallet_switchEthereumChain', params: [{}] },
    ].map(async (request) => codeOf(async () => provider.request(request))),
  );
  expect(codes).toStrictEqual([4200, -32602, -32602, -32602, -32602]);
});

it('is a provider like any other', async () => {
  const page = globalThis as { window?: unknown };
  const target = new EventTarget();
  page.window = target;
  const found: unknown[] = [];
  target.addEventListener('eip6963:announceProvider', (event) =>
    found.push((event as CustomEvent<{ provider: unknown }>).detail.provider),
  );
  const { provider } = setup();
  announce(provider);
  delete page.window;
  await settle();
  expect(found).toStrictEqual([provider]);
  expect(await provider.status()).toMatchObject({ state: 'ready' });
});
