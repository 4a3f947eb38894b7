import type { Unsettled } from '../../../src/state/unsettled';
import { derivedRecord, importedRecord, smartRecord } from '../../support/records';
import { createAccountBench, SESSION, stateOf } from '../../support/stored-accounts';

const [eoa, other, smart] = [derivedRecord(0), derivedRecord(1), smartRecord()];

const addition: Unsettled = { change: 'add', record: other, session: SESSION };
const update: Unsettled = { change: 'update', session: SESSION };
const removal: Unsettled = { change: 'remove', session: SESSION };

const nothing = ['', 'none', '__proto__', 'constructor', 'toString'];

describe('finding accounts', () => {
  it('lists them in the order of their creation', async () => {
    const accounts = [other, eoa, smart];
    const { repository } = createAccountBench({ accounts });
    expect(await repository.list()).toStrictEqual(accounts);
  });

  it('finds an account by its id and by its address in any case', async () => {
    const { repository } = createAccountBench({ accounts: [eoa] });
    expect(await repository.find(eoa.id)).toStrictEqual(eoa);
    expect(await repository.findByAddress(eoa.address.toUpperCase())).toStrictEqual(
      eoa,
    );
  });

  it.each(nothing)('finds nothing for the id %j', async (id) => {
    const { repository } = createAccountBench({ accounts: [eoa] });
    expect(await repository.find(id)).toBeUndefined();
    expect(await repository.findByAddress(id)).toBeUndefined();
  });

  it('finds no account that is only noted to be added', async () => {
    const { repository } = createAccountBench({ unsettled: { [other.id]: addition } });
    expect(await repository.list()).toStrictEqual([]);
    expect(await repository.find(other.id)).toBeUndefined();
    expect(await repository.findByAddress(other.address)).toBeUndefined();
  });

  it('finds an account that is noted to be removed: it is in use until then', async () => {
    const unsettled = { [eoa.id]: removal };
    const { repository } = createAccountBench({ accounts: [eoa], unsettled });
    expect(await repository.list()).toStrictEqual([eoa]);
    expect(await repository.find(eoa.id)).toStrictEqual(eoa);
  });
});

describe('finding changes that are not settled', () => {
  it('finds none where nothing was changed', async () => {
    const { repository } = createAccountBench({ accounts: [eoa] });
    expect(await repository.listUnsettled()).toStrictEqual([]);
    expect(await repository.findUnsettled(eoa.id)).toBeUndefined();
  });

  it('lists them by account, and finds one by its account', async () => {
    const unsettled = {
      [other.id]: addition,
      [smart.id]: update,
      [eoa.id]: removal,
    };
    const { repository } = createAccountBench({ accounts: [eoa, smart], unsettled });
    expect(await repository.listUnsettled()).toStrictEqual([
      [other.id, addition],
      [smart.id, update],
      [eoa.id, removal],
    ]);
    expect(await repository.findUnsettled(other.id)).toStrictEqual(addition);
    expect(await repository.findUnsettled(smart.id)).toStrictEqual(update);
  });

  it.each(nothing)('finds none for the id %j', async (id) => {
    const unsettled = { [other.id]: addition };
    const { repository } = createAccountBench({ unsettled });
    expect(await repository.findUnsettled(id)).toBeUndefined();
  });
});

describe('ensuring that an account is there', () => {
  it('stores it after those that are there', async () => {
    const { repository, backend } = createAccountBench({ accounts: [eoa] });
    await repository.ensure(smart);
    expect(backend.document).toStrictEqual(stateOf({ accounts: [eoa, smart] }));
  });

  it('leaves the one that is there as it is, and writes nothing', async () => {
    const { repository, backend } = createAccountBench({ accounts: [smart] });
    await repository.ensure({ ...smart, scopes: ['eip155:5'] });
    expect(await repository.list()).toStrictEqual([smart]);
    expect(backend.saves).toBe(0);
  });
});

describe('changes made at once', () => {
  it('lose none of a hundred accounts', async () => {
    const { repository, backend } = createAccountBench();
    const keys = Array.from({ length: 100 }, (_, index) => index + 1);
    const records = keys.map((key) =>
      importedRecord(`0x${key.toString(16).padStart(64, '0')}`),
    );
    await Promise.all(
      records.map(async (record) => {
        await repository.beginAddition(record);
        const { id } = record;
        await repository.settle({ id, change: 'add', isHeld: true });
      }),
    );
    expect(backend.document).toStrictEqual(stateOf({ accounts: records }));
  });
});
