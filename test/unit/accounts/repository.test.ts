import { createRepository } from '../../../src/accounts/repository';
import type { AccountRepository } from '../../../src/accounts/repository';
import type { AccountRecord } from '../../../src/state/account-record';
import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateStore } from '../../../src/state/private-state';
import { createMemoryBackend } from '../../support/memory-backend';
import {
  derivedRecord,
  importedRecord,
  IMPORTED_KEY,
  smartRecord,
} from '../../support/records';
import { refusalOf } from '../../support/refusal';

type Bench = {
  repository: AccountRepository;
  store: PrivateStore;
  grant: (origin: string, records: AccountRecord[]) => Promise<void>;
};

async function setup(...records: AccountRecord[]): Promise<Bench> {
  const store = openPrivateStore(createMemoryBackend());
  const repository = createRepository(store);
  for (const record of records) await repository.insert(record);
  const grant: Bench['grant'] = async (origin, granted) => {
    const ids = granted.map(({ id }) => id);
    await store.update((state) => ({
      ...state,
      grants: { ...state.grants, [origin]: ids },
    }));
  };
  return { repository, store, grant };
}

describe('finding accounts', () => {
  it('lists them in the order of their creation', async () => {
    const records = [derivedRecord(1), derivedRecord(0), smartRecord()];
    const { repository } = await setup(...records);
    expect(await repository.list()).toStrictEqual(records);
  });

  it('finds an account by its id and by its address in any case', async () => {
    const record = derivedRecord();
    const { repository } = await setup(record);
    const upper = record.address.toUpperCase();
    expect(await repository.find(record.id)).toStrictEqual(record);
    expect(await repository.findByAddress(upper)).toStrictEqual(record);
  });

  it.each(['', 'none', '__proto__', 'constructor', 'toString'])(
    'finds nothing for the id %j',
    async (id) => {
      const { repository } = await setup(derivedRecord());
      expect(await repository.find(id)).toBeUndefined();
    },
  );
});

describe('inserting an account', () => {
  it('tells that it is new', async () => {
    const { repository } = await setup();
    const record = derivedRecord();
    expect(await repository.insert(record)).toStrictEqual({ record, isNew: true });
    expect(await repository.list()).toStrictEqual([record]);
  });

  it('gives the derived account that is there, as it is stored', async () => {
    const stored = smartRecord({ scopes: ['eip155:5'] });
    const { repository } = await setup(stored);
    expect(await repository.insert(smartRecord())).toStrictEqual({
      record: stored,
      isNew: false,
    });
    expect(await repository.list()).toStrictEqual([stored]);
  });

  it.each([
    ['an import of a derived account', derivedRecord(), importedOf(derivedRecord())],
    [
      'a derivation of an imported account',
      importedOf(derivedRecord()),
      derivedRecord(),
    ],
    ['the same import again', importedRecord(), importedRecord()],
    ['another index with the address', derivedRecord(), otherIndex(derivedRecord())],
    [
      'another source with the address',
      derivedRecord(),
      { ...derivedRecord(), key: derivedRecord(0, 'second').key },
    ],
    [
      'a smart account at the address of an EOA',
      derivedRecord(),
      smartRecord({ address: derivedRecord().address }),
    ],
    [
      'an account of another salt that its factory places at the same address',
      smartRecord(),
      smartRecord({ salt: '0x1' }),
    ],
  ] as [string, AccountRecord, AccountRecord][])(
    'refuses %s and names the one that is there',
    async (_what, stored, record) => {
      const { repository } = await setup(stored);
      const refusal = await refusalOf(repository.insert(record));
      expect(refusal).toStrictEqual({
        code: -32602,
        message: `An account with the address ${stored.address} exists already (${stored.id}).`,
      });
      expect(refusal.message).not.toContain(IMPORTED_KEY);
      expect(await repository.list()).toStrictEqual([stored]);
    },
  );
});

describe('replacing an account', () => {
  it('stores its new state in its place', async () => {
    const [first, last] = [smartRecord(), derivedRecord()];
    const { repository } = await setup(first, last);
    const changed = { ...first, scopes: ['eip155:5' as const] };
    await repository.replace(changed);
    expect(await repository.list()).toStrictEqual([changed, last]);
  });

  it('does not bring a removed account back', async () => {
    const record = smartRecord();
    const { repository } = await setup(record);
    await repository.remove(record.id);
    await repository.replace(record).catch(() => undefined);
    expect(await repository.list()).toStrictEqual([]);
  });
});

describe('removing an account', () => {
  it('removes it and what was granted of it, and no more', async () => {
    const [one, other] = [derivedRecord(0), derivedRecord(1)];
    const { repository, store, grant } = await setup(one, other);
    await grant('https://both.example', [one, other]);
    await grant('https://one.example', [one]);
    await repository.remove(one.id);
    expect(await store.read()).toMatchObject({
      accounts: { [other.id]: other },
      grants: { 'https://both.example': [other.id] },
    });
    expect(await repository.list()).toStrictEqual([other]);
    expect(Object.keys((await store.read()).grants)).toStrictEqual([
      'https://both.example',
    ]);
  });

  it('writes nothing for an id that is not there', async () => {
    const { repository, store } = await setup(derivedRecord());
    const before = await store.read();
    const restore = await repository.remove('none');
    await restore();
    expect(await store.read()).toBe(before);
  });

  it('puts the account and its grants back as they were', async () => {
    const [one, other] = [derivedRecord(0), derivedRecord(1)];
    const { repository, store, grant } = await setup(one, other);
    await grant('https://both.example', [other, one]);
    await grant('https://one.example', [one]);
    const before = await store.read();
    const restore = await repository.remove(one.id);
    await restore();
    expect(await store.read()).toStrictEqual(before);
  });

  it('keeps the order of granting, by which a site tells its first account', async () => {
    const [one, other] = [derivedRecord(0), derivedRecord(1)];
    const { repository, store, grant } = await setup(one, other);
    await grant('https://both.example', [one, other]);
    const restore = await repository.remove(one.id);
    await restore();
    const { grants } = await store.read();
    expect(grants['https://both.example']).toStrictEqual([one.id, other.id]);
  });

  it('keeps what was changed between removing and putting back', async () => {
    const [one, other] = [derivedRecord(0), derivedRecord(1)];
    const { repository, store, grant } = await setup(one);
    const restore = await repository.remove(one.id);
    await repository.insert(other);
    await grant('https://new.example', [other]);
    await restore();
    const { accounts, grants } = await store.read();
    expect(Object.keys(accounts).sort()).toStrictEqual([one.id, other.id].sort());
    expect(grants).toStrictEqual({ 'https://new.example': [other.id] });
  });
});

function importedOf(record: AccountRecord): AccountRecord {
  return { ...record, key: { kind: 'imported', privateKey: IMPORTED_KEY } };
}

function otherIndex(record: AccountRecord): AccountRecord {
  return { ...record, key: { kind: 'derived', index: 7 } };
}
