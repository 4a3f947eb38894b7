// Opens the browser benchmark's page in Chromium, and prepares the snaps.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildSnapEndowmentSpecifications } from '@metamask/snaps-rpc-methods';
import { DEFAULT_ENDOWMENTS, type SnapManifest } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';
import { build } from 'esbuild';
import { toHex, type Hex } from 'viem';

import { deriveAccountId } from '../../src/accounts/repository';
import { listenOnLoopback } from '../stack/server';
import { startStaticServer } from '../start/serve';
import { startBrowser } from '../wallet/browser';
import type { BenchPage, BuiltSnap, Call, State } from './page';
import { MAIL, PERMIT2, SEAPORT, TEXT, TRANSACTION } from './signing-cases';

const ENVIRONMENT = 'node_modules/@metamask/snaps-execution-environments/dist/webpack';

export type CallPage = <Name extends keyof BenchPage>(
  name: Name,
  ...args: Parameters<BenchPage[Name]>
) => Promise<Awaited<ReturnType<BenchPage[Name]>>>;

export type Chromium = {
  version: string;
  page: CallPage;
  stop: () => Promise<void>;
};

/** As in MetaMask, the execution environment has another site and process than the page. */
export async function startChromium(): Promise<Chromium> {
  const script = await buildPage();
  const html = `<!doctype html><body><script>${script.replaceAll('</script', '<\\/script')}</script>`;
  const host = await listenOnLoopback((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html),
  );
  const frames = await startStaticServer({ port: 0, folders: { '/': ENVIRONMENT } });
  const browser = await startBrowser({ isolated: true });
  const stop = async (): Promise<void> => {
    await browser.close();
    await Promise.all([host.stop(), frames.stop()]);
  };
  try {
    const page = await browser.newPage();
    await page.goto(`${host.url}/#${frames.url}/iframe/index.html`);
    const callPage = async (name: string, ...args: unknown[]): Promise<unknown> =>
      page.evaluate(
        ([method, given]) => {
          const { bench } = globalThis as unknown as {
            bench: Record<string, (...values: unknown[]) => unknown>;
          };
          return bench[method]?.(...given);
        },
        [name, args] as const,
      );
    return { version: browser.version(), page: callPage as CallPage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Parts of Node's API for MetaMask's packages: streams need `nextTick`, and a check of names needs
 * the list of built-in modules. */
const NODE_PARTS = `
  const nextTick = (run, ...args) => queueMicrotask(() => run(...args));
  globalThis.process = { env: { NODE_ENV: 'production' }, nextTick };
  const require = () => ({ builtinModules: [] });
`;

async function buildPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['dev/bench/page.ts'],
    write: false,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    mainFields: ['browser', 'module', 'main'],
    target: 'es2022',
    define: { global: 'globalThis' },
    external: ['module'],
    banner: { js: NODE_PARTS },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

export async function readSnap(
  folder: string,
  bundle = join(folder, 'dist/bundle.js'),
): Promise<BuiltSnap> {
  const manifest = JSON.parse(
    await readFile(join(folder, 'snap.manifest.json'), 'utf8'),
  ) as SnapManifest;
  const { source, initialPermissions } = manifest;
  const specifications = buildSnapEndowmentSpecifications([]);
  const endowed = Object.keys(initialPermissions).flatMap((name) => {
    const specification = specifications[name];
    return specification && 'endowmentGetter' in specification
      ? ((specification.endowmentGetter as () => string[] | undefined)() ?? [])
      : [];
  });
  const files = (source.files ?? []).map(async (path): Promise<[string, string]> => [
    path,
    await readFile(join(folder, path), 'base64'),
  ]);
  return {
    source: await readFile(bundle, 'utf8'),
    endowments: [...new Set([...DEFAULT_ENDOWMENTS, ...endowed])],
    files: Object.fromEntries(await Promise.all(files)),
  };
}

export const EMPTY_SNAP: BuiltSnap = {
  source: 'module.exports.onKeyringRequest = async () => [];\n',
  endowments: [...DEFAULT_ENDOWMENTS],
  files: {},
};

export type Account = { id: string; address: Hex };

export type Side = {
  id: string;
  account: Account;
  /** The snap's stored data with only this account, and with 1,000 accounts. This account is the
   * last of the 1,000, so that a linear search has to pass all others. */
  states: { one: State; many: State };
  createAccount: Call;
};

type Kind = {
  id: string;
  origin: string;
  fill: (state: Json, account: Account, count: number) => Json;
};

/** Number of sites that may use our account. Each call comes from a different site, because the
 * snap delays a site after several closed dialogs. */
const SITES = 200;

const siteOf = (number: number): string => `https://${number}.example`;

export const tollkeeper: Kind = {
  id: 'tollkeeper',
  origin: 'metamask',
  fill: (state, account, count) => {
    const others = addressesOf(count - 1).map((address, index) => {
      const identity = { type: 'eip155:eoa', address } as const;
      const key = { kind: 'derived', index: index + 1 };
      return { ...identity, id: deriveAccountId(identity), key };
    });
    const document = state as { accounts: Record<string, { id: string }> };
    const all = [...others, ...Object.values(document.accounts)];
    return {
      ...document,
      accounts: Object.fromEntries(all.map((each) => [each.id, each])) as Json,
      grants: Object.fromEntries(
        Array.from({ length: SITES }, (_each, site) => [siteOf(site), [account.id]]),
      ),
    };
  },
};

export const simpleKeyring: Kind = {
  id: 'simple-keyring',
  origin: 'https://metamask.github.io',
  fill: (state, { id }, count) => {
    const document = state as { wallets: Record<string, { account: Account }> };
    const own = document.wallets[id];
    if (!own) throw new Error('The simple keyring stores its accounts in another way.');
    const others = addressesOf(count - 1).map((address) => ({
      ...own,
      account: { ...own.account, id: crypto.randomUUID(), address },
    }));
    const all = [...others, own].map((each) => [each.account.id, each]);
    return { ...document, wallets: Object.fromEntries(all) as Json };
  },
};

function addressesOf(count: number): Hex[] {
  return Array.from({ length: count }, (_each, index) =>
    toHex(index + 1, { size: 20 }),
  );
}

export async function openSide(
  page: CallPage,
  { id, origin, fill }: Kind,
  snap: BuiltSnap,
): Promise<Side> {
  const createAccount: Call = {
    handler: 'onKeyringRequest',
    origin,
    method: 'keyring_createAccount',
    params: { options: {} },
  };
  await page('open', id, snap);
  await page('start', id);
  const account = (await page('call', id, createAccount)) as Account;
  const state = await page('getState', id);
  const fillWith = (count: number): State => ({
    ...state,
    encrypted: fill(state.encrypted, account, count),
  });
  const states = { one: fillWith(1), many: fillWith(1_000) };
  await page('setState', id, states.one);
  return { id, account, states, createAccount };
}

export const LIST: Call = {
  handler: 'onKeyringRequest',
  origin: 'metamask',
  method: 'keyring_listAccounts',
};

/** Creates the signing requests that MetaMask's SnapKeyring sends to a snap. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the names are the type
export function createRequests({ id, address }: Account) {
  // MetaMask sends addresses in lower case, which the simple keyring requires.
  const from = address.toLowerCase();
  const submit = (method: string, params: unknown[], scope = 'eip155:1'): Call => ({
    handler: 'onKeyringRequest',
    origin: 'metamask',
    method: 'keyring_submitRequest',
    params: {
      id: crypto.randomUUID(),
      origin: 'metamask',
      scope,
      account: id,
      request: { method, params: params as Json[] },
    },
  });
  const signTyped = (document: unknown): Call =>
    submit('eth_signTypedData_v4', [from, document]);
  const transaction = { ...TRANSACTION, from };
  return {
    personal_sign: submit('personal_sign', [TEXT, from], ''),
    'eth_signTypedData_v4: mail': signTyped(MAIL),
    'eth_signTypedData_v4: Permit2': signTyped(PERMIT2),
    'eth_signTypedData_v4: Seaport order': signTyped(SEAPORT),
    'eth_signTransaction of type 0x2': submit('eth_signTransaction', [transaction]),
  };
}

const RECIPIENT = '0x000000000000000000000000000000000000dead';

export function createDappCall(
  method: 'personal_sign' | 'eth_sendTransaction',
  { address }: Account,
  site = 0,
): Call {
  const transaction = { from: address, to: RECIPIENT, value: '0x1', chainId: '0x1' };
  const params = method === 'personal_sign' ? [TEXT, address] : [transaction];
  return { handler: 'onRpcRequest', origin: siteOf(site % SITES), method, params };
}
