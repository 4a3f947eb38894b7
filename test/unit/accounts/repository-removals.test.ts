import type { PrivateState } from '../../../src/state/private-state';
import type { Unsettled } from '../../../src/state/unsettled';
import { derivedRecord, importedRecord, smartRecord } from '../../support/records';
import { createAccountBench, SESSION, stateOf } from '../../support/stored-accounts';

const [eoa, smart, imported] = [derivedRecord(), smartRecord(), importedRecord()];
const { id } = eoa;

const grants = {
  'https://both.example': [smart.id, id],
  'https://one.example': [id],
  'https://other.example': [smart.id],
};

const removal: Unsettled = { change: 'remove', session: SESSION };

describe('beginning to remove an account', () => {
  it('notes it; the account and what was granted of it stay', async () => {
    const stored = { accounts: [eoa, smart], grants };
    const { repository, backend } = createAccountBench(stored);
    await repository.beginRemoval(id);
    expect(backend.document).toStrictEqual(
      stateOf({ ...stored, unsettled: { [id]: removal } }),
    );
  });

  it.each<Unsettled>([
    { change: 'update', session: SESSION },
    { change: 'remove', session: SESSION - 1 },
    { change: 'add', record: eoa, session: SESSION - 1 },
  ])('overrides whatever is noted of it: %j', async (note) => {
    const unsettled = { [id]: note };
    const { repository } = createAccountBench({ accounts: [eoa], unsettled });
    await repository.beginRemoval(id);
    expect(await repository.findUnsettled(id)).toStrictEqual({ ...note, ...removal });
  });

  it('keeps the account that was only noted to be added: MetaMask may hold it', async () => {
    const { repository, backend } = createAccountBench();
    await repository.beginAddition(imported);
    await repository.beginRemoval(imported.id);
    const note = { ...removal, record: imported };
    expect(backend.document).toStrictEqual(
      stateOf({ unsettled: { [imported.id]: note } }),
    );
  });

  it('writes nothing the second time in a session, and the new one in the next', async () => {
    const { repository, backend, client } = createAccountBench({ accounts: [eoa] });
    await repository.beginRemoval(id);
    await repository.beginRemoval(id);
    expect(backend.saves).toBe(1);
    client.session += 1;
    await repository.beginRemoval(id);
    expect(await repository.findUnsettled(id)).toStrictEqual({
      ...removal,
      session: SESSION + 1,
    });
  });
});

describe('settling a removal', () => {
  const unsettled = { [id]: removal };

  it('removes what MetaMask dropped, and what was granted of it, and no more', async () => {
    const stored = { accounts: [eoa, smart], grants, unsettled };
    const { repository, backend } = createAccountBench(stored);
    await repository.settle({ id, change: 'remove', isHeld: false });
    expect(backend.document).toStrictEqual(
      stateOf({
        accounts: [smart],
        grants: {
          'https://both.example': [smart.id],
          'https://other.example': [smart.id],
        },
      }),
    );
  });

  it('keeps what MetaMask holds on to, and the order of what was granted', async () => {
    const stored = { accounts: [eoa, smart], grants };
    const { repository, backend } = createAccountBench({ ...stored, unsettled });
    await repository.settle({ id, change: 'remove', isHeld: true });
    expect(backend.document).toStrictEqual(stateOf(stored));
    const { grants: kept } = backend.document as PrivateState;
    expect(Object.entries(kept)).toStrictEqual(Object.entries(grants));
  });

  it.each([
    [true, [imported]],
    [false, []],
  ])('decides on one that was only noted (held: %j)', async (isHeld, accounts) => {
    const { repository, backend } = createAccountBench();
    await repository.beginAddition(imported);
    await repository.beginRemoval(imported.id);
    await repository.settle({ id: imported.id, change: 'remove', isHeld });
    expect(backend.document).toStrictEqual(stateOf({ accounts }));
  });

  it.each([true, false])(
    'strikes out a note of an account that is gone (held: %j)',
    async (isHeld) => {
      const { repository, backend } = createAccountBench({
        accounts: [smart],
        grants,
        unsettled,
      });
      await repository.settle({ id, change: 'remove', isHeld });
      expect(backend.document).toStrictEqual(stateOf({ accounts: [smart], grants }));
    },
  );

  it.each(['none', '__proto__'])(
    'writes nothing where nothing is noted, as of %j',
    async (unknown) => {
      const bench = createAccountBench({ accounts: [eoa], unsettled });
      const { repository, backend } = bench;
      await repository.settle({ id: unknown, change: 'remove', isHeld: false });
      await repository.settle({ id, change: 'add', isHeld: false });
      await repository.settle({ id, change: 'update', isHeld: false });
      expect(backend.saves).toBe(0);
    },
  );
});
