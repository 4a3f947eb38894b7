// Accounts and requests on the companion page in a real Chromium, against the built snap in
// MetaMask's packages: each action, done and refused.
import { providerErrors } from '@metamask/rpc-errors';
import type { Page } from 'playwright-core';

import { deployVerifiers } from '../../dev/stack/verifiers';
import { answerAsFlask } from '../../dev/wallet/browser';
import { refuseAll } from '../../dev/wallet/user';
import { ADDRESS, examples, KEY } from '../support/keystores';
import {
  answerDialog,
  approveEverything,
  outcomeOf,
  press,
} from '../support/page-actions';
import { withStaleRequest } from '../support/page-states';
import { startPageWorld } from '../support/page-world';
import type { PageWorld } from '../support/page-world';

const ACCOUNTS = 'Answer about the accounts';

let bench: PageWorld;
let page: Page;

beforeAll(async () => {
  bench = await startPageWorld();
  ({ page } = bench);
  await page.locator('main[data-state="ready"]').waitFor();
});

beforeEach(() => {
  Object.assign(bench.world.wallet.user, {
    onDialog: approveEverything,
    confirmAccounts: true,
  });
});

afterAll(async () => {
  await bench?.stop();
});

async function create(kind: string): Promise<string> {
  await page.getByLabel('Kind').selectOption(kind);
  return press(page, 'Create the account', 'Answer of the creation');
}

describe('accounts', () => {
  it.each([
    ['eoa', 'Standard'],
    ['smart', 'Smart 0.8'],
    ['0.6', 'Smart 0.6'],
    ['0.7', 'Smart 0.7'],
    ['0.8', 'Smart 0.8'],
    ['0.9', 'Smart 0.9'],
  ])('creates one of the kind %s', async (kind, shown) => {
    expect(await create(kind)).toMatch(/^MetaMask has the account 0x/u);
    expect(await page.locator('.kind').allInnerTexts()).toContain(shown);
  });

  it('says that MetaMask’s user declined', async () => {
    bench.world.wallet.user.confirmAccounts = false;
    expect(await create('eoa')).toMatch(/^FAILED 4001: /u);
  });

  it('gives money of the development chain, and shows it', async () => {
    const said = await outcomeOf(page, ACCOUNTS, async () =>
      page
        .getByRole('button', { name: /^Give 10 ETH/u })
        .first()
        .click(),
    );
    expect(said).toMatch(/ has 10 ETH of the development chain\.$/u);
    await page.getByText('10 ETH', { exact: true }).waitFor();
  });

  it('imports a private key, and keeps it no longer', async () => {
    await page.getByLabel('Private key', { exact: true }).fill(`0x${'5'.repeat(64)}`);
    const said = await press(page, 'Import the account', 'Answer of the import');
    expect(said).toMatch(/^MetaMask has the account 0x/u);
    expect(await page.getByLabel('Private key', { exact: true }).inputValue()).toBe('');
  });

  it('imports a keystore file with the right password alone', async () => {
    await page.getByLabel('From', { exact: true }).first().selectOption('file');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'key.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(examples.pbkdf2)),
    });
    const use = async (password: string): Promise<string> => {
      await page.getByLabel('Password of the file').fill(password);
      return press(page, 'Import the account', 'Answer of the import');
    };
    expect(await use('wrong')).toMatch(/^FAILED -32602: The password does not open/u);
    expect(await use('testpassword')).toMatch(/^MetaMask has the account 0x008A/iu);
    expect(await page.getByText(ADDRESS, { exact: false }).count()).toBe(1);
  });

  it('shows a key after two questions, and hides it', async () => {
    const short = `${ADDRESS.slice(0, 6)}…${ADDRESS.slice(-4)}`;
    const opener = new RegExp(`^Export ${short}`, 'iu');
    bench.world.wallet.user.onDialog = refuseAll;
    expect(await answerDialog(page, opener, 'Ask the snap for it')).toMatch(
      /^FAILED 4001: /u,
    );
    expect(await page.content()).not.toContain(KEY);
    bench.world.wallet.user.onDialog = approveEverything;
    await page.clock.install();
    for (const hide of [
      async () => page.getByRole('button', { name: 'Hide now' }).click(),
      async () => page.clock.runFor(30_000),
    ]) {
      await answerDialog(page, opener, 'Ask the snap for it');
      await page.getByText(KEY).waitFor();
      await hide();
      await page.getByText(KEY).waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(KEY);
    }
  });

  it('deletes one after a question, which can be cancelled', async () => {
    const before = await page.locator('.kind').count();
    await page
      .getByRole('button', { name: /^Delete 0x/u })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await answerDialog(page, /^Delete 0x/u, 'Delete')).toBe(
      'The account is deleted.',
    );
    expect(await page.locator('.kind').count()).toBe(before - 1);
  });

  it('restores what is used, and says what MetaMask’s user declined', async () => {
    const label = 'Answer of restoring';
    await page.getByLabel('Unused accounts in a row').fill('2');
    bench.world.wallet.user.confirmAccounts = false;
    expect(await press(page, 'Restore the accounts', label)).toMatch(/ 1 declined/u);
    bench.world.wallet.user.confirmAccounts = true;
    expect(await press(page, 'Restore the accounts', label)).toMatch(/^1 announced, /u);
  });

  it('says what MetaMask does not list, until MetaMask does', async () => {
    const { wallet } = bench.world;
    wallet.onSnapCall = ({ method }) => {
      if (method === 'snap_manageAccounts') throw providerErrors.unauthorized();
    };
    expect(await create('smart')).toMatch(/^Tollkeeper alone has the account 0x/u);
    const mark = page.getByText('Not in MetaMask’s list');
    await mark.waitFor();
    wallet.onSnapCall = undefined;
    const said = await press(page, 'Restore the accounts', 'Answer of restoring');
    expect(said).toMatch(/^1 announced, /u);
    await mark.waitFor({ state: 'detached' });
  });

  it('connects the page, shows its grant, and takes it back', async () => {
    bench.world.wallet.user.onDialog = refuseAll;
    expect(await press(page, 'Connect this page', ACCOUNTS)).toMatch(/^FAILED 4001: /u);
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await press(page, 'Connect this page', ACCOUNTS)).toBe(
      'This page is connected.',
    );
    expect(await press(page, 'Connect others', ACCOUNTS)).toBe(
      'This page is connected.',
    );
    const revoke = 'Revoke all of http://localhost:8000';
    expect(await press(page, revoke, 'Answer about grants')).toBe(
      'http://localhost:8000 has lost it.',
    );
    await page.getByText('No site was granted an account.').waitFor();
  });

  it('delegates a standard account, and revokes that', async () => {
    const { stack } = bench.world;
    await deployVerifiers(stack);
    await press(page, 'Connect this page', ACCOUNTS);
    const delegate = /^Delegate 0x/u;
    const named = page.getByRole('button', { name: delegate }).first();
    const short = (await named.getAttribute('aria-label'))?.slice(-4) ?? '';
    const row = page.locator('.row', { hasText: short }).first();
    const click = async (name: RegExp): Promise<string> =>
      outcomeOf(page, ACCOUNTS, async () => row.getByRole('button', { name }).click());
    await click(/^Give 10 ETH/u);
    bench.world.wallet.user.onDialog = refuseAll;
    expect(await click(delegate)).toMatch(/^FAILED 4001: /u);
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await click(delegate)).toMatch(/ delegates once transaction 0x/u);
    await page.getByText(/^delegates to 0xa46c/iu).waitFor();
    expect(await click(/^Revoke the delegation of 0x/u)).toMatch(/^The delegation is/u);
    await page.getByText(/^delegates to/u).waitFor({ state: 'detached' });
  });
});

describe('requests', () => {
  const reload = async (): Promise<void> =>
    page.getByRole('button', { name: 'Reload the requests' }).click();

  it('saves that they wait here', async () => {
    const said = await outcomeOf(page, 'Answer about the settings', async () =>
      page.getByLabel('What MetaMask asks').selectOption('asynchronous'),
    );
    expect(said).toBe('Saved.');
  });

  it.each([
    ['Approve', 'Signed, and given to MetaMask.', /^0x[\da-f]{130}$/u],
    ['Reject', 'Rejected; MetaMask knows.', /reject/iu],
  ])('%ss what MetaMask asks', async (verb, expected, result) => {
    const { keyring, user } = bench.world.wallet;
    const sent = new Promise<void>((resolve) => {
      user.confirmAccounts = () => (resolve(), true);
    });
    const answer = keyring
      .signPersonalMessage(ADDRESS.toLowerCase(), '0x12')
      .catch((error: Error) => error.message);
    await sent;
    await reload();
    expect(await press(page, verb, 'Answer about the request')).toBe(expected);
    expect(await answer).toMatch(result);
    await page.getByText('No request waits for you.').waitFor();
  });

  it('says that MetaMask does not wait for one any more', async () => {
    bench.wallet.override = withStaleRequest;
    await reload();
    expect(await press(page, 'Approve', 'Answer about the request')).toMatch(
      /^FAILED -32001: /u,
    );
    bench.wallet.override = answerAsFlask;
    await reload();
    await page.getByText('No request waits for you.').waitFor();
  });
});

it('breaks no rule, throws nothing, and asks no foreign origin', () => {
  expect(bench.problems).toStrictEqual([]);
});
