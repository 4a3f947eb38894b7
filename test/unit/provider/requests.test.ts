// The provider: routing of requests, errors, installation of the snap, and events.
import { readFileSync } from 'node:fs';

import { jest } from '@jest/globals';
import { stringToHex } from 'viem';

import { createProvider, ProviderRpcError } from '../../../packages/provider/src';
import type { Provider, ProviderOptions, Status } from '../../../packages/provider/src';
import { errorOf } from '../../support/error-of';
import { createFakeWallet, createSnapRow, SNAP_ID } from '../../support/fake-wallet';
import type { FakeAnswer } from '../../support/fake-wallet';
import { createGate, settle } from '../../support/gate';

function setup(options: ProviderOptions = {}) {
  const wallet = createFakeWallet();
  const provider = createProvider({ ethereum: wallet.ethereum, ...options });
  wallet.snapAnswers.eth_requestAccounts = () => ['0xa'];
  return {
    ...wallet,
    provider,
    ask: async (method: string, params?: unknown) =>
      provider.request({ method, params }),
    connect: async () => provider.request({ method: 'eth_requestAccounts' }),
    installed: () =>
      wallet.asked
        .filter(({ method }) => method === 'wallet_requestSnaps')
        .map(({ params }) => params),
  };
}

const contract = JSON.parse(readFileSync('openrpc.json', 'utf8')) as {
  methods: { name: string; 'x-open-to': string[] }[];
};

const writeSignIn = (chainId: number): string =>
  `dapp.example wants you to sign in.\n\nVersion: 1\nChain ID: ${chainId}\nNonce: 12345678`;

const throwing = (thrown: unknown) => (): never => {
  throw thrown as Error;
};

describe('a request', () => {
  // eth_chainId goes to the wallet, which knows the network that the site chose.
  const dappMethods = contract.methods
    .filter((each) => each['x-open-to'].includes('dapp') && each.name !== 'eth_chainId')
    .map(({ name }) => name);

  it.each<[string, string[]]>([
    ['wallet_invokeSnap', [...dappMethods, 'tollkeeper_getChains']],
    ['wallet_invokeKeyring', ['keyring_listAccounts']],
    [
      'the wallet',
      ['eth_chainId', 'eth_getBalance', 'wallet_switchEthereumChain', 'constructor'],
    ],
  ])('is answered by %s', async (who, methods) => {
    for (const method of methods) {
      const { ask, asked, answers, snapAnswers } = setup();
      Object.assign(answers, { [method]: () => 'answer' });
      Object.assign(snapAnswers, { [method]: () => 'answer' });
      expect(await ask(method, ['0x1'])).toBe('answer');
      const last = asked.at(-1);
      if (who === 'the wallet') expect(last).toStrictEqual({ method, params: ['0x1'] });
      else expect([method, last?.method]).toStrictEqual([method, who]);
    }
  });

  it.each<[string, unknown, unknown]>([
    ['eth_sendTransaction', [{ to: '0xb' }], { params: [{ to: '0xb' }] }],
    ['eth_getTransactionReceipt', ['0x1'], { params: ['0x1'] }],
    ['eth_prepareUserOperation', [{ to: '0xb' }], { params: [{ to: '0xb' }] }],
    ['tollkeeper_getFeeLevels', [], { params: [] }],
    ['eth_supportedEntryPoints', undefined, { params: [] }],
    [
      'eth_sendTransaction',
      { account: 'id', params: [{ to: '0xb' }] },
      { account: 'id', params: [{ to: '0xb' }] },
    ],
    // These requests name a chain themselves, or do not need one.
    ['eth_sendTransaction', [{ chainId: '0x1' }], undefined],
    ['eth_sendTransaction', [{ chainID: '0x1' }], undefined],
    ['eth_sendTransaction', { account: 'id', params: [{ chainId: '0x1' }] }, undefined],
    ['eth_signUserOperation', { scope: 'eip155:1' }, undefined],
    ['personal_sign', ['0x1234', '0xa'], undefined],
    ['personal_sign', ['0x', '0xa'], undefined],
    ['eth_signTypedData_v4', ['0xa', '{"domain":{}}'], undefined],
    ['eth_signTypedData_v4', { scope: 'eip155:1', params: [] }, undefined],
    ['wallet_connect', [{ capabilities: {} }], undefined],
  ])(
    "is sent with the site's chain only if it needs one: %s %j",
    async (method, params, named) => {
      const { ask, askedSnap, snapAnswers, answers } = setup();
      snapAnswers[method] = () => 'answer';
      await ask(method, params);
      answers.eth_chainId = () => '0xaa36a7';
      await ask(method, params);
      const [first, second] = ['eip155:31337', 'eip155:11155111'].map((scope) => ({
        method,
        params: named ? { scope, ...named } : params,
      }));
      expect(askedSnap).toStrictEqual([first, second]);
    },
  );

  it.each<[string, (chainId: number) => unknown[]]>([
    ['personal_sign', (chainId) => [writeSignIn(chainId), '0xa']],
    ['personal_sign', (chainId) => [stringToHex(writeSignIn(chainId)), '0xa']],
    ['eth_signTypedData_v4', (chainId) => ['0xa', { domain: { chainId } }]],
    [
      'eth_signTypedData_v3',
      (chainId) => [
        '0xa',
        JSON.stringify({ domain: { chainId: `0x${chainId.toString(16)}` } }),
      ],
    ],
    [
      'wallet_connect',
      (chainId) => [
        { capabilities: { signInWithEthereum: { chainId: `${chainId}` } } },
      ],
    ],
  ])(
    "is sent with the site's chain if the signed content names it: %s (case %#)",
    async (method, toParams) => {
      const { ask, askedSnap, snapAnswers } = setup();
      snapAnswers[method] = () => 'answer';
      await ask(method, toParams(31_337));
      await ask(method, toParams(1));
      await ask(method, { account: 'id', params: toParams(31_337) });
      const scope = 'eip155:31337';
      expect(askedSnap).toStrictEqual([
        { method, params: { scope, params: toParams(31_337) } },
        { method, params: toParams(1) },
        { method, params: { account: 'id', scope, params: toParams(31_337) } },
      ]);
    },
  );

  it.each([undefined, {}, { method: '' }, { method: 5 }])(
    'must be an object with a method, not %j',
    async (args) => {
      const { provider, asked } = setup();
      await expect(provider.request(args as never)).rejects.toMatchObject({
        code: -32600,
        message: 'A request is an object with a method: { method, params? }.',
      });
      expect(asked).toStrictEqual([]);
    },
  );
});

describe('params', () => {
  it.each(['eth_sendTransaction', 'personal_sign', 'eth_blockNumber', 'eth_subscribe'])(
    'must be an array or an object for %s',
    async (method) => {
      const { ask, asked } = setup();
      expect(await errorOf(async () => ask(method, '0x1'))).toMatchObject({
        code: -32602,
        message: `${method}: params must be an array or an object.`,
      });
      expect(asked).toStrictEqual([]);
    },
  );

  it('may be null', async () => {
    const { ask, askedSnap, snapAnswers } = setup();
    snapAnswers.eth_supportedEntryPoints = () => [];
    await ask('eth_supportedEntryPoints', null);
    expect(askedSnap).toMatchObject([{ params: { params: [] } }]);
  });
});

describe('a bigint in params', () => {
  it.each<[string, unknown, string]>([
    ['eth_sendTransaction', [{ to: '0xb', value: 1n }], '[0].value'],
    ['eth_getBalance', ['0xb', 5n], '[1]'],
    ['wallet_sendCalls', [{ calls: [{}, { value: 1n }] }], '[0].calls[1].value'],
    ['tollkeeper_getFeeLevels', { scope: 1n }, '.scope'],
  ])('is rejected with its path: %s %p', async (method, params, name) => {
    const { ask, asked } = setup();
    expect(await errorOf(async () => ask(method, params))).toMatchObject({
      code: -32602,
      message: `${method}: params${name} is a bigint, which JSON does not support: send it as a hex string, such as "0x1".`,
    });
    expect(asked).toStrictEqual([]);
  });

  it('is also rejected by sendAsync', async () => {
    const { provider } = setup();
    const sent = await provider.sendAsync({ method: 'eth_call', params: [1n] });
    expect(sent).toMatchObject({ error: { code: -32602 } });
  });
});

describe('eth_coinbase', () => {
  it('is the connected account, or null', async () => {
    const { ask, snapAnswers, answers } = setup();
    answers.eth_coinbase = () => '0xmetamask';
    expect(await ask('eth_coinbase')).toBeNull();
    snapAnswers.eth_accounts = () => ['0xa', '0xb'];
    expect(await ask('eth_coinbase')).toBe('0xa');
  });

  it('does not install the snap', async () => {
    const { ask, answers, installed } = setup();
    answers.wallet_getSnaps = () => ({});
    expect(await ask('eth_coinbase')).toBeNull();
    expect(installed()).toStrictEqual([]);
  });
});

describe('the properties for legacy dapps', () => {
  const read = ({ isConnected, chainId, selectedAddress }: Provider) => [
    isConnected(),
    chainId,
    selectedAddress,
  ];

  it('reflect the latest answers and events', async () => {
    const { provider, snapAnswers, emit } = setup();
    expect(read(provider)).toStrictEqual([false, null, null]);
    expect(await provider.enable()).toStrictEqual(['0xa']);
    expect(read(provider)).toStrictEqual([true, '0x7a69', '0xa']);
    emit('chainChanged', '0x1');
    snapAnswers.eth_accounts = () => [];
    await provider.request({ method: 'eth_accounts' });
    expect(read(provider)).toStrictEqual([true, '0x1', null]);
    emit('disconnect', { code: 4900, message: 'No chain is left.' });
    expect(read(provider)).toStrictEqual([false, '0x1', null]);
    emit('connect', { chainId: '0x5' });
    expect(read(provider)).toStrictEqual([true, '0x5', null]);
  });

  it.each(['wallet_disconnect', 'wallet_revokePermissions'])(
    'reflect %s without listeners',
    async (method) => {
      const { provider, connect, ask, snapAnswers } = setup();
      await connect();
      snapAnswers[method] = () => null;
      await ask(method);
      expect(read(provider)).toStrictEqual([true, '0x7a69', null]);
    },
  );
});

describe('an error', () => {
  it.each([
    Object.assign(new Error('No.'), { code: 4001, data: { a: 1 } }),
    { code: 4001, message: 'No.', data: { a: 1 } },
  ])('keeps its code and its data', async (thrown) => {
    const { ask, snapAnswers } = setup();
    snapAnswers.personal_sign = throwing(thrown);
    const error = await errorOf(async () => ask('personal_sign', []));
    expect(error).toBeInstanceOf(ProviderRpcError);
    expect(error).toMatchObject({ code: 4001, message: 'No.', data: { a: 1 } });
    expect(error).toHaveProperty('details', 'No.');
  });

  it.each<[unknown, string]>([
    ['Something broke.', 'Something broke.'],
    [new Error('Broken.'), 'Broken.'],
    [{ code: '4001', message: 'No.' }, 'No.'],
    ...['', undefined, null, 7].map((none): [unknown, string] => [
      none,
      'The wallet failed.',
    ]),
  ])('has a code and a message if the wallet throws %p', async (thrown, message) => {
    const { ask, answers } = setup();
    answers.eth_blockNumber = throwing(thrown);
    const error = await errorOf(async () => ask('eth_blockNumber'));
    expect(error).toMatchObject({ name: 'ProviderRpcError', code: -32603, message });
    expect(Object.hasOwn(error, 'data')).toBe(false);
  });
});

describe('the snap', () => {
  it.each<[string, string, boolean]>([
    ['1.2.3', '1.2.3', true],
    ['1.2.4', '1.2.3', false],
    ['1.2.3', '^1.2.3', true],
    ['1.10.0', '^1.2.3', true],
    ['1.2.2', '^1.2.3', false],
    ['2.0.0', '^1.2.3', false],
    ['0.1.9', '^0.1.2', true],
    ['0.2.0', '^0.1.2', false],
    ['0.1.1', '^0.1.2', false],
    ['0.10.0', '^0.9.0', false],
    ['1.2.3-beta.1', '1.2.3-beta.1', true],
    ['1.2.3-beta.1', '^1.2.3', false],
    ['undefined', '^1.2.3', false],
  ])('has a version, %s, that satisfies %s: %s', async (own, version, fits) => {
    const { provider, installed, answers } = setup({ version });
    answers.wallet_getSnaps = () => createSnapRow(own);
    answers.wallet_requestSnaps = () => createSnapRow(version.replace('^', ''));
    expect(await provider.install()).toBe(fits ? own : version.replace('^', ''));
    expect(installed()).toStrictEqual(fits ? [] : [{ [SNAP_ID]: { version } }]);
  });

  it.each([
    ['it is not installed', {}],
    ['only another snap is installed', { 'npm:other': { version: '0.1.0' } }],
    ['it is turned off', createSnapRow('0.1.0', { enabled: false })],
    ['it is blocked', createSnapRow('0.1.0', { blocked: true })],
    ['the wallet returns no list', null],
  ])('is installed if %s, once for all waiting requests', async (_name, snaps) => {
    const { connect, answers, installed } = setup();
    answers.wallet_getSnaps = () => snaps;
    expect(await Promise.all([connect(), connect()])).toStrictEqual([['0xa'], ['0xa']]);
    expect(await connect()).toStrictEqual(['0xa']);
    expect(installed()).toStrictEqual([{ [SNAP_ID]: {} }]);
  });

  it.each<[object, unknown]>([
    [createSnapRow('0.1.0'), undefined],
    [{}, undefined],
    [{ [SNAP_ID]: { error: { code: -32000 } } }, { code: -32000 }],
  ])('fails to install if the wallet returns %j', async (got, data) => {
    const { connect, provider, answers, askedSnap } = setup({ version: '^0.2.0' });
    answers.wallet_requestSnaps = () => got;
    for (const ask of [connect, provider.install]) {
      expect(await errorOf(ask)).toMatchObject({
        code: 4200,
        message: `The wallet did not install ${SNAP_ID} ^0.2.0.`,
        ...(data ? { data } : {}),
      });
    }
    expect(askedSnap).toStrictEqual([]);
  });

  it('is requested again after the user refused it', async () => {
    const { connect, answers, installed } = setup();
    answers.wallet_getSnaps = () => ({});
    answers.wallet_requestSnaps = throwing({ code: 4001, message: 'No.' });
    expect(await errorOf(connect)).toMatchObject({ code: 4001 });
    answers.wallet_requestSnaps = () => createSnapRow();
    expect(await connect()).toStrictEqual(['0xa']);
    expect(installed()).toHaveLength(2);
  });

  it('is installed again only once if it was removed, however many requests notice', async () => {
    const { connect, ask, answers, snapAnswers, installed } = setup();
    const [late, asking] = [createGate(), createGate()];
    await connect();
    snapAnswers.personal_sign = async () => late.opened.then(throwing('It is gone.'));
    const signing = errorOf(async () => ask('personal_sign', []));
    await settle();
    answers.wallet_getSnaps = () => ({});
    answers.wallet_requestSnaps = async () => asking.opened.then(() => createSnapRow());
    snapAnswers.eth_requestAccounts = throwing('It is gone.');
    await errorOf(connect);
    snapAnswers.eth_requestAccounts = () => ['0xb'];
    const again = connect();
    await settle();
    late.open();
    await signing;
    const meanwhile = connect();
    await settle();
    asking.open();
    expect(await Promise.all([again, meanwhile])).toStrictEqual([['0xb'], ['0xb']]);
    expect(installed()).toHaveLength(1);
  });

  it('has the configured id', async () => {
    const snapId = 'local:http://localhost:8080';
    const { connect, answers, asked, installed } = setup({ snapId });
    answers.wallet_requestSnaps = () => ({ [snapId]: { version: '1.0.0' } });
    await connect();
    expect(installed()).toStrictEqual([{ [snapId]: {} }]);
    const params = { snapId, request: { method: 'eth_requestAccounts' } };
    expect(asked.at(-1)).toStrictEqual({ method: 'wallet_invokeSnap', params });
  });

  it.each<[string, unknown]>([
    ['eth_accounts', []],
    ['wallet_getPermissions', []],
    // The wallet answers this lookup itself.
    ['eth_getTransactionReceipt', { of: ['0x1'] }],
  ])('is not installed by a call of %s', async (method, answer) => {
    const { ask, answers, installed } = setup();
    answers.wallet_getSnaps = () => ({});
    answers.eth_getTransactionReceipt = (params) => ({ of: params });
    expect(await ask(method, ['0x1'])).toStrictEqual(answer);
    expect(installed()).toStrictEqual([]);
  });
});

describe('the status', () => {
  const statusOf = async (answers: Record<string, FakeAnswer>): Promise<Status> => {
    const world = setup({ version: '^0.2.0' });
    Object.assign(world.answers, answers);
    const status = await world.provider.status();
    expect(world.installed()).toStrictEqual([]);
    return status;
  };
  const fail = (code: number) => throwing({ code, message: 'It failed.' });
  const row =
    (version: string, more = {}) =>
    () =>
      createSnapRow(version, more);
  const none = (): object => ({});

  it.each<[Status, FakeAnswer, ...string[]]>([
    [{ state: 'ready', version: '0.2.1' }, row('0.2.1')],
    [{ state: 'outdated', version: '0.1.9' }, row('0.1.9')],
    [{ state: 'disabled', version: '0.2.0' }, row('0.2.0', { enabled: false })],
    [{ state: 'disabled', version: '0.2.0' }, row('0.2.0', { blocked: true })],
    [{ state: 'not-installed' }, none, 'MetaMask/v13.5.0-flask.0'],
    [{ state: 'not-installed' }, none],
    [{ state: 'no-flask' }, none, 'MetaMask/v13.5.0'],
    [{ state: 'no-flask' }, fail(-32601)],
  ])('is %j', async (...row) => {
    const [status, wallet_getSnaps, version] = row;
    const web3_clientVersion = version === undefined ? fail(-32601) : () => version;
    expect(await statusOf({ wallet_getSnaps, web3_clientVersion })).toStrictEqual(
      status,
    );
  });

  it('fails with the error of the wallet if that error is unexpected', async () => {
    const asking = statusOf({ wallet_getSnaps: fail(-32002) });
    await expect(asking).rejects.toMatchObject({ code: -32002 });
  });
});

function listen() {
  const world = setup();
  const events: [event: string, value: unknown][] = [];
  const names = ['connect', 'disconnect', 'accountsChanged', 'chainChanged'] as const;
  for (const event of names) {
    world.provider.on(event, (value: unknown) => events.push([event, value]));
  }
  return {
    ...world,
    events,
    accounts: () =>
      events.filter(([event]) => event === 'accountsChanged').map(([, value]) => value),
  };
}

it('the provider announces its connection once, and the same accounts once', async () => {
  const { ask, events, snapAnswers } = listen();
  snapAnswers.eth_requestAccounts = () => ['0xa', '0xb'];
  snapAnswers.eth_accounts = () => ['0xa', '0xb'];
  await ask('eth_requestAccounts');
  await ask('eth_accounts');
  expect(events).toStrictEqual([
    ['connect', { chainId: '0x7a69' }],
    ['accountsChanged', ['0xa', '0xb']],
  ]);
});

it("the provider passes on the wallet's events", async () => {
  const { events, emit } = listen();
  await settle();
  emit('chainChanged', '0x1');
  emit('disconnect', { code: 4900, message: 'No chain is left.' });
  expect(events).toStrictEqual([
    ['chainChanged', '0x1'],
    ['disconnect', new ProviderRpcError(4900, 'No chain is left.')],
  ]);
  expect(events[1]?.[1]).toHaveProperty('code', 4900);
});

describe('accountsChanged', () => {
  it.each([
    ['wallet_revokePermissions', 'answers'],
    ['wallet_disconnect', 'answers'],
    ['wallet_requestPermissions', 'answers'],
    ['personal_sign', 'is refused'],
  ])('is announced after %s %s', async (method, end) => {
    const { ask, accounts, snapAnswers } = listen();
    snapAnswers.eth_accounts = () => ['0xa'];
    await ask('eth_accounts');
    snapAnswers[method] = () => {
      snapAnswers.eth_accounts = () => [];
      if (end === 'is refused') {
        throw Object.assign(new Error('It is not yours.'), { code: 4100 });
      }
      return null;
    };
    await ask(method).catch(() => undefined);
    // Methods that change the accounts resolve after the event.
    if (!method.startsWith('wallet_')) await settle();
    expect(accounts()).toStrictEqual([['0xa'], []]);
  });

  it('is not announced for an older request that is answered later', async () => {
    const { ask, accounts, snapAnswers } = listen();
    const late = createGate();
    snapAnswers.eth_accounts = async () => late.opened.then(() => ['0xa']);
    const first = ask('eth_accounts');
    await settle();
    snapAnswers.eth_accounts = () => ['0xb'];
    await ask('eth_accounts');
    late.open();
    expect(await first).toStrictEqual(['0xa']);
    expect(accounts()).toStrictEqual([['0xb']]);
  });

  it('is announced for accounts that were granted after a later request found none', async () => {
    const { ask, accounts, snapAnswers, provider } = listen();
    const gate = createGate();
    snapAnswers.eth_requestAccounts = async () => gate.opened.then(() => ['0xa']);
    const connecting = ask('eth_requestAccounts');
    await settle();
    expect(await ask('eth_accounts')).toStrictEqual([]);
    snapAnswers.eth_accounts = () => ['0xa'];
    gate.open();
    expect(await connecting).toStrictEqual(['0xa']);
    await settle();
    expect([accounts(), provider.selectedAddress]).toStrictEqual([[['0xa']], '0xa']);
  });

  describe('in a page', () => {
    const page = globalThis as unknown as { document?: EventTarget };

    // Open channels would keep the process alive.
    const { BroadcastChannel: Channel } = globalThis;
    const channels: BroadcastChannel[] = [];

    /** All tabs of the site share this document. */
    let document: EventTarget & { visibilityState: string };

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
      document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
      page.document = document;
      globalThis.BroadcastChannel = class extends Channel {
        constructor(name: string) {
          super(name);
          channels.push(this);
        }
      };
    });

    afterEach(() => {
      for (const channel of channels.splice(0)) channel.close();
      globalThis.BroadcastChannel = Channel;
      delete page.document;
      jest.useRealTimers();
    });

    const pass = async (ms: number): Promise<void> => {
      jest.advanceTimersByTime(ms);
      await settle();
    };

    it('is announced within 3 s of a change elsewhere, while the page is visible', async () => {
      const { ask, accounts, askedSnap, snapAnswers } = listen();
      snapAnswers.eth_accounts = () => ['0xa'];
      await ask('eth_accounts');
      snapAnswers.eth_accounts = () => [];
      document.visibilityState = 'hidden';
      await pass(60_000);
      expect([accounts(), askedSnap.length]).toStrictEqual([[['0xa']], 1]);
      document.visibilityState = 'visible';
      document.dispatchEvent(new Event('visibilitychange'));
      await settle();
      expect(accounts()).toStrictEqual([['0xa'], []]);
      snapAnswers.eth_accounts = () => ['0xb'];
      await pass(3_000);
      expect(accounts()).toStrictEqual([['0xa'], [], ['0xb']]);
    });

    it('is announced to other tabs immediately, without a request', async () => {
      const [one, other] = [listen(), listen()];
      other.snapAnswers.personal_sign = () => '0x';
      await other.ask('personal_sign');
      one.snapAnswers.eth_requestAccounts = () => ['0xa'];
      await one.ask('eth_requestAccounts');
      while (other.accounts().length === 0) await settle();
      expect(other.accounts()).toStrictEqual([['0xa']]);
      expect(other.askedSnap).toHaveLength(1);
    });

    it('is announced for a request that was pending while another tab changed', async () => {
      const [one, other] = [listen(), listen()];
      const gate = createGate();
      one.snapAnswers.eth_requestAccounts = async () => gate.opened.then(() => ['0xa']);
      one.snapAnswers.eth_accounts = () => ['0xa'];
      const connecting = one.connect();
      other.snapAnswers.eth_accounts = () => ['0xb'];
      await other.ask('eth_accounts');
      other.snapAnswers.eth_accounts = () => [];
      await other.ask('eth_accounts');
      while (one.accounts().length < 2) await settle();
      gate.open();
      await connecting;
      while (one.accounts().length < 3) await settle();
      expect(one.accounts()).toStrictEqual([['0xb'], [], ['0xa']]);
    });

    it('is not undone by a request that another tab sent before a disconnection', async () => {
      const [one, other] = [listen(), listen()];
      for (const { ask, snapAnswers } of [one, other]) {
        snapAnswers.eth_accounts = () => ['0xa'];
        await ask('eth_accounts');
      }
      const gate = createGate();
      other.snapAnswers.eth_accounts = async () => gate.opened.then(() => ['0xa']);
      const late = other.ask('eth_accounts');
      await settle();
      Object.assign(one.snapAnswers, {
        wallet_disconnect: () => null,
        eth_accounts: () => [],
      });
      await one.ask('wallet_disconnect');
      while (other.accounts().length < 2) await settle();
      other.snapAnswers.eth_accounts = () => [];
      gate.open();
      expect(await late).toStrictEqual(['0xa']);
      // Messages arrive in order: this one is behind any that the late answer would have sent.
      other.snapAnswers.eth_accounts = () => ['0xb'];
      await other.ask('eth_accounts');
      while (one.accounts().length < 3) await settle();
      const changes = [['0xa'], [], ['0xb']];
      expect([one.accounts(), other.accounts()]).toStrictEqual([changes, changes]);
    });

    it('is not undone by the message of another tab that asked earlier', async () => {
      const [one, other] = [listen(), listen()];
      one.snapAnswers.personal_sign = () => '0x';
      await one.ask('personal_sign');
      const gate = createGate();
      other.snapAnswers.eth_accounts = async () => gate.opened.then(() => ['0xa']);
      const late = other.ask('eth_accounts');
      await pass(1);
      await one.ask('eth_accounts');
      gate.open();
      await late;
      while (one.askedSnap.length < 3) await settle();
      await settle();
      expect(one.accounts()).toStrictEqual([]);
    });

    it('is announced within 3 s for an approved request, even if asking again fails', async () => {
      const { ask, accounts, snapAnswers } = listen();
      const gate = createGate();
      snapAnswers.eth_requestAccounts = async () => gate.opened.then(() => ['0xa']);
      const connecting = ask('eth_requestAccounts');
      await settle();
      await ask('eth_accounts');
      snapAnswers.eth_accounts = () => {
        throw new Error('The snap was stopped.');
      };
      gate.open();
      expect(await connecting).toStrictEqual(['0xa']);
      await settle();
      snapAnswers.eth_accounts = () => ['0xa'];
      await pass(3_000);
      expect(accounts()).toStrictEqual([['0xa']]);
    });

    it('is announced within 3 s in a tab whose accounts come from another tab', async () => {
      const [one, other] = [listen(), listen()];
      other.snapAnswers.personal_sign = () => '0x';
      await other.ask('personal_sign');
      await one.connect();
      while (other.accounts().length === 0) await settle();
      one.provider.removeAllListeners();
      await pass(3_000);
      expect(other.accounts()).toStrictEqual([['0xa'], []]);
    });

    it('is announced even if BroadcastChannel is unavailable', async () => {
      globalThis.BroadcastChannel = class {
        constructor() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        }
      } as never;
      const { ask, accounts, snapAnswers } = listen();
      snapAnswers.eth_accounts = () => ['0xa'];
      expect(await ask('eth_accounts')).toStrictEqual(['0xa']);
      snapAnswers.eth_accounts = () => [];
      await pass(3_000);
      expect(accounts()).toStrictEqual([['0xa'], []]);
    });

    it('sends no requests if the page has no accounts', async () => {
      const { ask, askedSnap } = listen();
      await ask('eth_accounts');
      await pass(60_000);
      expect(askedSnap).toHaveLength(1);
    });

    it('comes with disconnect when the snap is removed, and with connect when it is back', async () => {
      const { ask, events, answers, snapAnswers } = listen();
      const { wallet_getSnaps: getSnaps, wallet_invokeSnap: invoke } = answers;
      snapAnswers.eth_accounts = () => ['0xa'];
      await ask('eth_requestAccounts').catch(() => undefined);
      await ask('eth_accounts');
      events.length = 0;
      answers.wallet_getSnaps = () => ({});
      answers.wallet_invokeSnap = () => {
        throw Object.assign(new Error('Unknown snap.'), { code: -32603 });
      };
      await pass(3_000);
      await pass(3_000);
      expect(events).toStrictEqual([
        ['disconnect', expect.objectContaining({ code: 4900 })],
        ['accountsChanged', []],
      ]);
      Object.assign(answers, { wallet_getSnaps: getSnaps, wallet_invokeSnap: invoke });
      await pass(3_000);
      expect(events.slice(2)).toStrictEqual([
        ['connect', { chainId: '0x7a69' }],
        ['accountsChanged', ['0xa']],
      ]);
    });
  });

  it('sends no request without listeners, and never installs the snap by itself', async () => {
    const { ethereum, ask, installed, askedSnap, snapAnswers, answers } = setup();
    snapAnswers.personal_sign = () => '0x';
    await ask('personal_sign', []);
    await settle();
    expect(askedSnap.map(({ method }) => method)).toStrictEqual(['personal_sign']);
    answers.wallet_getSnaps = () => ({});
    answers.wallet_requestSnaps = () => {
      throw new Error('No.');
    };
    const other = createProvider({ ethereum }).on('accountsChanged', () => undefined);
    await errorOf(async () => other.request({ method: 'wallet_requestPermissions' }));
    expect(installed()).toHaveLength(1);
  });
});

describe('listeners', () => {
  it('are added and removed by the methods of EventEmitter', async () => {
    const { provider, emit } = setup();
    const [once, left, added, off] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
    provider.once('chainChanged', once);
    await settle();
    emit('chainChanged', '0x0');
    provider
      .once('chainChanged', left)
      .addListener('chainChanged', added)
      .on('chainChanged', off)
      .removeListener('chainChanged', left)
      .removeListener('message', left)
      .off('chainChanged', off);
    emit('chainChanged', '0x1');
    emit('chainChanged', '0x2');
    expect(once.mock.calls).toStrictEqual([['0x0']]);
    expect(added.mock.calls).toStrictEqual([['0x1'], ['0x2']]);
    expect([left.mock.calls, off.mock.calls]).toStrictEqual([[], []]);
  });

  it('must be functions', () => {
    const { provider } = setup();
    for (const add of [provider.on, provider.addListener, provider.once]) {
      expect(() => add('chainChanged', undefined as never)).toThrow(
        new TypeError('The listener of chainChanged must be a function.'),
      );
    }
  });

  it('are all removed, for one event or for every event', async () => {
    const { provider, emit, events } = listen();
    await settle();
    provider.removeAllListeners('chainChanged');
    emit('chainChanged', '0x1');
    emit('connect', { chainId: '0x1' });
    provider.removeAllListeners();
    emit('connect', { chainId: '0x2' });
    expect(events).toStrictEqual([['connect', { chainId: '0x1' }]]);
  });
});

describe('the provider', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it("reports a listener's error to the page, and calls the others", async () => {
    const { provider, emit, events } = listen();
    provider.on('chainChanged', () => {
      throw new Error('A mistake of the page.');
    });
    const after = jest.fn();
    provider.on('chainChanged', after);
    await settle();
    emit('chainChanged', '0x1');
    expect([events, after.mock.calls]).toStrictEqual([
      [['chainChanged', '0x1']],
      [['0x1']],
    ]);
    expect(() => jest.runAllTimers()).toThrow('A mistake of the page.');
  });

  /** Subscribes. `reach` moves the chain to each block in turn, and lets the provider poll. */
  async function subscribe(...params: unknown[]) {
    const world = listen();
    const { answers, provider } = world;
    const [heads, messages]: unknown[][] = [[], []];
    provider.on('message', (message) => {
      messages?.push(message);
      heads?.push((message.data as { result: unknown }).result);
    });
    answers.eth_blockNumber = () => '0x64';
    answers.eth_getBlockByNumber = (asked) => (asked as unknown[])[0];
    const id = await world.ask('eth_subscribe', params);
    const reach = async (...blocks: number[]): Promise<void> => {
      for (const block of blocks) {
        answers.eth_blockNumber = () => `0x${block.toString(16)}`;
        jest.advanceTimersByTime(3_000);
        await settle();
      }
    };
    return { world, id, heads: heads ?? [], messages: messages ?? [], reach };
  }

  it.each([
    ['after the start of the subscription', [100, 102, 103], ['0x65', '0x66', '0x67']],
    ['of another, shorter chain', [7, 8], ['0x7', '0x8']],
  ])('announces each block %s in newHeads', async (_which, blocks, announced) => {
    const { heads, messages, id, reach } = await subscribe('newHeads');
    await reach(...blocks);
    expect(heads).toStrictEqual(announced);
    expect(id).toMatch(/^0x[0-9a-f]{32}$/u);
    const data = { subscription: id, result: announced[0] };
    expect(messages[0]).toStrictEqual({ type: 'eth_subscription', data });
  });

  it('announces only the newest 32 blocks in newHeads after a pause', async () => {
    const { heads, reach } = await subscribe('newHeads');
    await reach(116, 1_000);
    expect(heads).toHaveLength(32);
    expect([heads[0], heads.at(-1)]).toStrictEqual(['0x65', '0x3e8']);
  });

  it('catches up in newHeads after a failed request', async () => {
    const { heads, reach, world } = await subscribe('newHeads');
    const { eth_getBlockByNumber: find = () => null } = world.answers;
    world.answers.eth_getBlockByNumber = () => {
      throw new Error('The node is away.');
    };
    await reach(101);
    world.answers.eth_getBlockByNumber = find;
    await reach(102);
    expect(heads).toStrictEqual(['0x65', '0x66']);
  });

  it('announces the logs of new blocks that match the filter', async () => {
    const filter = { address: '0xa', fromBlock: '0x0' };
    const { heads, reach, world } = await subscribe('logs', filter);
    world.answers.eth_getLogs = () => ['log 1', 'log 2'];
    await reach(102);
    expect(world.asked.at(-1)).toStrictEqual({
      method: 'eth_getLogs',
      params: [{ address: '0xa', fromBlock: '0x65', toBlock: '0x66' }],
    });
    expect(heads).toStrictEqual(['log 1', 'log 2']);
  });

  /** Subscribes to logs at a node that serves up to `limit` blocks, and lists the served ranges. */
  async function subscribeToLogs(
    limit: number,
    refusal: object = { message: 'The range is too large.' },
  ) {
    const subscription = await subscribe('logs');
    const served: number[][] = [];
    subscription.world.answers.eth_getLogs = (params) => {
      const [{ fromBlock, toBlock }] = params as [Record<string, string>];
      const range = [Number(fromBlock), Number(toBlock)] as const;
      if (range[1] - range[0] >= limit) throw Object.assign(new Error(), refusal);
      served.push([...range]);
      return [];
    };
    return { ...subscription, served };
  }

  it('searches another chain for logs from its newest block', async () => {
    const { reach, served, world } = await subscribeToLogs(1_000);
    world.answers.eth_chainId = () => '0x1';
    await reach(19_000_000, 19_000_001);
    expect(served).toStrictEqual([
      [19_000_000, 19_000_000],
      [19_000_001, 19_000_001],
    ]);
  });

  it('searches only the newest 1,000 blocks for logs after a pause', async () => {
    const { reach, served } = await subscribeToLogs(1_000);
    await reach(5_000);
    expect(served).toStrictEqual([[4_001, 5_000]]);
  });

  it('searches for logs in smaller ranges if the node refuses a range', async () => {
    const { reach, served } = await subscribeToLogs(3);
    await reach(110);
    expect(served).toStrictEqual([
      [101, 103],
      [104, 105],
      [106, 108],
      [109, 110],
    ]);
  });

  it.each([
    [-32000, 'block range is larger than max block range'],
    [-32005, 'query returned more than 10000 results'],
    [-32600, 'You can make eth_getLogs requests with up to a 10 block range.'],
    [-32602, 'range 1000000 exceeds limit of 10000'],
    [35, 'ranges over 10000 blocks are not supported on freetier'],
    [undefined, 'The range is too large.'],
  ])('reads an error with code %s as one about the range', async (code, message) => {
    const { reach, served } = await subscribeToLogs(3, { code, message });
    await reach(104);
    expect(served).toStrictEqual([
      [101, 102],
      [103, 104],
    ]);
  });

  // MetaMask's own errors, and those of nodes in the forms in which MetaMask passes them on.
  it.each([
    { code: 4001 },
    { code: 4100 },
    { code: 4900 },
    { code: 4902 },
    { code: -32601 },
    { code: 401 },
    { code: -32603, data: { code: -32601, message: 'No such method.' } },
    { code: -32603, data: { code: 429, message: 'Slow down.' } },
    { code: -32005, data: { httpStatus: 429 } },
    { code: -32080, data: { httpStatus: 403 } },
  ])('searches no smaller ranges for logs after the error %j', async (error) => {
    const { reach, world } = await subscribeToLogs(0, { ...error, message: 'No.' });
    await reach(110);
    const searches = world.asked.filter(({ method }) => method === 'eth_getLogs');
    expect(searches).toHaveLength(1);
  });

  it('sends nothing after a subscription has ended, and leaves no timer', async () => {
    const { heads, reach, id, world } = await subscribe('newHeads');
    expect(await world.ask('eth_unsubscribe', [id])).toBe(true);
    expect(await world.ask('eth_unsubscribe', [id])).toBe(false);
    await reach(105);
    expect([heads, jest.getTimerCount()]).toStrictEqual([[], 0]);
  });

  it.each([[['newPendingTransactions']], [['constructor']], [[]]])(
    'refuses a subscription to %j',
    async (params) => {
      expect(await errorOf(async () => subscribe(...params))).toMatchObject({
        code: 4200,
        message: 'Only newHeads and logs can be subscribed to.',
      });
    },
  );
});
