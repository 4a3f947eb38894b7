// Agreement about accounts: MetaMask and the snap end up with the same accounts, whatever fails,
// whatever the user declines, and whenever the worker stops.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import type { AccountRecord } from '../../src/state/account-record';
import { callersOf } from '../support/callers';
import { createGate, settle } from '../support/gate';
import { createKeyringBench, restoreBy } from '../support/keyring-bench';
import type { KeyringBench } from '../support/keyring-bench';
import {
  derivedRecord,
  importedRecord,
  IMPORTED_KEY,
  smartRecord,
} from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import { stateOf } from '../support/stored-accounts';
import type { Stored } from '../support/stored-accounts';

type Options = Record<string, Json>;

const SMART: Options = { type: 'eip155:erc4337', scopes: ['eip155:5'] };
const DECLINED = { code: 4001, message: 'The user declined it in MetaMask.' };
const CHANGING = /^The account 0x\w{40} is being changed; try again when MetaMask has/u;

const storedIn = ({ app }: KeyringBench): string =>
  JSON.stringify(app.edges.backend.document);

const both = (...accounts: { id: string }[]): object => {
  const ids = accounts.map(({ id }) => id).sort();
  return { metamask: ids, snap: ids };
};

describe('an account change', () => {
  it('is stored before MetaMask is notified, and takes effect once MetaMask has the account', async () => {
    const bench = createKeyringBench();
    const seen: unknown[] = [];
    bench.metamask.decide = async () => {
      const [id = ''] = bench.unsettledIds();
      const { address } = (await bench.call('keyring_getAccount', { id })) as never;
      seen.push(address, (await bench.listBothSides()).snap);
      return true;
    };
    const account = await bench.add();
    expect(seen).toStrictEqual([account.address, []]);
    expect(await bench.listBothSides()).toStrictEqual(both(account));
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it.each<[string, Options]>([
    ['a derived account', {}],
    ['a smart account', SMART],
    ['an imported account', { privateKey: IMPORTED_KEY }],
  ])('leaves no trace if the user declines to add %s', async (_which, options) => {
    const bench = createKeyringBench();
    const first = await bench.add({ index: 7 });
    bench.metamask.decide = () => Promise.resolve(false);
    expect(await refusalOf(bench.add(options))).toStrictEqual(DECLINED);
    expect(await bench.listBothSides()).toStrictEqual(both(first));
    expect(bench.unsettledIds()).toStrictEqual([]);
    expect(storedIn(bench)).not.toContain(IMPORTED_KEY);
  });

  it('deletes an account with its grants on both sides, unless the user declines', async () => {
    const bench = createKeyringBench();
    const [kept, gone] = [await bench.add(), await bench.add()];
    const { grants } = bench.app.services;
    await grants.set('https://a.example', [gone.id, kept.id]);
    await grants.set('https://b.example', [gone.id]);
    const before = bench.app.edges.backend.document;
    bench.metamask.decide = () => Promise.resolve(false);
    expect(await refusalOf(bench.remove(gone))).toStrictEqual(DECLINED);
    expect(await bench.listBothSides()).toStrictEqual(both(kept, gone));
    expect(bench.app.edges.backend.document).toStrictEqual(before);
    bench.metamask.decide = () => Promise.resolve(true);
    await bench.remove(gone);
    expect(await bench.listBothSides()).toStrictEqual(both(kept));
    expect(bench.app.edges.backend.document).toMatchObject({
      grants: { 'https://a.example': [kept.id] },
      unsettled: {},
    });
    expect((await grants.listAll()).map(({ origin }) => origin)).toStrictEqual([
      'https://a.example',
    ]);
    await bench.metamask.remove(kept.id);
    expect(await bench.listBothSides()).toStrictEqual(both());
  });

  it('reannounces an account that MetaMask lost, and keeps it if the user declines', async () => {
    const bench = createKeyringBench();
    const account = await bench.add({ index: 0 });
    expect(await bench.add({ index: 0 })).toStrictEqual(account);
    bench.metamask.accounts.clear();
    bench.metamask.decide = () => Promise.resolve(false);
    expect(await refusalOf(bench.add({ index: 0 }))).toStrictEqual(DECLINED);
    expect(await bench.listBothSides()).toStrictEqual({
      metamask: [],
      snap: [account.id],
    });
    const updating = bench.update(account, ['eip155:0']);
    await expectRefusal(updating, -32001);
    bench.metamask.decide = () => Promise.resolve(true);
    await bench.add({ index: 0 });
    expect(await bench.listBothSides()).toStrictEqual(both(account));
  });

  it('keeps an account if the user declines one of two creations and accepts the other', async () => {
    const bench = createKeyringBench();
    let asked = 0;
    bench.metamask.decide = () => Promise.resolve((asked += 1) !== 1);
    const calls = [bench.add({ index: 0 }), bench.add({ index: 0 })];
    const states = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(states).toStrictEqual(['rejected', 'fulfilled']);
    const { metamask, snap } = await bench.listBothSides();
    expect([metamask.length, snap]).toStrictEqual([1, metamask]);
  });

  const address = `0x${'1a'.repeat(20)}`;
  const heldElsewhere = (what: string): object => ({
    code: -32602,
    message: `MetaMask already holds an account with the address ${what}, outside of Tollkeeper.`,
  });
  const busy = {
    code: -32002,
    message:
      'MetaMask is already asking about an account; answer that, then try again.',
  };
  const unknown = {
    code: -32001,
    message: 'MetaMask does not know this account or request.',
  };
  const notAccepted = { code: -32002, message: 'MetaMask did not accept the change.' };

  it.each<[unknown, object]>([
    [new Error('User denied account creation'), DECLINED],
    [{ message: 'User rejected the request.' }, DECLINED],
    [new Error(`Account address '${address}' already exists`), heldElsewhere(address)],
    [new Error("Account 'a-1' already exists"), heldElsewhere('of this one')],
    [new Error("It failed.\nRequest of type 'x' already pending for origin y."), busy],
    [new Error("Account 'a-1' not found"), unknown],
    [new Error("Request 'r-1' not found"), unknown],
    [new Error('Snap "npm:x" not found'), notAccepted],
    [new Error(''), notAccepted],
    ['text', notAccepted],
    [null, notAccepted],
    [{ message: 7 }, notAccepted],
  ])("is rejected with MetaMask's reason: %j", async (thrown, refusal) => {
    const bench = createKeyringBench();
    const account = await bench.add(SMART);
    const { events } = bench.app.edges;
    events.take = () => {
      throw thrown as Error;
    };
    expect(await refusalOf(bench.add({ index: 0 }))).toStrictEqual(refusal);
    expect(await refusalOf(bench.update(account))).toStrictEqual(refusal);
    expect(await refusalOf(bench.remove(account))).toStrictEqual(refusal);
    events.take = bench.metamask.take;
    expect(await bench.listBothSides()).toStrictEqual(both(account));
    expect(bench.metamask.accounts.get(account.id)).toStrictEqual(account);
    expect(await bench.call('keyring_getAccount', { id: account.id })).toStrictEqual(
      account,
    );
    expect(bench.unsettledIds()).toStrictEqual([]);
  });
});

function createNewestBench(): KeyringBench {
  const bench = createKeyringBench();
  bench.metamask.isNewest = true;
  return bench;
}

const asMetaMask = async ({ app }: KeyringBench, method: string, params: Json) =>
  callersOf(app).keyring('metamask', method, params);

describe('an address in another keyring of MetaMask', () => {
  const { address } = importedRecord();
  const refusal = {
    code: -32602,
    message: `MetaMask already holds an account with the address ${address}, outside of Tollkeeper.`,
  };

  it('is not offered to a MetaMask with one keyring per snap', async () => {
    const bench = createNewestBench();
    const kept = await bench.add();
    bench.metamask.elsewhere.add(address);
    const key = { encoding: 'hexadecimal', privateKey: IMPORTED_KEY };
    const params = { type: 'private-key:import', ...key };
    const importing = asMetaMask(bench, 'keyring_createAccounts', params);
    expect(await refusalOf(importing)).toStrictEqual(refusal);
    const adding = bench.add({ privateKey: IMPORTED_KEY });
    expect(await refusalOf(adding)).toStrictEqual(refusal);
    expect(await bench.listBothSides()).toStrictEqual(both(kept));
    expect(bench.unsettledIds()).toStrictEqual([]);
    expect(storedIn(bench)).not.toContain(IMPORTED_KEY);
  });

  it("is rejected by MetaMask if the snap cannot list MetaMask's accounts", async () => {
    const bench = createKeyringBench();
    bench.metamask.elsewhere.add(address);
    bench.app.edges.screens.failure = new Error('There are no selectors.');
    const importing = bench.add({ privateKey: IMPORTED_KEY });
    expect(await refusalOf(importing)).toStrictEqual(refusal);
    expect(bench.unsettledIds()).toStrictEqual([]);
  });
});

describe('a MetaMask with one keyring per snap', () => {
  it('creates and deletes accounts without events while it holds its lock', async () => {
    const bench = createNewestBench();
    const [kept, gone] = [await bench.add(SMART), await bench.add()];
    const { events } = bench.app.edges;
    // Leaves a change unsettled; settling it waits for the lock.
    events.take = () => Promise.reject(new Error('lost'));
    await refusalOf(bench.update(kept));
    events.take = bench.metamask.take;
    const { opened, open } = createGate();
    bench.metamask.lock = opened;
    const listing = bench.call('keyring_listAccounts');
    const announcing = bench.add({ index: 7 });
    await settle();
    const { length } = events.emitted;
    await asMetaMask(bench, 'keyring_deleteAccount', { id: gone.id });
    bench.metamask.accounts.delete(gone.id);
    const [made] = (await asMetaMask(bench, 'keyring_createAccounts', {
      type: 'custom',
    })) as unknown as [KeyringAccount];
    expect(events.emitted).toHaveLength(length);
    expect(bench.unsettledIds()).toContain(made.id);
    bench.metamask.accounts.set(made.id, made);
    open();
    await listing;
    const announced = await announcing;
    expect(await bench.listBothSides()).toStrictEqual(both(kept, made, announced));
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it('can discard an account that keyring_createAccounts returned', async () => {
    const bench = createNewestBench();
    await asMetaMask(bench, 'keyring_createAccounts', { type: 'custom' });
    expect(await bench.listBothSides()).toStrictEqual(both());
    expect(bench.unsettledIds()).toHaveLength(1);
  });

  it('may have lost its keyring when the companion deletes an account', async () => {
    const bench = createNewestBench();
    const account = await bench.add();
    bench.metamask.accounts.clear();
    await bench.remove(account);
    expect(await bench.call('keyring_listAccounts')).toStrictEqual([]);
    expect(bench.unsettledIds()).toStrictEqual([]);
  });
});

describe('concurrent changes', () => {
  it('do not wait for each other if they affect different accounts', async () => {
    const bench = createKeyringBench();
    const account = await bench.add();
    const { opened, open } = createGate();
    bench.metamask.decide = async (question) => {
      if (question === 'create') await opened;
      return true;
    };
    const creating = bench.add();
    await settle();
    // Other requests leave the pending account alone.
    expect((await bench.listBothSides()).snap).toStrictEqual([account.id]);
    await bench.remove(account);
    open();
    const created = await creating;
    expect(await bench.listBothSides()).toStrictEqual(both(created));
  });

  it('are refused for the same account', async () => {
    const bench = createKeyringBench();
    const account = await bench.add({ ...SMART, index: 0 });
    const { opened, open } = createGate();
    bench.metamask.decide = async () => opened.then(() => true);
    const removing = bench.remove(account);
    await settle();
    const others = [
      async () => bench.add({ ...SMART, index: 0 }),
      async () => bench.update(account),
    ];
    for (const change of others) {
      await expectRefusal(change(), -32002, CHANGING);
    }
    open();
    await removing;
    expect(await bench.listBothSides()).toStrictEqual(both());
  });

  it.each(['notify:accountCreated', 'notify:accountUpdated'])(
    'end with the removal that MetaMask requests during %s',
    async (during) => {
      const bench = createKeyringBench();
      const kept = await bench.add();
      const account = await bench.add(SMART);
      if (during === 'notify:accountCreated') await bench.remove(account);
      bench.app.edges.events.take = async (event, params) => {
        await bench.metamask.take(event, params);
        if (event === during) await bench.metamask.remove(account.id);
        if (event === 'notify:accountUpdated') throw new Error('unknown account');
      };
      await (during === 'notify:accountCreated'
        ? bench.add(SMART)
        : bench.update(account).catch(() => undefined));
      bench.app.edges.events.take = bench.metamask.take;
      expect(await bench.listBothSides()).toStrictEqual(both(kept));
      expect(bench.unsettledIds()).toStrictEqual([]);
    },
  );
});

describe('a change left by a stopped worker', () => {
  const [eoa, imported, smart] = [derivedRecord(), importedRecord(), smartRecord()];
  const changed = smartRecord({ scopes: ['eip155:5'] });
  const grants = {
    'https://a.example': [smart.id, eoa.id],
    'https://b.example': [smart.id],
  };
  const remainingGrants = { 'https://a.example': [eoa.id] };

  const unsettled = (
    { id }: AccountRecord,
    change: 'add' | 'remove' | 'update',
    fields: { record?: AccountRecord; session?: number } = {},
  ): Stored => ({ unsettled: { [id]: { change, session: 0, ...fields } } });
  const withKey = { record: imported };
  const adding = unsettled(imported, 'add', withKey);
  const removingLost = unsettled(imported, 'remove', withKey);
  const removing = { accounts: [eoa, smart], grants, ...unsettled(smart, 'remove') };
  const updating = { accounts: [changed], grants, ...unsettled(smart, 'update') };

  it.each<[string, Stored, AccountRecord[], Stored]>([
    [
      'takes effect if MetaMask holds the new account',
      adding,
      [imported],
      { accounts: [imported] },
    ],
    ['stays if MetaMask may still accept the account', adding, [], adding],
    [
      'is forgotten with its key if the client has restarted',
      unsettled(imported, 'add', { ...withKey, session: 7 }),
      [],
      {},
    ],
    [
      'removes the account and its grants if MetaMask dropped the account',
      removing,
      [eoa],
      { accounts: [eoa], grants: remainingGrants },
    ],
    [
      'is undone if it removes an account that MetaMask kept',
      removing,
      [eoa, smart],
      { accounts: [eoa, smart], grants },
    ],
    [
      'restores a removed account that MetaMask still holds',
      removingLost,
      [imported],
      { accounts: [imported] },
    ],
    [
      'is forgotten if it removes an account that neither side holds',
      removingLost,
      [],
      {},
    ],
    [
      'is sent to MetaMask again if it is an update',
      updating,
      [smart],
      { accounts: [changed], grants },
    ],
    [
      'keeps the updated account if MetaMask has lost it',
      updating,
      [],
      { accounts: [changed], grants },
    ],
    [
      'is dropped if it updates an account that no longer exists',
      { accounts: [eoa], ...unsettled(smart, 'update') },
      [],
      { accounts: [eoa] },
    ],
    [
      'is dropped if it removes an account that no longer exists',
      { accounts: [eoa], ...unsettled(smart, 'remove') },
      [],
      { accounts: [eoa] },
    ],
  ])('%s', async (_case, stored, ...[held, expected]) => {
    const bench = createKeyringBench();
    bench.app.edges.backend.document = stateOf(stored);
    bench.restart();
    for (const { id, address } of held) {
      bench.metamask.accounts.set(id, { id, address } as KeyringAccount);
    }
    await bench.listBothSides();
    expect(bench.app.edges.backend.document).toStrictEqual(stateOf(expected));
    const { scopes } = bench.metamask.accounts.get(changed.id) ?? {};
    if (stored.accounts?.includes(changed) && scopes) {
      expect(scopes).toStrictEqual(['eip155:5']);
    }
    // MetaMask is notified only of changes that are still unsettled.
    const { length } = bench.app.edges.events.emitted;
    await bench.listBothSides();
    const isUnsettled = bench.unsettledIds().length > 0;
    expect(bench.app.edges.events.emitted).toHaveLength(length + (isUnsettled ? 1 : 0));
  });

  it('does not block requests if it cannot be read', async () => {
    const bench = createKeyringBench();
    const account = await bench.add();
    bench.restart();
    bench.app.edges.backend.failNextLoad = new Error('The disk is gone.');
    expect(await bench.listBothSides()).toStrictEqual(both(account));
  });

  it('stays unsettled until MetaMask answers', async () => {
    const bench = createKeyringBench();
    bench.app.edges.events.take = () => Promise.reject(new Error('lost'));
    await expectRefusal(bench.add(), -32002);
    expect((await bench.listBothSides()).snap).toStrictEqual([]);
    expect(bench.unsettledIds()).toHaveLength(1);
    bench.app.edges.events.take = bench.metamask.take;
    expect(await bench.listBothSides()).toStrictEqual(both());
    expect(bench.unsettledIds()).toStrictEqual([]);
  });
});

describe('an account that the user had not confirmed when the worker stopped', () => {
  type Bench = KeyringBench & { answer: (isAccepted: boolean) => Promise<void> };

  async function setup(): Promise<Bench> {
    const bench = createKeyringBench();
    const { opened, open } = createGate();
    let isAccepted = false;
    bench.metamask.decide = async () => opened.then(() => isAccepted);
    void bench.add({ privateKey: IMPORTED_KEY }).catch(() => undefined);
    await settle();
    bench.restart();
    return Object.assign(bench, {
      answer: async (decision: boolean) => {
        isAccepted = decision;
        open();
        await settle();
        bench.metamask.decide = () => Promise.resolve(true);
      },
    });
  }

  it('stays pending until the user decides, and is listed once MetaMask has it', async () => {
    const bench = await setup();
    expect(await bench.listBothSides()).toStrictEqual(both());
    const again = bench.add({ privateKey: IMPORTED_KEY });
    expect(await refusalOf(again)).toStrictEqual({
      code: -32002,
      message:
        'MetaMask is already asking about an account; answer that, then try again.',
    });
    await bench.listBothSides();
    expect(bench.unsettledIds()).toHaveLength(1);
    await bench.answer(true);
    bench.restart();
    const { metamask, snap } = await bench.listBothSides();
    expect([metamask.length, snap]).toStrictEqual([1, metamask]);
  });

  it('can sign as soon as MetaMask has it', async () => {
    const bench = await setup();
    await bench.answer(true);
    const [{ id, address } = { id: '', address: '' }] =
      bench.metamask.accounts.values();
    const signing = { account: id, method: 'personal_sign', params: ['0x12', address] };
    const answer = await callersOf(bench.app).submit(signing);
    expect(answer).toHaveProperty('pending', false);
    expect(await bench.listBothSides()).toStrictEqual(both({ id }));
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it('can be imported again after the user declines it', async () => {
    const bench = await setup();
    await bench.answer(false);
    const account = await bench.add({ privateKey: IMPORTED_KEY });
    expect(await bench.listBothSides()).toStrictEqual(both(account));
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it('is forgotten with its key when the client restarts', async () => {
    const bench = await setup();
    await bench.app.entry.onStart({ origin: 'metamask' });
    expect(await bench.listBothSides()).toStrictEqual(both());
    expect(storedIn(bench)).not.toContain(IMPORTED_KEY);
  });
});

// Each read and write of the state and each event fails in turn, once before and once after it
// takes effect.
describe.each<
  [string, (bench: KeyringBench, made: KeyringAccount[]) => Promise<unknown>, number[]]
>([
  ['a derived account is created', async (bench) => bench.add(), []],
  [
    'an account is imported',
    async (bench) => bench.add({ privateKey: `0x${'2e'.repeat(32)}` }),
    [],
  ],
  [
    'the user declines an account',
    async (bench) => {
      bench.metamask.decide = () => Promise.resolve(false);
      await bench.add({ privateKey: `0x${'2e'.repeat(32)}` });
    },
    [],
  ],
  [
    'an account is deleted',
    async (bench, [, made]) => bench.remove(made as never),
    [1],
  ],
  [
    'MetaMask deletes an account',
    async ({ metamask }, [, made]) => metamask.remove(made?.id ?? ''),
    [1],
  ],
  [
    'the user declines a deletion',
    async (bench, [, made]) => {
      bench.metamask.decide = () => Promise.resolve(false);
      await bench.remove(made as never);
    },
    [],
  ],
  [
    'an account is updated',
    async (bench, [, , made]) => bench.update(made as never),
    [],
  ],
  [
    'accounts are restored',
    async (bench) => {
      bench.metamask.accounts.clear();
      await restoreBy(bench.app, { gap: 1 });
    },
    [],
  ],
])('a failed call while %s', (name, run, mayLose) => {
  type When = 'before' | 'after';

  /** Makes the n-th storage or event call fail. The returned function undoes this, and returns
   * whether a call failed. */
  function failCall({ app }: KeyringBench, n: number, when: When): () => boolean {
    const { backend, events } = app.edges;
    let calls = 0;
    const faulty =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        calls += 1;
        const isHit = calls === n;
        const thrown: unknown = { code: -32603, message: 'It was made to fail.' };
        if (isHit && when === 'before') throw thrown;
        const result = await work(...args);
        if (isHit) throw thrown;
        return result;
      };
    backend.load = faulty(backend.load);
    backend.save = faulty(backend.save);
    events.take = faulty(events.take);
    return () => {
      const hasFailed = calls >= n;
      calls = Infinity;
      return hasFailed;
    };
  }

  async function survive(n: number, when: When): Promise<boolean> {
    const bench = createKeyringBench();
    const made = [
      await bench.add(),
      await bench.add({ privateKey: IMPORTED_KEY }),
      await bench.add(SMART),
    ];
    // A fresh worker has read nothing yet, so reads can fail too.
    bench.restart();
    const restore = failCall(bench, n, when);
    await run(bench, made).catch(() => undefined);
    const hasFailed = restore();
    bench.metamask.decide = () => Promise.resolve(true);

    const { metamask, snap } = await bench.listBothSides();
    const kept = made
      .filter((_, index) => !mayLose.includes(index))
      .map(({ id }) => id);
    expect(snap).toStrictEqual(expect.arrayContaining(kept));
    expect(new Set(snap).size).toBe(snap.length);
    // The snap keeps accounts that MetaMask has not restored, so they can be restored again.
    const isRestored = name === 'accounts are restored';
    expect(
      isRestored ? snap.filter((id) => metamask.includes(id)) : snap,
    ).toStrictEqual(metamask);
    expect(bench.unsettledIds()).toStrictEqual([]);
    const { id } = await bench.add();
    expect((await bench.listBothSides()).snap).toContain(id);
    return hasFailed;
  }

  it.each<When>(['before', 'after'])(
    'neither loses nor duplicates an account if it fails %s its effect',
    async (when) => {
      let n = 1;
      while (await survive(n, when)) n += 1;
      expect(n).toBeGreaterThan(3);
    },
  );
});
