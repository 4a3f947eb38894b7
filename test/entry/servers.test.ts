// tollkeeper_setChain: the server checks, and the configuration that is saved if they succeed. All
// servers of chain 1 pass until a test changes their answers.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../src/core/entry-points';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { callersOf } from '../support/callers';
import { errorOf } from '../support/error-of';
import { answering, unreachableServer, serving } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import type { FakeNode, NodeAnswers } from '../support/fake-node';
import { answerSockets } from '../support/fake-socket';
import { createGate, settle } from '../support/gate';
import { storeChains } from '../support/given';
import { openHome } from '../support/home-bench';
import { refusalOf } from '../support/refusal';
import { COMPANION, createTestApp, DAPP } from '../support/test-app';

const KEY = 'k3y-of-the-user-0123456789abcdef';

const ROOT = 'tollkeeper_setChain: params';

const V07 = entryPoints['0.7'].entryPoint;

const V08 = entryPoints['0.8'].entryPoint;

const FACTORY = `0x${'fa'.repeat(20)}`;

type Row = Record<string, Json>;

const servers = {
  rpcUrl: 'https://node.example',
  wsUrl: 'wss://node.example',
  gasBaseUrl: 'https://gas.example',
  bundlerUrl: 'https://bundler.example',
  paymasterUrl: 'https://paymaster.example',
};

const full: Row = {
  ...servers,
  gasAuth: 'path',
  apiKey: KEY,
  apiKeySecret: `${KEY}-secret`,
  bundlerApiKey: `${KEY}-bundler`,
  entryPoint: '0.6',
  factory: '0x9406Cc6185a346906296840746125a0E44976454',
  paymasterContext: { policy: 'free', limits: [1, 2] },
};

type Bench = ReturnType<typeof setup>;

function setup() {
  const app = createTestApp();
  const { edges, services } = app;
  const { network, sockets, wallet } = edges;
  const node = createFakeNode({
    eth_chainId: '0x1',
    eth_getCode: '0x6080',
    eth_blockNumber: '0x10',
  });
  const bundler = createFakeNode({
    eth_chainId: '0x1',
    eth_supportedEntryPoints: Object.values(entryPoints).map((row) => row.entryPoint),
  });
  const paymaster = createFakeNode({
    pm_getPaymasterStubData: ([, entryPoint]) =>
      (entryPoint as string).startsWith('0x5FF1')
        ? { paymasterAndData: `0x${'77'.repeat(85)}` }
        : { paymaster: FACTORY, paymasterData: '0x', paymasterPostOpGasLimit: '0x1' },
  });
  network.serve(servers.rpcUrl, serving(node));
  network.serve(servers.gasBaseUrl, answering(gasAnswer));
  network.serve(servers.bundlerUrl, serving(bundler));
  network.serve(servers.paymasterUrl, serving(paymaster));
  wallet.answers.eth_getCode = '0x6080';
  const socketAnswers: NodeAnswers = {
    eth_chainId: '0x1',
    eth_getCode: '0x60',
    eth_blockNumber: '0x11',
  };
  answerSockets(sockets, socketAnswers);
  const { rpc } = callersOf(app);
  const setAny = async (params: unknown) =>
    rpc(COMPANION, 'tollkeeper_setChain', params);
  return {
    app,
    edges,
    node,
    bundler,
    paymaster,
    socketAnswers,
    setAny,
    /** Sets fields of chain 1 as the companion page. */
    set: async (fields: Row) => (await setAny([{ chainId: '0x1', ...fields }])) as Row,
    stored: async () => (await services.store.read()).chains,
    /** Stores a row of chain 1 without a dialog. */
    store: async (row: Row) => storeChains(app, { 'eip155:1': row }),
    /** Lists the requests over HTTP, through the wallet and over sockets. */
    asked: () => {
      const overSockets = sockets.opened.flatMap(({ sent }) => sent);
      return [
        ...network.sent.flatMap(({ url, body }) => namesOf(url, body)),
        ...overSockets.map(({ method }) => `${method} at the socket`),
        ...wallet.calls.map(({ method }) => `${method} at the wallet`),
      ].sort();
    },
  };
}

// Lists a request's methods, or the path of a gas API request.
function namesOf(url: string, body: string | undefined): string[] {
  if (body === undefined) return [new URL(url).pathname];
  const calls = JSON.parse(body) as { method: string } | { method: string }[];
  return [calls].flat().map(({ method }) => method);
}

const rejected = (reason: string, code = -32602): object => ({
  code,
  message: `${ROOT}.${reason} Nothing was saved.`,
});

const failed = (reason: string): unknown => ({
  code: -32002,
  message: expect.stringContaining(`${ROOT}.${reason}`) as string,
});

describe('a configuration', () => {
  it('is stored with every field and shown without its secrets', async () => {
    const { set, stored, app } = setup();
    const redacted = '[redacted]';
    const shown = {
      ...full,
      chainId: 'eip155:1',
      apiKey: redacted,
      apiKeySecret: redacted,
      bundlerApiKey: redacted,
      contracts: {
        entryPoint: { version: '0.6', address: entryPoints['0.6'].entryPoint },
        factory: full.factory,
      },
    };
    expect(await set(full)).toStrictEqual(shown);
    expect(await stored()).toStrictEqual({ 'eip155:1': full });
    expect(await callersOf(app).rpc(COMPANION, 'tollkeeper_getChains')).toStrictEqual([
      shown,
    ]);
    const cleared = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    expect(await set(cleared)).toStrictEqual({ chainId: 'eip155:1' });
    expect(await stored()).toStrictEqual({ 'eip155:1': {} });
  });

  it('keeps fields that a request omits, and other chains', async () => {
    const { set, setAny, stored } = setup();
    for (const chainId of ['0x2', '2', 2, 'eip155:2', 'eip155:0x2']) {
      await setAny({ chainId, gasAuth: 'basic' });
    }
    await Promise.all([set({ gasAuth: 'path' }), set({ entryPoint: '0.8' })]);
    expect(await set({ entryPoint: '0.7', factory: FACTORY })).toHaveProperty(
      'contracts',
      { entryPoint: { version: '0.7', address: V07 }, factory: FACTORY },
    );
    expect(await stored()).toStrictEqual({
      'eip155:1': { gasAuth: 'path', entryPoint: '0.7', factory: FACTORY },
      'eip155:2': { gasAuth: 'basic' },
    });
  });

  it.each([
    `https://node.example/v3/${KEY}`,
    'https://node.example/k3y-9/x',
    `https://node.example/?key=${KEY}`,
    `https://node.example/#${KEY}`,
  ])(
    'shows only the host of a URL, whether or not it contains a key: %s',
    async (rpcUrl) => {
      const { set, node } = setup();
      const shown = { chainId: 'eip155:1', rpcUrl: 'https://node.example' };
      expect(await set({ rpcUrl })).toStrictEqual(shown);
      node.answers.eth_chainId = 'hello';
      await expect(set({ apiKey: 'other' })).rejects.toThrow(
        'rpcUrl: eth_chainId at https://node.example gave an invalid answer',
      );
    },
  );

  const noUrl =
    'must be a URL that starts with https:// (or http:// on this machine) and has no credentials.';
  const noKey = 'must be a string of 1 to 256 characters.';
  const noChain = 'a chain id (hex, decimal or CAIP-2 such as "eip155:1").';

  it.each<[unknown, string]>([
    [{ rpcUrl: `http://node.example/${KEY}` }, `.rpcUrl ${noUrl}`],
    [{ gasBaseUrl: `https://user:${KEY}@gas.example` }, `.gasBaseUrl ${noUrl}`],
    [{ apiKey: '' }, `.apiKey ${noKey}`],
    [{ bundlerApiKey: KEY.repeat(9) }, `.bundlerApiKey ${noKey}`],
    [{ gasAuth: KEY }, '.gasAuth must be one of "basic", "path".'],
    [{ paymasterContext: [KEY] }, '.paymasterContext must be an object.'],
    [{ colour: KEY }, '.colour is not expected here.'],
    [{ constructor: null }, '.constructor is not expected here.'],
    [{ singleCallsOnly: ['rpcUrl'] }, '.singleCallsOnly is not expected here.'],
    [{ singleCallsOnly: null }, '.singleCallsOnly is not expected here.'],
    [
      { factory: FACTORY },
      '.factory needs entryPoint: the version of the EntryPoint that the factory uses. Nothing was saved.',
    ],
    [{ chainId: null }, `.chainId must be ${noChain}`],
    [{ chainId: undefined }, `.chainId is missing: it must be ${noChain}`],
  ])('is not saved with a malformed field: %j', async (fields, reason) => {
    const { setAny, stored, edges } = setup();
    const { code, message } = await refusalOf(
      setAny({ chainId: 1, ...(fields as object) }),
    );
    expect([code, message]).toStrictEqual([-32602, `${ROOT}${reason}`]);
    expect(await stored()).toStrictEqual({});
    expect(edges.lines.join()).not.toContain(KEY);
    expect(edges.dialogs.shown).toStrictEqual([]);
  });
});

describe('a stored credential', () => {
  it.each([
    ['apiKey', 'rpcUrl', { rpcUrl: 'https://thief.example' }],
    ['apiKey', 'rpcUrl', { rpcUrl: 'https://node.example.thief.example' }],
    ['apiKey', 'rpcUrl', { rpcUrl: 'https://node.example:8443' }],
    ['apiKey', 'wsUrl', { wsUrl: 'wss://thief.example' }],
    ['apiKey', 'gasBaseUrl', { gasBaseUrl: 'https://thief.example' }],
    // A new API key does not replace the stored secret.
    [
      'apiKeySecret',
      'gasBaseUrl',
      { gasBaseUrl: 'https://thief.example', apiKey: 'x' },
    ],
    ['apiKeySecret', 'gasBaseUrl', { gasBaseUrl: 'https://node.example' }],
    ['bundlerApiKey', 'bundlerUrl', { bundlerUrl: 'https://thief.example' }],
  ])('is not sent to another host (%s, %s): %j', async (name, field, change) => {
    const { set, store, stored, asked } = setup();
    await store(full);
    const reason = `must be given again or removed: it was not given for the host of ${field}.`;
    expect(await refusalOf(set(change))).toStrictEqual(rejected(`${name} ${reason}`));
    expect(await stored()).toStrictEqual({ 'eip155:1': full });
    expect(asked()).toStrictEqual([]);
  });

  it('is not sent to another host once its server has been removed', async () => {
    const { set, store } = setup();
    await store({ rpcUrl: servers.rpcUrl, apiKey: KEY });
    await set({ rpcUrl: null });
    const { message } = await refusalOf(set({ rpcUrl: 'https://thief.example' }));
    expect(message).toContain('params.apiKey must be given again');
  });

  it.each<[string, Row]>([
    ['a different path', { rpcUrl: 'https://node.example/other' }],
    ["another server's host", { gasBaseUrl: null, rpcUrl: servers.gasBaseUrl }],
    [
      'a new host if the credential is given again',
      { rpcUrl: 'https://other.example', apiKey: KEY },
    ],
    [
      'a new host if it is removed',
      { bundlerUrl: 'https://b.example', bundlerApiKey: null },
    ],
    ['the removal of its servers', { rpcUrl: null, wsUrl: null, gasBaseUrl: null }],
    [
      'a new host for a server that never gets it',
      { paymasterUrl: 'https://other.example' },
    ],
  ])('allows %s', async (_what, change) => {
    const { set, store, edges } = setup();
    await store(full);
    // The server checks may fail.
    await set(change).catch(() => undefined);
    expect(edges.dialogs.shown).toHaveLength(1);
  });
});

describe('checks before saving', () => {
  const NODE = ['eth_chainId', 'eth_blockNumber'];
  const SOCKET = ['eth_chainId at the socket'];
  const GAS = [`/v3/${KEY}/networks/1/suggestedGasFees`];
  const BUNDLER = ['eth_chainId', 'eth_supportedEntryPoints'];
  const CODE = ['eth_getCode', 'eth_getCode'];
  const PAYMASTER = ['pm_getPaymasterStubData'];

  it.each<[Row, string[]]>([
    [{}, []],
    [{ paymasterContext: { policy: 'free', limits: [1, 2] } }, []],
    [{ rpcUrl: 'https://node.example/2' }, NODE],
    [{ wsUrl: 'wss://node.example/2' }, SOCKET],
    [{ gasBaseUrl: 'https://gas.example/' }, GAS],
    [{ gasAuth: 'basic' }, ['/networks/1/suggestedGasFees']],
    [{ apiKeySecret: 'other' }, GAS],
    [
      { apiKey: 'other' },
      [...NODE, '/v3/other/networks/1/suggestedGasFees', ...SOCKET],
    ],
    [{ bundlerUrl: 'https://bundler.example/2' }, BUNDLER],
    [{ bundlerApiKey: 'other' }, BUNDLER],
    [{ factory: FACTORY }, CODE],
    [{ paymasterUrl: 'https://paymaster.example/2' }, PAYMASTER],
    [{ paymasterContext: { policy: 'free', limits: [1, 3] } }, PAYMASTER],
    [{ entryPoint: '0.7' }, [...BUNDLER, ...CODE, ...PAYMASTER]],
    [{ entryPoint: null, factory: null }, [...BUNDLER, ...PAYMASTER]],
    [{ factory: null }, CODE],
    [Object.fromEntries(Object.keys(full).map((name) => [name, null])), []],
  ])('send requests only to changed servers: %j', async (change, expected) => {
    const { set, store, asked } = setup();
    await store(full);
    await set(change);
    expect(asked()).toStrictEqual([...expected].sort());
  });

  it('report one of several failures, and store nothing', async () => {
    const { set, edges, bundler, stored } = setup();
    edges.network.serve(servers.gasBaseUrl, unreachableServer);
    bundler.answers.eth_chainId = '0x5';
    await expect(set(full)).rejects.toThrow(/params\.gasBaseUrl: |bundlerUrl is /u);
    expect(await stored()).toStrictEqual({});
  });

  it('do not undo a change that another call stored in the meantime', async () => {
    const { set, edges, node, stored } = setup();
    const gate = createGate();
    edges.network.serve(servers.rpcUrl, async (request) => {
      await gate.opened;
      return serving(node)(request);
    });
    const setting = set({ rpcUrl: servers.rpcUrl });
    await settle();
    await set({ gasAuth: 'path' });
    gate.open();
    await setting;
    const row = { gasAuth: 'path', rpcUrl: servers.rpcUrl };
    expect(await stored()).toStrictEqual({ 'eip155:1': row });
  });
});

describe('a server without a usable answer', () => {
  const urls = ['rpcUrl', 'gasBaseUrl', 'bundlerUrl', 'paymasterUrl'] as const;

  const failures: [Server, string][] = [
    [unreachableServer, 'could not be reached. Check the address and the connection.'],
    [
      () => new Response('<html>'),
      'gave an invalid answer: the body is not JSON. Check that it is the right server.',
    ],
    [
      answering(null, 401),
      'answered with HTTP status 401. Check the API key and its secret.',
    ],
    [answering(null, 503), 'answered with HTTP status 503. Try again later.'],
    [
      () => new Response('', { status: 429, headers: { 'Retry-After': '7' } }),
      'is rate limited. Try again in 7 s.',
    ],
  ];

  it.each(
    failures.flatMap(([server, says]) => urls.map((url) => ({ url, says, server }))),
  )('is rejected without a retry: $url, which $says', async ({ url, says, server }) => {
    const { set, edges } = setup();
    const { network } = edges;
    network.serve(servers[url], server);
    const { code, message } = await refusalOf(set({ [url]: servers[url] }));
    expect(code).toBe(-32002);
    expect(message).toMatch(
      new RegExp(`^${ROOT}\\.${url}: \\w+ at ${servers[url]} `, 'u'),
    );
    expect(message.endsWith(` ${says} Nothing was saved.`)).toBe(true);
    // After a failed batch, at most one of its calls is sent again, on its own.
    const arrays = network.sent.filter(({ body = '' }) => body.startsWith('['));
    expect(arrays.length).toBeLessThanOrEqual(1);
    expect(network.sent.length - arrays.length).toBeLessThanOrEqual(1);
  });

  it.each<[keyof typeof servers, Row]>([
    ['rpcUrl', {}],
    ['gasBaseUrl', {}],
    ['gasBaseUrl', { gasAuth: 'basic' }],
    ['bundlerUrl', {}],
    ['paymasterUrl', { paymasterUrl: `https://paymaster.example/?key=${KEY}` }],
  ])('is reported without its credentials: %s, %j', async (name, fields) => {
    const { set, edges } = setup();
    edges.network.serve(servers[name], ({ url, headers }) => {
      throw new TypeError(`no way to ${url} with ${JSON.stringify(headers)}`);
    });
    const { message } = await refusalOf(set({ ...full, ...fields }));
    expect(message).toContain(`${ROOT}.${name}: `);
    const output = `${message} ${edges.lines.join()}`;
    expect(output).not.toContain(KEY);
    expect(output).not.toContain(btoa(KEY).slice(0, 20));
  });

  it('gets no request if its API key makes its URL invalid', async () => {
    const { set, asked } = setup();
    const keyed = { rpcUrl: servers.rpcUrl, apiKey: '..' };
    expect(await refusalOf(set(keyed))).toStrictEqual(
      rejected('rpcUrl: apiKey must be a key of 1 to 256 characters.'),
    );
    expect(asked()).toStrictEqual([]);
  });
});

describe('a slow server', () => {
  // The snap reads its messages from files, which needs setImmediate.
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each(Object.entries(servers))('is rejected after 5 s: %s', async (field, url) => {
    const { set, edges } = setup();
    const { network, sockets } = edges;
    const signals: (AbortSignal | null | undefined)[] = [];
    network.watch(({ signal }) => signals.push(signal));
    const gate = createGate();
    const never = async (): Promise<never> => {
      gate.open();
      return new Promise(() => undefined);
    };
    for (const each of Object.values(servers)) network.serve(each, never);
    sockets.behaviour.onOpen = never;
    const refused = refusalOf(set({ [field]: url, entryPoint: '0.8' }));
    await gate.opened;
    let isOver = false;
    void refused.then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(4_999);
    const isGivenUp = (): boolean => signals.some((signal) => signal?.aborted);
    expect([isOver, isGivenUp()]).toStrictEqual([false, false]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await refused).toStrictEqual(
      rejected(`${field}: It took longer than 5000 ms.`, -32002),
    );
    expect(isGivenUp()).toBe(signals.length > 0);
  });
});

describe('a server that gets a batch', () => {
  it.each<[string, Server]>([
    ['refuses it', answering({ id: null, error: { code: -32600, message: 'No' } })],
    ['answers with status 405', answering(null, 405)],
    ['answers with status 500', answering(null, 500)],
    ['breaks the connection', unreachableServer],
  ])('gets only single calls from then on if it %s', async (_how, refusal) => {
    const { app, set, stored, edges, node, bundler } = setup();
    const { rpcUrl, bundlerUrl } = servers;
    const single =
      (behind: FakeNode): Server =>
      (request) =>
        (request.body?.startsWith('[') ? refusal : serving(behind))(request);
    // The node need not support eth_blockNumber.
    delete node.answers.eth_blockNumber;
    edges.network.serve(rpcUrl, single(node));
    edges.network.serve(bundlerUrl, single(bundler));
    await set({ rpcUrl, bundlerUrl });
    const row = { rpcUrl, bundlerUrl };
    const singleCallsOnly = ['rpcUrl', 'bundlerUrl'];
    expect(await stored()).toStrictEqual({ 'eip155:1': { ...row, singleCallsOnly } });
    edges.network.sent.length = 0;
    await callersOf(app)
      .rpc(DAPP, 'tollkeeper_getFeeLevels')
      .catch(() => undefined);
    expect(edges.network.sent).not.toStrictEqual([]);
    expect(edges.network.sent.some(({ body = '' }) => body.startsWith('['))).toBe(
      false,
    );
    // Servers that are not checked again stay in `singleCallsOnly`.
    edges.network.serve(bundlerUrl, serving(bundler));
    expect(await set({ bundlerApiKey: 'k' })).toMatchObject({
      singleCallsOnly: ['rpcUrl'],
    });
    await set({ rpcUrl: null });
    expect(await stored()).toStrictEqual({
      'eip155:1': { bundlerUrl, bundlerApiKey: 'k' },
    });
  });
});

describe('a new gas API', () => {
  it('is requested with its credentials, and must return fees', async () => {
    const { set, edges } = setup();
    const row = { gasBaseUrl: servers.gasBaseUrl, apiKey: 'user', apiKeySecret: KEY };
    await set(row);
    expect(edges.network.sent).toMatchObject([
      {
        url: 'https://gas.example/networks/1/suggestedGasFees',
        headers: { authorization: `Basic ${btoa(`user:${KEY}`)}` },
      },
    ]);
    edges.network.serve(servers.gasBaseUrl, answering({ low: {} }));
    expect(await refusalOf(set({ ...row, apiKey: 'other' }))).toStrictEqual(
      failed(
        'gasBaseUrl: suggestedGasFees at https://gas.example gave an invalid answer: suggestedGasFees.low.',
      ),
    );
  });
});

describe('a new bundler', () => {
  const { bundlerUrl } = servers;

  const addressOf = (last: number): string => `0x${String(last).padStart(40, '0')}`;

  const firstFive = [1, 2, 3, 4, 5].map(addressOf).join(', ');

  it.each<[Row, Row, unknown]>([
    [
      { eth_chainId: '0x5' },
      {},
      rejected('bundlerUrl is a bundler of eip155:5, not of eip155:1.'),
    ],
    [
      { eth_supportedEntryPoints: [] },
      { entryPoint: '0.7' },
      rejected(`bundlerUrl does not serve EntryPoint 0.7 at ${V07}; it serves none.`),
    ],
    [
      { eth_supportedEntryPoints: [1, 2, 3, 4, 5, 6, 7].map(addressOf) },
      { entryPoint: '0.7' },
      rejected(
        `bundlerUrl does not serve EntryPoint 0.7 at ${V07}; it serves ${firstFive} and 2 more.`,
      ),
    ],
    [
      { eth_supportedEntryPoints: [1, 2, 3, 4, 5].map(addressOf) },
      {},
      rejected(
        `bundlerUrl serves no EntryPoint that Tollkeeper knows (0.6, 0.7, 0.8, 0.9), but ${firstFive}.`,
      ),
    ],
    [
      { eth_supportedEntryPoints: 'none' },
      {},
      failed('bundlerUrl: eth_supportedEntryPoints at https://bundler.example'),
    ],
  ])('is rejected if it answers %j', async (answers, fields, refusal) => {
    const { set, bundler, edges } = setup();
    Object.assign(bundler.answers, answers);
    expect(await refusalOf(set({ bundlerUrl, ...fields }))).toStrictEqual(refusal);
    expect(edges.network.sent).toHaveLength(1);
  });

  it.each<[Json[], Row]>([
    [[V07.toLowerCase()], { entryPoint: '0.7' }],
    [[addressOf(1), V07], {}],
  ])('is accepted if it serves %j', async (served, fields) => {
    const { set, bundler } = setup();
    bundler.answers.eth_supportedEntryPoints = served;
    expect(await set({ bundlerUrl, ...fields })).toMatchObject({ bundlerUrl });
  });
});

describe('a new paymaster service', () => {
  const { paymasterUrl } = servers;

  it('is asked for the data of an empty operation', async () => {
    const { set, paymaster } = setup();
    await set({ paymasterUrl, paymasterContext: { policy: 'free' } });
    const params = [
      { sender: `0x${'0'.repeat(39)}1`, callData: '0x', maxFeePerGas: '0x0' },
      V08,
      '0x1',
      { policy: 'free' },
    ];
    expect(paymaster.calls).toMatchObject([
      { method: 'pm_getPaymasterStubData', params },
    ]);
  });

  it.each([-32602, -32000, -32500, 3])(
    'is accepted if it rejects the operation with code %i',
    async (code) => {
      const { set, paymaster } = setup();
      paymaster.answers.pm_getPaymasterStubData = refuses({ code, message: 'not you' });
      expect(await set({ paymasterUrl })).toMatchObject({ paymasterUrl });
    },
  );

  it('must support pm_getPaymasterStubData with a usable answer', async () => {
    const { set, paymaster } = setup();
    paymaster.answers.pm_getPaymasterStubData = 'hello';
    expect(await refusalOf(set({ paymasterUrl }))).toStrictEqual(
      failed('paymasterUrl: pm_getPaymasterStubData at https://paymaster.example gave'),
    );
    delete paymaster.answers.pm_getPaymasterStubData;
    expect(await refusalOf(set({ paymasterUrl }))).toStrictEqual(
      rejected(
        'paymasterUrl is not a paymaster service: it lacks pm_getPaymasterStubData (ERC-7677).',
      ),
    );
  });
});

describe('new contracts', () => {
  const { rpcUrl, wsUrl } = servers;
  const CANONICAL = entryPoints['0.8'].factory;

  const named = { factory: FACTORY };

  it.each<[Row, string[], string]>([
    [{}, [CANONICAL], `entryPoint cannot be 0.8: there is no code at ${V08}`],
    [{}, [V08], `factory cannot be ${CANONICAL}: there is no code there`],
    [named, [V08, CANONICAL], `factory cannot be ${FACTORY}: there is no code there`],
  ])('are rejected if undeployed: %j, with code only at %j', async (...row) => {
    const [change, deployed, reason] = row;
    for (const kept of [{ rpcUrl }, {}]) {
      const { set, store, node, edges } = setup();
      for (const { answers } of [node, edges.wallet]) {
        answers.eth_getCode = ([address]) =>
          deployed.includes(address as string) ? '0x6080' : '0x';
      }
      await store(kept);
      const setting = set({ entryPoint: '0.8', ...change });
      expect(await refusalOf(setting)).toStrictEqual(
        rejected(`${reason} on eip155:1.`),
      );
    }
  });

  it('are checked over the socket if no HTTP node is configured', async () => {
    const { set, store, socketAnswers, edges } = setup();
    await store({ wsUrl });
    socketAnswers.eth_getCode = '0x';
    await expect(set({ entryPoint: '0.8' })).rejects.toThrow(
      'params.entryPoint cannot be 0.8',
    );
    expect(edges.wallet.calls).toStrictEqual([]);
  });

  it('are accepted if no node answers', async () => {
    const { set, store, edges } = setup();
    edges.network.serve(rpcUrl, unreachableServer);
    await store({ rpcUrl });
    expect(await set({ entryPoint: '0.8' })).toMatchObject({ entryPoint: '0.8' });
    await store({});
    Object.assign(edges.wallet.answers, { eth_chainId: '0x5', eth_getCode: '0x' });
    expect(await set({ entryPoint: '0.8' })).toMatchObject({ entryPoint: '0.8' });
    delete edges.wallet.answers.eth_chainId;
    expect(await set({ entryPoint: '0.7' })).toMatchObject({ entryPoint: '0.7' });
  });
});

describe('a new socket', () => {
  const { wsUrl } = servers;

  const opened = ({ edges }: Bench): [string, boolean][] =>
    edges.sockets.opened.map(({ url, isClosed }) => [url, isClosed]);

  it('must belong to the chain, and is closed otherwise', async () => {
    const bench = setup();
    bench.socketAnswers.eth_chainId = '0x5';
    expect(await errorOf(async () => bench.set({ wsUrl }))).toMatchObject({
      ...rejected('wsUrl is the address of eip155:5, not of eip155:1.'),
      data: { field: 'wsUrl' },
    });
    expect(opened(bench)).toStrictEqual([[wsUrl, true]]);
    bench.socketAnswers.eth_chainId = 'hello';
    expect(await refusalOf(bench.set({ wsUrl }))).toStrictEqual(
      failed('wsUrl: eth_chainId at the node of eip155:1 gave an invalid answer'),
    );
  });

  it('must open, and is opened only once if it fails', async () => {
    const { set, edges } = setup();
    edges.sockets.behaviour.onOpen = () =>
      Promise.reject(new Error(`no way to wss://node.example/v3/${KEY}`));
    const { message } = await refusalOf(set({ wsUrl, apiKey: KEY }));
    expect(message).toBe(
      `${ROOT}.wsUrl: eth_chainId at the node of eip155:1 could not be reached. Check the address and the connection. Nothing was saved.`,
    );
    expect(edges.lines.join()).not.toContain(KEY);
    expect(edges.sockets.opened).toHaveLength(1);
  });

  it('is not named in errors for sites', async () => {
    const bench = setup();
    await bench.set({ wsUrl: `${wsUrl}/k3y-9` });
    bench.socketAnswers.eth_gasPrice = 'hello';
    const { rpc } = callersOf(bench.app);
    await expect(rpc(DAPP, 'tollkeeper_getFeeLevels')).rejects.toThrow(
      'eth_gasPrice at the node of eip155:1 gave an invalid answer',
    );
  });

  it('serves the chain until its configuration changes', async () => {
    const bench = setup();
    await bench.set({ wsUrl });
    await bench.set({ entryPoint: '0.7' });
    await callersOf(bench.app)
      .rpc(DAPP, 'tollkeeper_getFeeLevels')
      .catch(() => undefined);
    expect(opened(bench)).toStrictEqual([[wsUrl, false]]);
    await bench.set({ apiKey: 'other' });
    expect(opened(bench)).toStrictEqual([
      [wsUrl, true],
      [`${wsUrl}/v3/other`, false],
    ]);
    await bench.set({ wsUrl: null });
    expect(opened(bench).map(([, isClosed]) => isClosed)).toStrictEqual([true, true]);
  });

  it('stays open if another call saves a change in the meantime', async () => {
    const bench = setup();
    const { onSend } = bench.edges.sockets.behaviour;
    bench.edges.sockets.behaviour.onSend = () => undefined;
    const setting = bench.set({ wsUrl });
    await settle();
    await bench.set({ gasAuth: 'path' });
    expect(opened(bench)).toStrictEqual([[wsUrl, false]]);
    bench.edges.sockets.behaviour.onSend = onSend;
    bench.edges.sockets.last().answer('0x1');
    await setting;
    expect(opened(bench)).toStrictEqual([[wsUrl, false]]);
  });
});

describe('the server test on the home page', () => {
  /** Presses the button next to a field of chain 1, and returns the notices. */
  async function test({ app, store }: Bench, field: string, row = full) {
    await store(row);
    const home = await openHome(app, 'settings');
    await home.click('home.settings.edit:eip155:1');
    await home.click(`home.settings.test:${field}`);
    return home.notices().join('\n');
  }

  it.each([
    ['rpcUrl', ['Ethereum', '16']],
    ['wsUrl', ['Ethereum', '17']],
    ['gasBaseUrl', ['16.284', '22.083']],
    ['bundlerUrl', ['Ethereum', V07, V08]],
    ['paymasterUrl', ['responded']],
  ])("shows the server's answer: %s", async (field, expected) => {
    const bench = setup();
    const notices = await test(bench, field);
    for (const each of expected) expect(notices).toContain(each);
  });

  it('sends no request without a server, and reports one that does not answer', async () => {
    const bench = setup();
    expect(await test(bench, 'rpcUrl', { gasAuth: 'path' })).not.toBe('');
    expect(bench.asked()).toStrictEqual([]);
    bench.edges.network.serve(servers.rpcUrl, unreachableServer);
    const notices = await test(bench, 'rpcUrl');
    expect(notices).toContain('could not be reached');
    expect(notices).not.toContain(KEY);
  });
});
