// Requests to chains over HTTP, sockets and MetaMask's nodes.
import { jest } from '@jest/globals';
import { GetAccountBalancesResponseStruct, KeyringEvent } from '@metamask/keyring-api';
import type { KeyringAccount } from '@metamask/keyring-api';
import { is } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import { pad } from 'viem';
import type { Hex } from 'viem';

import type { Restored } from '../../src/accounts/restore';
import { fetchDeployments } from '../../src/chains/addresses';
import { entryPoints } from '../../src/core/entry-points';
import { dataOf } from '../fixtures/trust/call';
import { callersOf } from '../support/callers';
import { answering, unreachableServer, serving } from '../support/fake-fetch';
import { calledMethods, createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { answerSockets } from '../support/fake-socket';
import { FEE_ANSWERS } from '../support/fees';
import { createGate, settle } from '../support/gate';
import { storeChains } from '../support/given';
import { UNUSED_ACCOUNT_ANSWERS, restoreBy } from '../support/keyring-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import { COMPANION, createAccount, createTestApp, DAPP } from '../support/test-app';

const KEY = 'k3y-9-of-the-user-0123456789abcdef';

type Rows = Record<number, Record<string, Json>>;

type Bench = ReturnType<typeof setup>;

const urlOf = (chainId: number): string => `https://node-${chainId}.example`;

/** Sets up a wallet on chain 7 without configured chains. */
function setup() {
  const app = createTestApp();
  const { edges } = app;
  const { network, wallet } = edges;
  wallet.answers.eth_chainId = '0x7';
  return {
    ...callersOf(app),
    app,
    edges,
    wallet,
    /** Serves a node at https://node-N.example. */
    serve: (chainId: number, answers: NodeAnswers) => {
      const node = createFakeNode(answers);
      network.serve(urlOf(chainId), serving(node));
      return node;
    },
    configure: async (rows: Rows) => {
      network.sent.length = 0;
      wallet.calls.length = 0;
      const all = Object.entries(rows).map(([id, row]) => [`eip155:${id}`, row]);
      await storeChains(app, Object.fromEntries(all) as never);
    },
    /** Lists the URLs requested since {@link Bench.configure}. */
    urls: () => network.sent.map(({ url }) => url),
  };
}

/** Reads from a chain as a site; by default, the fee levels. */
const lookUp = async (
  { rpc }: Pick<Bench, 'rpc'>,
  chainId = 1,
  method = 'tollkeeper_getFeeLevels',
): Promise<Json> => rpc(DAPP, method, { scope: `eip155:${chainId}`, params: [] });

describe('the node of a chain', () => {
  it.each([
    [{ rpcUrl: urlOf(1) }, urlOf(1)],
    [{ rpcUrl: `${urlOf(1)}/a/b?x=1` }, `${urlOf(1)}/a/b?x=1`],
    [{ rpcUrl: urlOf(1), apiKey: KEY }, `${urlOf(1)}/v3/${KEY}`],
    [{ rpcUrl: `${urlOf(1)}/`, apiKey: KEY }, `${urlOf(1)}/v3/${KEY}`],
    [{ rpcUrl: urlOf(1), apiKey: 'a/b?c' }, `${urlOf(1)}/v3/a%2Fb%3Fc`],
  ])('is requested at its configured URL: %j gives %s', async (row, url) => {
    const bench = setup();
    bench.serve(1, FEE_ANSWERS);
    await bench.configure({ 1: row });
    expect(await lookUp(bench)).toHaveProperty('source', 'fee-history');
    expect([...new Set(bench.urls())]).toStrictEqual([url]);
    expect(bench.wallet.calls).toStrictEqual([]);
  });

  it('is named without its URL in errors', async () => {
    const bench = setup();
    await bench.configure({
      1: { rpcUrl: `https://gone.example/${KEY}`, apiKey: KEY },
    });
    expect(await refusalOf(lookUp(bench))).toStrictEqual({
      code: -32002,
      message:
        'eth_gasPrice at the node of eip155:1 could not be reached. ' +
        'It was tried 3 times. Check the address and the connection.',
    });
    expect(bench.edges.lines.join()).not.toContain(KEY);
  });

  it('has its URL redacted in error messages', async () => {
    const bench = setup();
    const quote = 'node-1.example/v1/k3y-9: no upstream for k3y-9';
    bench.serve(1, { eth_gasPrice: refuses(quote) });
    await bench.configure({ 1: { rpcUrl: `${urlOf(1)}/v1/k3y-9` } });
    await expectRefusal(
      lookUp(bench),
      -32000,
      'the node of eip155:1 failed: [redacted]/v1/[redacted]: no upstream for [redacted]',
    );
  });

  it('keeps error messages that only resemble its URL', async () => {
    const bench = setup();
    const url = 'https://execution.example';
    const message = 'execution reverted: no execution';
    const eth_gasPrice = refuses(message);
    bench.edges.network.serve(url, serving(createFakeNode({ eth_gasPrice })));
    await bench.configure({ 1: { rpcUrl: url } });
    await expect(lookUp(bench)).rejects.toThrow(message);
  });

  it("is MetaMask's if no RPC URL is configured", async () => {
    const bench = setup();
    await bench.configure({ 1: { gasBaseUrl: 'https://gas.example' } });
    expect(await lookUp(bench, 7)).toHaveProperty('source', 'fee-history');
    expect(await refusalOf(lookUp(bench))).toStrictEqual({
      code: -32002,
      message:
        'MetaMask does not have the network eip155:1. Add it to MetaMask ' +
        "(wallet_addEthereumChain), or configure a node for it in Tollkeeper's settings.",
    });
    bench.wallet.answers.eth_chainId = 'one';
    await expect(lookUp(bench, 2)).rejects.toThrow(
      "eth_chainId at the wallet's node gave an invalid answer",
    );
  });

  it.each<[Record<string, Json>, string | undefined, string]>([
    [{}, undefined, ''],
    [{ apiKey: KEY, apiKeySecret: 's' }, `Basic ${btoa(`${KEY}:s`)}`, ''],
    [{ apiKey: KEY }, `Basic ${btoa(`${KEY}:`)}`, ''],
    [{ apiKey: KEY, gasAuth: 'path' }, undefined, `/v3/${KEY}`],
  ])(
    'is used with a gas API, which is requested once with %j',
    async (row, authorization, path) => {
      const bench = setup();
      const gasBaseUrl = 'https://gas.example';
      bench.edges.network.serve(gasBaseUrl, answering({}, 503));
      bench.serve(1, FEE_ANSWERS);
      await bench.configure({ 1: { rpcUrl: urlOf(1), gasBaseUrl, ...row } });
      expect(await lookUp(bench)).toHaveProperty('source', 'fee-history');
      const sent = bench.edges.network.sent.filter(({ method }) => method === 'GET');
      expect(sent.map(({ url }) => url)).toStrictEqual([
        `${gasBaseUrl}${path}/networks/1/suggestedGasFees`,
      ]);
      expect(sent[0]?.headers.authorization).toBe(authorization);
      expect(bench.edges.lines.join()).not.toContain(KEY);
    },
  );

  it('is separate from the bundler, whose API key is the last path segment', async () => {
    const bench = setup();
    const bundlerUrl = 'https://bundler.example/v2';
    const answers = { eth_chainId: '0x1', eth_supportedEntryPoints: [] };
    bench.edges.network.serve(bundlerUrl, serving(createFakeNode(answers)));
    await bench.configure({ 1: { rpcUrl: urlOf(1), bundlerUrl, bundlerApiKey: KEY } });
    expect(await lookUp(bench, 1, 'eth_supportedEntryPoints')).toStrictEqual([]);
    expect(bench.urls()).toStrictEqual([`${bundlerUrl}/${KEY}`]);
  });
});

describe('a chain with a socket', () => {
  const wsUrl = 'wss://node-1.example';

  /** Sets up a node that returns a base fee over HTTP, but only a gas price over its socket. */
  async function setupSocket(row: Record<string, Json> = {}) {
    const bench = setup();
    const { sockets } = bench.edges;
    answerSockets(sockets, {
      eth_gasPrice: '0x22',
      eth_feeHistory: { ...FEE_ANSWERS.eth_feeHistory, baseFeePerGas: ['0x0', '0x0'] },
      eth_subscribe: '0x1',
      eth_unsubscribe: true,
    });
    bench.serve(1, FEE_ANSWERS);
    await bench.configure({ 1: { wsUrl, ...row } });
    return {
      ...bench,
      sent: () =>
        sockets.opened.flatMap(({ sent }) => sent.map(({ method }) => method)),
      mine: async (number: string) => {
        const head = { number, hash: `0x${'ab'.repeat(32)}`, timestamp: '0x1' };
        const params = { subscription: '0x1', result: head };
        await sockets.last().deliver({ method: 'eth_subscription', params });
        await settle();
      },
    };
  }

  it.each([{}, { rpcUrl: urlOf(1) }])(
    'is requested over the socket with %j',
    async (row) => {
      const bench = await setupSocket(row);
      expect(await lookUp(bench)).toHaveProperty('source', 'gas-price');
      expect(bench.urls()).toStrictEqual([]);
      expect(bench.edges.sockets.opened).toHaveLength(1);
    },
  );

  it('is requested over HTTP if the socket fails, without reconnecting immediately', async () => {
    const bench = await setupSocket({ rpcUrl: urlOf(1) });
    const { sockets, clock } = bench.edges;
    sockets.behaviour.onOpen = () => Promise.reject(new Error('refused'));
    expect(await lookUp(bench)).toHaveProperty('source', 'fee-history');
    clock.time += 5_000;
    expect(await lookUp(bench)).toHaveProperty('source', 'fee-history');
    expect(sockets.opened).toHaveLength(1);
  });

  it('has one block subscription, and fetches fees with each block', async () => {
    const bench = await setupSocket();
    await Promise.all([lookUp(bench), lookUp(bench), lookUp(bench)]);
    expect(bench.sent().filter((name) => name === 'eth_subscribe')).toHaveLength(1);
    const prices = () => bench.sent().filter((name) => name === 'eth_gasPrice').length;
    const before = prices();
    await bench.mine('0x10');
    expect(prices()).toBe(before + 1);
    // Fees are not fetched again for the same head.
    bench.edges.clock.time += 30_000;
    await lookUp(bench);
    expect(prices()).toBe(before + 1);
    await bench.mine('0x11');
    expect(prices()).toBe(before + 2);
  });

  it('ends its subscription after an hour without fee requests', async () => {
    const bench = await setupSocket();
    await lookUp(bench);
    bench.edges.clock.time += 3_600_000;
    await bench.mine('0x10');
    expect(bench.sent().at(-1)).toBe('eth_unsubscribe');
    await lookUp(bench);
    expect(bench.sent().filter((name) => name === 'eth_subscribe')).toHaveLength(2);
  });

  it('subscribes again after the server refused a subscription', async () => {
    const bench = await setupSocket();
    const { behaviour } = bench.edges.sockets;
    const { onSend } = behaviour;
    behaviour.onSend = (socket, request) => {
      if (request.method !== 'eth_subscribe') return onSend(socket, request);
      const error = { code: -32000, message: 'no' };
      return void Promise.resolve().then(() =>
        socket.receive({ id: request.id, error }),
      );
    };
    expect(await lookUp(bench)).toHaveProperty('source', 'gas-price');
    behaviour.onSend = onSend;
    await lookUp(bench);
    await bench.mine('0x11');
    expect(bench.sent().filter((name) => name === 'eth_subscribe')).toHaveLength(2);
  });
});

describe("MetaMask's node", () => {
  const SEND = 'eth_sendRawTransaction';

  const READ = 'eth_getTransactionByHash';

  async function setupWallet() {
    const bench = setup();
    const { address } = await createAccount(bench.app);
    await bench.rpc(DAPP, 'eth_requestAccounts');
    bench.wallet.answers[READ] = null;
    const call = async (method: string, params: Json): Promise<Json> =>
      bench.rpc(DAPP, method, { scope: 'eip155:7', params });
    return {
      ...bench,
      send: async () => call('eth_sendTransaction', [{ from: address, to: address }]),
      read: async () => call(READ, [`0x${'12'.repeat(32)}`]),
    };
  }

  it.each<[string, unknown]>([
    ['a plain Error', new Error('disconnected')],
    ['an error whose code is a string', Object.assign(new Error(), { code: 'ECONN' })],
    ['a string', 'disconnected'],
    ['undefined', undefined],
    ['an error without a message', { code: -32000 }],
  ])('is reported as unreachable if it throws %s', async (_which, thrown) => {
    const { read, send, wallet } = await setupWallet();
    wallet.answers[READ] = wallet.answers[SEND] = () => {
      throw thrown;
    };
    expect(await refusalOf(read())).toStrictEqual({
      code: -32002,
      message: `${READ} at the wallet's node could not be reached. Check the address and the connection.`,
    });
    const reason = `${SEND} at the wallet's node could not be reached. It may`;
    await expectRefusal(send(), -32002, reason, 'will be resent');
  });

  it.each([-32603, -32002, -32700])(
    'leaves a transaction to be resent after the error %i',
    async (code) => {
      const { read, send, wallet } = await setupWallet();
      const failure = refuses({ code, message: 'Failed.' });
      wallet.answers[READ] = wallet.answers[SEND] = failure;
      await expect(read()).rejects.toThrow('Failed.');
      await expect(send()).rejects.toThrow('will be resent');
    },
  );

  it("shows the node's error if MetaMask wraps it", async () => {
    const { send, wallet } = await setupWallet();
    const data = { code: -32000, message: 'nonce too low', data: '0x1234' };
    const message = 'Internal JSON-RPC error.';
    wallet.answers[SEND] = refuses({ code: -32603, message, data });
    await expectRefusal(
      send(),
      -32000,
      `${SEND} at the wallet's node failed: nonce too low.`,
    );
  });

  it('has its untrusted error messages truncated', async () => {
    const { read, wallet } = await setupWallet();
    wallet.answers[READ] = refuses({ code: 3, message: 'x'.repeat(100_000) });
    const { code, message } = await refusalOf(read());
    expect([code, message.length < 1_000]).toStrictEqual([3, true]);
  });
});

describe('balances', () => {
  const ETHER = 'eip155:1/slip44:60';

  const POL = 'eip155:137/slip44:966';

  /** Sets up two chains with nodes, and chain 10, whose node is unreachable. */
  async function setupBalances(wei = '0x14d1120d7b160000') {
    const bench = setup();
    const { id } = await createAccount(bench.app);
    const ethereum = bench.serve(1, { eth_getBalance: wei });
    bench.serve(137, { eth_getBalance: '0x1' });
    const rows = [1, 10, 137].map((each) => [each, { rpcUrl: urlOf(each) }]);
    await bench.configure(Object.fromEntries(rows) as Rows);
    const getBalances = async (...assets: string[]): Promise<Json> =>
      bench.keyring('metamask', 'keyring_getAccountBalances', { id, assets });
    return { ...bench, ethereum, getBalances };
  }

  it.each([
    ['0x0', '0'],
    ['0xde0b6b3a7640000', '1'],
    ['0x14d1120d7b160000', '1.5'],
    ['0x20000000000001', '0.009007199254740993'],
    [
      `0x${'f'.repeat(64)}`,
      '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
    ],
  ])(
    'show %s wei as %s, and are requested once at the latest block',
    async (wei, amount) => {
      const { getBalances, ethereum } = await setupBalances(wei);
      const balances = await getBalances(ETHER, POL, ETHER);
      expect(balances).toStrictEqual({
        [ETHER]: { amount, unit: 'ETH' },
        [POL]: { amount: '0.000000000000000001', unit: 'POL' },
      });
      expect(is(balances, GetAccountBalancesResponseStruct)).toBe(true);
      expect(ethereum.calls.map(({ params }) => params[1])).toStrictEqual(['latest']);
    },
  );

  it('omit unavailable assets, and fail if none is available', async () => {
    const { getBalances, ethereum, wallet } = await setupBalances();
    ethereum.answers.eth_getBalance = '1.5';
    const unavailable = ['eip155:10/slip44:60', 'eip155:5/slip44:60'];
    const own = 'eip155:7/slip44:60';
    wallet.answers.eth_getBalance = '0x0';
    expect(await getBalances(...unavailable, own, ETHER)).toStrictEqual({
      [own]: { amount: '0', unit: 'ETH' },
    });
    expect(await getBalances()).toStrictEqual({});
    await expect(getBalances(...unavailable)).rejects.toThrow(
      'eth_getBalance at the node of eip155:10 could not be reached.',
    );
  });

  it.each([
    'eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f',
    'eip155:1/slip44:60/1',
    'eip155:1/slip44:966',
    'eip155:137/slip44:60',
    'bip122:000000000019d6689c085ae165831e93/slip44:0',
    'eip155:0/slip44:60',
    'eip155:01/slip44:60',
    'eip155:0x1/slip44:60',
    'eip155:1',
    'x'.repeat(1_000_000),
  ])('are refused for another asset without a request (case %#)', async (asset) => {
    const { getBalances, ethereum } = await setupBalances();
    await expectRefusal(getBalances(ETHER, asset), -32602);
    expect(calledMethods(ethereum)).toStrictEqual([]);
  });
});

describe('the search for used accounts', () => {
  /** Deletes the first account, to search for it on chain 1 and the wallet's chain. */
  async function setupSearch() {
    const bench = setup();
    const { address, id } = await createAccount(bench.app);
    await bench.keyring(COMPANION, 'keyring_deleteAccount', { id });
    Object.assign(bench.wallet.answers, UNUSED_ACCOUNT_ANSWERS);
    // MetaMask has none of the accounts.
    bench.edges.events.take = async (event) => {
      if (event !== (KeyringEvent.AccountUpdated as string)) return Promise.resolve();
      throw new Error("Account 'it' not found");
    };
    const node = bench.serve(1, { ...UNUSED_ACCOUNT_ANSWERS });
    await bench.configure({ 1: { rpcUrl: urlOf(1) } });
    const restore = async (): Promise<Restored> => restoreBy(bench.app, { gap: 1 });
    const answerUsed = ([asked]: Json[]): Json =>
      asked === address.toLowerCase() ? '0x1' : '0x0';
    return { ...bench, address, node, restore, answerUsed };
  }

  it.each([
    ['a nonce', { eth_getTransactionCount: '0x1' }],
    ['a balance', { eth_getBalance: '0x1' }],
    ['code', { eth_getCode: '0x60' }],
  ])('finds accounts with %s', async (_which, answers: Record<string, string>) => {
    const { node, restore, address, edges } = await setupSearch();
    for (const [method, answer] of Object.entries(answers)) {
      node.answers[method] = ([asked]) =>
        (asked as string).toLowerCase() === address.toLowerCase()
          ? answer
          : UNUSED_ACCOUNT_ANSWERS[method as keyof typeof UNUSED_ACCOUNT_ANSWERS];
    }
    const { accounts, unreachable } = await restore();
    expect([accounts.map((each) => each.address), unreachable]).toStrictEqual([
      [address],
      [],
    ]);
    // The three requests for an account are in the same batch, all for the latest block.
    expect(node.calls.every(({ params }) => params[1] === 'latest')).toBe(true);
    const batches = edges.network.sent.map(
      ({ body = '' }) => (JSON.parse(body) as unknown[]).length,
    );
    expect(batches.every((length) => length % 3 === 0)).toBe(true);
  });

  it.each(['0x0', '0x00', '0x0000000000000000'])(
    'ignores accounts if the node writes zero as %s',
    async (zero) => {
      const { node, restore } = await setupSearch();
      Object.assign(node.answers, {
        eth_getTransactionCount: zero,
        eth_getBalance: zero,
      });
      expect(await restore()).toMatchObject({ accounts: [], unreachable: [] });
    },
  );

  it.each(Object.keys(UNUSED_ACCOUNT_ANSWERS))(
    'reports a chain that refuses %s as unreachable, but uses its other answers',
    async (method) => {
      const { node, restore, address, answerUsed } = await setupSearch();
      Object.assign(node.answers, {
        eth_getTransactionCount: answerUsed,
        eth_getBalance: answerUsed,
        [method]: refuses('header not found'),
      });
      const { accounts, unreachable } = await restore();
      expect(accounts.map((each) => each.address)).toStrictEqual([address]);
      expect(unreachable).toStrictEqual(['eip155:1']);
    },
  );

  it('reports a failing chain once, and finds accounts on others', async () => {
    const { edges, restore, wallet, answerUsed } = await setupSearch();
    edges.network.serve(urlOf(1), unreachableServer);
    wallet.answers.eth_getBalance = answerUsed;
    const { accounts, unreachable } = await restore();
    expect(accounts).toHaveLength(1);
    expect(unreachable).toStrictEqual(['eip155:1']);
  });

  it('finds nothing if no node is configured and MetaMask fails', async () => {
    const { restore, configure, wallet } = await setupSearch();
    await configure({ 3: { gasBaseUrl: 'https://gas.example' }, 4: {} });
    wallet.answers.eth_chainId = refuses({ code: 4900, message: 'disconnected' });
    expect(await restore()).toMatchObject({ accounts: [], unreachable: [] });
  });
});

describe('the address of a smart account', () => {
  const SMART = { type: 'eip155:erc4337', scopes: ['eip155:7'], entryPoint: '0.7' };

  const factory = entryPoints['0.7'].factory.toLowerCase();

  const OTHER = '0x00000000000000000000000000000000005a57a1';

  it.each<[string, Json, string]>([
    ['a different address', pad(OTHER), OTHER],
    ['the zero address', `0x${'00'.repeat(32)}`, 'no address'],
    ['a bare address', OTHER, 'no address'],
    ['two words', `${pad(OTHER)}${'00'.repeat(32)}`, 'no address'],
  ])('is rejected if the factory returns %s', async (_which, answer, shown) => {
    const { app, wallet } = setup();
    wallet.answers.eth_call = answer;
    const reason = `the factory ${factory} returns ${shown}, but`;
    await expectRefusal(createAccount(app, SMART), -32002, reason);
  });

  it.each<[string, Json | (() => never)]>([
    ['has no factory', '0x'],
    ['refuses the call', refuses({ code: 3, message: 'execution reverted' })],
    ['returns a number', 7],
  ])('is kept if the node %s, and if the node confirms it', async (_which, answer) => {
    const { app, wallet } = setup();
    wallet.answers.eth_call = answer;
    const { id, address, options } = await createAccount(app, SMART);
    const [request] = wallet.calls.filter(({ method }) => method === 'eth_call');
    const { owner, salt } = options as { owner: Hex; salt: Hex };
    const data = dataOf('getAddress(address,uint256)', owner, BigInt(salt));
    expect(request?.params).toStrictEqual([{ to: factory, data }, 'latest']);
    await callersOf(app).keyring(COMPANION, 'keyring_deleteAccount', { id });
    wallet.answers.eth_call = pad(address.toLowerCase() as Hex);
    expect(await createAccount(app, SMART)).toHaveProperty('address', address);
  });

  it('is kept if the node does not answer within 5 s', async () => {
    const { app, wallet } = setup();
    const gate = createGate();
    wallet.answers.eth_call = () => {
      gate.open();
      return new Promise(() => undefined) as never;
    };
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      let created: KeyringAccount | undefined;
      const creating = createAccount(app, SMART).then((account) => (created = account));
      await gate.opened;
      await jest.advanceTimersByTimeAsync(4_999);
      expect(created).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(await creating).toHaveProperty('type', SMART.type);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is computed by a custom factory, which must return an address', async () => {
    const { app, wallet } = setup();
    const options = { ...SMART, factory: `0x${'fa'.repeat(20)}` };
    wallet.answers.eth_call = pad(OTHER);
    const { address } = await createAccount(app, options);
    expect(address.toLowerCase()).toBe(OTHER);
    for (const bad of ['0x', OTHER, `0x${'ff'.repeat(32)}`, `0x${'00'.repeat(32)}`]) {
      wallet.answers.eth_call = bad;
      expect(
        await refusalOf(createAccount(app, { ...options, index: 9 })),
      ).toStrictEqual({
        code: -32602,
        message: `options.factory: ${options.factory} is not an account factory on eip155:7.`,
      });
    }
  });
});

it('fetchDeployments finds the chains of a deployed account with one request each', async () => {
  const bench = setup();
  const codes: Record<number, Json | (() => never)> = {
    1: '0x6080',
    2: '0x',
    3: refuses('busy'),
    5: 'code',
  };
  const ids = [1, 2, 3, 4, 5];
  await bench.configure(
    Object.fromEntries(ids.map((id) => [id, { rpcUrl: urlOf(id) }])),
  );
  const nodes = Object.entries(codes).map(([id, eth_getCode]) =>
    bench.serve(Number(id), { eth_getCode }),
  );
  bench.wallet.answers.eth_getCode = '0x6080';
  const chainIds = [...ids, 6, 7].map(BigInt);
  const { address } = await createAccount(bench.app, {
    type: 'eip155:erc4337',
    scopes: chainIds.map((each) => `eip155:${each}`),
  });
  nodes.forEach(({ calls }) => (calls.length = 0));
  const { chains } = bench.app.services;
  const found = await fetchDeployments(chains, address as Hex, chainIds);
  expect(found).toStrictEqual({
    'eip155:1': 'deployed',
    'eip155:2': 'absent',
    'eip155:3': 'unknown',
    'eip155:4': 'unknown',
    'eip155:5': 'unknown',
    'eip155:6': 'unknown',
    'eip155:7': 'deployed',
  });
  expect(nodes[0]?.calls).toMatchObject([{ method: 'eth_getCode' }]);
});
