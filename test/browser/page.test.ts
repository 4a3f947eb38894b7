// The page of npm start in a real Chromium, against the built snap in MetaMask's packages:
// every button once, from top to bottom, as a newcomer presses them.
import type { Browser, Page } from 'playwright-core';

import { startWorld } from '../../dev/demo/world';
import type { World } from '../../dev/demo/world';
import { servePage } from '../../dev/start/sites';
import type { StaticServer } from '../../dev/start/static-server';
import type { Dialog } from '../../dev/wallet/dialog';
import { COMPANION_ORIGIN, DEFAULT_SNAP_ID } from '../../dev/wallet/options';
import { refuseAll } from '../../dev/wallet/user';
import { bridgeWallet, startBrowser } from '../support/browser';

let world: World;
let server: StaticServer;
let browser: Browser;
let page: Page;
const problems: string[] = [];

// Chooses every account that is offered, and approves.
const approveEverything = async (dialog: Dialog): Promise<void> => {
  const fields = Object.keys(dialog.values);
  for (const name of fields) await dialog.fill(name, true);
  await dialog.approve();
};

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(process.cwd()), startBrowser()]);
  server = await servePage(world.stack, DEFAULT_SNAP_ID.replace('local:', ''), 0);
  world.wallet.user.onDialog = approveEverything;
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await bridgeWallet(page, world.wallet.site(COMPANION_ORIGIN));
  await page.goto(server.url);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await world?.stop();
});

async function press(label: string): Promise<string> {
  const item = page.locator('li', { has: page.getByRole('button', { name: label }) });
  const button = item.getByRole('button', { name: label });
  await button.click();
  const output = item.locator('output');
  await output.filter({ hasNotText: 'Waiting' }).waitFor();
  const text = (await output.textContent()) ?? '';
  const isError = (await output.getAttribute('class')) === 'error';
  return isError ? `ERROR ${text}` : text;
}

it.each([
  ['Install', '"enabled": true'],
  ['Set the chain', '"apiKeySecret": "[redacted]"'],
  ['Create the account', '"type": "eip155:eoa"'],
  ['Create the smart account', '"type": "eip155:erc4337"'],
  ['Fund the accounts', 'Both have 10 ETH.'],
  ['Connect', '0x'],
  ['Sign the message', '0x'],
  ['Sign the typed data', '0x'],
  ['Sign the transaction', '"raw"'],
  ['Send the transaction', '"status": "0x1"'],
  ['Prepare the user operation', '"bundlerUrl"'],
  ['Patch the user operation', '"paymasterAndData": "0x"'],
  ['Sign and send the user operation', '"hash"'],
  ['Send a user operation', '"success": true'],
  ['Send two calls', '"status": 200'],
])('answers the button: %s', async (label, expected) => {
  const answer = await press(label);
  expect(answer).not.toContain('ERROR');
  expect(answer).toContain(expected);
});

it('shows a refusal with its code', async () => {
  world.wallet.user.onDialog = refuseAll;
  expect(await press('Sign the message')).toBe(
    'ERROR 4001: The user refused the request.',
  );
});

it('says which JSON is wrong', async () => {
  await page.getByRole('textbox', { name: 'personal_sign', exact: true }).fill('[1,]');
  expect(await press('Sign the message')).toContain('ERROR Error:');
});

it('breaks no rule of its Content-Security-Policy and throws nothing', () => {
  expect(problems).toEqual([]);
});
