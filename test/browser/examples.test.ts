// The examples in a real Chromium, as their authors would run them, against the built snap
// in MetaMask's packages.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { getAddress, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import {
  configureChain,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { startStaticServer } from '../../dev/start/serve';
import type { StaticServer } from '../../dev/start/serve';
import { bridgeWallet, startBrowser } from '../../dev/wallet/browser';
import { refuseAll } from '../../dev/wallet/user';
import type { DialogPolicy } from '../../dev/wallet/user';

let world: World;
let browser: Browser;
let server: StaticServer;
let folder: string;
let account: DemoAccount;

const approve: DialogPolicy = async (dialog) => {
  if (account.id in dialog.values) await dialog.fill(account.id, true);
  await dialog.approve();
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-examples-'));
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  server = await startStaticServer({ port: 0, folders: { '/': folder } });
  await configureChain(world);
  account = await createAccount(world, { type: 'eip155:eoa' });
  await world.stack.fund(account.address, '1');
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await world?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function visit(origin: string): Promise<Page> {
  world.wallet.user.onDialog = approve;
  world.wallet.connect(origin);
  const page = await browser.newPage();
  await bridgeWallet(page, world.wallet.site(origin));
  return page;
}

/** Bundle an example, open it in a page, and read what it printed until this line. */
async function runScript(name: string, last: string): Promise<string[]> {
  await build({
    entryPoints: [`examples/${name}.js`],
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
  });
  const html = `<script type="module" src="/${name}.js"></script>`;
  await writeFile(join(folder, `${name}.html`), html);
  const page = await visit(`https://${name}.example`);
  const printed: string[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    page.on('pageerror', reject);
    page.on('console', (message) => {
      printed.push(message.text());
      if (message.text().startsWith(last)) resolve();
    });
  });
  await page.goto(`${server.url}/${name}.html`);
  await ended;
  return printed;
}

it('runs the script with viem', async () => {
  expect(await runScript('viem', 'batch')).toStrictEqual([
    `account ${getAddress(account.address)}`,
    'verified true',
    'transaction success',
    'batch success',
  ]);
});

it('runs the script with ethers', async () => {
  expect(await runScript('ethers', 'transaction')).toStrictEqual([
    `account ${getAddress(account.address)}`,
    'verified true',
    'transaction success',
  ]);
});

it('runs the page without a build, and shows a refusal', async () => {
  await cp('dist/provider', join(folder, 'provider'), { recursive: true });
  await cp('examples/page.html', join(folder, 'page.html'));
  const page = await visit('https://page.example');
  await page.goto(`${server.url}/page.html`);
  const press = async (expected: RegExp): Promise<string> => {
    await page.getByRole('button').click();
    const output = page.getByRole('status').filter({ hasText: expected });
    return (await output.textContent()) ?? '';
  };
  const signature = (await press(/^0x/u)) as Hex;
  const { address } = account;
  expect(
    await verifyMessage({ address, message: 'The toll is paid.', signature }),
  ).toBe(true);
  world.wallet.user.onDialog = refuseAll;
  expect(await press(/^\d{4}:/u)).toBe('4001: The user refused the request.');
});
