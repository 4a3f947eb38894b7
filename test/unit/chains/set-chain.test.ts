import { getChains, setChain } from '../../../src/chains/set-chain';
import type { ShownChain } from '../../../src/chains/set-chain';
import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateStore } from '../../../src/state/private-state';
import { errorOf, toWholeText } from '../../support/error-of';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const KEY = 'k3y-of-the-user-0123456789abcdef';
const ROOT = 'tollkeeper_setChain: params';

const full = {
  rpcUrl: 'https://node.example',
  wsUrl: 'wss://node.example/ws',
  gasBaseUrl: 'https://gas.example',
  gasAuth: 'path',
  apiKey: KEY,
  apiKeySecret: `${KEY}-secret`,
  bundlerUrl: 'https://bundler.example/v2',
  bundlerApiKey: `${KEY}-bundler`,
  entryPoint: '0.7',
  factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  paymasterUrl: 'https://paymaster.example',
  paymasterContext: { policy: 'free' },
};

const shown = {
  ...full,
  chainId: 'eip155:1',
  apiKey: '[redacted]',
  apiKeySecret: '[redacted]',
  bundlerApiKey: '[redacted]',
};

type Bench = {
  store: PrivateStore;
  backend: MemoryBackend;
  set: (fields: Record<string, unknown>) => Promise<ShownChain>;
};

function setup(): Bench {
  const backend = createMemoryBackend();
  const store = openPrivateStore(backend);
  const set: Bench['set'] = (fields) => setChain(store, { chainId: '0x1', ...fields });
  return { backend, store, set };
}

describe('tollkeeper_setChain', () => {
  it('stores every field and answers with the row, its secrets redacted', async () => {
    const { set, store } = setup();
    expect(await set(full)).toStrictEqual(shown);
    expect((await store.read()).chains).toStrictEqual({ 'eip155:1': full });
  });

  it.each(['0x1', '1', 1, 'eip155:1', 'eip155:0x1'])(
    'takes the chain id %j',
    async (chainId) => {
      const { store } = setup();
      expect(await setChain(store, { chainId })).toStrictEqual({ chainId: 'eip155:1' });
    },
  );

  it('takes the object in an array of one, as JSON-RPC has it', async () => {
    const { store } = setup();
    const params = [{ chainId: 1, gasAuth: 'basic' }];
    expect(await setChain(store, params)).toStrictEqual({
      chainId: 'eip155:1',
      gasAuth: 'basic',
    });
  });

  it('keeps what is absent, sets what is given, clears what is null', async () => {
    const { set } = setup();
    await set({ rpcUrl: 'https://one.example', apiKey: KEY, gasAuth: 'path' });
    const row = await set({ rpcUrl: 'https://two.example', apiKey: null });
    expect(row).toStrictEqual({
      chainId: 'eip155:1',
      rpcUrl: 'https://two.example',
      gasAuth: 'path',
    });
  });

  it('clears each field by null', async () => {
    const { set, store } = setup();
    await set(full);
    const cleared = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    expect(await set(cleared)).toStrictEqual({ chainId: 'eip155:1' });
    expect((await store.read()).chains).toStrictEqual({ 'eip155:1': {} });
  });

  it('leaves other chains alone', async () => {
    const { set, store } = setup();
    await set({ gasAuth: 'path' });
    await setChain(store, { chainId: 2, gasAuth: 'basic' });
    expect((await store.read()).chains).toStrictEqual({
      'eip155:1': { gasAuth: 'path' },
      'eip155:2': { gasAuth: 'basic' },
    });
  });

  it('loses none of two changes made at once', async () => {
    const { set } = setup();
    await Promise.all([set({ gasAuth: 'path' }), set({ entryPoint: '0.8' })]);
    expect(await set({})).toStrictEqual({
      chainId: 'eip155:1',
      gasAuth: 'path',
      entryPoint: '0.8',
    });
  });

  it.each([
    [`https://node.example/v3/${KEY}`, 'https://node.example/v3/[redacted]'],
    [`https://node.example/${KEY}/x`, 'https://node.example/[redacted]/x'],
    [`https://node.example/?key=${KEY}`, 'https://node.example?[redacted]'],
    [`https://node.example/#${KEY}`, 'https://node.example'],
  ])('does not show a key that was pasted into a URL: %s', async (rpcUrl, label) => {
    const { set, store } = setup();
    expect(await set({ rpcUrl })).toStrictEqual({ chainId: 'eip155:1', rpcUrl: label });
    expect((await store.read()).chains['eip155:1']).toStrictEqual({ rpcUrl });
  });
});

describe('a tollkeeper_setChain that is malformed', () => {
  const noUrl =
    'must be a URL with https:// (or http:// on this machine) and without credentials in it.';
  const noKey = 'must be a string of 1 to 256 characters.';

  it.each([
    [{ rpcUrl: `http://node.example/${KEY}` }, `rpcUrl ${noUrl}`],
    [{ rpcUrl: `https://user:${KEY}@node.example` }, `rpcUrl ${noUrl}`],
    [{ gasBaseUrl: 'gas.example' }, `gasBaseUrl ${noUrl}`],
    [{ bundlerUrl: 7 }, `bundlerUrl ${noUrl}`],
    [{ apiKey: '' }, `apiKey ${noKey}`],
    [{ apiKey: { value: KEY } }, `apiKey ${noKey}`],
    [{ bundlerApiKey: KEY.repeat(9) }, `bundlerApiKey ${noKey}`],
    [{ gasAuth: KEY }, 'gasAuth must be one of "basic", "path".'],
    [{ entryPoint: '0.9' }, 'entryPoint must be one of "0.6", "0.7", "0.8".'],
    [{ paymasterContext: [KEY] }, 'paymasterContext must be an object.'],
    [{ colour: KEY }, 'colour is not expected here.'],
    [{ colour: null }, 'colour is not expected here.'],
    [{ toString: null }, 'toString is not expected here.'],
    [{ constructor: null }, 'constructor is not expected here.'],
  ])('is refused by name and changes nothing: %j', async (fields, reason) => {
    const { set, backend } = setup();
    await set(full);
    const before = backend.document;
    const error = await errorOf(() => set({ wsUrl: 'wss://other.example', ...fields }));
    expect(error).toMatchObject({ code: -32602, message: `${ROOT}.${reason}` });
    expect(toWholeText(error)).not.toContain(KEY);
    expect(backend.document).toBe(before);
  });

  const noChain = 'a chain id (hex, decimal or CAIP-2 such as "eip155:1").';

  it.each([
    [{}, `.chainId is missing: it must be ${noChain}`],
    [{ chainId: 'mainnet' }, `.chainId must be ${noChain}`],
    [{ chainId: 0 }, `.chainId must be ${noChain}`],
    [{ chainId: null }, `.chainId must be ${noChain}`],
    ['text', ' must be an object.'],
    [null, ' must be an object.'],
  ])('is refused without a chain: %j', async (params, reason) => {
    const { store, backend } = setup();
    expect(await refusalOf(setChain(store, params))).toStrictEqual({
      code: -32602,
      message: `${ROOT}${reason}`,
    });
    expect(backend.saves).toBe(0);
  });

  it.each([[[]], [[{ chainId: 1 }, { chainId: 2 }]]])(
    'is refused for another number of objects than one: %j',
    async (params) => {
      const { store, backend } = setup();
      expect(await refusalOf(setChain(store, params))).toHaveProperty('code', -32602);
      expect(backend.saves).toBe(0);
    },
  );
});

describe('tollkeeper_getChains', () => {
  it('lists nothing where nothing is configured', async () => {
    const { store } = setup();
    expect(await getChains(store)).toStrictEqual([]);
  });

  it('lists every chain as setting it answered', async () => {
    const { set, store } = setup();
    await set(full);
    await setChain(store, { chainId: 2, rpcUrl: `https://two.example/${KEY}` });
    expect(await getChains(store)).toStrictEqual([
      shown,
      { chainId: 'eip155:2', rpcUrl: 'https://two.example/[redacted]' },
    ]);
  });
});
