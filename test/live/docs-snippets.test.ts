// Runs every code block in the READMEs, start pages and guides. Scripts run with the built package,
// the snap in MetaMask's packages, and a real chain; commands run in a shell.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { libraries } from '../../dev/build/libraries';
import { startBrowser } from '../../dev/wallet/browser';
import { approveWith } from '../../dev/wallet/user';
import packageJson from '../../package.json';
import { readConfig } from '../../packages/service/src/config';
import { Keys } from '../../packages/service/src/keys';
import { buildSchema, type ServiceOptions } from '../../packages/service/src/options';
import * as runner from '../support/runner';
import { setupWalletWorld } from '../support/smart-world';
import {
  compileModule,
  findSnippets,
  type Hooks,
  isScript,
  joinScripts,
  type Snippet,
} from '../support/snippets';
import { findTypeErrors } from '../support/type-check';

/** Prefixes of commands that are slow or change this checkout, and the files that run them. */
const ELSEWHERE: Record<string, string> = {
  'npm start': 'test/browser/companion.test.ts',
  'npm test': 'dev/test/run.ts',
  'npm run demo': 'test/live/main-job.test.ts',
  'npm run examples': 'dev/examples/main.ts',
  'npm run service -- --rpc-url http://node:8545':
    'test/live/service-shared.redis.test.ts',
  'docker build': '.github/workflows/ci.yml',
  'docker compose': 'packages/service/compose.yaml',
  'docker run': 'packages/service/Dockerfile',
  'npm install tollkeeper-snap': 'test/live/package.test.ts',
  'TOLLKEEPER_COMPANION_ORIGIN=': 'test/live/release.test.ts',
};

/** Test runners that the pages import; `test/support/runner.ts` replaces them. */
const RUNNERS = ['vitest', '@playwright/test'];

/** The page whose JSON blocks are files for the gas service. */
const SERVICE_PAGE = 'docs/guides/gas-service.md';

/** The page whose transactions stay pending until all requests are answered. */
const PENDING = /transactions\.md$/u;

/** The pages whose user connects a smart account. */
const SMART = /(?:batches|user-operations|paymasters|viem\/README)\.md$/u;

const MNEMONIC = 'test test test test test test test test test test test junk';

const listPages = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const pages = [
  'README.md',
  ...listPages('docs/start'),
  ...listPages('docs/guides'),
  ...libraries.map((name) => `packages/${name}/README.md`),
].map((name) => ({ name, snippets: findSnippets(readFileSync(name, 'utf8')) }));

const REACT = '/** @jsxImportSource react */';

type Programs = Record<string, string>;

const world = setupWalletWorld();
const children: ChildProcess[] = [];
const page = globalThis as unknown as { window?: object };

const replacements: [shown: string, real: string][] = [];

beforeAll(() => {
  const { url, apiKey, apiKeySecret } = world.stack.service;
  replacements.push(
    ['sepolia', 'foundry'],
    ['11155111', '31337'],
    ['0xaa36a7', '0x7a69'],
    ['https://gas.example', url],
    ['https://node.example', url],
    ['wss://node.example', url.replace('http', 'ws')],
    ['https://paymaster.example', world.stack.paymaster.url],
    ['http://127.0.0.1:8545', world.stack.chain.url],
    ['ws://127.0.0.1:8545', world.stack.chain.wsUrl],
    ['my-key', apiKey],
    ['my-secret', apiKeySecret],
  );
});

beforeAll(() => {
  jest.spyOn(console, 'log').mockReturnValue();
});

let mining: NodeJS.Timeout;
let openRequests = 0;
let holdsPending = false;

beforeAll(() => {
  // ethers counts later blocks as confirmations. The last call fails if the chain has stopped.
  const mine = async () => world.node.mine({ blocks: 1 }).catch(() => undefined);
  mining = setInterval(() => {
    if (!holdsPending || openRequests === 0) void mine();
  }, 500);
});

afterAll(() => {
  clearInterval(mining);
  for (const { pid } of children) if (pid !== undefined) process.kill(-pid);
  delete page.window;
});

const localize = (text: string): string =>
  replacements.reduce((all, [shown, real]) => all.replaceAll(shown, real), text);

it('handles the language of every block', () => {
  const languages = pages.flatMap(({ snippets }) =>
    snippets.map(({ language }) => language),
  );
  expect(new Set(languages)).toStrictEqual(
    // YAML blocks configure third-party programs, and are not checked.
    new Set(['js', 'ts', 'tsx', 'sh', 'json', 'yaml']),
  );
});

it('type-checks every script', () => {
  // The export makes every script a module, which may use top-level await.
  const programs = pages.map(({ name, snippets }) => [
    name,
    `${joinScripts(snippets)}\nexport {};`,
  ]);
  const globals =
    'export {}; declare global { interface Window { ethereum: { request: ' +
    '(request: { method: string; params?: unknown }) => Promise<any> } } }';
  // React components are only type-checked; `npm run examples` runs such a page.
  const components = pages.flatMap(({ name, snippets }) =>
    snippets
      .filter(({ language }) => language === 'tsx')
      .map(({ line, code }) => [`${name}-${line}.tsx`, `${REACT}\n${code}`]),
  );
  const all = Object.fromEntries([
    ...programs,
    ...components,
    ['globals', globals],
  ]) as Programs;
  expect(findTypeErrors(all)).toStrictEqual([]);
});

it("accepts every JSON block except the service's as development page settings", () => {
  const programs = pages.flatMap(({ name, snippets }) =>
    snippets
      .filter(({ language }) => language === 'json' && name !== SERVICE_PAGE)
      .map(({ line, code }) => [
        `${name.replaceAll('/', '-')}-${line}`,
        "import type { PageConfig } from './dev/dapp/session';" +
          `export const config: Partial<PageConfig> = ${code}`,
      ]),
  );
  expect(findTypeErrors(Object.fromEntries(programs) as Programs)).toStrictEqual([]);
});

it("loads the gas service's key file and configuration files", async () => {
  const snippets = pages.find(({ name }) => name === SERVICE_PAGE)?.snippets ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-files-'));
  const loaded = { keys: 0, networks: 0 };
  try {
    for (const { line, language, code } of snippets) {
      if (language !== 'json') continue;
      const file = join(folder, `${line}.json`);
      await writeFile(file, code);
      if ('networks' in (JSON.parse(code) as object)) {
        loaded.networks += readConfig(file, buildSchema()).networks.length;
      } else {
        const options = { keysFile: file } as ServiceOptions;
        const keys = new Keys(options, { keysCheckMs: 1_000 });
        keys.stop();
        loaded.keys += keys.count;
      }
    }
    expect(loaded).toStrictEqual({ keys: 2, networks: 3 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe.each(pages.filter(({ snippets }) => snippets.length > 0))(
  '$name',
  ({ name, snippets }) => {
    it('works', async () => {
      await visit(name);
      for (const { line, text } of snippets.flatMap(findCommands)) {
        await runCommand(text).catch((error: unknown) => failAt(name, line, error));
      }
      await runScripts(name, snippets);
    });
  },
);

function failAt(name: string, line: number, error: unknown): never {
  const reason = error instanceof Error ? error.message : inspect(error);
  throw new Error(`${name}:${line}: ${reason}`, { cause: error });
}

/** Opens a page of a new site, whose user has a funded account and approves every connection. */
async function visit(name: string): Promise<void> {
  const { wallet, stack } = world;
  const account = SMART.test(name)
    ? await world.createSmart('0.8', '1')
    : await world.createAccount({ type: 'eip155:eoa' });
  await stack.fund(account.address, '1');
  holdsPending = PENDING.test(name);
  await world.node.setAutomine(!holdsPending);
  wallet.user.onDialog = approveWith(account.id);
  const origin = `https://${name.replaceAll(/\W/gu, '-').toLowerCase()}.example`;
  wallet.connect(origin);
  const site = wallet.site(origin);
  // This checkout replaces the published snap.
  const rename = (value: unknown, from: string, to: string): unknown =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value).replaceAll(from, to));
  const published = 'npm:tollkeeper-snap';
  const request = async (call: { method: string; params?: unknown }) => {
    const params = rename(call.params, published, wallet.snapId);
    // MetaMask keeps an installed published snap, but would install a local one again.
    const method = call.method.replace('wallet_requestSnaps', 'wallet_getSnaps');
    openRequests += 1;
    const answer = await site
      .request({ method, params })
      .finally(() => (openRequests -= 1));
    return rename(answer, wallet.snapId, published);
  };
  page.window = createWindow({ request });
}

function createWindow(ethereum: object): object {
  const target = new EventTarget();
  const info = { uuid: crypto.randomUUID(), name: 'MetaMask Flask', icon: 'data:,' };
  const detail = { info: { ...info, rdns: 'io.metamask.flask' }, provider: ethereum };
  target.addEventListener('eip6963:requestProvider', () =>
    target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
  );
  return Object.assign(target, { ethereum });
}

async function runScripts(name: string, snippets: readonly Snippet[]): Promise<void> {
  let line = snippets.find(isScript)?.line ?? 0;
  const hooks: Hooks = {
    at: (next) => (line = next),
    shows: (value, shown) => {
      const pattern = shown.split('…').map(escape).join('.*');
      expect(inspect(value, { breakLength: Infinity, depth: 9 })).toMatch(
        new RegExp(`^${localize(pattern)}$`, 'u'),
      );
    },
    load: async (module) =>
      RUNNERS.includes(module) ? runner : (import(module) as Promise<unknown>),
  };
  try {
    await compileModule(localize(joinScripts(snippets)))(hooks);
    await runTests();
  } catch (error) {
    failAt(name, line, error);
  }
}

async function runTests(): Promise<void> {
  const tests = runner.tests.splice(0);
  if (tests.length === 0) return;
  const browser = await startBrowser();
  try {
    for (const run of tests) await run(async () => openDappPage(browser));
  } finally {
    await browser.close();
  }
}

// A small dapp with the built provider, served at every URL.
const DAPP = `
  <button>Connect</button> <p></p>
  <script type="module">
    import { createProvider } from '/provider.js';
    const provider = createProvider();
    const show = (text) => (document.querySelector('p').textContent = text);
    document.querySelector('button').onclick = () => {
      const answer = provider.request({ method: 'eth_requestAccounts' });
      answer.then(show, ({ code }) => show(code === 4001 ? 'You refused' : code));
    };
  </script>
`;

async function openDappPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  const provider = await readFile('dist/provider/index.js', 'utf8');
  await page.route('**/*', async (route) =>
    route.request().url().endsWith('/provider.js')
      ? route.fulfill({ body: provider, contentType: 'text/javascript' })
      : route.fulfill({ body: DAPP, contentType: 'text/html' }),
  );
  return page;
}

const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, '\\$&');

/** Lists a block's commands, one per line; a backslash continues a line. */
function findCommands({ language, line, code }: Snippet) {
  if (language !== 'sh') return [];
  const joined = code.replaceAll('\\\n', '\n\\');
  const commands: { line: number; text: string }[] = [];
  for (const [index, raw] of joined.split('\n').entries()) {
    const text = raw.replace(/ *#.*$/u, '').trim();
    const last = commands.at(-1);
    if (text.startsWith('\\') && last) last.text += text.slice(1);
    else if (text !== '') commands.push({ line: line + index, text });
  }
  return commands;
}

async function runCommand(command: string): Promise<void> {
  const [, script] = /\bnpm (?:run )?((?!install\b)[\w:]+)/u.exec(command) ?? [];
  if (script !== undefined && !(script in packageJson.scripts)) {
    throw new Error(`There is no npm script ${script}.`);
  }
  if (Object.keys(ELSEWHERE).some((start) => command.startsWith(start))) return;
  // The server picks a free port.
  const [, port] = / --port (\d+)/u.exec(command) ?? [];
  const text = localize(command).replace(/ --port \d+/u, '');
  const child = spawn('sh', ['-c', text], { detached: port !== undefined });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += String(data)));
  child.stderr.on('data', (data: Buffer) => (output += String(data)));
  // The only input that commands read is a phrase.
  child.stdin.on('error', () => undefined).end(MNEMONIC);
  if (port !== undefined) children.push(child);
  await new Promise<void>((resolve, reject) => {
    const end = (code: number | null): void =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ended with ${code}:\n${output}`));
    child.once('error', reject).once('close', end);
    child.stdout.on('data', () => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+(?=[.;])/u.exec(output) ?? [];
      if (port === undefined || url === undefined) return;
      replacements.unshift([`http://127.0.0.1:${port}`, url]);
      resolve();
    });
  });
}
