// Unlisted accounts: accounts that MetaMask does not support, or that the user keeps out of its
// list. They exist only in Tollkeeper until MetaMask accepts them, despite failures, refusals and
// stopped workers.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import type { AccountRecord } from '../../src/state/account-record';
import { callersOf } from '../support/callers';
import { asPlain } from '../support/fake-metamask';
import { createGate, settle } from '../support/gate';
import { openHome } from '../support/home-bench';
import { createRestoreBench } from '../support/keyring-bench';
import { IMPORTED_KEY } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import { approve, DAPP, refuse, whileDialogOpen } from '../support/test-app';
import { textOf, textsOf } from '../support/view';

type Options = Record<string, Json>;

const SMART: Options = { type: 'eip155:erc4337', scopes: ['eip155:1'] };
const UNKNOWN_TYPE = asPlain(
  'At path: params.account -- Expected the value to satisfy a union of `object | object`, but received: [object Object]',
);
const NO_KEYRING = asPlain(
  'KeyringController - No keyringBuilder found for keyring. Keyring type: Snap Keyring',
);
const DECLINED = { code: 4001, message: 'The user declined it in MetaMask.' };

type Bench = ReturnType<typeof setup>;

/** Sets up a MetaMask that refuses these account types with this error. */
function setup(thrown: unknown = UNKNOWN_TYPE, types = ['eip155:erc4337']) {
  const bench = createRestoreBench();
  for (const type of types) bench.metamask.unsupported.set(type, thrown);
  const { add } = bench;
  return Object.assign(bench, {
    add: async (options: Options = SMART) => add(options),
    /** Counts the dialogs that offered to create the account in Tollkeeper only. */
    asked: () =>
      bench.app.edges.dialogs.shown.filter((content) =>
        textsOf(content).includes(textOf('unlisted.title')),
      ).length,
  });
}

const recordsOf = ({ app }: Bench): AccountRecord[] => {
  const { accounts } = app.edges.backend.document as unknown as {
    accounts: Record<string, AccountRecord>;
  };
  return Object.values(accounts);
};

const unlistedOf = (bench: Bench) => recordsOf(bench).map(({ unlisted }) => unlisted);

async function announce({ app }: Bench, { id }: { id: string }): Promise<string[]> {
  const home = await openHome(app, 'accounts');
  await home.click(`home.accounts.announce:${id}`);
  return home.notices();
}

describe('an account that MetaMask does not support', () => {
  it.each<[string, unknown]>([
    ["the type is unknown to MetaMask's structs", UNKNOWN_TYPE],
    ["the type is unknown to MetaMask's keyring", asPlain("Unknown account type: 'x'")],
    [
      'a method is unknown',
      asPlain('At path: methods.0 -- Expected one of `"personal_sign"`'),
    ],
    ['MetaMask has no SnapKeyring', NO_KEYRING],
    ['the protocol is unknown', asPlain("Snap 'x' does not support v1 messages")],
    ['the permission is missing', asPlain('Unauthorized to perform action.', 4100)],
    ['the method is missing', asPlain('The method does not exist.', -32601)],
  ])('is created only in Tollkeeper if %s', async (_why, thrown) => {
    const bench = setup(thrown);
    const account = await bench.add();
    const { dialogs, events } = bench.app.edges;
    const [dialog] = dialogs.shown;
    const texts = textsOf(dialog).join('\n');
    expect(texts).toContain(textOf('unlisted.meaning'));
    expect(texts).toContain(account.address);
    expect(account.options).toHaveProperty('unlisted', true);
    expect(await bench.list()).toStrictEqual([account]);
    expect(bench.unsettledIds()).toStrictEqual([]);
    expect(await bench.listBothSides()).toStrictEqual({ metamask: [], snap: [] });
    expect(JSON.stringify(events.emitted)).not.toContain('unlisted');
    // MetaMask is not asked again, in this worker or the next.
    const count = events.emitted.length;
    bench.restart();
    expect(await bench.list()).toStrictEqual([account]);
    expect(bench.app.edges.events.emitted).toHaveLength(count);
  });

  it.each<[string, unknown, Partial<typeof DECLINED>]>([
    ['the user declines it', asPlain('User denied account creation'), DECLINED],
    ['the user declines it, by code', asPlain('No.', 4001), DECLINED],
    ['the error is unknown', asPlain('The vault is on fire.'), { code: -32002 }],
    [
      'a dialog is open',
      asPlain("Request of type 'x' already pending"),
      { code: -32002 },
    ],
  ])('is not created if %s', async (_why, thrown, refusal) => {
    const bench = setup(thrown);
    expect(await refusalOf(bench.add())).toMatchObject(refusal);
    expect([bench.asked(), await bench.list()]).toStrictEqual([0, []]);
  });

  it('is not returned by keyring_resolveAccountAddress', async () => {
    const bench = setup(NO_KEYRING, ['eip155:eoa']);
    const { address } = await bench.add({});
    const asked = { method: 'personal_sign', params: ['0x12', address] };
    const request = { id: 1, jsonrpc: '2.0', ...asked };
    const params = { scope: 'eip155:1', request };
    const resolve = async (): Promise<Json> =>
      callersOf(bench.app).keyring('metamask', 'keyring_resolveAccountAddress', params);
    expect(await resolve()).toBeNull();
    bench.metamask.unsupported.clear();
    await bench.add({ index: 0 });
    expect(await resolve()).toStrictEqual({ address: `eip155:1:${address}` });
  });

  it.each<[string, Options]>([
    ['a smart account', SMART],
    ['an imported account', { privateKey: IMPORTED_KEY }],
  ])(
    'is discarded if the user refuses to keep it in Tollkeeper only: %s',
    async (_which, options) => {
      const bench = setup(UNKNOWN_TYPE, ['eip155:erc4337', 'eip155:eoa']);
      bench.app.edges.dialogs.answer = refuse;
      await expectRefusal(bench.add(options), 4001);
      expect(bench.unsettledIds()).toStrictEqual([]);
      const stored = JSON.stringify(bench.app.edges.backend.document);
      expect(stored).not.toContain(IMPORTED_KEY.slice(2));
      expect([bench.asked(), await bench.list()]).toStrictEqual([1, []]);
    },
  );

  it('is created only once, and reserves its key', async () => {
    const bench = setup(UNKNOWN_TYPE, ['eip155:erc4337', 'eip155:eoa']);
    const account = await bench.add({ ...SMART, index: 0 });
    expect(await bench.add({ ...SMART, index: 0 })).toStrictEqual(account);
    const own = await bench.add({ privateKey: IMPORTED_KEY });
    for (const more of [{}, SMART]) {
      const adding = bench.add({ privateKey: IMPORTED_KEY, ...more });
      await expectRefusal(adding, -32602);
    }
    expect(await bench.list()).toStrictEqual([account, own]);
    expect(bench.asked()).toBe(2);
    expect((await bench.add()).options.index).toBe(1);
  });

  it('does not block other requests during its dialog, and is not settled by them', async () => {
    const bench = setup();
    const kept = await bench.add({});
    const { opened, open } = createGate();
    whileDialogOpen(bench.app.edges, async () => opened);
    const creating = [bench.add(), bench.add()];
    await settle();
    expect(await bench.list()).toStrictEqual([kept]);
    await bench.remove(kept);
    open();
    const created = await Promise.all(creating);
    expect(created.map(({ options }) => options.index)).toStrictEqual([0, 1]);
    expect(await bench.list()).toStrictEqual(created);
    expect([unlistedOf(bench), bench.asked()]).toStrictEqual([[true, true], 2]);
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it('can be created again if the worker stops before the user decides', async () => {
    const bench = setup();
    bench.app.edges.dialogs.answer = async () => new Promise(() => undefined);
    void bench.add();
    await settle();
    bench.restart();
    expect(await bench.list()).toStrictEqual([]);
    bench.app.edges.dialogs.answer = approve;
    const account = await bench.add();
    expect(account.options.index).toBe(0);
    expect(await bench.list()).toStrictEqual([account]);
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it('can be the first account of a site, which sees it and signs with it', async () => {
    const bench = setup(NO_KEYRING, ['eip155:eoa']);
    const { rpc } = callersOf(bench.app);
    bench.app.edges.dialogs.answer = async () =>
      Promise.resolve({ approved: true, values: { restore: false } });
    const [address] = (await rpc(DAPP, 'eth_requestAccounts')) as string[];
    expect([bench.asked(), unlistedOf(bench)]).toStrictEqual([1, [true]]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
    const signed = await rpc(DAPP, 'personal_sign', ['0x12', address]);
    expect(signed).toMatch(/^0x[0-9a-f]{130}$/u);
  });
});

describe('a change to an account that MetaMask does not list', () => {
  it('is not sent to MetaMask', async () => {
    const bench = setup();
    const account = await bench.add();
    const count = bench.app.edges.events.emitted.length;
    await bench.update(account, ['eip155:5']);
    expect(await bench.list()).toStrictEqual([{ ...account, scopes: ['eip155:5'] }]);
    expect(bench.app.edges.events.emitted).toHaveLength(count);
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it('succeeds if MetaMask no longer supports the account', async () => {
    const bench = setup(UNKNOWN_TYPE, []);
    const account = await bench.add();
    bench.metamask.unsupported.set('eip155:erc4337', UNKNOWN_TYPE);
    await bench.update(account, ['eip155:5']);
    const [record] = recordsOf(bench);
    expect(record).toMatchObject({ scopes: ['eip155:5'], unlisted: true });
    expect([bench.asked(), bench.unsettledIds()]).toStrictEqual([0, []]);
  });

  it.each<[string, unknown]>([
    ['does not know it', undefined],
    ['has no keyring', asPlain('The method does not exist.', -32601)],
    ['fails', asPlain('The vault is on fire.')],
  ])('succeeds if it is a deletion, even if MetaMask %s', async (_how, thrown) => {
    const bench = setup();
    const account = await bench.add();
    const { grants } = bench.app.services;
    await grants.set(DAPP, [account.id]);
    if (thrown) {
      bench.app.edges.events.take = () => {
        throw thrown as Error;
      };
    }
    await bench.remove(account);
    expect([await bench.list(), bench.unsettledIds()]).toStrictEqual([[], []]);
    expect(await grants.list(DAPP)).toStrictEqual([]);
  });

  it('must be approved in MetaMask if it is a deletion and MetaMask has the account', async () => {
    const bench = setup();
    const account = await bench.add();
    // The worker stopped before it learned that MetaMask had accepted the account.
    bench.metamask.accounts.set(account.id, account);
    bench.metamask.decide = async () => Promise.resolve(false);
    expect(await refusalOf(bench.remove(account))).toStrictEqual(DECLINED);
    expect(await bench.list()).toStrictEqual([account]);
    bench.metamask.decide = async () => Promise.resolve(true);
    await bench.remove(account);
    expect([await bench.list(), bench.metamask.accounts.size]).toStrictEqual([[], 0]);
  });

  it.each<['update' | 'remove', boolean]>([
    ['update', true],
    ['remove', false],
  ])(
    'is settled if a stopped worker left it unfinished (%s)',
    async (change, isKept) => {
      const bench = setup();
      const account = await bench.add();
      const { backend } = bench.app.edges;
      const unsettled = { [account.id]: { change, session: 0 } };
      backend.document = { ...(backend.document as object), unsettled };
      bench.restart();
      expect(await bench.list()).toStrictEqual(isKept ? [account] : []);
      expect(bench.unsettledIds()).toStrictEqual([]);
    },
  );
});

describe('removing an account that MetaMask once listed', () => {
  it.each<[string, unknown]>([
    ['no longer has a keyring for snaps', NO_KEYRING],
    [
      'has no keyring for this snap',
      asPlain("SnapKeyring - Received a message for an unknown snap keyring 'npm:x'"),
    ],
    [
      'no longer lets the snap manage accounts',
      asPlain('Unauthorized to perform action.', 4100),
    ],
  ])('succeeds without an answer if MetaMask %s', async (_how, thrown) => {
    const bench = setup(undefined, []);
    const [gone, kept] = [await bench.add(), await bench.add()];
    bench.app.edges.events.take = () => {
      throw thrown as Error;
    };
    await bench.remove(gone);
    expect([await bench.list(), bench.unsettledIds()]).toStrictEqual([[kept], []]);
    expect(await bench.restore()).toMatchObject({ unchanged: [{ id: kept.id }] });
    expect(unlistedOf(bench)).toStrictEqual([true]);
  });
});

describe('adding an account to MetaMask later', () => {
  it('is offered on the home page, and changes nothing until MetaMask accepts it', async () => {
    const bench = setup();
    const account = await bench.add();
    const { address } = account;
    const home = await openHome(bench.app, 'accounts');
    expect(home.texts()).toContain(textOf('unlisted.state'));
    expect(await announce(bench, account)).toStrictEqual([
      textOf('unlisted.refused', { address }),
    ]);
    bench.metamask.unsupported.clear();
    bench.metamask.decide = async () => Promise.resolve(false);
    expect(await announce(bench, account)).toStrictEqual([textOf('home.refused')]);
    bench.metamask.decide = async () => Promise.resolve(true);
    bench.metamask.elsewhere.add(address);
    expect((await announce(bench, account)).join()).toContain('outside of Tollkeeper');
    expect(await bench.list()).toStrictEqual([account]);
    bench.metamask.elsewhere.clear();
    expect(await announce(bench, account)).toStrictEqual([
      textOf('unlisted.added', { address }),
    ]);
    const [listed] = await bench.list();
    expect(bench.metamask.accounts.get(account.id)).toStrictEqual(listed);
    expect(listed?.options).not.toHaveProperty('unlisted');
    const ids = [account.id];
    expect(await bench.listBothSides()).toStrictEqual({ metamask: ids, snap: ids });
    await home.click('home.frame.refresh');
    expect(home.texts()).not.toContain(textOf('unlisted.state'));
  });

  it('does not restore one that was deleted in the meantime', async () => {
    const bench = setup();
    const account = await bench.add();
    bench.metamask.unsupported.clear();
    bench.metamask.decide = async () => {
      await bench.remove(account);
      return false;
    };
    expect(await announce(bench, account)).toStrictEqual([textOf('home.refused')]);
    expect([await bench.list(), bench.unsettledIds()]).toStrictEqual([[], []]);
  });
});

describe('an account for Tollkeeper only', () => {
  const WANTED = { ...SMART, unlisted: true };

  it('is created without MetaMask, once the user agrees', async () => {
    const bench = setup(UNKNOWN_TYPE, []);
    const made = [await bench.add(WANTED)];
    expect(bench.asked()).toBe(1);
    const [dialog] = bench.app.edges.dialogs.shown;
    expect(textsOf(dialog)).toContain(textOf('unlisted.wanted'));
    expect(await bench.list()).toStrictEqual(made);
    expect(made.map(({ options }) => options.unlisted)).not.toContain(undefined);
    expect(bench.app.edges.events.emitted).toStrictEqual([]);
    // A second request returns the same account without a dialog.
    expect(await bench.add({ ...WANTED, index: 0 })).toStrictEqual(made[0]);
    expect(bench.asked()).toBe(1);
  });

  it('is not created if the user refuses', async () => {
    const bench = setup(UNKNOWN_TYPE, []);
    bench.app.edges.dialogs.answer = refuse;
    expect(await refusalOf(bench.add(WANTED))).toMatchObject({ code: 4001 });
    expect([await bench.list(), bench.metamask.asked]).toStrictEqual([[], []]);
  });

  it('cannot be created by MetaMask, which lists the accounts that it creates', async () => {
    const { app } = setup(UNKNOWN_TYPE, []);
    const options = { type: 'custom', accountType: SMART.type ?? '', unlisted: true };
    const call = callersOf(app).keyring('metamask', 'keyring_createAccounts', {
      options,
    });
    expect(await refusalOf(call)).toMatchObject({ code: -32602 });
  });

  it('stays unlisted when the home page restores accounts', async () => {
    const bench = setup(UNKNOWN_TYPE, []);
    const { address } = await bench.add(WANTED);
    bench.used.add(address);
    const restoreAtHome = async (): Promise<void> => {
      const home = await openHome(bench.app, 'accounts');
      await home.click('home.accounts.step:restore');
      await home.submit('home.accounts.restore', {});
    };
    await restoreAtHome();
    expect([unlistedOf(bench), bench.metamask.asked]).toStrictEqual([[true], []]);
    bench.loseState();
    await restoreAtHome();
    expect([unlistedOf(bench), bench.metamask.asked]).toStrictEqual([[true], []]);
    expect(await bench.list()).toMatchObject([{ address }]);
  });
});

describe("removing smart accounts from MetaMask's list", () => {
  async function setupListed() {
    const bench = setup(UNKNOWN_TYPE, []);
    const accounts = [await bench.add({}), await bench.add(), await bench.add()];
    const [eoa, ...smart] = accounts as [KeyringAccount, ...KeyringAccount[]];
    const { rpc } = callersOf(bench.app);
    await rpc(DAPP, 'eth_requestAccounts');
    const sitesOf = async () => bench.app.services.grants.listAll();
    const press = async (name: string): Promise<string[]> => {
      const home = await openHome(bench.app, 'accounts');
      await home.click(name);
      return home.notices();
    };
    bench.metamask.asked.length = 0;
    return Object.assign(bench, { eoa, smart, sitesOf, press });
  }

  it('takes one click for all, and loses nothing', async () => {
    const bench = await setupListed();
    const { eoa, smart, sitesOf, press } = bench;
    const before = await sitesOf();
    const home = await openHome(bench.app, 'accounts');
    expect(home.texts()).toContain(textOf('listing.risk'));
    expect(await press('home.accounts.withdrawAll')).toStrictEqual([
      textOf('listing.allDone', { count: '2' }),
    ]);
    expect([...bench.metamask.accounts.keys()]).toStrictEqual([eoa.id]);
    expect(await bench.list()).toStrictEqual([
      eoa,
      ...smart.map((each) => ({
        ...each,
        options: { ...each.options, unlisted: true },
      })),
    ]);
    expect([await sitesOf(), bench.unsettledIds()]).toStrictEqual([before, []]);
    await home.click('home.frame.refresh');
    expect(home.texts()).not.toContain(textOf('listing.risk'));
  });

  it('can be undone', async () => {
    const { smart, press, ...bench } = await setupListed();
    const [{ id = '', address = '' } = {}] = smart;
    expect(await press(`home.accounts.withdraw:${id}`)).toStrictEqual([
      textOf('listing.done', { address }),
    ]);
    expect(unlistedOf(bench)).toStrictEqual([undefined, true, undefined]);
    expect(await press(`home.accounts.announce:${id}`)).toStrictEqual([
      textOf('unlisted.added', { address }),
    ]);
    expect(unlistedOf(bench)).toStrictEqual([undefined, undefined, undefined]);
  });

  it('leaves accounts listed if the user refuses in MetaMask', async () => {
    const { smart, press, ...bench } = await setupListed();
    bench.metamask.decide = async () => Promise.resolve(false);
    const [{ id = '' } = {}] = smart;
    expect(await press(`home.accounts.withdraw:${id}`)).toStrictEqual([
      textOf('home.refused'),
    ]);
    expect(unlistedOf(bench)).toStrictEqual([undefined, undefined, undefined]);
    const rejected = [textOf('listing.allDone', { count: '0' })];
    expect(await press('home.accounts.withdrawAll')).toStrictEqual([
      ...rejected,
      textOf('home.refused'),
      textOf('home.refused'),
    ]);
  });

  it.each([true, false])(
    'keeps the account if the worker stops while MetaMask asks (approved: %s)',
    async (isAgreed) => {
      const bench = await setupListed();
      const [{ id = '' } = {}] = bench.smart;
      const gate = createGate();
      bench.metamask.decide = async () => {
        await gate.opened;
        return isAgreed;
      };
      void bench.press(`home.accounts.withdraw:${id}`).catch(() => undefined);
      await settle();
      expect(bench.metamask.asked).toHaveLength(1);
      bench.restart();
      gate.open();
      await settle();
      expect(bench.metamask.accounts.has(id)).toBe(!isAgreed);
      expect((await bench.list()).map((each) => each.id)).toContain(id);
      // If MetaMask still has the account, adding it again lists it.
      bench.metamask.decide = async () => Promise.resolve(true);
      await bench.press(`home.accounts.announce:${id}`);
      expect(unlistedOf(bench)).toStrictEqual([undefined, undefined, undefined]);
      expect(bench.metamask.accounts.has(id)).toBe(true);
    },
  );

  it('keeps the account if MetaMask does not report the result', async () => {
    const { smart, press, ...bench } = await setupListed();
    const [{ id = '' } = {}] = smart;
    const { take } = bench.app.edges.events;
    bench.app.edges.events.take = async (event, params) => {
      if (event === 'notify:accountDeleted') throw asPlain('The vault is on fire.');
      return take(event, params);
    };
    expect(await press(`home.accounts.withdraw:${id}`)).toHaveLength(1);
    expect((await bench.list()).map((each) => each.id)).toContain(id);
    // A removal that MetaMask requests late does not delete the account.
    await bench.metamask.remove(id);
    expect((await bench.list()).map((each) => each.id)).toContain(id);
  });
});

describe('restoring accounts that MetaMask does not support', () => {
  it('finds the used accounts, and asks once about all of them', async () => {
    const bench = setup();
    const made = [await bench.add(), await bench.add(), await bench.add()];
    for (const { address } of made) bench.used.add(address);
    bench.loseState();
    bench.app.edges.dialogs.shown.length = 0;
    const restored = await bench.restore();
    expect(restored).toMatchObject({ accounts: made, declined: [], failed: [] });
    expect(await bench.list()).toStrictEqual(made);
    expect(bench.asked()).toBe(1);
  });

  it('reports all as declined if the user refuses', async () => {
    const bench = setup();
    const { address } = await bench.add();
    bench.used.add(address);
    bench.loseState();
    bench.app.edges.dialogs.answer = refuse;
    expect(await bench.restore()).toMatchObject({
      accounts: [],
      declined: [{ name: 'Tollkeeper Smart 1', address }],
    });
    expect([await bench.list(), bench.unsettledIds()]).toStrictEqual([[], []]);
  });

  it.each<[string, unknown]>([
    ['refuses them', UNKNOWN_TYPE],
    ['fails', asPlain('The vault is on fire.')],
  ])('leaves existing accounts unchanged if MetaMask %s', async (how, thrown) => {
    const bench = setup();
    const account = await bench.add();
    bench.metamask.unsupported.set('eip155:erc4337', thrown);
    const { address } = account;
    expect(await bench.restore()).toMatchObject(
      how === 'refuses them'
        ? { accounts: [], unchanged: [account], unchecked: [] }
        : { accounts: [], unchanged: [], failed: [{ address, code: -32002 }] },
    );
    expect(await bench.list()).toStrictEqual([account]);
  });

  it.each([
    ['accepts them now', false],
    ['accepted them before the worker stopped', true],
  ])('lists accounts if MetaMask %s', async (_when, isHeld) => {
    const bench = setup();
    const account = await bench.add();
    bench.metamask.unsupported.clear();
    if (isHeld) bench.metamask.accounts.set(account.id, account);
    const { accounts, unchanged } = await bench.restore();
    expect([accounts, unchanged]).toStrictEqual([await bench.list(), []]);
    expect(accounts).toMatchObject([{ id: account.id }]);
    expect([unlistedOf(bench), bench.metamask.accounts.size]).toStrictEqual([
      [undefined],
      1,
    ]);
  });

  it('keeps those that MetaMask no longer supports', async () => {
    const bench = setup(UNKNOWN_TYPE, []);
    const account = await bench.add();
    bench.metamask.unsupported.set('eip155:erc4337', UNKNOWN_TYPE);
    bench.metamask.accounts.clear();
    expect(await bench.restore()).toMatchObject({ unchanged: [{ id: account.id }] });
    expect([unlistedOf(bench), bench.asked()]).toStrictEqual([[true], 0]);
  });
});
