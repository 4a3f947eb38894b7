import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateState } from '../../../src/state/private-state';
import { errorOf, toWholeText } from '../../support/error-of';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';
import { SENT } from '../../support/sent-transactions';
import { createBatch, SETTINGS } from '../../support/stored-accounts';
import { without } from '../../support/without';

const SECRET = 'ab'.repeat(32);
const ID = '11111111-1111-4111-8111-111111111111';
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const imported = {
  type: 'eip155:eoa',
  id: ID,
  address: ADDRESS,
  key: { kind: 'imported', privateKey: `0x${SECRET}` },
} as const;

const full: PrivateState = {
  version: 1,
  accounts: {
    [ID]: imported,
    other: {
      type: 'eip155:erc4337',
      id: 'other',
      address: '0x0000000000000000000000000000000000000001',
      key: { kind: 'derived', index: 3, entropySource: 'second' },
      owner: ADDRESS,
      entryPoint: '0.7',
      factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
      salt: '0x0',
      scopes: ['eip155:1', 'eip155:11155111'],
    },
  },
  chains: {
    'eip155:1': {
      rpcUrl: 'https://node.example',
      wsUrl: 'wss://node.example/ws',
      gasBaseUrl: 'https://gas.example',
      gasAuth: 'path',
      apiKey: SECRET,
      apiKeySecret: SECRET,
      bundlerUrl: 'https://bundler.example',
      bundlerApiKey: SECRET,
      entryPoint: '0.8',
      factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
      paymasterUrl: 'https://paymaster.example',
      paymasterContext: { policy: { id: 1 } },
    },
  },
  grants: { 'https://dapp.example': [ID] },
  unsettled: {
    [ID]: { change: 'update', session: 0 },
    added: { change: 'add', record: imported, session: 7 },
    removed: { change: 'remove', record: imported, session: 7 },
  },
  requests: {
    [ID]: {
      id: ID,
      account: ID,
      origin: 'metamask',
      scope: 'eip155:1',
      request: { method: 'personal_sign', params: ['0x', ADDRESS] },
      session: 7,
    },
  },
  settings: { ...SETTINGS, approvalMode: 'asynchronous', feeLevel: 'high' },
  activity: {
    [SENT.hash]: {
      ...SENT,
      entryPoint: '0.7',
      inclusion: { ...SENT.inclusion, transactionHash: SENT.hash } as never,
    },
  },
  batches: [createBatch(ID)],
  preparedOperations: [{ sender: ADDRESS, hash: SENT.hash }],
  signedOperations: [
    { chain: 'eip155:1', sender: ADDRESS, nonce: '0x7', hash: SENT.hash },
  ],
  refusals: { 'https://dapp.example': { count: 3, last: 1_700_000_000_000 } },
};

describe('the encrypted document', () => {
  it('is empty where nothing is stored', async () => {
    expect(await openPrivateStore(createMemoryBackend()).read()).toStrictEqual({
      version: 1,
      accounts: {},
      chains: {},
      grants: {},
      unsettled: {},
      requests: {},
      settings: SETTINGS,
      activity: {},
      batches: [],
      preparedOperations: [],
      signedOperations: [],
      refusals: {},
    });
  });

  it('is read as it was written, with every field there is', async () => {
    const backend = createMemoryBackend();
    await openPrivateStore(backend).update(() => full);
    expect(await openPrivateStore(backend).read()).toStrictEqual(full);
  });

  const damages: [string, unknown, string][] = [
    [
      'a missing part',
      { version: 1, accounts: {}, chains: {} },
      'encrypted state.grants is missing: it must be an object.',
    ],
    [
      'settings that are missing',
      without(full, 'settings'),
      'encrypted state.settings is missing: it must be an object.',
    ],
    [
      'a mode of approval that there is not',
      { ...full, settings: { approvalMode: SECRET } },
      'encrypted state.settings.approvalMode must be one of "synchronous", "asynchronous".',
    ],
    [
      'a setting too much',
      { ...full, settings: { ...full.settings, more: SECRET } },
      'encrypted state.settings.more is not expected here.',
    ],
    [
      'a change of a kind that there is not',
      { ...full, unsettled: { [ID]: { change: SECRET, session: 0 } } },
      `encrypted state.unsettled["${ID}"].change must be one of "add", "update", "remove".`,
    ],
    [
      'a request of no session',
      { ...full, requests: { [ID]: without(full.requests[ID] ?? {}, 'session') } },
      `encrypted state.requests["${ID}"].session is missing: it must be an integer ` +
        'from 0 to 9007199254740991.',
    ],
    [
      'a part too much',
      { ...full, keys: SECRET },
      'encrypted state.keys is not expected here.',
    ],
    [
      'a credential of another type',
      { ...full, chains: { 'eip155:1': { apiKey: [SECRET] } } },
      'encrypted state.chains["eip155:1"].apiKey must be a string of 1 to 256 characters.',
    ],
    [
      'a URL that leaves the machine in the clear',
      { ...full, chains: { 'eip155:1': { rpcUrl: `http://node.example/${SECRET}` } } },
      'encrypted state.chains["eip155:1"].rpcUrl must be a URL with https:// (or http:// ' +
        'on this machine) and without credentials in it.',
    ],
    [
      'a grant that is no list',
      { ...full, grants: { 'https://dapp.example': SECRET } },
      'encrypted state.grants["https://dapp.example"] must be an array.',
    ],
    [
      'a key that is too long',
      {
        ...full,
        accounts: {
          [ID]: { ...imported, key: { kind: 'imported', privateKey: `0x${SECRET}00` } },
        },
      },
      `encrypted state.accounts["${ID}"].key.privateKey must be a 32-byte value in hex ` +
        '(0x and 64 digits).',
    ],
    [
      'an address that is none',
      { ...full, accounts: { [ID]: { ...imported, address: '0x12' } } },
      `encrypted state.accounts["${ID}"].address must be a 20-byte address in hex.`,
    ],
  ];

  it.each(damages)('is refused whole for %s', async (_name, document, reason) => {
    const backend = createMemoryBackend(document);
    const store = openPrivateStore(backend);
    expect(await refusalOf(store.update(() => full))).toStrictEqual({
      code: -32002,
      message: `The stored encrypted state is not valid and was left as it is: ${reason}`,
    });
    expect(backend.document).toStrictEqual(document);
    expect(backend.saves).toBe(0);
    expect(toWholeText(await errorOf(() => store.read()))).not.toContain(SECRET);
  });
});
