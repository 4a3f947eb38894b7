// An account's user has its key written as a keystore file, on the snap's page.
import { decryptKeystore } from '../../../src/eth/keystore';
import type { Screen } from '../../wallet/screen';
import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Flow } from '../flow';
import { importOne, KEY } from './accounts';
import { cancelEvents } from './events';

const PASSWORD = 'correct horse battery staple';

const FORM = 'home.accounts.export';

/** The user submits the form that asks for a password. */
export const exportKeystore: Flow<Account> = {
  name: 'export a keystore',
  prepare: importOne,
  look: openForm,
  run: async (_bench, _account, before) => submit(before as Screen),
  check: async (bench, account, { ending }) => {
    if ('result' in ending) await checkFile(ending.result);
    const page = await openForm(bench, account);
    await checkFile(await bench.get(submit(page)));
    return 'nothing changes';
  },
};

async function openForm(bench: Case, { id }: Account): Promise<Screen> {
  const { wallet, get } = bench;
  const page = await get(wallet.openHomePage());
  const ways = ['frame.tab:accounts', `accounts.show:${id}`, 'accounts.ask:export'];
  for (const name of ways) {
    // An event draws the page anew; on a busy machine it would come before the end.
    await cancelEvents(bench);
    await get(page.click(`home.${name}`));
  }
  await get(page.fill('password', PASSWORD));
  await get(page.fill('again', PASSWORD));
  await cancelEvents(bench);
  return page;
}

/** Answers the file; throws what the page says instead. */
async function submit(page: Screen): Promise<string> {
  const before = page.text.split('\n');
  await page.submit(FORM);
  const lines = page.text.split('\n');
  const file = lines.find((line) => line.startsWith('{'));
  if (file !== undefined) return file;
  const told = lines.filter((line) => !before.includes(line));
  throw new Error(`the page says: ${told.join(' ')}`);
}

async function checkFile(file: unknown): Promise<void> {
  hold(
    (await decryptKeystore(String(file), PASSWORD)) === KEY,
    'the file holds the key',
  );
}
