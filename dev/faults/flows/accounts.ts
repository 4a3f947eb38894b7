// Flows that create, remove and export accounts. Afterwards MetaMask and the snap must have the
// same accounts, and no account may be lost.
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { decryptKeystore } from '../../../src/eth/keystore';
import type { Screen } from '../../wallet/screen';
import { createAccount, type Account, type Case } from '../bench';
import { hold, type Flow } from '../sweep';

const KEY = `0x${'6e'.repeat(32)}` as const;

export async function listBoth({ companion, get, wallet }: Case): Promise<Account[]> {
  const snap = (await get(companion.keyring('keyring_listAccounts'))) as Account[];
  const held = wallet.keyring.listAccounts();
  const idsOf = (all: readonly { id: string }[]): string =>
    String(all.map(({ id }) => id).sort());
  hold(idsOf(snap) === idsOf(held), 'both sides have the same accounts');
  hold(
    new Set(snap.map(({ address }) => address)).size === snap.length,
    'each account exists once',
  );
  return snap;
}

export const create = making('create an account', {}, async (bench, given, made) => {
  const next = await createAccount(bench);
  await findMade(bench, [...given, ...made, next]);
});

export const importKey = making(
  'import an account',
  { privateKey: KEY },
  async (bench, given, made) => {
    if (made.length === 0) await importOne(bench);
    const after = await findMade(bench, given);
    hold(after.length === 1, 'there is one new account');
    const address = privateKeyToAddress(KEY).toLowerCase();
    hold(after[0]?.address === address, 'its address belongs to the key');
  },
);

function making(
  name: string,
  options: Record<string, string>,
  checkAgain: (
    bench: Case,
    given: readonly Account[],
    made: readonly Account[],
  ) => Promise<void>,
): Flow<Account[]> {
  return {
    name,
    prepare: listBoth,
    run: async ({ companion }) =>
      companion.keyring('keyring_createAccount', { options }),
    check: async (bench, given, { ending }) => {
      const made = await findMade(bench, given);
      if ('result' in ending) hold(made.length === 1, 'the returned account exists');
      hold(made.length <= 1, 'at most one account is created');
      await checkAgain(bench, given, made);
      return made.length === 0 ? 'no account created' : 'one account on both sides';
    },
  };
}

export const SMART = { type: 'eip155:erc4337', scopes: ['eip155:31337'] };

export const createRefused: Flow<Account[]> = {
  name: 'create an account that MetaMask refuses',
  prepare: listBoth,
  look: async ({ wallet }) => Promise.resolve(forgetSmartAccounts(wallet)),
  run: createSmart,
  check: async (bench, given, { ending }) => {
    const made = await findUnlisted(bench, given);
    if ('result' in ending) hold(made.length === 1, 'the returned account is kept');
    hold(made.length <= 1, 'at most one account is created');
    await bench.get(createSmart(bench));
    const after = await findUnlisted(bench, given);
    hold(
      after.length === made.length + 1,
      'the retry creates one account and loses none',
    );
    return made.length === 0 ? 'no account created' : 'one account, only in Tollkeeper';
  },
};

async function createSmart({ companion }: Case): Promise<unknown> {
  return companion.keyring('keyring_createAccount', { options: SMART });
}

function forgetSmartAccounts({ keyring }: Case['wallet']): void {
  const handle = keyring.handleKeyringSnapMessage.bind(keyring);
  keyring.handleKeyringSnapMessage = async (snapId, message) => {
    const text = JSON.stringify(message).replace(SMART.type, 'eip155:removed');
    return handle(snapId, JSON.parse(text) as typeof message);
  };
}

/** Lists the new accounts, after checking that MetaMask has none of them. */
async function findUnlisted(
  { companion, get, wallet }: Case,
  given: readonly Account[],
): Promise<Account[]> {
  const all = (await get(companion.keyring('keyring_listAccounts'))) as (Account & {
    options: { unlisted?: true };
  })[];
  const isGiven = ({ id }: { id: string }): boolean =>
    given.some((each) => each.id === id);
  const held = wallet.keyring.listAccounts();
  hold(
    held.length === given.length && held.every(isGiven),
    'MetaMask has the same accounts as before',
  );
  hold(all.filter(isGiven).length === given.length, 'no account is lost');
  const made = all.filter((each) => !isGiven(each));
  hold(
    made.every(({ options }) => options.unlisted),
    'accounts that MetaMask lacks are marked as unlisted',
  );
  return made;
}

export const remove: Flow<{ all: Account[]; doomed: Account }> = {
  name: 'delete an account',
  prepare: async (bench) => {
    return { doomed: await createAccount(bench), all: await listBoth(bench) };
  },
  run: removeOne,
  check: async (bench, { all, doomed }, { ending }) => {
    const left = await listBoth(bench);
    const isGone = !left.some(({ id }) => id === doomed.id);
    if ('result' in ending) hold(isGone, 'a deleted account is gone');
    hold(left.length === all.length - Number(isGone), 'no other account is deleted');
    if (!isGone) await bench.get(removeOne(bench, { doomed }));
    hold((await listBoth(bench)).length === all.length - 1, 'the retry deletes it');
    return isGone ? 'deleted on both sides' : 'kept on both sides';
  },
};

async function removeOne({ companion }: Case, { doomed: { id } }: { doomed: Account }) {
  return companion.keyring('keyring_deleteAccount', { id });
}

export const exportKey: Flow<Account> = {
  name: 'export a key',
  prepare: importOne,
  run: async ({ companion }, { id }) =>
    companion.keyring('keyring_exportAccount', { id }),
  check: async ({ companion, get }, { id }, { ending }) => {
    const read = (result: unknown): Hex => (result as { privateKey: Hex }).privateKey;
    if ('result' in ending) hold(read(ending.result) === KEY, 'the key is correct');
    const again = await get(companion.keyring('keyring_exportAccount', { id }));
    hold(read(again) === KEY, 'the retry exports the correct key');
    return 'nothing changes';
  },
};

async function importOne(bench: Case): Promise<Account> {
  return createAccount(bench, { privateKey: KEY });
}

export async function findMade(
  bench: Case,
  given: readonly Account[],
): Promise<Account[]> {
  const all = await listBoth(bench);
  hold(
    given.every(({ id }) => all.some((each) => each.id === id)),
    'no account is lost',
  );
  return all.filter(({ id }) => !given.some((each) => each.id === id));
}

export async function cancelEvents({ wallet }: Case): Promise<void> {
  const all = await wallet.perform({ method: 'snap_getBackgroundEvents' });
  for (const { id } of all as { id: string }[]) {
    await wallet.perform({ method: 'snap_cancelBackgroundEvent', params: { id } });
  }
}

const PASSWORD = 'correct horse battery staple';
const FORM = 'home.accounts.export';

export const exportKeystore: Flow<Account, Screen> = {
  name: 'export a keystore',
  prepare: importOne,
  look: openForm,
  run: async (_bench, _account, before) => submit(before),
  check: async (bench, account, { ending }) => {
    if ('result' in ending) await checkFile(ending.result);
    await checkFile(await bench.get(submit(await openForm(bench, account))));
    return 'nothing changes';
  },
};

async function openForm(bench: Case, { id }: Account): Promise<Screen> {
  const { wallet, get } = bench;
  const page = await get(wallet.openHomePage());
  const path = ['frame.tab:accounts', `accounts.show:${id}`, 'accounts.ask:export'];
  for (const name of path) {
    // An event redraws the page. On a busy machine, that can happen before the form is filled in.
    await cancelEvents(bench);
    await get(page.click(`home.${name}`));
  }
  await get(page.fill('password', PASSWORD));
  await get(page.fill('again', PASSWORD));
  await cancelEvents(bench);
  return page;
}

/** Returns the keystore file, or throws the message on the page. */
async function submit(page: Screen): Promise<string> {
  const before = page.text.split('\n');
  await page.submit(FORM);
  const lines = page.text.split('\n');
  const file = lines.find((line) => line.startsWith('{'));
  if (file !== undefined) return file;
  const added = lines.filter((line) => !before.includes(line));
  throw new Error(`the page says: ${added.join(' ')}`);
}

async function checkFile(file: unknown): Promise<void> {
  hold(
    (await decryptKeystore(String(file), PASSWORD)) === KEY,
    'the file holds the key',
  );
}
