import { derivedRecord, smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { createAccountBench, SESSION, stateOf } from '../../support/stored-accounts';

const [eoa, smart] = [derivedRecord(), smartRecord()];
const changed = smartRecord({ scopes: ['eip155:1', 'eip155:5'] });
const { id } = smart;

const grants = { 'https://dapp.example': [smart.id, eoa.id] };
const update = { change: 'update', session: SESSION } as const;

describe('beginning to update an account', () => {
  it('stores its new state in its place, and notes that', async () => {
    const { repository, backend } = createAccountBench({
      accounts: [smart, eoa],
      grants,
    });
    await repository.beginUpdate(changed);
    expect(backend.document).toStrictEqual(
      stateOf({ accounts: [changed, eoa], grants, unsettled: { [id]: update } }),
    );
  });

  it('does not bring a removed account back', async () => {
    const { repository, backend } = createAccountBench({ accounts: [eoa] });
    await repository.beginUpdate(changed);
    expect(backend.document).toStrictEqual(stateOf({ accounts: [eoa] }));
    expect(backend.saves).toBe(0);
  });

  it.each(['add', 'update', 'remove'] as const)(
    'is refused while the change %s of it is in flight',
    async (change) => {
      const note = { change, record: smart, session: SESSION };
      const stored = { accounts: [smart], unsettled: { [id]: note } };
      const { repository, backend } = createAccountBench(stored);
      expect(await refusalOf(repository.beginUpdate(changed))).toStrictEqual({
        code: -32002,
        message:
          `The account ${smart.address} is being changed; try again when MetaMask has ` +
          'answered.',
      });
      expect(backend.document).toStrictEqual(stateOf(stored));
    },
  );
});

describe('undoing an update', () => {
  it('stores the account as it was, and leaves the note for settling', async () => {
    const unsettled = { [id]: update };
    const stored = { accounts: [changed, eoa], grants, unsettled };
    const { repository, backend } = createAccountBench(stored);
    await repository.undoUpdate(smart);
    expect(backend.document).toStrictEqual(
      stateOf({ accounts: [smart, eoa], grants, unsettled }),
    );
  });

  it('leaves an account alone that is being removed', async () => {
    const stored = { accounts: [changed], unsettled: { [id]: update } };
    const { repository, backend } = createAccountBench(stored);
    await repository.beginRemoval(id);
    const before = backend.document;
    await repository.undoUpdate(smart);
    expect(backend.document).toBe(before);
  });

  it('does not bring a removed account back', async () => {
    const stored = { accounts: [changed, eoa], unsettled: { [id]: update } };
    const { repository, backend } = createAccountBench(stored);
    await repository.beginRemoval(id);
    await repository.settle({ id, change: 'remove', isHeld: false });
    await repository.undoUpdate(smart);
    expect(backend.document).toStrictEqual(stateOf({ accounts: [eoa] }));
  });
});

describe('settling an update', () => {
  const unsettled = { [id]: update };
  const stored = { accounts: [changed, eoa], grants, unsettled };

  it.each([true, false])(
    'keeps the account and what was granted of it (held: %j)',
    async (isHeld) => {
      const { repository, backend } = createAccountBench(stored);
      await repository.settle({ id, change: 'update', isHeld });
      expect(backend.document).toStrictEqual(
        stateOf({ accounts: [changed, eoa], grants }),
      );
    },
  );

  it.each([true, false])(
    'brings no account back that is gone (held: %j)',
    async (isHeld) => {
      const { repository, backend } = createAccountBench({ unsettled });
      await repository.settle({ id, change: 'update', isHeld });
      expect(backend.document).toStrictEqual(stateOf({}));
    },
  );

  it.each([true, false])(
    'does nothing if a removal has overtaken it (held: %j)',
    async (isHeld) => {
      const { repository, backend } = createAccountBench(stored);
      await repository.beginRemoval(id);
      const before = backend.document;
      await repository.settle({ id, change: 'update', isHeld });
      expect(backend.document).toBe(before);
    },
  );
});
