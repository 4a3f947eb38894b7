// Accounts and requests on the companion page in a real Chromium, against the built snap in
// MetaMask's packages: each action, done and refused.
import type { Page } from 'playwright-core';

import { refuseAll } from '../../dev/wallet/user';
import { answerAsFlask } from '../support/browser';
import type { Override } from '../support/browser';
import { ADDRESS, examples, KEY } from '../support/keystores';
import { approveEverything, outcomeOf, press } from '../support/page-actions';
import { startPageWorld } from '../support/page-world';
import type { PageWorld } from '../support/page-world';

const ACCOUNTS = 'Answer about the accounts';

const stale = {
  id: '2d931510-d99f-494a-8c67-87feb05e1594',
  origin: 'metamask',
  scope: 'eip155:1',
  account: '7c507ff0-365f-4de0-8cd5-eb83c30ebda4',
  request: { method: 'eth_signTypedData_v4', params: [] },
};

let bench: PageWorld;
let page: Page;

beforeAll(async () => {
  bench = await startPageWorld();
  ({ page } = bench);
  await page.locator('main[data-state="ready"]').waitFor();
}, 90_000);

beforeEach(() => {
  Object.assign(bench.world.wallet.user, {
    onDialog: approveEverything,
    confirmAccounts: true,
  });
});

afterAll(async () => {
  await bench?.stop();
});

const refuseAccounts = (): void => {
  bench.world.wallet.user.confirmAccounts = false;
};

async function create(kind: string): Promise<string> {
  await page.getByLabel('Kind').selectOption(kind);
  return press(page, 'Create the account', 'Answer of the creation');
}

// Of the first account.
async function inDialog(opener: RegExp, verb: string): Promise<string> {
  await page.getByRole('button', { name: opener }).first().click();
  return outcomeOf(page, ACCOUNTS, async () =>
    page.getByRole('dialog').getByRole('button', { name: verb }).click(),
  );
}

describe('accounts', () => {
  it.each([
    ['eoa', 'Ordinary'],
    ['0.6', 'Smart 0.6'],
    ['0.7', 'Smart 0.7'],
    ['0.8', 'Smart 0.8'],
  ])('creates one of the kind %s', async (kind, shown) => {
    expect(await create(kind)).toMatch(/^MetaMask has the account 0x/u);
    expect(await page.locator('.kind').allInnerTexts()).toContain(shown);
  });

  it('says that MetaMask’s user declined', async () => {
    refuseAccounts();
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
    await page.getByLabel('From', { exact: true }).selectOption('file');
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
    expect(await inDialog(opener, 'Ask the snap for it')).toMatch(/^FAILED 4001: /u);
    expect(await page.content()).not.toContain(KEY);
    bench.world.wallet.user.onDialog = approveEverything;
    await inDialog(opener, 'Ask the snap for it');
    await page.getByText(KEY).waitFor();
    await page.getByRole('button', { name: 'Hide now' }).click();
    await page.getByText(KEY).waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(KEY);
  });

  it('deletes one after a question, which can be cancelled', async () => {
    const before = await page.locator('.kind').count();
    await page
      .getByRole('button', { name: /^Delete 0x/u })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.kind').count()).toBe(before);
    expect(await inDialog(/^Delete 0x/u, 'Delete')).toBe('The account is deleted.');
    expect(await page.locator('.kind').count()).toBe(before - 1);
  });

  it('restores what is used, and says what MetaMask’s user declined', async () => {
    const label = 'Answer of restoring';
    await page.getByLabel('Unused accounts in a row').fill('2');
    refuseAccounts();
    expect(await press(page, 'Restore the accounts', label)).toMatch(/ 1 declined/u);
    bench.world.wallet.user.confirmAccounts = true;
    expect(await press(page, 'Restore the accounts', label)).toMatch(/^1 announced, /u);
  });

  it('connects the page, shows its grant, and takes it back', async () => {
    bench.world.wallet.user.onDialog = refuseAll;
    expect(await press(page, 'Connect this page', ACCOUNTS)).toMatch(/^FAILED 4001: /u);
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await press(page, 'Connect this page', ACCOUNTS)).toBe(
      'This page is connected.',
    );
    const revoke = 'Revoke all of http://localhost:8000';
    expect(await press(page, revoke, 'Answer about grants')).toBe(
      'http://localhost:8000 has lost it.',
    );
    await page.getByText('No site was granted an account.').waitFor();
  });
});

describe('requests', () => {
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
    const answer = bench.world.wallet.keyring
      .signPersonalMessage(ADDRESS.toLowerCase(), '0x12')
      .catch((error: Error) => error.message);
    await page.getByText('personal_sign', { exact: true }).first().waitFor();
    expect(await press(page, verb, 'Answer about the request')).toBe(expected);
    expect(await answer).toMatch(result);
    await page.getByText('No request waits for you.').waitFor();
  });

  it('says that MetaMask does not wait any more', async () => {
    const override: Override = (method, params) => {
      const { request } = params as { request?: { method: string } };
      return request?.method === 'keyring_listRequests' ? [stale] : undefined;
    };
    bench.wallet.override = override;
    await page.getByText('eth_signTypedData_v4', { exact: true }).first().waitFor();
    expect(await press(page, 'Approve', 'Answer about the request')).toMatch(
      /^FAILED -32001: /u,
    );
    bench.wallet.override = answerAsFlask;
  });
});

it('breaks no rule, throws nothing, and asks no foreign origin', () => {
  expect(bench.problems).toStrictEqual([]);
});
