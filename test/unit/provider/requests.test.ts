// Who answers a request, thrown errors, and installing the snap: who is asked, and
// how often.
import { readFileSync } from 'node:fs';

import { stringToHex } from 'viem';

import { createProvider, ProviderRpcError } from '../../../packages/provider/src';
import type { ProviderOptions, Status } from '../../../packages/provider/src';
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
    /** What was to be installed, each time. */
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

const failing = (thrown: unknown) => (): never => {
  throw thrown as Error;
};

describe('a request', () => {
  // The wallet's network is the one that a site chose: the snap's own is another.
  const ofSites = contract.methods
    .filter((each) => each['x-open-to'].includes('dapp') && each.name !== 'eth_chainId')
    .map(({ name }) => name);

  it.each<[string, string[]]>([
    ['wallet_invokeSnap', [...ofSites, 'tollkeeper_getStatus']],
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
    // These say it themselves, or need none.
    ['eth_sendTransaction', [{ chainId: '0x1' }], undefined],
    ['eth_sendTransaction', [{ chainID: '0x1' }], undefined],
    ['eth_sendTransaction', { account: 'id', params: [{ chainId: '0x1' }] }, undefined],
    ['eth_signUserOperation', { scope: 'eip155:1' }, undefined],
    ['personal_sign', ['0x1234', '0xa'], undefined],
    ['personal_sign', ['0x', '0xa'], undefined],
    ['eth_signTypedData_v4', ['0xa', '{"domain":{}}'], undefined],
    ['eth_signTypedData_v4', { scope: 'eip155:1', params: [] }, undefined],
    ['wallet_connect', [{ capabilities: {} }], undefined],
  ])('names the chain that the site has: %s %j', async (method, params, named) => {
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
  });

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
    'names the chain of the site if that is signed: %s (case %#)',
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
    'is an object with a method, not %j',
    async (args) => {
      const { provider, asked } = setup();
      const ask = async (): Promise<unknown> => provider.request(args as never);
      expect(await errorOf(ask)).toMatchObject({
        code: -32600,
        message: 'A request is an object with a method: { method, params? }.',
      });
      expect(asked).toStrictEqual([]);
    },
  );
});

describe('an error', () => {
  it.each([
    Object.assign(new Error('No.'), { code: 4001, data: { a: 1 } }),
    { code: 4001, message: 'No.', data: { a: 1 } },
  ])('keeps its code and its data', async (thrown) => {
    const { ask, snapAnswers } = setup();
    snapAnswers.personal_sign = failing(thrown);
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
  ])('is made of %p', async (thrown, message) => {
    const { ask, answers } = setup();
    answers.eth_blockNumber = failing(thrown);
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
  ])('of version %s is one of %s: %s', async (own, version, fits) => {
    const { provider, installed, answers } = setup({ version });
    answers.wallet_getSnaps = () => createSnapRow(own);
    answers.wallet_requestSnaps = () => createSnapRow(version.replace('^', ''));
    expect(await provider.install()).toBe(fits ? own : version.replace('^', ''));
    expect(installed()).toStrictEqual(fits ? [] : [{ [SNAP_ID]: { version } }]);
  });

  it.each([
    ['it is not there', {}],
    ['another snap is', { 'npm:other': { version: '0.1.0' } }],
    ['it is turned off', createSnapRow('0.1.0', { enabled: false })],
    ['it is blocked', createSnapRow('0.1.0', { blocked: true })],
    ['the wallet lists none', null],
  ])('is installed where %s, once for all who wait', async (_name, snaps) => {
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
  ])('is not there after the wallet installed %j', async (got, data) => {
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

  it('is asked for again after the user refused', async () => {
    const { connect, answers, installed } = setup();
    answers.wallet_getSnaps = () => ({});
    answers.wallet_requestSnaps = failing({ code: 4001, message: 'No.' });
    expect(await errorOf(connect)).toMatchObject({ code: 4001 });
    answers.wallet_requestSnaps = () => createSnapRow();
    expect(await connect()).toStrictEqual(['0xa']);
    expect(installed()).toHaveLength(2);
  });

  it('that was removed meanwhile is installed once more, however many found out', async () => {
    const { connect, ask, answers, snapAnswers, installed } = setup();
    const [late, asking] = [createGate(), createGate()];
    await connect();
    snapAnswers.personal_sign = async () => late.opened.then(failing('It is gone.'));
    const signing = errorOf(async () => ask('personal_sign', []));
    await settle();
    answers.wallet_getSnaps = () => ({});
    answers.wallet_requestSnaps = async () => asking.opened.then(() => createSnapRow());
    snapAnswers.eth_requestAccounts = failing('It is gone.');
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

  it('is the one of the id that is given', async () => {
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
    // The wallet looks up what it can.
    ['eth_getTransactionReceipt', { of: ['0x1'] }],
  ])('is not asked for where it is not there, by %s', async (method, answer) => {
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
  const fail = (code: number) => failing({ code, message: 'It failed.' });
  const row =
    (version: string, more = {}): FakeAnswer =>
    () =>
      createSnapRow(version, more);
  const none = (): object => ({});

  it.each<[Status, FakeAnswer, string | undefined]>([
    [{ state: 'ready', version: '0.2.1' }, row('0.2.1'), undefined],
    [{ state: 'outdated', version: '0.1.9' }, row('0.1.9'), undefined],
    [
      { state: 'disabled', version: '0.2.0' },
      row('0.2.0', { enabled: false }),
      undefined,
    ],
    [
      { state: 'disabled', version: '0.2.0' },
      row('0.2.0', { blocked: true }),
      undefined,
    ],
    [{ state: 'not-installed' }, none, 'MetaMask/v13.5.0-flask.0'],
    [{ state: 'not-installed' }, none, undefined],
    [{ state: 'no-flask' }, none, 'MetaMask/v13.5.0'],
    [{ state: 'no-flask' }, fail(-32601), undefined],
  ])('is %j', async (status, wallet_getSnaps, version) => {
    const web3_clientVersion = version === undefined ? fail(-32601) : () => version;
    expect(await statusOf({ wallet_getSnaps, web3_clientVersion })).toStrictEqual(
      status,
    );
  });

  it('is the answer of the wallet if the provider does not know', async () => {
    const ask = async (): Promise<unknown> =>
      statusOf({ wallet_getSnaps: fail(-32002) });
    expect(await errorOf(ask)).toMatchObject({ code: -32002 });
  });
});
