import type { Json } from '@metamask/utils';

import { openPrivateStore } from '../../../src/state/private-state';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';
import { SETTINGS } from '../../support/stored-accounts';

const EOA = '6404510c-e9ff-48e2-b0aa-1a47c6af07d9';
const SMART = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

// As the first release wrote it: imported keys, credentials and grants must not be lost.
const stored = {
  version: 1,
  accounts: {
    [EOA]: {
      type: 'eip155:eoa',
      id: EOA,
      address: ADDRESS,
      key: { kind: 'imported', privateKey: `0x${'ab'.repeat(32)}` },
    },
    [SMART]: {
      type: 'eip155:erc4337',
      id: SMART,
      address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      key: { kind: 'derived', index: 3, entropySource: 'second' },
      owner: ADDRESS,
      entryPoint: '0.7',
      factory: '0x91e60e0613810449d098b0b5ec8b51a0fe8c8985',
      salt: '0x2a',
      scopes: ['eip155:1', 'eip155:11155111'],
    },
  },
  chains: {
    'eip155:1': { rpcUrl: 'https://node.example', apiKey: 'k3y', apiKeySecret: 's' },
  },
  grants: { 'https://dapp.example': [SMART, EOA] },
};

const migrated = {
  ...stored,
  version: 6,
  unsettled: {},
  requests: {},
  settings: SETTINGS,
  activity: {},
  batches: [],
  signedOperations: [],
  refusals: {},
};

describe('the encrypted document of version 1', () => {
  it('is read with all accounts, chains and grants that it had', async () => {
    const store = openPrivateStore(createMemoryBackend(stored));
    expect(await store.read()).toStrictEqual(migrated);
  });

  it('is read with its accounts, chains and grants in their order', async () => {
    const state = await openPrivateStore(createMemoryBackend(stored)).read();
    expect(Object.keys(state.accounts)).toStrictEqual([EOA, SMART]);
    expect(state.grants['https://dapp.example']).toStrictEqual([SMART, EOA]);
  });

  it('stays as it is stored until something is changed, and is written whole then', async () => {
    const backend = createMemoryBackend(stored);
    const store = openPrivateStore(backend);
    await store.read();
    await store.update((state) => state);
    expect(backend.document).toStrictEqual(stored);
    await store.update((state) => ({ ...state, grants: {} }));
    expect(backend.document).toStrictEqual({ ...migrated, grants: {} });
  });

  it('stays as it is stored if writing the new one fails', async () => {
    const backend = createMemoryBackend(stored);
    const store = openPrivateStore(backend);
    backend.failNextSave = new Error('disk full');
    const updating = store.update((state) => ({ ...state, grants: {} }));
    await expect(updating).rejects.toThrow(new Error('disk full'));
    expect(backend.document).toStrictEqual(stored);
    expect(await store.read()).toStrictEqual(migrated);
  });

  it('may be empty', async () => {
    const empty = { version: 1, accounts: {}, chains: {}, grants: {} };
    const store = openPrivateStore(createMemoryBackend(empty));
    expect(await store.read()).toStrictEqual({ ...migrated, ...empty, version: 6 });
  });

  it.each<[string, Json]>([
    ['is damaged', { ...stored, grants: 7 }],
    ['lacks its accounts', { version: 1, chains: {}, grants: {} }],
    ['is of no version', { ...stored, version: null }],
    ['is of a newer snap', { ...migrated, version: 7 }],
  ])('is never overwritten where it %s', async (_what, document) => {
    const backend = createMemoryBackend(document);
    const store = openPrivateStore(backend);
    const change = store.update((state) => ({ ...state, grants: {}, accounts: {} }));
    expect(await refusalOf(change)).toHaveProperty('code', -32002);
    expect(backend.saves).toBe(0);
    expect(backend.document).toStrictEqual(document);
  });

  it('is read from version 2 with its settings and the requests that wait', async () => {
    const { activity, ...second } = migrated;
    const settings = { approvalMode: 'asynchronous' };
    const before = { ...second, version: 2, settings };
    expect(await openPrivateStore(createMemoryBackend(before)).read()).toStrictEqual({
      ...migrated,
      activity,
      settings: { ...SETTINGS, ...settings },
    });
  });
});
