import { createKeyringBench } from '../../support/keyring-bench';
import { IMPORTED_KEY } from '../../support/records';
import { refusalOf } from '../../support/refusal';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:5'] };
const DECLINED = { code: 4001, message: 'The user declined it in MetaMask.' };

/** What a lost answer looks like. */
const lost = (): never => {
  throw new Error('The connection was lost.');
};

describe('adding an account', () => {
  it('makes it one of both sides, and leaves no note', async () => {
    const { create, sides, notes } = createKeyringBench();
    const { id } = await create();
    expect(await sides()).toStrictEqual({ metamask: [id], snap: [id] });
    expect(notes()).toStrictEqual([]);
  });

  it('notes it before MetaMask is told', async () => {
    const { create, metamask, notes } = createKeyringBench();
    const seen: string[][] = [];
    metamask.decide = async () => {
      seen.push(notes());
      return Promise.resolve(true);
    };
    const { id } = await create();
    expect(seen).toStrictEqual([[id]]);
  });

  it.each([{}, SMART, { privateKey: IMPORTED_KEY }])(
    'leaves nothing of %j on either side if it is declined',
    async (options) => {
      const { create, metamask, sides, notes, app } = createKeyringBench();
      metamask.decide = () => Promise.resolve(false);
      expect(await refusalOf(create(options))).toStrictEqual(DECLINED);
      expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
      expect(notes()).toStrictEqual([]);
      expect(JSON.stringify(app.edges.backend.document)).not.toContain(IMPORTED_KEY);
    },
  );

  it('leaves nothing if MetaMask holds the address elsewhere', async () => {
    const { create, metamask, sides, notes } = createKeyringBench();
    const { id, address } = await create();
    await metamask.remove(id);
    metamask.elsewhere.add(address);
    expect(await refusalOf(create({ index: 0 }))).toStrictEqual({
      code: -32602,
      message:
        `MetaMask holds an account with the address ${address} already, ` +
        'outside of Tollkeeper.',
    });
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(notes()).toStrictEqual([]);
  });

  it('passes over the next index if MetaMask holds its address elsewhere', async () => {
    const { create, metamask, sides } = createKeyringBench();
    const { id, address } = await create();
    await metamask.remove(id);
    metamask.elsewhere.add(address);
    const account = await create();
    expect(account.options).toHaveProperty('index', 1);
    expect(await sides()).toStrictEqual({ metamask: [account.id], snap: [account.id] });
  });

  it('is done though it could not be stored at first, once MetaMask has it', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    metamask.decide = () => {
      app.edges.backend.failNextSave = new Error('The disk is full.');
      return Promise.resolve(true);
    };
    const { id } = await create();
    expect(notes()).toStrictEqual([id]);
    expect(await sides()).toStrictEqual({ metamask: [id], snap: [id] });
    expect(notes()).toStrictEqual([]);
  });

  it('asks about one account at a time, however many are created at once', async () => {
    const { create, metamask, sides } = createKeyringBench();
    const created = await Promise.all(Array.from({ length: 50 }, () => create()));
    expect(new Set(created.map(({ address }) => address)).size).toBe(50);
    const { metamask: held, snap } = await sides();
    expect(held).toHaveLength(50);
    expect(snap).toStrictEqual(held);
    expect(metamask.asked).toHaveLength(50);
  });

  it('gives an index that was declined to the next call', async () => {
    const { create, metamask } = createKeyringBench();
    let asked = 0;
    metamask.decide = () => Promise.resolve((asked += 1) !== 2);
    const calls = await Promise.allSettled([create(), create(), create()]);
    expect(calls.map(({ status }) => status)).toStrictEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect((await create()).options).toHaveProperty('index', 1);
  });

  it('announces one that MetaMask has lost, and keeps it if that is declined', async () => {
    const { create, metamask, sides } = createKeyringBench();
    const { id } = await create({ privateKey: IMPORTED_KEY });
    const derived = await create({ index: 0 });
    metamask.accounts.clear();
    metamask.decide = () => Promise.resolve(false);
    expect(await refusalOf(create({ index: 0 }))).toStrictEqual(DECLINED);
    expect((await sides()).snap).toStrictEqual([id, derived.id].sort());
    metamask.decide = () => Promise.resolve(true);
    expect(await create({ index: 0 })).toStrictEqual(derived);
    expect((await sides()).metamask).toStrictEqual([derived.id]);
  });

  it('takes it for added if the answer was lost, but MetaMask holds it', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    const { take } = metamask;
    app.edges.events.take = async (event, params) => {
      await take(event, params);
      if (event === 'notify:accountCreated') lost();
    };
    const { id } = await create();
    expect(await sides()).toStrictEqual({ metamask: [id], snap: [id] });
    expect(notes()).toStrictEqual([]);
  });

  it('takes it for refused if MetaMask was not reached, and does not hold it', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    app.edges.events.take = async (event, params) => {
      if (event === 'notify:accountCreated') lost();
      await metamask.take(event, params);
    };
    expect(await refusalOf(create())).toStrictEqual({
      code: -32002,
      message: 'MetaMask did not take the change.',
    });
    expect(notes()).toStrictEqual([]);
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
  });

  it('keeps the note while MetaMask does not say, and settles it later', async () => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    app.edges.events.take = lost;
    expect(await refusalOf(create())).toHaveProperty('code', -32002);
    expect(notes()).toHaveLength(1);
    app.edges.events.take = metamask.take;
    expect(await sides()).toStrictEqual({ metamask: [], snap: [] });
    expect(notes()).toStrictEqual([]);
  });
});
