import { getChains } from '../../../src/chains/set-chain';
import {
  canonical,
  createSetChainBench as setup,
  full,
  KEY,
  NOTHING,
  shown,
} from '../../support/set-chain-bench';

describe('tollkeeper_setChain', () => {
  it('stores every field and answers with the row, its secrets redacted', async () => {
    const { set, store } = setup();
    expect(await set(full)).toStrictEqual(shown);
    expect((await store.read()).chains).toStrictEqual({ 'eip155:1': full });
  });

  it.each(['0x1', '1', 1, 'eip155:1', 'eip155:0x1'])(
    'takes the chain id %j',
    async (chainId) => {
      const { setAny } = setup();
      expect(await setAny({ chainId })).toStrictEqual(NOTHING);
    },
  );

  it('takes the object in an array of one, as JSON-RPC has it', async () => {
    const { setAny } = setup();
    const params = [{ chainId: 1, gasAuth: 'basic' }];
    expect(await setAny(params)).toStrictEqual({ ...NOTHING, gasAuth: 'basic' });
  });

  it('keeps what is absent, sets what is given, clears what is null', async () => {
    const { set } = setup();
    await set({ rpcUrl: 'https://one.example', apiKey: KEY, gasAuth: 'path' });
    const row = await set({ rpcUrl: 'https://two.example', apiKey: null });
    expect(row).toStrictEqual({
      ...NOTHING,
      rpcUrl: 'https://two.example',
      gasAuth: 'path',
    });
  });

  it('clears each field by null', async () => {
    const { set, store } = setup();
    await set(full);
    const cleared = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    expect(await set(cleared)).toStrictEqual(NOTHING);
    expect((await store.read()).chains).toStrictEqual({ 'eip155:1': {} });
  });

  it('leaves other chains alone', async () => {
    const { set, setAny, store } = setup();
    await set({ gasAuth: 'path' });
    await setAny({ chainId: 2, gasAuth: 'basic' });
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
      contracts: canonical['0.8'],
    });
  });

  it.each([
    [`https://node.example/v3/${KEY}`, 'https://node.example/v3/[redacted]'],
    [`https://node.example/${KEY}/x`, 'https://node.example/[redacted]/x'],
    [`https://node.example/?key=${KEY}`, 'https://node.example?[redacted]'],
    [`https://node.example/#${KEY}`, 'https://node.example'],
  ])('does not show a key that was pasted into a URL: %s', async (rpcUrl, label) => {
    const { set, store } = setup();
    expect(await set({ rpcUrl })).toStrictEqual({ ...NOTHING, rpcUrl: label });
    expect((await store.read()).chains['eip155:1']).toStrictEqual({ rpcUrl });
  });
});

describe('the contracts that are shown', () => {
  it.each(['0.6', '0.7', '0.8'] as const)(
    'are the canonical ones of EntryPoint %s where nothing else is configured',
    async (entryPoint) => {
      const { set } = setup();
      expect((await set({ entryPoint })).contracts).toStrictEqual(
        canonical[entryPoint],
      );
    },
  );

  it('are the configured factory with the EntryPoint that holds', async () => {
    const { set } = setup();
    const factory = `0x${'fa'.repeat(20)}`;
    expect((await set({ entryPoint: '0.7', factory })).contracts).toStrictEqual({
      ...canonical['0.7'],
      factory,
    });
  });

  it('are none where no EntryPoint is configured: the bundler decides', async () => {
    const { set } = setup();
    expect(await set({ rpcUrl: 'https://node.example' })).not.toHaveProperty(
      'contracts',
    );
  });
});

describe('tollkeeper_getChains', () => {
  it('lists nothing where nothing is configured', async () => {
    const { store } = setup();
    expect(await getChains(store)).toStrictEqual([]);
  });

  it('lists every chain as setting it answered', async () => {
    const { set, setAny, store } = setup();
    await set(full);
    await setAny({ chainId: 2, rpcUrl: `https://two.example/${KEY}` });
    expect(await getChains(store)).toStrictEqual([
      shown,
      {
        chainId: 'eip155:2',
        rpcUrl: 'https://two.example/[redacted]',
      },
    ]);
  });
});
