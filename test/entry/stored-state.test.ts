// Stored documents, read by a new worker: every earlier format is supported, damaged records are
// set aside, and an invalid document is refused and left unchanged.
import { readdirSync, readFileSync } from 'node:fs';

import type { Json } from '@metamask/utils';
import { recoverMessageAddress, stringToHex } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { toKeyringAccount } from '../../src/accounts/events';
import type { PrivateState } from '../../src/state/private-state';
import { callersOf } from '../support/callers';
import { createGate, settle } from '../support/gate';
import { createRestoreBench } from '../support/keyring-bench';
import type { RestoreBench } from '../support/keyring-bench';
import { createMemoryBackend } from '../support/memory-backend';
import { derivedRecord, importedRecord, lower, smartRecord } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import { SENT } from '../support/sent-transactions';
import { createBatch, SETTINGS, stateOf } from '../support/stored-accounts';
import { COMPANION, createAccount, createTestApp, DAPP } from '../support/test-app';
import type { Edges } from '../support/test-app';
import { without } from '../support/without';

type Stored = Record<string, Json>;

async function setup(): Promise<{ edges: Edges; stored: Stored; address: string }> {
  const app = createTestApp();
  const { address } = await createAccount(app);
  await callersOf(app).rpc(DAPP, 'eth_requestAccounts');
  return { edges: app.edges, stored: app.edges.backend.document as Stored, address };
}

/** Reads the frozen documents of each format. A file name contains the version and, for older
 * documents, a commit with that version. */
function readFormats(kind: 'encrypted' | 'public'): [string, Stored][] {
  const folder = `test/fixtures/state/${kind}`;
  return readdirSync(folder).map((file) => [
    file,
    JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Stored,
  ]);
}

const formats = {
  encrypted: readFormats('encrypted'),
  public: readFormats('public'),
};

describe('all formats of the state', () => {
  it('have a frozen document for every version since 7 (encrypted) and 6 (public)', async () => {
    const { edges, stored, address } = await setup();
    const today = [stored.version, (edges.publicBackend.document as Stored).version];
    expect(today).toStrictEqual([8, 6]);
    for (const [index, kind] of (['encrypted', 'public'] as const).entries()) {
      const versions = formats[kind].map(([, { version }]) => Number(version));
      const since = versions.filter((each) => each >= 7 - index).sort((a, b) => a - b);
      const newest = Number(today[index]);
      expect(since).toStrictEqual(
        Array.from({ length: newest - 6 + index }, (_none, more) => 7 - index + more),
      );
    }
    const { rpc } = callersOf(createTestApp(edges));
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it.each(formats.encrypted)(
    'are read from the encrypted document, with keys, grants and settings: %s',
    async (_file, stored) => {
      const { edges } = createTestApp();
      edges.backend.document = stored;
      // MetaMask fails, so that unsettled changes stay unsettled.
      edges.events.take = () => Promise.reject(new Error('lost'));
      const app = createTestApp(edges);
      const { rpc, keyring } = callersOf(app);
      const accounts = Object.values((stored as unknown as PrivateState).accounts);
      for (const { id, ...record } of accounts) {
        const exported = await keyring(COMPANION, 'keyring_exportAccount', { id });
        const { privateKey } = exported as { privateKey: `0x${string}` };
        expect(lower(privateKeyToAddress(privateKey))).toBe(
          'owner' in record ? record.owner : record.address,
        );
        expect(await keyring(COMPANION, 'keyring_getAccount', { id })).toMatchObject({
          id,
          address: record.address,
        });
      }
      const settings = { ...SETTINGS, ...(stored.settings as Stored) };
      expect((await app.services.store.read()).settings).toStrictEqual(settings);
      await rpc(COMPANION, 'tollkeeper_setSettings', [{ secondConfirmation: true }]);
      expect(edges.backend.document).toStrictEqual({
        ...without(stateOf({}), 'chains', 'accounts', 'grants'),
        ...stored,
        version: 8,
        settings: { ...settings, secondConfirmation: true },
      });
    },
  );

  it.each(formats.public)(
    'are read from the public document: %s',
    async (_file, stored) => {
      const { edges } = createTestApp();
      edges.publicBackend.document = stored;
      edges.clock.time = Number(stored.pendingSince ?? 0);
      // The list of pending transactions is in the encrypted document, which cannot be read.
      edges.clock.isLocked = true;
      await createTestApp(edges).entry.onStart({ origin: 'metamask' });
      const { isTracking, levels, ...others } = stored;
      // Fee levels that describe market trends in the gas API's own words are dropped.
      const known = Object.entries(levels as Record<string, Stored>).filter(
        ([, level]) => !JSON.stringify(level).includes('"level"'),
      );
      expect(edges.publicBackend.document).toStrictEqual({
        pendingSince: isTracking === true ? 0 : null,
        greeted: null,
        ...others,
        levels: Object.fromEntries(known),
        version: 6,
        session: Number(others.session ?? 0) + 1,
      });
    },
  );
});

it.each([
  [
    9,
    'has format 9; this version of Tollkeeper reads formats up to 8. Install a newer version ' +
      'of Tollkeeper.',
  ],
  [0, 'has no version'],
  [null, 'has no version'],
  ['1', 'has no version'],
])('rejects a document of version %j and leaves it unchanged', async (version, why) => {
  const { edges, stored } = await setup();
  const document = { ...stored, version };
  edges.backend.document = document;
  const { rpc, keyring } = callersOf(createTestApp(edges));
  for (const call of [
    async () => rpc(DAPP, 'eth_accounts'),
    async () => rpc(DAPP, 'eth_requestAccounts'),
    async () => keyring('metamask', 'keyring_listAccounts'),
    async () => keyring(COMPANION, 'keyring_createAccount', { options: {} }),
  ]) {
    await expectRefusal(call(), -32002, `The stored encrypted state ${why}`);
  }
  expect(edges.backend.document).toStrictEqual(document);
});

it('never overwrites an invalid document', async () => {
  const { edges, stored } = await setup();
  for (const document of [
    { ...stored, grants: 7 },
    { version: 2, chains: {} },
    { version: 7, accounts: {}, chains: {}, grants: {} },
    { ...stored, keys: [] },
  ]) {
    edges.backend.document = document;
    const { saves } = edges.backend;
    const { keyring } = callersOf(createTestApp(edges));
    const creation = keyring(COMPANION, 'keyring_createAccount', { options: {} });
    await expectRefusal(creation, -32002);
    expect(edges.backend.document).toStrictEqual(document);
    expect(edges.backend.saves).toBe(saves);
  }
});

const [eoa, imported, smart] = [
  derivedRecord(1, 'second'),
  importedRecord(),
  smartRecord(),
];
const key = '1f'.repeat(32);

const full: Stored = {
  ...stateOf({
    accounts: [eoa, imported, smart],
    grants: { [DAPP]: [eoa.id] },
    unsettled: {
      [eoa.id]: { change: 'update', session: 9 },
      added: { change: 'add', record: smartRecord({ salt: '0x1' }), session: 9 },
      [smart.id]: { change: 'remove', record: smart, session: 9 },
    },
  }),
  chains: {
    'eip155:1': {
      rpcUrl: 'https://node.example:8545/v3/path?x=1',
      wsUrl: 'ws://localhost:8546',
      gasBaseUrl: 'http://127.9.9.9',
      gasAuth: 'path',
      apiKey: key,
      apiKeySecret: 'a',
      bundlerUrl: 'http://[::1]:8545',
      bundlerApiKey: 'a'.repeat(256),
      entryPoint: '0.8',
      factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
      paymasterUrl: 'http://localhost:1',
      paymasterContext: { policy: { id: 1 } },
    },
  },
  requests: {
    [eoa.id]: {
      id: eoa.id,
      account: eoa.id,
      origin: 'metamask',
      scope: '',
      session: 7,
      request: { method: 'personal_sign', params: { deep: [null] } },
    },
  },
  activity: { [SENT.hash]: SENT as unknown as Json },
  batches: [createBatch(eoa.id)],
  preparedOperations: [{ sender: eoa.address, hash: SENT.hash }],
  signedOperations: [
    { chain: 'eip155:1', sender: eoa.address, nonce: '0x7', hash: SENT.hash },
  ],
  refusals: { 'https://other.example': { count: 3, last: 1_700_000_000_000 } },
};

/** Replaces the value at a path of a document; undefined removes it. */
function spoil(document: Stored, path: string[], value: Json | undefined): Stored {
  const [name = '', ...rest] = path;
  const inner = rest.length > 0 ? spoil(document[name] as Stored, rest, value) : value;
  return inner === undefined ? without(document, name) : { ...document, [name]: inner };
}

const damages: [string, (Json | undefined)[]][] = [
  ['grants', [{ [DAPP]: 'text' }]],
  [`accounts.${eoa.id}.type`, ['bip122:p2wpkh', 'eip155:erc4337']],
  [`accounts.${eoa.id}.address`, ['0x12']],
  [`accounts.${eoa.id}.scopes`, [['eip155:0']]],
  [`accounts.${eoa.id}.key.index`, [-1, 0.5, 2 ** 31, undefined]],
  [`accounts.${eoa.id}.key.privateKey`, [`0x${key}`]],
  [`accounts.${imported.id}.key.privateKey`, ['0x11', `0x${key}00`, undefined]],
  [`accounts.${smart.id}.scopes`, [[], ['eip155:01'], ['eip155:0x1'], ['solana:x']]],
  [`accounts.${smart.id}.entryPoint`, ['0.5']],
  [`accounts.${smart.id}.salt`, ['1']],
  [`accounts.${smart.id}.owner`, [undefined]],
  ['chains.eip155:', [{}]],
  ['chains.eip155:01', [{}]],
  [
    'chains.eip155:1.rpcUrl',
    [
      'http://node.example',
      'http://localhost.evil.example',
      'http://0.0.0.0:8545',
      'http://127.0.0.1.evil.example',
      'ws://localhost:8545',
      'file:///etc/passwd',
      'https://user@node.example',
      'https://:secret@node.example',
      'node.example',
      '',
      'javascript:alert(1)',
      `https://node.example/${'a'.repeat(2_048)}`,
      7,
      null,
    ],
  ],
  ...['gasBaseUrl', 'bundlerUrl', 'paymasterUrl'].map((name): [string, Json[]] => [
    `chains.eip155:1.${name}`,
    ['http://node.example'],
  ]),
  [
    'chains.eip155:1.wsUrl',
    ['ws://node.example', 'https://node.example', 'wss://user:pw@node.example'],
  ],
  ...['apiKey', 'apiKeySecret', 'bundlerApiKey'].map((name): [string, Json[]] => [
    `chains.eip155:1.${name}`,
    ['', 'a'.repeat(257), 7],
  ]),
  ['chains.eip155:1.gasAuth', ['header']],
  ['chains.eip155:1.entryPoint', ['0.5', 0.6]],
  ['chains.eip155:1.factory', ['0x12', '0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266']],
  ['chains.eip155:1.paymasterContext', ['text', ['list']]],
  ['chains.eip155:1.somethingElse', [1]],
  [`unsettled.${eoa.id}.change`, ['rename', undefined]],
  [`unsettled.${eoa.id}.session`, [-1, 1.5, '0', 2 ** 53, undefined]],
  ['unsettled.added.record', [null, { ...eoa, address: '0x12' }]],
  [`requests.${eoa.id}.session`, [-1, 0.5, undefined]],
  [`requests.${eoa.id}.account`, [7, undefined]],
  [`requests.${eoa.id}.origin`, ['o'.repeat(2_049), undefined]],
  [`requests.${eoa.id}.scope`, [null, undefined]],
  [`requests.${eoa.id}.request`, [null, undefined]],
  [`requests.${eoa.id}.request.method`, ['m'.repeat(65), undefined]],
  [`requests.${eoa.id}.request.params`, [null, 'text']],
  [`requests.${eoa.id}.request.more`, [1]],
];

const batch = createBatch(eoa.id);

it.each<(typeof damages)[number]>([
  ...damages,
  [`activity.${SENT.hash}.nonce`, ['7', undefined]],
  ['batches', [[{ ...batch, size: 0 }, batch]]],
  ['preparedOperations', [['text']]],
  ['signedOperations', [[{ nonce: '0x7' }, null]]],
  ['refusals', [{ [DAPP]: { count: 0, last: 1 } }]],
])(
  'sets aside the damaged record if %s is one of %j, and keeps it in the document',
  async (path, values) => {
    const [collection = '', name = ''] = path.split('.');
    for (const value of values) {
      const { edges } = createTestApp();
      const document = spoil(full, path.split('.'), value);
      edges.backend.document = document;
      edges.events.take = () => Promise.reject(new Error('lost'));
      const app = createTestApp(edges);
      const { rpc } = callersOf(app);
      await rpc(COMPANION, 'tollkeeper_setSettings', [{ feeLevel: 'high' }]);
      const settings = { ...(full.settings as Stored), feeLevel: 'high' };
      expect(edges.backend.document).toEqual({ ...document, settings });
      const damaged = await app.services.repository.listDamaged();
      expect(damaged.length).toBeGreaterThan(0);
      for (const { problem } of damaged) {
        expect(problem).toContain(
          `A record of the stored encrypted state is damaged and was set aside: encrypted state.${collection}`,
        );
        // Long keys are truncated.
        expect(problem).toContain(name.slice(0, 40));
        expect(`${problem}${edges.lines.join()}`).not.toContain(key);
      }
    }
  },
);

it('says what a damaged key must be', async () => {
  const { edges } = createTestApp();
  const path = ['accounts', imported.id, 'key', 'privateKey'];
  edges.backend.document = spoil(full, path, '0x11');
  const [damaged] = await createTestApp(edges).services.repository.listDamaged();
  expect(damaged?.problem).toContain(
    'key.held must be a reference to a stored value of 32 bytes.',
  );
});

describe('one damaged account among fifty', () => {
  const records = Array.from({ length: 50 }, (_none, index) => derivedRecord(index));
  const [bad = eoa, good = eoa] = records.slice(30);
  const raw = { ...bad, address: '0x12', more: [null] };

  function setupDamaged(): RestoreBench & { rawRecord: () => unknown } {
    const bench = createRestoreBench();
    const { edges } = bench.app;
    const state = stateOf({ accounts: records, grants: { [DAPP]: [bad.id, good.id] } });
    edges.backend.document = {
      ...(state as unknown as Stored),
      accounts: { ...state.accounts, [bad.id]: raw } as unknown as Json,
    };
    // Without grant marks in the public document, the encrypted document decides which sites have a
    // grant.
    edges.publicBackend.document = {
      version: 6,
      levels: {},
      session: 0,
      pendingSince: null,
      greeted: null,
    };
    for (const record of records) {
      bench.metamask.accounts.set(record.id, toKeyringAccount(record));
    }
    const rawRecord = (): unknown =>
      (edges.backend.document as { accounts: Stored }).accounts[bad.id];
    return Object.assign(bench, { rawRecord });
  }

  it('is preserved, and others can still be listed, used and created', async () => {
    const bench = setupDamaged();
    const { rpc, keyring } = callersOf(bench.app);
    const listed = (await keyring('metamask', 'keyring_listAccounts')) as Stored[];
    expect(listed.map(({ id }) => id).sort()).toStrictEqual(
      records.flatMap(({ id }) => (id === bad.id ? [] : id)).sort(),
    );
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([good.address]);
    const message = 'Hello';
    const signature = await rpc(DAPP, 'personal_sign', [
      stringToHex(message),
      good.address,
    ]);
    const signer = await recoverMessageAddress({
      message,
      signature: signature as Hex,
    });
    expect(lower(signer)).toBe(good.address);
    const created = await bench.create();
    expect(created.options.index).toBe(50);
    await keyring('metamask', 'keyring_deleteAccount', { id: created.id });
    await keyring('metamask', 'keyring_deleteAccount', { id: bad.id });
    expect(bench.rawRecord()).toStrictEqual(raw);
    expect(await bench.app.services.repository.list()).toHaveLength(49);
    const { id } = bad;
    const refusal = await refusalOf(keyring('metamask', 'keyring_getAccount', { id }));
    expect(refusal).toStrictEqual({
      code: -32002,
      message:
        `The account ${id} cannot be used. A record of the stored encrypted state is ` +
        `damaged and was set aside: encrypted state.accounts["${id}"].address must be a ` +
        "20-byte address in hex. See Tollkeeper's home page.",
    });
  });

  it('is recovered when accounts are restored, and the damaged record is kept', async () => {
    const { app, restore, rawRecord, create } = setupDamaged();
    const { recovered, failed } = await restore();
    expect([recovered.map(({ id }) => id), failed]).toStrictEqual([[bad.id], []]);
    expect(rawRecord()).toStrictEqual(bad);
    const granted = await callersOf(app).rpc(DAPP, 'eth_accounts');
    expect(granted).toStrictEqual([bad.address, good.address]);
    await create();
    const kept = ['accounts', `${bad.id}'`];
    expect(app.edges.backend.document).toHaveProperty(kept, raw);
  });
});

it.each<[string, (Json | undefined)[]]>([
  ['grants', [undefined, 'text']],
  ['batches', [{}]],
  ['settings', [undefined]],
  ['settings.approvalMode', ['later', undefined]],
  ['settings.more', [1]],
  ['keys', ['text']],
])('rejects a document whose %s is one of %j', async (path, values) => {
  for (const value of values) {
    const { edges } = createTestApp();
    const document = spoil(full, path.split('.'), value);
    edges.backend.document = document;
    const { rpc } = callersOf(createTestApp(edges));
    const changing = rpc(COMPANION, 'tollkeeper_setSettings', [{ feeLevel: 'high' }]);
    const { code, message } = await refusalOf(changing);
    expect(code).toBe(-32002);
    expect(message).toContain('is not valid and was left as it is: encrypted state');
    expect(`${message}${edges.lines.join()}`).not.toContain(key);
    expect(edges.backend.document).toStrictEqual(document);
  }
});

const level = { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' };
const wait = { min: 15_000, max: 30_000 };
const market = {
  congestion: 0.5,
  baseFeeTrend: 'up',
  priorityFeeTrend: 'down',
  waits: { low: wait, medium: wait, high: wait },
};
const levels = {
  source: 'gas-api',
  at: 1_700_000_000_000,
  head: '0x10',
  estimatedBaseFee: '0x1',
  low: level,
  medium: level,
  high: level,
  market,
};

const publicDocument: Stored = {
  version: 6,
  session: 12,
  pendingSince: 1_700_000_000_000,
  greeted: '0.1.0',
  grantMarks: ['0x1234'],
  levels: { 'eip155:1': levels },
};

async function startWith(document: Json): Promise<Edges> {
  const { edges } = createTestApp();
  edges.publicBackend.document = document;
  edges.clock.isLocked = true;
  const { entry } = createTestApp(edges);
  await entry.onStart({ origin: 'metamask' }).catch(() => undefined);
  return edges;
}

it.each<[string, Json[]]>([
  ['levels.eip155:1.source', ['oracle']],
  ['levels.eip155:1.at', [-1, 1.5]],
  ['levels.eip155:1.head', [16, null]],
  ['levels.eip155:1.estimatedBaseFee', ['-0x1']],
  ['levels.eip155:1.market.congestion', [-0.1, 1.1, '0.5']],
])(
  'drops a record of the public document whose %s is one of %j',
  async (path, values) => {
    for (const value of values) {
      const edges = await startWith(spoil(publicDocument, path.split('.'), value));
      const kept = { ...publicDocument, levels: {}, session: 13 };
      expect(edges.publicBackend.document).toStrictEqual(kept);
    }
  },
);

it.each<[string, Json[]]>([
  ['session', [-1, 0.5, 2 ** 53, '1', null]],
  ['accounts', [{}]],
])(
  'answers requests without changing a public document whose %s is one of %j',
  async (path, values) => {
    const counted = await startWith(publicDocument);
    expect(counted.publicBackend.document).toHaveProperty('session', 13);
    for (const value of values) {
      const document = spoil(publicDocument, path.split('.'), value);
      const edges = await startWith(document);
      expect(edges.publicBackend.document).toStrictEqual(document);
      const { keyring } = callersOf(createTestApp(edges));
      expect(await keyring('metamask', 'keyring_listAccounts')).toStrictEqual([]);
    }
  },
);

describe('stored state', () => {
  const settingsOf = async (edges: Edges, app = createTestApp(edges)) =>
    (await app.services.store.read()).settings;

  it('is loaded once per worker, and again only after a failed load', async () => {
    const { edges } = await setup();
    const app = createTestApp(edges);
    edges.backend.loads = 0;
    edges.backend.failNextLoad = new Error('locked');
    await settingsOf(edges, app).catch(() => undefined);
    await Promise.all(Array.from({ length: 5 }, async () => settingsOf(edges, app)));
    expect(await settingsOf(edges, app)).toHaveProperty('feeLevel', 'medium');
    expect(edges.backend.loads).toBe(2);
  });

  it('is visible only after it is saved, even if the save then reports an error', async () => {
    const { edges } = await setup();
    const app = createTestApp(edges);
    const { rpc } = callersOf(app);
    const { save } = edges.backend;
    const { opened, open } = createGate();
    edges.backend.save = async (document) => {
      await opened;
      await save(document);
      throw new Error('disconnected');
    };
    const changing = rpc(COMPANION, 'tollkeeper_setSettings', [{ feeLevel: 'high' }]);
    await settle();
    expect(await settingsOf(edges, app)).toHaveProperty('feeLevel', 'medium');
    open();
    await refusalOf(changing);
    expect(await settingsOf(edges, app)).toHaveProperty('feeLevel', 'high');
    edges.backend = createMemoryBackend(edges.backend.document);
    expect(await settingsOf(edges)).toHaveProperty('feeLevel', 'high');
  });
});
