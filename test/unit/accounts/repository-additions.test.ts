import type { AccountRecord } from '../../../src/state/account-record';
import type { Unsettled } from '../../../src/state/unsettled';
import {
  derivedRecord,
  importedRecord,
  IMPORTED_KEY,
  smartRecord,
} from '../../support/records';
import { contextOf, refusalOf } from '../../support/refusal';
import { createAccountBench, SESSION, stateOf } from '../../support/stored-accounts';
import type { AccountBench } from '../../support/stored-accounts';

const [eoa, smart, imported] = [derivedRecord(), smartRecord(), importedRecord()];

const additionOf = (record: AccountRecord, session = SESSION): Unsettled => ({
  change: 'add',
  record,
  session,
});

const importedOf = (record: AccountRecord): AccountRecord => ({
  ...record,
  key: { kind: 'imported', privateKey: IMPORTED_KEY },
});

describe('beginning to add an account', () => {
  it.each([eoa, smart, imported])(
    'notes it, and stores no more: %#',
    async (record) => {
      const { repository, backend } = createAccountBench();
      const begun = await repository.beginAddition(record);
      expect(begun).toStrictEqual({ record, isNew: true });
      expect(backend.document).toStrictEqual(
        stateOf({ unsettled: { [record.id]: additionOf(record) } }),
      );
    },
  );

  it('notes it anew if it was begun before', async () => {
    const before = additionOf(eoa, SESSION - 1);
    const { repository, backend } = createAccountBench({
      unsettled: { [eoa.id]: before },
    });
    expect(await repository.beginAddition(eoa)).toStrictEqual({
      record: eoa,
      isNew: true,
    });
    expect(backend.document).toStrictEqual(
      stateOf({ unsettled: { [eoa.id]: additionOf(eoa) } }),
    );
  });

  it('gives the derived account that is there, as it is stored, and notes nothing', async () => {
    const stored = smartRecord({ scopes: ['eip155:5'] });
    const { repository, backend } = createAccountBench({ accounts: [stored] });
    expect(await repository.beginAddition(smart)).toStrictEqual({
      record: stored,
      isNew: false,
    });
    expect(backend.saves).toBe(0);
  });

  it.each([
    ['under another name of its entropy source', derivedRecord(0, 'primary').key],
    ['at another index', { kind: 'derived', index: 7 }],
  ] as [string, AccountRecord['key']][])(
    'takes the same address derived %s for the same account',
    async (_how, key) => {
      const { repository, backend } = createAccountBench({ accounts: [eoa] });
      expect(await repository.beginAddition({ ...eoa, key })).toStrictEqual({
        record: eoa,
        isNew: false,
      });
      expect(backend.saves).toBe(0);
    },
  );

  it.each([
    ['an import of a derived account', [eoa, importedOf(eoa)], 'Tollkeeper 1'],
    [
      'a derivation of an imported account',
      [importedOf(eoa), eoa],
      'Tollkeeper (imported)',
    ],
    ['the same import again', [imported, imported], 'Tollkeeper (imported)'],
    [
      'a smart account at the address of an EOA',
      [eoa, smartRecord({ address: eoa.address })],
      'Tollkeeper 1',
    ],
    [
      'an EOA at the address of a smart account',
      [smartRecord({ address: eoa.address }), eoa],
      'Tollkeeper Smart 1',
    ],
    [
      'an account of another salt that its factory places at the same address',
      [smart, smartRecord({ salt: '0x1' })],
      'Tollkeeper Smart 1',
    ],
  ] as [string, [AccountRecord, AccountRecord], string][])(
    'refuses %s and names the one that is there',
    async (_what, [stored, record], name) => {
      const { repository, backend } = createAccountBench({ accounts: [stored] });
      const { id, address } = stored;
      const begin = async (): Promise<unknown> => repository.beginAddition(record);
      const refusal = await refusalOf(begin());
      expect(refusal).toStrictEqual({
        code: -32602,
        message: `An account with the address ${address} exists already: ${name} (${id}).`,
      });
      expect(await contextOf(begin())).toStrictEqual({ address, id });
      expect(refusal.message).not.toContain(IMPORTED_KEY.slice(2));
      expect(backend.document).toStrictEqual(stateOf({ accounts: [stored] }));
    },
  );

  it.each(['update', 'remove'] as const)(
    'refuses an account that is there while the change %s of it is in flight',
    async (change) => {
      const stored = {
        accounts: [eoa],
        unsettled: { [eoa.id]: { change, session: SESSION } },
      };
      const { repository, backend } = createAccountBench(stored);
      expect(await refusalOf(repository.beginAddition(eoa))).toStrictEqual({
        code: -32002,
        message:
          `The account ${eoa.address} is being changed; try again when MetaMask has ` +
          'answered.',
      });
      expect(backend.document).toStrictEqual(stateOf(stored));
    },
  );

  it('is not hindered by changes of other accounts', async () => {
    const removal: Unsettled = { change: 'remove', session: SESSION };
    const stored = { accounts: [smart], unsettled: { [smart.id]: removal } };
    const { repository } = createAccountBench(stored);
    await repository.beginAddition(eoa);
    expect(await repository.findUnsettled(smart.id)).toStrictEqual(removal);
    expect(await repository.findUnsettled(eoa.id)).toStrictEqual(additionOf(eoa));
  });
});

describe('settling an addition', () => {
  async function setup(): Promise<AccountBench> {
    const bench = createAccountBench({ accounts: [smart] });
    await bench.repository.beginAddition(imported);
    return bench;
  }

  it('stores the account that MetaMask holds, key and all', async () => {
    const { repository, backend } = await setup();
    await repository.settle({ id: imported.id, change: 'add', isHeld: true });
    expect(backend.document).toStrictEqual(stateOf({ accounts: [smart, imported] }));
  });

  it('forgets the account that MetaMask does not hold, key and all', async () => {
    const { repository, backend } = await setup();
    await repository.settle({ id: imported.id, change: 'add', isHeld: false });
    expect(backend.document).toStrictEqual(stateOf({ accounts: [smart] }));
    expect(JSON.stringify(backend.document)).not.toContain(IMPORTED_KEY.slice(2));
  });

  it('keeps an account as it is stored by now', async () => {
    const { repository } = await setup();
    const changed = { ...smart, scopes: ['eip155:5' as const] };
    await repository.beginRemoval(smart.id);
    await repository.settle({ id: smart.id, change: 'remove', isHeld: false });
    await repository.beginAddition(smart);
    await repository.ensure(changed);
    await repository.settle({ id: smart.id, change: 'add', isHeld: true });
    expect(await repository.find(smart.id)).toStrictEqual(changed);
  });

  it.each([true, false])(
    'does nothing if a removal has overtaken it (held: %j)',
    async (isHeld) => {
      const { repository, backend } = await setup();
      await repository.beginRemoval(imported.id);
      const before = backend.document;
      await repository.settle({ id: imported.id, change: 'add', isHeld });
      expect(backend.document).toBe(before);
    },
  );

  it.each([true, false])('does nothing a second time (held: %j)', async (isHeld) => {
    const { repository, backend } = await setup();
    await repository.settle({ id: imported.id, change: 'add', isHeld });
    const before = backend.document;
    await repository.settle({ id: imported.id, change: 'add', isHeld: !isHeld });
    expect(backend.document).toBe(before);
  });
});
