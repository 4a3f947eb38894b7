// The snap on the platform's globals: its calls to MetaMask, and their timeouts and errors.
import { jest } from '@jest/globals';
import type { KeyringAccount } from '@metamask/keyring-api';
import { SnapError, UserInputEventType } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';
import { stringToHex, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import { keyringRpc } from '../../dev/wallet/keyring-requests';
import * as exported from '../../src/index';
import { errorOf, toWholeText } from '../support/error-of';
import { advance } from '../support/fake-clock';
import { createFakeNode } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { createFakePlatform, paramsOf, toSaved } from '../support/platform';
import { refusalOf } from '../support/refusal';
import { stateOf } from '../support/stored-accounts';
import { COMPANION, createPlatformEntry, DAPP } from '../support/test-app';

type Entry = typeof exported;

type Bench = ReturnType<typeof setup>;

function setup(entry: Entry = createPlatformEntry()) {
  const platform = createFakePlatform();
  platform.answers.snap_getClientStatus = async () =>
    Promise.resolve({ locked: false, active: true });
  const wallet = createFakeNode({ eth_chainId: '0x1' });
  Object.assign(globalThis, { snap: platform, ethereum: wallet });
  const keyring = async (method: string, params?: Json) =>
    entry.onKeyringRequest({
      origin: 'metamask',
      request: keyringRpc(method, params) as never,
    });
  return {
    platform,
    wallet,
    entry,
    rpc: async (method: string, params: Json[] = [], origin = DAPP) =>
      entry.onRpcRequest({
        origin,
        request: { jsonrpc: '2.0', id: 1, method, params },
      }),
    keyring,
    create: async (options = {}) =>
      (await keyring('keyring_createAccount', { options })) as KeyringAccount,
  };
}

async function store({ platform }: Bench, encrypted: boolean, value: object) {
  const params = { encrypted, value: value as Json };
  await platform.request({ method: 'snap_setState', params });
  platform.asked.length = 0;
}

function answerDialogs({ platform, entry }: Bench, filled: Record<string, Json> = {}) {
  const user = { button: 'approve:1' };
  let drawn = 0;
  Object.assign(platform.answers, {
    snap_createInterface: async () => Promise.resolve(`dialog-${(drawn += 1)}`),
    snap_getInterfaceState: async () => Promise.resolve(filled),
    snap_dialog: async ({ id }: { id: string }) =>
      new Promise((resolve) => {
        platform.answers.snap_resolveInterface = async ({ value = null }) => {
          resolve(value);
          return Promise.resolve(null);
        };
        const event = { type: UserInputEventType.ButtonClickEvent, name: user.button };
        void entry.onUserInput({ id, event, context: null } as never);
      }),
  });
  return user;
}

const never = async (): Promise<never> => new Promise(() => undefined);

afterAll(() => {
  Object.assign(globalThis, { snap: undefined, ethereum: undefined });
});

describe('the exports of the snap', () => {
  it('derive an account, store it encrypted, notify MetaMask, and sign after a dialog', async () => {
    const bench = setup(exported);
    const { platform, keyring, rpc, create } = bench;
    const account = await create();
    const { id, address } = account;
    await create({ entropySource: 'second' });
    const salt = 'tollkeeper/v1/0';
    expect(paramsOf(platform, 'snap_getEntropy')).toStrictEqual([
      { version: 1, salt },
      { version: 1, salt, source: 'second' },
    ]);
    const record = {
      type: 'eip155:eoa',
      id,
      address,
      key: { kind: 'derived', index: 0 },
    };
    const note = { change: 'add', record, session: 0 };
    expect(paramsOf(platform, 'snap_setState').slice(0, 2)).toStrictEqual([
      toSaved(true, { version: 8, accounts: {}, unsettled: { [id]: note } }),
      toSaved(true, { version: 8, accounts: { [id]: record }, unsettled: {} }),
    ]);
    expect(paramsOf(platform, 'snap_manageAccounts')[0]).toStrictEqual({
      method: 'notify:accountCreated',
      params: { account, accountNameSuggestion: 'Tollkeeper 1' },
    });
    expect(await keyring('keyring_listAccounts')).toHaveLength(2);

    const user = answerDialogs(bench, { [id]: true });
    expect(await rpc('eth_requestAccounts')).toStrictEqual([address]);
    const params = [stringToHex('hello'), address];
    const signature = (await rpc('personal_sign', params)) as Hex;
    const signed = { address: address as Hex, message: 'hello', signature };
    expect(await verifyMessage(signed)).toBe(true);
    user.button = 'refuse';
    const error = await errorOf(async () => rpc('personal_sign', params));
    expect(error).toBeInstanceOf(SnapError);
    expect(error).toMatchObject({
      code: 4001,
      message: 'The user refused the request.',
    });
    expect(paramsOf(platform, 'snap_dialog')).toStrictEqual(
      [1, 2, 3].map((number) => ({ id: `dialog-${number}` })),
    );
    expect(paramsOf(platform, 'snap_getFile')).toStrictEqual([
      { path: 'dist/files/locales/ui/en.json.deflate', encoding: 'base64' },
    ]);
  });

  it("call MetaMask's own provider if no node is configured", async () => {
    const { rpc, wallet } = setup();
    wallet.answers.eth_getTransactionByHash = null;
    const params = [`0x${'ab'.repeat(32)}`];
    expect(await rpc('eth_getTransactionByHash', params)).toBeNull();
    expect(wallet.calls).toContainEqual({ method: 'eth_getTransactionByHash', params });
  });

  it('read no encrypted state on start while locked, and ignore unknown buttons', async () => {
    const { platform, entry } = setup();
    platform.answers.snap_getClientStatus = async () =>
      Promise.resolve({ locked: true });
    const type = UserInputEventType.ButtonClickEvent;
    await entry.onUserInput({
      id: 'x',
      event: { type, name: 'other' },
      context: null,
    } as never);
    expect(platform.asked).toStrictEqual([]);
    await entry.onStart({ origin: 'metamask' });
    const touched = platform.asked.filter(({ params }) => params?.encrypted !== false);
    expect(touched).toStrictEqual([{ method: 'snap_getClientStatus' }]);
    expect(platform.asked).toContainEqual({
      method: 'snap_setState',
      params: toSaved(false, { session: 1 }),
    });
  });
});

describe('a call to MetaMask', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const triggers: [string, (bench: Bench) => Promise<unknown>][] = [
    ['snap_getState', async ({ keyring }) => keyring('keyring_listAccounts')],
    ['snap_setState', async ({ create }) => create()],
    ['snap_getEntropy', async ({ create }) => create()],
    [
      'snap_getClientStatus',
      async ({ entry }) => entry.onStart({ origin: 'metamask' }),
    ],
    ['snap_getFile', async ({ entry }) => entry.onHomePage()],
  ];

  it.each(triggers)('times out after 15 s: %s', async (method, trigger) => {
    const bench = setup();
    bench.platform.answers[method] = never;
    const refused = refusalOf(trigger(bench));
    await advance(14_999);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    // The snap reads its two state documents one after the other.
    await advance(30_001);
    expect(await refused).toStrictEqual({
      code: -32002,
      message: `MetaMask did not answer ${method} within 15 s; try again.`,
    });
  });

  it.each(triggers)(
    "hides MetaMask's error, and the next call succeeds: %s",
    async (method, trigger) => {
      const bench = setup();
      const { [method]: answer } = bench.platform.answers;
      bench.platform.answers[method] = async () =>
        Promise.reject(new Error('An internal detail.'));
      const error = await errorOf(async () => trigger(bench));
      const message = `MetaMask could not execute ${method}; try again.`;
      expect(error).toMatchObject({ code: -32002, message });
      expect(toWholeText(error)).not.toContain('detail');
      if (answer) bench.platform.answers[method] = answer;
      await bench.create();
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  it('explains that MetaMask cannot decrypt the state', async () => {
    const { platform, keyring } = setup();
    const failure = 'Failed to decrypt snap state, the state must be corrupted.';
    platform.answers.snap_getState = async () => Promise.reject(new Error(failure));
    const { code, message } = await refusalOf(keyring('keyring_listAccounts'));
    expect(code).toBe(-32002);
    expect(message).toBe(
      "MetaMask cannot decrypt Tollkeeper's data: it is corrupted. If restarting " +
        'MetaMask does not help, remove Tollkeeper, install it again and restore your ' +
        'accounts.',
    );
  });

  it('waits while MetaMask is locked, but not if the lock state is unknown', async () => {
    const { platform, keyring } = setup();
    const { answers } = platform;
    const { snap_getState: load } = answers;
    const { opened, open } = createGate();
    answers.snap_getClientStatus = async () => Promise.resolve({ locked: true });
    answers.snap_getState = async (params) =>
      params.encrypted === true
        ? opened.then(() => null)
        : ((await load?.(params)) ?? null);
    const listing = keyring('keyring_listAccounts');
    await advance(600_000);
    open();
    expect(await listing).toStrictEqual([]);
    const other = setup();
    Object.assign(other.platform.answers, {
      snap_getState: never,
      snap_getClientStatus: never,
    });
    const refused = refusalOf(other.keyring('keyring_listAccounts'));
    await advance(90_000);
    expect(await refused).toHaveProperty('code', -32002);
  });

  it('waits while the user decides about an account', async () => {
    const { platform, create } = setup();
    const { opened, open } = createGate();
    platform.answers.snap_manageAccounts = async () => opened.then(() => null);
    const creating = create();
    await advance(600_000);
    open();
    expect(await creating).toHaveProperty('type', 'eip155:eoa');
  });
});

describe('background events', () => {
  const POLL = 'tollkeeper_poll';
  const HOME = 'tollkeeper_home';
  const eventOf = (
    id: string,
    seconds: number,
    request: { method: string; params?: Json } = { method: POLL, params: [] },
  ): Json => ({
    id,
    date: new Date(Date.now() + seconds * 1000).toISOString(),
    request,
  });

  /** Sets up a locked wallet with scheduled events and a pending transaction. */
  async function setupEvents(events: Json[]): Promise<Bench> {
    const bench = setup();
    Object.assign(bench.platform.answers, {
      snap_getClientStatus: async () => Promise.resolve({ locked: true }),
      snap_getBackgroundEvents: async () => Promise.resolve(events),
      snap_scheduleBackgroundEvent: async () => Promise.resolve('new'),
      snap_cancelBackgroundEvent: async () =>
        Promise.reject(new Error('A background event with the id was not found.')),
    });
    const pendingSince = Date.now() - 1_000;
    const common = { version: 1, levels: {}, session: 1, greeted: null };
    await store(bench, false, { ...common, pendingSince });
    return bench;
  }

  it.each<[string, Json[], string[]]>([
    ['none is scheduled', [eventOf('other', 5, { method: 'other' })], []],
    [
      'all are due later',
      [
        eventOf('one', 90),
        eventOf('other', 5, { method: 'other' }),
        eventOf('two', 95),
      ],
      ['one', 'two'],
    ],
  ])(
    'are scheduled if %s, and replace others of their kind',
    async (_when, events, cancelled) => {
      const { entry, platform } = await setupEvents(events);
      await entry.onActive({ origin: 'metamask' });
      expect(paramsOf(platform, 'snap_cancelBackgroundEvent')).toStrictEqual(
        cancelled.map((id) => ({ id })),
      );
      expect(paramsOf(platform, 'snap_scheduleBackgroundEvent')).toStrictEqual([
        { duration: 'PT60S', request: { method: POLL, params: [] } },
      ]);
    },
  );

  it('are kept if one is due sooner', async () => {
    const { entry, platform } = await setupEvents([
      eventOf('late', 90),
      eventOf('soon', 30),
    ]);
    await entry.onActive({ origin: 'metamask' });
    expect(paramsOf(platform, 'snap_scheduleBackgroundEvent')).toStrictEqual([]);
  });

  it('are scheduled once per home page, which stores its tab', async () => {
    const events = [eventOf('1', 5, { method: HOME, params: ['other'] })];
    const { entry, platform } = await setupEvents(events);
    const contexts: Json[] = [];
    Object.assign(platform.answers, {
      snap_createInterface: async () => Promise.resolve('mine'),
      snap_getInterfaceContext: async () => Promise.resolve(contexts.at(-1) ?? null),
      snap_getInterfaceState: async () => Promise.resolve({}),
      snap_updateInterface: async ({ id, context = null }: Record<string, Json>) => {
        expect(id).toBe('mine');
        contexts.push(context);
        return Promise.resolve(null);
      },
    });
    expect(await entry.onHomePage()).toStrictEqual({ id: 'mine' });
    const [drawn] = paramsOf(platform, 'snap_createInterface');
    expect(drawn).toMatchObject({ context: { tab: 'gas' }, ui: { type: 'Box' } });
    const type = UserInputEventType.ButtonClickEvent;
    const event = { type, name: 'home.frame.tab:permissions' };
    await entry.onUserInput({ id: 'mine', event, context: null } as never);
    expect(contexts.at(-1)).toMatchObject({ tab: 'permissions' });
    const pageEvent = (seconds: number): object => ({
      duration: `PT${seconds}S`,
      request: { method: HOME, params: ['mine'] },
    });
    const scheduled = () => paramsOf(platform, 'snap_scheduleBackgroundEvent');
    expect(scheduled()).toStrictEqual([pageEvent(1), pageEvent(10)]);
    events.push(eventOf('2', 5, { method: HOME, params: ['mine'] }));
    await entry.onUserInput({ id: 'mine', event, context: null } as never);
    expect(scheduled()).toHaveLength(2);
  });
});

describe("MetaMask's sockets", () => {
  const URL = 'wss://node.example/v3/key';
  const PARAMS = [`0x${'ab'.repeat(32)}`];

  const messageEvent = (id: string, message: string): object => ({
    type: 'message',
    id,
    data: { type: 'text', message },
  });

  /** Starts a worker with a socket URL for chain 1; MetaMask holds sockets of earlier workers. */
  async function setupSockets(
    held: { id: string; url: string }[] = [],
    isBinary = false,
  ) {
    const bench = setup();
    const { platform, entry } = bench;
    const sendEvent = async (event: object) =>
      entry.onWebSocketEvent({
        event: { origin: 'wss://node.example', ...event },
      } as never);
    Object.assign(platform.answers, {
      snap_getWebSockets: async () => Promise.resolve(held),
      snap_openWebSocket: async ({ url }: { url: string }) => {
        const id = `socket-${held.length + 1}`;
        held.push({ id, url });
        return Promise.resolve(id);
      },
      snap_sendWebSocketMessage: async ({ id, message }: Record<string, string>) => {
        const { id: number, method } = JSON.parse(message ?? '') as {
          id: number;
          method: string;
        };
        const result = method === 'eth_getCode' ? '0x60' : null;
        const answer = JSON.stringify({ jsonrpc: '2.0', id: number, result });
        const data = { type: 'binary', message: [...Buffer.from(answer)] };
        const event = messageEvent(id ?? '', answer);
        void Promise.resolve().then(async () =>
          sendEvent(isBinary ? { ...event, data } : event),
        );
        return Promise.resolve(null);
      },
      snap_closeWebSocket: async () => Promise.resolve(null),
    });
    await store(bench, true, {
      ...stateOf({}),
      chains: { 'eip155:1': { wsUrl: URL } },
    });
    return {
      ...bench,
      sendEvent,
      lookUp: async () => bench.rpc('eth_getTransactionByHash', PARAMS),
      closed: () => paramsOf(platform, 'snap_closeWebSocket'),
    };
  }

  it.each([false, true])(
    'are opened once, and again after they close (binary answers: %j)',
    async (isBinary) => {
      const { platform, lookUp, sendEvent } = await setupSockets([], isBinary);
      expect([await lookUp(), await lookUp()]).toStrictEqual([null, null]);
      const opened = (): unknown[] => paramsOf(platform, 'snap_openWebSocket');
      expect(opened()).toStrictEqual([{ url: URL }]);
      const [sent] = paramsOf(platform, 'snap_sendWebSocketMessage') as {
        id: string;
        message: string;
      }[];
      expect(sent?.id).toBe('socket-1');
      expect(JSON.parse(sent?.message ?? '')).toMatchObject({ params: PARAMS });
      platform.answers.snap_getWebSockets = async () => Promise.resolve([]);
      await sendEvent({ type: 'close', id: 'socket-1', code: 1006 });
      expect(await lookUp()).toBeNull();
      expect(opened()).toHaveLength(2);
    },
  );

  it('are taken over from an earlier worker if the whole URL matches, and are closed otherwise', async () => {
    const bench = await setupSockets([
      { id: 'other', url: `${URL}2` },
      { id: 'mine', url: URL },
    ]);
    const { platform, lookUp, closed, rpc } = bench;
    expect(await lookUp()).toBeNull();
    expect(paramsOf(platform, 'snap_openWebSocket')).toStrictEqual([]);
    expect(paramsOf(platform, 'snap_sendWebSocketMessage')).toMatchObject([
      { id: 'mine' },
    ]);
    answerDialogs(bench);
    await rpc('tollkeeper_setChain', [{ chainId: 1, entryPoint: '0.7' }], COMPANION);
    expect(closed()).toStrictEqual([{ id: 'other' }]);
  });

  it('are closed if an event has no listener, but not while one is being opened', async () => {
    const { platform, sendEvent, closed, lookUp } = await setupSockets([
      { id: 'mine', url: URL },
    ]);
    const { snap_getWebSockets: list } = platform.answers;
    const { opened, open } = createGate();
    platform.answers.snap_getWebSockets = async (params) =>
      opened.then(async () => (await list?.(params)) ?? null);
    const lookingUp = lookUp();
    await settle();
    await sendEvent(messageEvent('mine', 'block'));
    expect(closed()).toStrictEqual([]);
    open();
    expect(await lookingUp).toBeNull();
    platform.answers.snap_closeWebSocket = async () =>
      Promise.reject(new Error('not found'));
    expect(await sendEvent(messageEvent('orphan', 'block'))).toBeNull();
    expect(closed()).toStrictEqual([{ id: 'orphan' }]);
  });

  it('are opened again if they close before MetaMask returns their ID', async () => {
    const { platform, sendEvent, lookUp } = await setupSockets();
    const { snap_openWebSocket: openSocket } = platform.answers;
    platform.answers.snap_getWebSockets = async () => Promise.resolve([]);
    platform.answers.snap_openWebSocket = async (params) => {
      const id = (await openSocket?.(params)) ?? null;
      if (id === 'socket-1') await sendEvent({ type: 'close', id, code: 1006 });
      return id;
    };
    expect(await lookUp()).toBeNull();
    const sent = paramsOf(platform, 'snap_sendWebSocketMessage');
    expect(sent).toMatchObject([{ id: 'socket-2' }]);
  });
});
