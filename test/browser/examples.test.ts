// The examples, built with Vite and the built package, in a real browser.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { Browser, Page } from 'playwright-core';
import { getAddress, recoverMessageAddress } from 'viem';
import type { Hex } from 'viem';

import { installPacked } from '../../dev/build/pack';
import type { DemoAccount } from '../../dev/demo/world';
import { startStaticServer } from '../../dev/start/serve';
import type { StaticServer } from '../../dev/start/serve';
import { runNode } from '../../dev/test/check';
import { bridgeWallet, startBrowser } from '../../dev/wallet/browser';
import type { Site } from '../../dev/wallet/wallet';
import starter from '../../examples/starter/package.json';
import { devDependencies } from '../../package.json';
import { setupWalletWorld } from '../support/smart-world';

const world = setupWalletWorld();

let folder: string;
let server: StaticServer;
let browser: Browser;
let page: Page;
let site: Site;
let dialogCount: number;

beforeAll(async () => {
  const { wallet } = world;
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-examples-'));
  const script = `
    import { build } from 'vite';
    const replace = (code) =>
      code
        .replaceAll('npm:tollkeeper-snap', '${wallet.snapId}')
        .replaceAll(/\\bsepolia\\b/gu, 'foundry');
    const isOurs = (id) => /\\/(?:examples|dist)\\//u.test(id);
    await build({
      configFile: 'examples/vite.config.ts',
      logLevel: 'error',
      build: { outDir: '${folder}' },
      plugins: [{
        name: 'here',
        transform: (code, id) => (isOurs(id) ? replace(code) : undefined),
      }],
    });
  `;
  const built = await runNode(['--input-type=module', '--eval', script]);
  if (built.code !== 0) throw new Error(built.output);
  [server, browser] = await Promise.all([
    startStaticServer({ port: 0, folders: { '/': folder } }),
    startBrowser(),
  ]);
  page = await browser.newPage();
  site = wallet.site('https://examples.example');
  const current = { ...site, request: async (args: never) => site.request(args) };
  await bridgeWallet(page, current as Site);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens an example as a separate site, and grants it this account. */
async function open(example: string, { id }: DemoAccount): Promise<void> {
  const { wallet } = world;
  const origin = `https://${example}.example`;
  wallet.connect(origin);
  site = wallet.site(origin);
  dialogCount = 0;
  wallet.user.onDialog = async (dialog) => {
    dialogCount += 1;
    if (id in dialog.values) await dialog.fill(id, true);
    await dialog.approve();
  };
  await page.goto(`${server.url}/${example}/`);
}

const createEoa = async () => world.createAccount({ type: 'eip155:eoa' });

const press = async (name: string) => page.getByRole('button', { name }).click();

async function readHex(): Promise<Hex> {
  const output = page.locator('output', { hasText: /^0x/u });
  return (await output.textContent()) as Hex;
}

it.each(['viem', 'ethers'])('signs a message with %s', async (library) => {
  const account = await createEoa();
  await open(library, account);
  await press('Sign');
  const signature = await readHex();
  const message = `Hello from ${library}`;
  expect(await recoverMessageAddress({ message, signature })).toBe(
    getAddress(account.address),
  );
});

it('sends a user operation with a bundler client', async () => {
  const account = await world.createSmart('0.8', '1');
  await open('bundler-client', account);
  await press('Send');
  const hash = await readHex();
  expect(await world.node.getTransactionReceipt({ hash })).toMatchObject({
    status: 'success',
    to: world.stack.contracts['0.8'].entryPoint.toLowerCase(),
  });
});

it('connects with React and wagmi, signs, reconnects and disconnects', async () => {
  const account = await createEoa();
  const address = getAddress(account.address);
  await open('starter', account);
  await press('Tollkeeper');
  await page.getByText(address).waitFor();
  await press('Sign');
  const signature = await readHex();
  const message = 'Hello from wagmi';
  expect(await recoverMessageAddress({ message, signature })).toBe(address);

  const before = dialogCount;
  await page.reload();
  await page.getByText(address).waitFor();
  expect(dialogCount).toBe(before);

  await press('Disconnect');
  await page.getByRole('button', { name: 'Tollkeeper' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Tollkeeper' }).waitFor();
  expect(await page.getByText(address).count()).toBe(0);
});

async function runPlaywright(cwd: string, config: string): Promise<string> {
  // Playwright refuses to run inside Jest.
  const env = { ...process.env, JEST_WORKER_ID: '' };
  const args = [resolve('node_modules/@playwright/test/cli.js'), 'test'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, '--config', config],
    { cwd, env },
  ).catch((error: { stdout: string }) => error);
  return stdout;
}

it('runs the end-to-end tests of the Playwright example', async () => {
  expect(await runPlaywright('.', 'examples/playwright')).toMatch(/^ +2 passed/mu);
});

/** The starter's configuration, with this checkout's Chromium. */
const LOCAL_CONFIG = `
  import chromium from '@sparticuz/chromium';
  import config from './playwright.config';
  const executablePath = await chromium.executablePath();
  const args = chromium.args.filter((each) => each !== '--single-process');
  export default { ...config, use: { ...config.use, launchOptions: { executablePath, args } } };
`;

describe('a copy of the starter with the packed package', () => {
  // The starter's other packages come from this checkout.
  const copy = 'dist/starter';

  beforeAll(async () => {
    await rm(copy, { recursive: true, force: true });
    await installPacked(copy);
    await cp('examples/starter', copy, { recursive: true });
    await writeFile(`${copy}/here.config.ts`, LOCAL_CONFIG);
  });

  afterAll(async () => rm(copy, { recursive: true, force: true }));

  it("requires this checkout's versions of its packages", () => {
    for (const [name, version] of Object.entries({
      ...starter.dependencies,
      ...starter.devDependencies,
    })) {
      expect({ [name]: version }).toStrictEqual({
        [name]: (devDependencies as Record<string, string>)[name],
      });
    }
  });

  it('compiles and builds', async () => {
    const tsc = resolve('node_modules/typescript/bin/tsc');
    expect(await runNode([tsc, '--project', copy])).toStrictEqual({
      code: 0,
      output: '',
    });
    const vite = resolve('node_modules/vite/bin/vite.js');
    expect(await runNode([vite, 'build', copy, '--logLevel', 'error'])).toMatchObject({
      code: 0,
    });
  });

  it('passes its test', async () => {
    expect(await runPlaywright(copy, 'here.config.ts')).toMatch(/^ +1 passed/mu);
  });
});
