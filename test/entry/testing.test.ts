// tollkeeper-snap/testing: the snap without MetaMask, with a scripted user.
import {
  createWalletClient,
  custom,
  maxUint256,
  numberToHex,
  verifyMessage,
} from 'viem';
import type { Address, Hex } from 'viem';
import { foundry, sepolia } from 'viem/chains';
import { parseSiweMessage } from 'viem/siwe';

import { createTollkeeper, testKeys } from '../../packages/testing/src';
import type {
  Review,
  TestTollkeeper,
  TollkeeperOptions,
} from '../../packages/testing/src';
import { dataOf } from '../fixtures/trust/call';
import { errorOf } from '../support/error-of';
import { createMemoryNode } from '../support/memory-node';

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TOKEN = '0x00000000000000000000000000000000000070ce';

const twoKeys = testKeys.slice(0, 2).map((privateKey) => ({ privateKey }));

async function setup(options: TollkeeperOptions = {}) {
  const chains = [{ id: 31_337, rpcUrl: createMemoryNode() }];
  const wallet = await createTollkeeper({ chains, ...options });
  const client = createWalletClient({
    chain: foundry,
    transport: custom(wallet.provider),
  });
  return Object.assign(wallet, {
    client,
    connect: async () => (await client.requestAddresses())[0] ?? '0x',
  });
}

const codeOf = async (run: () => Promise<unknown>): Promise<unknown> => {
  let error: unknown = await errorOf(run);
  while (error instanceof Error && error.cause) error = error.cause;
  return (error as { code?: unknown }).code;
};

describe('accounts', () => {
  it("are Anvil's first by default, and otherwise depend on the phrase", async () => {
    expect((await setup()).accounts).toMatchObject([{ address: FIRST }]);
    const [one, same, other] = await Promise.all(
      ['one', 'one', 'other'].map(async (phrase) =>
        createTollkeeper({ accounts: [{}, {}], phrase }),
      ),
    );
    const addressesOf = (wallet?: TestTollkeeper): unknown[] =>
      wallet?.accounts.map(({ address }) => address) ?? [];
    expect(new Set(addressesOf(one)).size).toBe(2);
    expect(addressesOf(same)).toStrictEqual(addressesOf(one));
    expect(addressesOf(other)).not.toStrictEqual(addressesOf(one));
  });

  it('are chosen, announced and revoked', async () => {
    const { provider, client, setAccounts, ...wallet } = await setup({
      accounts: twoKeys,
      decide: { accounts: [SECOND] },
    });
    const events: unknown[] = [];
    provider.on('accountsChanged', (accounts) => events.push(accounts));
    await client.requestAddresses();
    await setAccounts([FIRST, SECOND]);
    await setAccounts([]);
    expect(events).toStrictEqual([[SECOND], [FIRST, SECOND], []]);
    await expect(setAccounts([TOKEN])).rejects.toThrow(`has no account ${TOKEN}`);
    const other = wallet.visit('https://other.example');
    await setAccounts([FIRST], 'https://other.example');
    expect(await other.request({ method: 'eth_accounts' })).toStrictEqual([FIRST]);
    expect(await provider.request({ method: 'eth_accounts' })).toStrictEqual([]);
  });

  it('are chosen for a sign-in', async () => {
    const { provider, reviews } = await setup({
      accounts: twoKeys,
      decide: { accounts: [SECOND] },
    });
    const signInWithEthereum = { nonce: 'k13wuyv6db6cz', chainId: '0x7a69' };
    const { accounts } = await provider.request<{
      accounts: { capabilities: { signInWithEthereum: Record<string, never> } }[];
    }>({
      method: 'wallet_connect',
      params: [{ version: '1', capabilities: { signInWithEthereum } }],
    });
    const { message = '', signature = '0x' } =
      accounts[0]?.capabilities.signInWithEthereum ?? {};
    expect(parseSiweMessage(message)).toMatchObject({ domain: 'localhost' });
    expect(await verifyMessage({ address: SECOND, message, signature })).toBe(true);
    expect(reviews.map(({ title }) => title)).toStrictEqual(['Sign in to localhost']);
  });
});

describe('the scripted user', () => {
  it('sees dialogs as data', async () => {
    const { connect, client, reviews } = await setup();
    const account = await connect();
    const data = dataOf('approve(address,uint256)', SECOND, maxUint256);
    await client.sendTransaction({ account, chain: null, to: TOKEN, data });
    expect(reviews.map(({ method }) => method)).toStrictEqual([
      'eth_requestAccounts',
      'eth_sendTransaction',
    ]);
    const review = reviews[1] as Review;
    expect(review).toMatchObject({
      origin: 'http://localhost',
      title: 'Allow unlimited tokens',
      feeLevels: ['low', 'medium', 'high', 'custom'],
      params: [{ to: TOKEN, data }],
      effects: [
        {
          kind: 'call',
          to: TOKEN,
          inside: [
            { kind: 'allow', token: TOKEN, spender: SECOND, amount: maxUint256 },
          ],
        },
      ],
    });
    expect(review.maxCost).toBeGreaterThan(20_999n);
    expect(review.findings).toContainEqual({
      severity: 'danger',
      key: 'typed.spenderNoCode',
      text: expect.stringContaining('an ordinary account') as string,
    });
    expect(review.text).toContain('Request from: http://localhost');
  });

  it('sees the maximum cost as an amount', async () => {
    const eth_call = (call: unknown): string => {
      const { data } = call as { data: Hex };
      const fees: Record<string, bigint> = {
        '0x49948e0e': 10n ** 14n,
        '0x275aedd2': 5n * 10n ** 13n,
      };
      return numberToHex(fees[data.slice(0, 10)] ?? 0n, { size: 32 });
    };
    const rpcUrl = createMemoryNode({ eth_call });
    const { connect, client, reviews } = await setup({
      chains: [{ id: 31_337, rpcUrl }],
    });
    const account = await connect();
    await client.sendTransaction({ account, chain: null, to: SECOND, value: 1n });
    const review = reviews[1] as Review;
    expect(review.maxCost).toBe(15n * 10n ** 13n + 21_001n);
    expect(review.text).toContain('0.000150000000021001 ETH');
  });

  it('decides from a list, and causes an error when the list runs out', async () => {
    const { connect, client } = await setup({ decide: ['reject', 'approve'] });
    expect(await codeOf(connect)).toBe(4001);
    const account = await connect();
    const error = await errorOf(async () =>
      client.signMessage({ account, message: 'Hello' }),
    );
    expect(error.message).toContain('No decision is left for personal_sign');
  });

  const invalidOptions: [TollkeeperOptions, string][] = [
    [{ chain: [] } as never, 'createTollkeeper: options.chain is not expected here.'],
    [{ decide: 'aprove' } as never, 'decide must be one of "approve", "reject".'],
    [
      { decide: ['approve', 'no'] } as never,
      'decide must be one of "approve", "reject".',
    ],
    [{ decide: { account: [FIRST] } } as never, 'decide.account is not expected here.'],
    [
      { decide: { fee: 'fast' } } as never,
      'decide.fee must be one of "low", "medium", "high".',
    ],
    [
      { chains: [] },
      'createTollkeeper: options.chains must have at least one network.',
    ],
    [
      { chains: [{ id: '0x1' }] } as never,
      'createTollkeeper: options.chains[0].id must be an integer from 1 to 9007199254740991.',
    ],
    [
      { chains: [{ id: 31_337, rpcURL: 'http://localhost' }] } as never,
      'tollkeeper_setChain: params.rpcURL is not expected here.',
    ],
    [
      { allowRealChains: 'yes' } as never,
      'createTollkeeper: options.allowRealChains must be true or false.',
    ],
  ];

  it.each(invalidOptions)(
    'gets an error for the options %j',
    async (options, message) => {
      const error = await errorOf(async () => createTollkeeper(options));
      expect(error).toMatchObject({ code: -32602, message });
    },
  );

  it.each<[unknown, string]>([
    ['aprove', 'decide must be one of "approve", "reject".'],
    [() => 'yes', 'decide must be one of "approve", "reject".'],
    [{ accounts: [TOKEN] }, `The wallet has no account ${TOKEN}.`],
  ])('cannot decide with %p', async (decide, message) => {
    const wallet = await setup();
    wallet.decide = decide as never;
    expect(await errorOf(wallet.connect)).toMatchObject({
      details: expect.stringContaining(message) as string,
    });
  });

  it.each([
    'eth_sendTransaction',
    'eth_signTransaction',
    'eth_blockNumber',
    'tollkeeper_getFeeLevels',
  ])('learns why a wallet without a node cannot answer %s', async (method) => {
    const { provider } = await createTollkeeper();
    const [from] = await provider.request({ method: 'eth_requestAccounts' });
    const params = method.endsWith('Transaction') ? [{ from, to: TOKEN }] : [];
    const error = await errorOf(async () => provider.request({ method, params }));
    expect(error.message).toContain(
      'needs a node, but chain 31337 of this wallet has none: pass chains: ' +
        "[{ id: 31337, rpcUrl: 'http://127.0.0.1:8545' }] to createTollkeeper.",
    );
  });

  it('decides with a function that may take its time', async () => {
    const { connect, client } = await setup({
      decide: async ({ method }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return method === 'personal_sign' ? 'reject' : 'approve';
      },
    });
    const account = await connect();
    const sign = async () => client.signMessage({ account, message: 'Hello' });
    expect(await codeOf(sign)).toBe(4001);
  });

  it('passes an error of the function on to the test', async () => {
    const { connect } = await setup({
      decide: () => {
        throw new Error('Expected no dialog.');
      },
    });
    await expect(connect()).rejects.toThrow('Expected no dialog.');
  });

  it('chooses the fee, and fills in other fields', async () => {
    const wallet = await setup({
      chains: [
        {
          id: 31_337,
          rpcUrl: createMemoryNode({
            eth_feeHistory: () => ({
              oldestBlock: '0x1',
              baseFeePerGas: ['0x64', '0x64'],
              gasUsedRatio: [0.5],
              reward: [['0x1', '0x2', '0x3', '0x4', '0x5', '0x6']],
            }),
          }),
        },
      ],
    });
    const account = await wallet.connect();
    const send = async (decide: TestTollkeeper['decide']): Promise<bigint> => {
      wallet.decide = decide;
      const transaction = { account, chain: null, to: SECOND, value: 0n } as const;
      const hash = await wallet.client.sendTransaction(transaction);
      const sent = await wallet.provider.request<{ maxFeePerGas: Hex }>({
        method: 'eth_getTransactionByHash',
        params: [hash],
      });
      return BigInt(sent.maxFeePerGas);
    };
    const low = await send({ fee: 'low' });
    expect(await send({ fee: 'high' })).toBeGreaterThan(low);
    const values = {
      'fee.choice': 'custom',
      'fee.maxFeePerGas': '0.000000777',
      'fee.maxPriorityFeePerGas': '0.000000007',
    };
    expect(await send({ values })).toBe(777n);
  });
});

it('signs without a node', async () => {
  const { connect, client } = await setup({ chains: [{ id: 31_337 }] });
  const address = await connect();
  const message = 'Grüße';
  const signature = await client.signMessage({ account: address, message });
  expect(await verifyMessage({ address, message, signature })).toBe(true);
  const error = await errorOf(async () =>
    client.sendTransaction({ account: address, chain: null, to: SECOND }),
  );
  expect(error.message).toContain('chain 31337 of this wallet has none');
});

describe('a wallet method', () => {
  const added = {
    chainId: '0x1092',
    chainName: 'Test',
    rpcUrls: ['http://localhost:8545'],
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    blockExplorerUrls: ['https://explorer.example'],
  };
  const token = {
    type: 'ERC20',
    options: { address: TOKEN, symbol: 'T', decimals: 18 },
  };

  it.each<[string, unknown, unknown]>([
    ['wallet_addEthereumChain', [added], null],
    ['wallet_addEthereumChain', [{ ...added, nativeCurrency: null }], null],
    ['wallet_watchAsset', token, true],
    ['wallet_watchAsset', [token], true],
    ['wallet_switchEthereumChain', [{ chainId: '0x7A69' }], null],
  ])('is answered as in MetaMask: %s %j', async (method, params, answer) => {
    const wallet = await setup();
    expect(await wallet.provider.request({ method, params })).toBe(answer);
    wallet.decide = 'reject';
    const hasDialog = wallet.reviews.length > 0;
    const again = wallet.provider.request({ method, params });
    await (hasDialog
      ? expect(again).rejects.toMatchObject({ code: 4001 })
      : expect(again).resolves.toBe(answer));
  });

  const addChainWith = (fields: object): [string, unknown] => [
    'wallet_addEthereumChain',
    [{ ...added, ...fields }],
  ];

  it.each<[string, unknown]>([
    addChainWith({ chainId: '0x01092' }),
    addChainWith({ chainId: 4242 }),
    addChainWith({ chainId: '0x0' }),
    addChainWith({ chainId: '0xfffffffffffff' }),
    addChainWith({ chainName: '' }),
    addChainWith({ chainName: undefined }),
    addChainWith({ rpcUrls: ['http://node.example'] }),
    addChainWith({ rpcUrls: [{ url: 'https://node.example' }] }),
    addChainWith({ rpcUrls: { https: 'https://node.example' } }),
    addChainWith({ rpcUrls: ['node.example'] }),
    addChainWith({ rpcUrls: [] }),
    addChainWith({ rpcUrls: undefined }),
    addChainWith({ blockExplorerUrls: ['http://explorer.example'] }),
    addChainWith({ blockExplorerUrls: [{}] }),
    addChainWith({ nativeCurrency: { symbol: 'COIN', decimals: '18' } }),
    addChainWith({ nativeCurrency: { symbol: 'COIN', decimals: 6 } }),
    addChainWith({ nativeCurrency: { symbol: 'COINCOIN', decimals: 18 } }),
    addChainWith({ nativeCurrency: 'COIN' }),
    addChainWith({ explorer: 'https://explorer.example' }),
    ['wallet_switchEthereumChain', [{ chainId: '0x07a69' }]],
    ['wallet_switchEthereumChain', [{ chainId: 31_337 }]],
    ['wallet_switchEthereumChain', [{ chainId: null }]],
    ['wallet_watchAsset', { type: 'ERC20' }],
    ['wallet_watchAsset', { type: 'ERC20', options: { address: 'token' } }],
    ['wallet_watchAsset', { type: 'coin', options: { address: TOKEN } }],
    ['wallet_watchAsset', { type: { of: 1 }, options: null }],
    ['wallet_invokeSnap', { snapId: 'npm:tollkeeper-snap' }],
    ['wallet_invokeSnap', { request: { method: 7 } }],
    ['wallet_invokeKeyring', {}],
    ...[
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
      'wallet_watchAsset',
      'wallet_invokeSnap',
      'wallet_requestPermissions',
      'personal_sign',
      'eth_sendTransaction',
      'wallet_sendCalls',
    ].flatMap((method): [string, unknown][] => [
      [method, null],
      [method, undefined],
      [method, []],
      [method, [null]],
      [method, 'params'],
    ]),
  ])('rejects malformed params without a dialog: %s %j', async (method, params) => {
    const wallet = await setup();
    await wallet.connect();
    const shown = wallet.reviews.length;
    const error = await errorOf(async () =>
      wallet.provider.request({ method, params }),
    );
    expect(error).toMatchObject({ name: 'ProviderRpcError', code: -32602 });
    expect(error.message).toMatch(new RegExp(`^${method}: `, 'u'));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: -32602,
      message: error.message,
    });
    expect(wallet.reviews).toHaveLength(shown);
    expect(await wallet.provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
  });
});

describe('networks', () => {
  it('are changed by the dapp and by the user', async () => {
    const wallet = await setup({ chains: [{ id: 31_337 }, { id: 4242 }] });
    const { provider, client } = wallet;
    const events: unknown[] = [];
    provider.on('chainChanged', (chainId) => events.push(chainId));
    await client.switchChain({ id: 4242 });
    expect(await client.getChainId()).toBe(4242);
    wallet.setChain(31_337);
    expect(await codeOf(async () => client.switchChain({ id: 11_155_111 }))).toBe(4902);
    await client.addChain({ chain: sepolia });
    wallet.decide = 'reject';
    expect(await codeOf(async () => client.addChain({ chain: foundry }))).toBe(4001);
    expect(events).toStrictEqual(['0x1092', '0x7a69', '0xaa36a7']);
  });

  it('forward null params to nodes', async () => {
    const { provider } = await setup();
    const request = { method: 'eth_blockNumber', params: null };
    expect(await provider.request(request)).toMatch(/^0x/u);
  });

  it.each<[string, TollkeeperOptions]>([
    ['Ethereum', { chains: [{ id: 1 }] }],
    ['a fork of Ethereum', { chains: [{ id: 1, rpcUrl: 'http://127.0.0.1:8545' }] }],
    ['an unknown network', { chains: [{ id: 5050, rpcUrl: 'https://n.example' }] }],
  ])('are refused unless real chains are allowed: %s', async (_what, options) => {
    await expect(createTollkeeper(options)).rejects.toMatchObject({ code: 4901 });
    const allowed = await createTollkeeper({ ...options, allowRealChains: true });
    expect(await allowed.provider.request({ method: 'eth_chainId' })).toMatch(/^0x/u);
  });

  it.each([['ws://127.0.0.1:1'], ['127.0.0.1:8545'], [''], [7 as never]])(
    'need an HTTP URL or a function as their node, not %p',
    async (rpcUrl) => {
      const error = await errorOf(async () =>
        createTollkeeper({ chains: [{ id: 31_337, rpcUrl }] }),
      );
      expect(error).toMatchObject({
        code: -32602,
        message:
          'The rpcUrl of chain 31337 must be an http or https URL, or a function.',
      });
    },
  );

  it('report a node that does not answer', async () => {
    const { provider } = await createTollkeeper({
      chains: [{ id: 31_337, rpcUrl: 'http://127.0.0.1:1' }],
    });
    const request = { method: 'eth_blockNumber' };
    const error = await errorOf(async () => provider.request(request));
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining(
        'The node of chain 31337 did not answer eth_blockNumber',
      ) as string,
    });
  });

  it('are refused in requests if the wallet lacks them', async () => {
    const { connect, client, reviews } = await setup();
    const account = await connect();
    const document = {
      domain: { name: 'Mail', chainId: 1n },
      types: { Mail: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Mail',
      message: { amount: 1n },
    } as const;
    const sign = async (): Promise<unknown> =>
      client.signTypedData({ account, ...document });
    expect(await codeOf(sign)).toBe(4901);
    expect(reviews).toHaveLength(1);
  });
});

it('polls for a pending transaction until the wallet is stopped', async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['setImmediate'] });
  const methods: string[] = [];
  const node = createMemoryNode();
  const rpcUrl: typeof node = async (request) => {
    methods.push(request.method);
    if (request.method === 'eth_getTransactionReceipt') return null;
    return node(request);
  };
  const { stop, connect, client } = await setup({ chains: [{ id: 31_337, rpcUrl }] });
  await client.sendTransaction({ account: await connect(), to: SECOND, value: 1n });
  const countPolls = async (): Promise<number> => {
    methods.length = 0;
    await jest.advanceTimersByTimeAsync(60_000);
    return methods.length;
  };
  expect(await countPolls()).toBeGreaterThan(0);
  stop();
  expect(await countPolls()).toBe(0);
  jest.useRealTimers();
});

it('manages accounts and settings as the companion page, without dialogs', async () => {
  const { manage, reviews, accounts, setAccounts, provider } = await setup();
  const changed = await manage('tollkeeper_setSettings', [{ feeLevel: 'high' }]);
  expect(changed).toMatchObject({ feeLevel: 'high' });
  const created = await manage('keyring_createAccount', { options: {} });
  const { address } = created as { address: Address };
  expect(accounts.map((each) => each.address)).toStrictEqual([FIRST, address]);
  await setAccounts([address]);
  expect(await provider.request({ method: 'eth_accounts' })).toStrictEqual([address]);
  // The companion page is connected to every account.
  for (const account of [FIRST, address]) {
    const delegating = manage('tollkeeper_delegate', [{ account, chainId: '0x7a69' }]);
    await expect(delegating).rejects.toThrow('No account contract');
  }
  expect(reviews).toStrictEqual([]);
  const [{ id }] = (await manage('keyring_listAccounts')) as [{ id: string }];
  await manage('keyring_deleteAccount', { id });
  expect(accounts).toStrictEqual([created]);
});
