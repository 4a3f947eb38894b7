// Accounts come and go: MetaMask and the snap have the same ones afterwards, and none is lost.
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { createAccount } from '../bench';
import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Flow } from '../flow';

/** The key that is imported. */
export const KEY = `0x${'6e'.repeat(32)}` as const;

/** The accounts of both sides, once the snap has answered a request. */
export async function listBoth({ companion, get, wallet }: Case): Promise<Account[]> {
  const snap = (await get(companion.keyring('keyring_listAccounts'))) as Account[];
  const held = wallet.keyring.listAccounts();
  const ids = (all: readonly { id: string }[]): string =>
    all
      .map(({ id }) => id)
      .sort()
      .join();
  hold(ids(snap) === ids(held), 'both sides have the same accounts');
  hold(
    new Set(snap.map(({ address }) => address)).size === snap.length,
    'each is there once',
  );
  return snap;
}

/** The companion creates an account. */
export const create: Flow<Account[]> = {
  name: 'create an account',
  prepare: listBoth,
  run: async ({ companion }) =>
    companion.keyring('keyring_createAccount', { options: {} }),
  check: async (bench, given, { ending }) => {
    const made = await findMade(bench, given);
    if ('result' in ending) {
      hold(made.length === 1, 'an account is made that is answered');
    }
    hold(made.length <= 1, 'at most one account is made');
    const again = await createAccount(bench);
    const after = await findMade(bench, given);
    hold(
      [again, ...made].every(({ id }) => after.some((each) => each.id === id)),
      'nothing is lost',
    );
    return made.length === 0 ? 'no account made' : 'one account, on both sides';
  },
};

/** The companion imports a key. */
export const importKey: Flow<Account[]> = {
  name: 'import an account',
  prepare: listBoth,
  run: async ({ companion }) =>
    companion.keyring('keyring_createAccount', { options: { privateKey: KEY } }),
  check: async (bench, given, { ending }) => {
    const made = await findMade(bench, given);
    if ('result' in ending) {
      hold(made.length === 1, 'an account is made that is answered');
    }
    if (made.length === 0) await importOne(bench);
    const after = await findMade(bench, given);
    hold(after.length === 1, 'there is one account');
    const address = privateKeyToAddress(KEY).toLowerCase();
    hold(after[0]?.address === address, 'it is that of the key');
    return made.length === 0 ? 'no account made' : 'one account, on both sides';
  },
};

/** The companion deletes an account. */
export const remove: Flow<{ all: Account[]; doomed: Account }> = {
  name: 'delete an account',
  prepare: async (bench) => {
    const doomed = await createAccount(bench);
    return { doomed, all: await listBoth(bench) };
  },
  run: async ({ companion }, { doomed }) =>
    companion.keyring('keyring_deleteAccount', { id: doomed.id }),
  check: async (bench, { all, doomed }, { ending }) => {
    const left = await listBoth(bench);
    const isGone = !left.some(({ id }) => id === doomed.id);
    if ('result' in ending) hold(isGone, 'what is told to be deleted is gone');
    hold(left.length === all.length - Number(isGone), 'no other account is gone');
    if (!isGone) {
      const { companion, get } = bench;
      await get(companion.keyring('keyring_deleteAccount', { id: doomed.id }));
    }
    hold((await listBoth(bench)).length === all.length - 1, 'again it is deleted');
    return isGone ? 'gone, on both sides' : 'kept, on both sides';
  },
};

/** The companion has a key exported, which the user confirms. */
export const exportKey: Flow<Account> = {
  name: 'export a key',
  prepare: async (bench) => {
    const account = await importOne(bench);
    return account;
  },
  run: async ({ companion }, { id }) =>
    companion.keyring('keyring_exportAccount', { id }),
  check: async ({ companion, get }, { id }, { ending }) => {
    const read = (result: unknown): Hex => (result as { privateKey: Hex }).privateKey;
    if ('result' in ending) hold(read(ending.result) === KEY, 'the key is right');
    const again = await get(companion.keyring('keyring_exportAccount', { id }));
    hold(read(again) === KEY, 'again the key is right');
    return 'nothing changes';
  },
};

/** Import an account, as the companion. */
export async function importOne(bench: Case): Promise<Account> {
  return createAccount(bench, { privateKey: KEY });
}

async function findMade(bench: Case, given: readonly Account[]): Promise<Account[]> {
  const all = await listBoth(bench);
  hold(
    given.every(({ id }) => all.some((each) => each.id === id)),
    'no account is lost',
  );
  return all.filter(({ id }) => !given.some((each) => each.id === id));
}
