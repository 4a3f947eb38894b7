import { createRepository } from '../../../src/accounts/repository';
import { createGrants } from '../../../src/handlers/grants';
import type { Grants } from '../../../src/handlers/grants';
import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateStore } from '../../../src/state/private-state';
import { createMemoryBackend } from '../../support/memory-backend';
import type { MemoryBackend } from '../../support/memory-backend';
import { derivedRecord, smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const DAPP = 'https://dapp.example';
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
  const repository = createRepository(store);
  for (const record of [eoa, other, smart]) await repository.insert(record);
  return { grants: createGrants(store), store, backend };
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
    expect(await refusalOf(grants.require(origin, eoa.id))).toStrictEqual(refusal);
  });

  it('outlive the worker', async () => {
    const { grants, backend } = await setup();
    await grants.set(DAPP, [eoa.id]);
    const later = createGrants(openPrivateStore(backend));
    expect(await later.list(DAPP)).toStrictEqual([eoa]);
  });

  it('list no account that is gone', async () => {
    const { grants, store } = await setup();
    expect(await grants.set(DAPP, [eoa.id, 'gone'])).toStrictEqual([eoa]);
    expect(await grants.list(DAPP)).toStrictEqual([eoa]);
    expect((await store.read()).grants[DAPP]).toStrictEqual([eoa.id]);
  });
});

describe('requiring a grant', () => {
  it.each([eoa.id, eoa.address, eoa.address.toUpperCase().replace('0X', '0x')])(
    'finds the account by id and by address in any case: %s',
    async (account) => {
      const { grants } = await setup();
      await grants.set(DAPP, [other.id, eoa.id]);
      expect(await grants.require(DAPP, account)).toStrictEqual(eoa);
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
    expect(await refusalOf(grants.require(DAPP, account))).toStrictEqual(refusal);
  });
});
