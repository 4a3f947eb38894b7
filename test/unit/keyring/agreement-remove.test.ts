import { callersOf } from '../../support/callers';
import { createGate, settle } from '../../support/gate';
import { createKeyringBench } from '../../support/keyring-bench';
import { IMPORTED_KEY } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { COMPANION } from '../../support/test-app';

const DECLINED = { code: 4001, message: 'The user declined it in MetaMask.' };

/** What a lost answer looks like. */
const lost = (): never => {
  throw new Error('The connection was lost.');
};

describe('removing an account', () => {
  it('takes it from both sides, with what was granted of it', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    const [kept, gone] = [await create(), await create()];
    await app.services.grants.set('https://a.example', [gone.id, kept.id]);
    await callersOf(app).keyring(COMPANION, 'keyring_deleteAccount', { id: gone.id });
    expect(await sides()).toStrictEqual({ metamask: [kept.id], snap: [kept.id] });
    expect(notes()).toStrictEqual([]);
    expect(await app.services.grants.listAll()).toStrictEqual([
      {
        origin: 'https://a.example',
        accounts: [{ id: kept.id, address: kept.address }],
      },
    ]);
    expect(metamask.asked.filter((each) => each.startsWith('remove'))).toHaveLength(1);
  });

  it('follows MetaMask, whose user removed it there', async () => {
    const { create, metamask, sides, notes } = createKeyringBench();
    const { id } = await create();
    await metamask.remove(id);
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(notes()).toStrictEqual([]);
  });

  it('leaves it with both sides if the user keeps it', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    const { id } = await create({ privateKey: IMPORTED_KEY });
    await app.services.grants.set('https://a.example', [id]);
    const before = JSON.stringify(app.edges.backend.document);
    metamask.decide = () => Promise.resolve(false);
    expect(await refusalOf(app.services.keyring.deleteAccount(id))).toStrictEqual(
      DECLINED,
    );
    expect(await sides()).toStrictEqual({ metamask: [id], snap: [id] });
    expect(notes()).toStrictEqual([]);
    expect(JSON.stringify(app.edges.backend.document)).toBe(before);
  });

  it('takes it for removed if the answer was lost, but MetaMask holds it no more', async () => {
    const { create, app, metamask, sides } = createKeyringBench();
    const { id } = await create();
    app.edges.events.take = async (event, params) => {
      await metamask.take(event, params);
      if (event === 'notify:accountDeleted') lost();
    };
    await app.services.keyring.deleteAccount(id);
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
  });

  it('waits for no announcement', async () => {
    const { create, app, metamask } = createKeyringBench();
    const { id } = await create();
    const { opened, open } = createGate();
    metamask.decide = async (question) => {
      if (question === 'create') await opened;
      return true;
    };
    const creating = create();
    await settle();
    await app.services.keyring.deleteAccount(id);
    open();
    const created = await creating;
    expect(await app.services.keyring.listAccounts()).toStrictEqual([created]);
  });

  it('wins over an addition whose account MetaMask removes at once', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    app.edges.events.take = async (event, params) => {
      await metamask.take(event, params);
      const [id = ''] = metamask.accounts.keys();
      if (event === 'notify:accountCreated') await metamask.remove(id);
    };
    await create();
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(notes()).toStrictEqual([]);
  });

  it('is not crossed by an announcement of the same account', async () => {
    const { create, app, metamask, sides } = createKeyringBench();
    const { id } = await create({ index: 0 });
    const { opened, open } = createGate();
    metamask.decide = async () => {
      await opened;
      return true;
    };
    const removing = app.services.keyring.deleteAccount(id);
    await settle();
    expect(await refusalOf(create({ index: 0 }))).toStrictEqual({
      code: -32002,
      message: expect.stringMatching(
        /^The account 0x\w{40} is being changed; try again when MetaMask has answered\.$/u,
      ) as string,
    });
    open();
    await removing;
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
  });
});
