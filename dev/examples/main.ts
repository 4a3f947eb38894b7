// npm run examples [-- NAME …]: builds the page of each wallet modal in examples/modals, and
// connects it with Tollkeeper in Chromium. `npm ci` does not install the modals, because they are
// large.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { Page } from 'playwright-core';
import { build } from 'vite';

import { readArgs } from '../args';
import { ensureBuilt } from '../build/built';
import { runNpm } from '../build/pack';
import { createAccount, startWorld, type World } from '../demo/world';
import { startStaticServer } from '../start/serve';
import { bridgeWallet, startBrowser } from '../wallet/browser';
import { approveWith } from '../wallet/user';

const MODALS = 'examples/modals';

const modals = await readdir(MODALS);
const { names } = readArgs(
  `npm run examples [-- NAME …]

Installs each wallet modal, or those that are named, builds its page, and connects with Tollkeeper
in Chromium: ${modals.join(', ')}.`,
  {},
  (name) => modals.includes(name),
);

await ensureBuilt();
const world = await startWorld();
try {
  for (const name of names.length > 0 ? names : modals) {
    await install(join(MODALS, name));
    await connect(world, name);
    process.stdout.write(`${name}: connects\n`);
  }
} finally {
  await world.stop();
}

async function install(folder: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules'))) return;
  await runNpm([
    'install',
    '--no-package-lock',
    '--ignore-scripts',
    '--prefix',
    folder,
  ]);
}

async function connect({ wallet }: World, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-modal-'));
  await buildPage(join(MODALS, name), folder, wallet.snapId);
  const server = await startStaticServer({ port: 0, folders: { '/': folder } });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const origin = `https://${name}.example`;
    wallet.connect(origin);
    const { id, address } = await createAccount(world, { type: 'eip155:eoa' });
    wallet.user.onDialog = approveWith(id);
    await bridgeWallet(page, wallet.site(origin));
    await page.goto(server.url);
    await press(page, /^connect/iu);
    await press(page, /tollkeeper/iu);
    await page.locator('output', { hasText: address }).waitFor();
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function press(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}

// The page uses this checkout's snap instead of the published one, and the stack's network.
async function buildPage(root: string, outDir: string, snapId: string): Promise<void> {
  const localize = (code: string, id: string): string | undefined =>
    /\/dist\/provider\/|\/main\.tsx$/u.test(id)
      ? code
          .replaceAll('npm:tollkeeper-snap', snapId)
          .replaceAll(/\bsepolia\b/gu, 'foundry')
      : undefined;
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    esbuild: { jsx: 'automatic', jsxImportSource: 'react' },
    build: { outDir, emptyOutDir: true, minify: false },
    resolve: {
      alias: [
        {
          find: /^tollkeeper-snap\/(.*)$/u,
          replacement: resolve('dist/$1/index.js'),
        },
      ],
    },
    plugins: [{ name: 'localize', transform: localize }],
  });
}
