import { createRepository } from '../../../src/accounts/repository';
import { createGrants } from '../../../src/handlers/grants';
import type { Grants } from '../../../src/handlers/grants';
import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateStore } from '../../../src/state/private-state';
import { openPublicStore } from '../../../src/state/public-state';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { derivedRecord, smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const DAPP = 'https://dapp.example';
const OTHER = 'https://other.example';
const [eoa, other, smart] = [derivedRecord(0), derivedRecord(1), smartRecord()];

const refusal = {
  code: 4100,
  message:
    'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
};

type Bench = { grants: Grants; store: PrivateStore; backend: MemoryBackend };

async function setup(): Promise<Bench> {
  const backend = createMemoryBackend();
  const store = openPrivateStore(backend);
  const publicStore = openPublicStore(createMemoryBackend());
  const repository = createRepository(store, () => Promise.resolve(0));
  for (const record of [eoa, other, smart]) await repository.ensure(record);
  return { grants: createGrants(store, publicStore), store, backend };
}

describe('grants', () => {
  it('are none at first', async () => {
    const { grants } = await setup();
    expect(await grants.list(DAPP)).toStrictEqual([]);
  });

  it('are listed in the order of granting', async () => {
    const { grants } = await setup();
    await grants.set(DAPP, [smart.id, eoa.id]);
    expect(await grants.list(DAPP)).toStrictEqual([smart, eoa]);
  });

  it('take the place of those before', async () => {
    const { grants } = await setup();
    await grants.set(DAPP, [smart.id, eoa.id]);
    await grants.set(DAPP, [other.id]);
    expect(await grants.list(DAPP)).toStrictEqual([other]);
  });

  it('are forgotten with the last one', async () => {
    const { grants, store } = await setup();
    await grants.set(DAPP, [eoa.id]);
    await grants.set(DAPP, []);
    expect(await grants.list(DAPP)).toStrictEqual([]);
    expect((await store.read()).grants).toStrictEqual({});
  });

  it.each([
    'https://dapp.example:8443',
    'http://dapp.example',
    'https://www.dapp.example',
    '__proto__',
    'constructor',
    '',
  ])('are for one origin only, not for %j', async (origin) => {
    const { grants } = await setup();
    await grants.set(DAPP, [eoa.id]);
    expect(await grants.list(origin)).toStrictEqual([]);
    expect(await refusalOf(grants.require(origin, [eoa.id]))).toStrictEqual(refusal);
  });

  it('outlive the worker', async () => {
    const { grants, backend } = await setup();
    await grants.set(DAPP, [eoa.id]);
    const later = createGrants(
      openPrivateStore(backend),
      openPublicStore(createMemoryBackend()),
    );
    expect(await later.list(DAPP)).toStrictEqual([eoa]);
  });

  it('list no account that is gone', async () => {
    const { grants, store } = await setup();
    expect(await grants.set(DAPP, [eoa.id, 'gone'])).toStrictEqual([eoa]);
    expect(await grants.list(DAPP)).toStrictEqual([eoa]);
    expect((await store.read()).grants[DAPP]).toStrictEqual([eoa.id]);
  });

  it('pass over what is stored of an account that is gone', async () => {
    const { grants, store } = await setup();
    const stored = { [DAPP]: ['gone', eoa.id] };
    await store.update((state) => ({ ...state, grants: stored }));
    expect(await grants.list(DAPP)).toStrictEqual([eoa]);
    expect(await refusalOf(grants.require(DAPP, ['gone']))).toStrictEqual(refusal);
  });
});

describe('listing all grants', () => {
  it('tells by origin which accounts were granted, in the order of granting', async () => {
    const { grants } = await setup();
    expect(await grants.listAll()).toStrictEqual([]);
    await grants.set(OTHER, [eoa.id]);
    await grants.set(DAPP, [smart.id, eoa.id]);
    expect(await grants.listAll()).toStrictEqual([
      { origin: OTHER, accounts: [{ id: eoa.id, address: eoa.address }] },
      {
        origin: DAPP,
        accounts: [
          { id: smart.id, address: smart.address },
          { id: eoa.id, address: eoa.address },
        ],
      },
    ]);
  });

  it('tells of origins that are named like parts of an object', async () => {
    const { grants } = await setup();
    await grants.set('__proto__', [eoa.id]);
    expect(await grants.listAll()).toStrictEqual([
      { origin: '__proto__', accounts: [{ id: eoa.id, address: eoa.address }] },
    ]);
  });
});

describe('revoking', () => {
  const granted = [smart.id, eoa.id, other.id];

  it('takes one account back, by its id, and keeps the order of the others', async () => {
    const { grants } = await setup();
    await grants.set(DAPP, granted);
    await grants.revoke(DAPP, eoa.id);
    expect(await grants.list(DAPP)).toStrictEqual([smart, other]);
    expect(await refusalOf(grants.require(DAPP, [eoa.id]))).toStrictEqual(refusal);
  });

  it('takes all back, and forgets the origin', async () => {
    const { grants, store } = await setup();
    await grants.set(DAPP, granted);
    await grants.revoke(DAPP);
    expect((await store.read()).grants).toStrictEqual({});
  });

  it('forgets the origin with its last account', async () => {
    const { grants, store } = await setup();
    await grants.set(DAPP, [eoa.id]);
    await grants.revoke(DAPP, eoa.id);
    expect((await store.read()).grants).toStrictEqual({});
  });

  it.each([undefined, eoa.id])('takes nothing from other origins', async (id) => {
    const { grants } = await setup();
    await grants.set(DAPP, granted);
    await grants.set(OTHER, granted);
    await grants.revoke(DAPP, id);
    expect(await grants.list(OTHER)).toStrictEqual([smart, eoa, other]);
  });

  it.each(['gone', eoa.address, ''])(
    'takes nothing back for an id that was not granted: %j',
    async (id) => {
      const { grants } = await setup();
      await grants.set(DAPP, granted);
      await grants.revoke(DAPP, id);
      expect(await grants.list(DAPP)).toStrictEqual([smart, eoa, other]);
    },
  );

  it.each([OTHER, '__proto__', 'constructor'])(
    'writes nothing for an origin that was granted nothing: %j',
    async (origin) => {
      const { grants, backend } = await setup();
      await grants.set(DAPP, granted);
      const before = backend.document;
      await grants.revoke(origin);
      await grants.revoke(origin, eoa.id);
      expect(backend.document).toBe(before);
    },
  );
});

describe('requiring a grant', () => {
  it.each([eoa.id, eoa.address, eoa.address.toUpperCase().replace('0X', '0x')])(
    'finds the account by id and by address in any case: %s',
    async (account) => {
      const { grants } = await setup();
      await grants.set(DAPP, [other.id, eoa.id]);
      expect(await grants.require(DAPP, [account])).toStrictEqual(eoa);
    },
  );

  it.each([
    ['that was not granted', other.address],
    ['that was not granted, by its id', other.id],
    ['that does not exist', '0x0000000000000000000000000000000000000001'],
    ['that is named by nothing', ''],
    ['that is no account', '__proto__'],
  ])('does not tell whether an account exists %s', async (_what, account) => {
    const { grants } = await setup();
    await grants.set(DAPP, [eoa.id]);
    expect(await refusalOf(grants.require(DAPP, [account]))).toStrictEqual(refusal);
  });
});
