// A test wallet: the snap's app on an in-memory platform, with a stand-in for MetaMask between
// dapps and the snap.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import {
  any,
  array,
  boolean,
  object,
  optional,
  record,
  string,
  type,
} from '@metamask/superstruct';

import { version } from '../../../package.json';
import type { CreateAccountOptions } from '../../../src/accounts/create';
import { compose } from '../../../src/app';
import type { App } from '../../../src/app';
import { createEntryPoints } from '../../../src/entry-points';
import type { EntryPoints } from '../../../src/entry-points';
import { isSameAddress } from '../../../src/eth/hex';
import type { Hex } from '../../../src/eth/hex';
import { parse } from '../../../src/schema/parse';
import { callable, integerBetween, oneOf } from '../../../src/schema/structs';
import { createProvider } from '../../provider/src';
import type { Provider, RequestArguments } from '../../provider/src';
import { listParams } from '../../provider/src/connection';
import { ProviderRpcError, randomHex } from '../../provider/src/eip1193';
import { createUser, Screens } from './dialogs';
import type { DecideOn } from './dialogs';
import { createEdges, readPackaged } from './edges';
import { assertForTests, createNetworks } from './networks';
import type { TestChain } from './networks';
import { recordScreens } from './review';
import type { DialogRequest, Decide, Decision, Review, Shown } from './review';
import { createWallet } from './wallet';

/** Options of an account to create, as in `keyring_createAccount`. */
export type TestAccountOptions = Omit<CreateAccountOptions, 'metamask' | 'salt'> & {
  salt?: Hex;
};

export type TestAccount = {
  id: string;
  address: Hex;
  type: 'eip155:eoa' | 'eip155:erc4337';
};

/** Options of {@link createTollkeeper}. All are optional. */
export type TollkeeperOptions = {
  /** The accounts to create. Default: the first of {@link testKeys}. */
  accounts?: readonly TestAccountOptions[];
  /** The networks; the first one is selected. Default: chain 31337 without a node. */
  chains?: readonly TestChain[];
  /** How the user decides. Default: `approve`. */
  decide?: Decide;
  /** The phrase from which accounts without a `privateKey` are derived. */
  phrase?: string;
  /** The site that `provider` serves. Default: the page's origin, or `http://localhost` in Node. */
  origin?: string;
  /** Allows networks with real value. Keys are only in memory, and the default keys are public. */
  allowRealChains?: boolean;
  /** Reads a descriptor's text where there is no file system. The package has the file, compressed
   * with raw DEFLATE, at `dist/files/{path}.deflate`. */
  readFile?: (path: string) => Promise<string | null>;
};

/** A wallet with Tollkeeper, for tests. */
export type TestTollkeeper = {
  /** Tollkeeper's provider for the site `origin`. */
  provider: Provider;
  /** The accounts in creation order; `manage` can change them. */
  accounts: readonly TestAccount[];
  /** How the user decides from now on. */
  decide: Decide;
  /** The dialogs so far, in order. */
  readonly reviews: readonly Review[];
  /** Gets the provider of another site. */
  visit: (origin: string) => Provider;
  /** Connects these accounts to a site, as the user does in the wallet; an empty list disconnects
   * the site. */
  setAccounts: (addresses: readonly string[], origin?: string) => Promise<void>;
  /** Selects a site's network, as the user does in the wallet. */
  setChain: (id: number, origin?: string) => void;
  /** Calls a method of the companion page, such as `tollkeeper_setSettings`, without a dialog. */
  manage: (method: string, params?: object) => Promise<unknown>;
  /** Stops polling for pending transactions. Call it after the last request. */
  stop: () => void;
};

/** Private keys of funded accounts on anvil and Hardhat, from the phrase `test test test test test
 * test test test test test test junk`. They are public. */
export const testKeys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
] as const;

const COMPANION = 'https://companion.invalid';

const AnswerStruct = oneOf(['approve', 'reject']);

const FieldsStruct = object({
  accounts: optional(array(string())),
  fee: optional(oneOf(['low', 'medium', 'high'])),
  values: optional(record(string(), any())),
});

const OptionsStruct = object({
  accounts: optional(array(any())),
  chains: optional(array(type({ id: integerBetween(1, Number.MAX_SAFE_INTEGER) }))),
  decide: optional(any()),
  phrase: optional(string()),
  origin: optional(string()),
  allowRealChains: optional(boolean()),
  readFile: optional(callable()),
});

/**
 * Creates a wallet for tests: Tollkeeper itself, without MetaMask. It keeps keys in memory and
 * refuses networks that may have real value.
 *
 * @throws {Error} With a `code`, if an option is invalid, an account cannot be created, a server
 * does not answer, or a network may have real value.
 * @example
 * ```ts
 * import { createTollkeeper } from 'tollkeeper-snap/testing';
 *
 * const { provider } = await createTollkeeper({
 *   chains: [{ id: 31337, rpcUrl: 'http://127.0.0.1:8545' }],
 *   decide: ({ findings }) => (findings.length > 0 ? 'reject' : 'approve'),
 * });
 * const [account] = await provider.request({ method: 'eth_requestAccounts' });
 * ```
 */
export async function createTollkeeper(
  options: TollkeeperOptions = {},
): Promise<TestTollkeeper> {
  const {
    accounts: wanted = [{ privateKey: testKeys[0] }],
    chains = [{ id: 31_337 }],
    decide = 'approve',
    phrase = 'test',
    origin = typeof location === 'undefined' ? 'http://localhost' : location.origin,
    allowRealChains = false,
    readFile = readPackaged,
  } = parse(options, OptionsStruct, 'createTollkeeper: options') as TollkeeperOptions;
  if (typeof decide !== 'function') [decide].flat().forEach(readDecision);
  const timers = createTimers();
  const networks = createNetworks(chains, allowRealChains);
  const screens = new Screens();
  const shown = new WeakMap<JSXElement, Shown>();
  const accounts: TestAccount[] = [];
  const reviews: Review[] = [];
  const findDecision = async (review: Review): Promise<Decision> => {
    const { decide: decided } = tollkeeper;
    if (typeof decided === 'function') return decided(review);
    if (!Array.isArray(decided)) return decided;
    const next = decided.shift();
    if (next !== undefined) return next;
    const { method, title } = review;
    throw new ProviderRpcError(-32603, `No decision is left for ${method}: ${title}`);
  };
  const decideOn: DecideOn = async (review) => {
    reviews.push(review);
    const decision = readDecision(await findDecision(review));
    const { accounts: named = [] } = Object(decision) as { accounts?: string[] };
    for (const address of named) getId(address, accounts);
    return decision;
  };
  const edges = createEdges({
    screens,
    phrase,
    readFile,
    ...createUser({
      screens,
      shown,
      accounts,
      sleep: timers.sleep,
      decideOn: async ({ asked }, read) => {
        if (asked.origin === COMPANION) return 'approve';
        return decideOn(read()).catch((error: unknown) => {
          asked.failure = error;
          throw error;
        });
      },
      onUserInput: async (event) => enter().onUserInput(event),
    }),
    sleep: timers.sleep,
    requestWallet: async (call) => networks.ask('snap', call),
    wake: (method, seconds) =>
      timers.later(seconds * 1000, async () =>
        enter().onCronjob({ request: { jsonrpc: '2.0', id: 1, method } }),
      ),
  });
  const { context, entry } = compose(edges, {
    logLevel: 'off',
    companionOrigin: COMPANION,
    isDevelopment: true,
    version,
  });
  const home: App['home'] = {
    open: async () => Promise.reject(new Error('There is no home page in tests.')),
    input: async () => Promise.resolve(),
    refresh: async () => Promise.resolve(),
  };
  // Records dialogs together with the request that opens them.
  const enter = (asked?: DialogRequest): EntryPoints =>
    createEntryPoints(() => {
      const { consent } = context;
      const noted = asked ? recordScreens(consent, asked, shown) : consent;
      return { context: { ...context, consent: noted }, entry, home };
    });
  const askSnap = async (site: string, request: RequestArguments): Promise<unknown> => {
    if (!allowRealChains) assertForTests(request.params);
    // As between a dapp and a snap, undefined fields disappear.
    const sent = JSON.parse(JSON.stringify(request)) as RequestArguments;
    const { method, params } = sent;
    const asked: DialogRequest = { origin: site, method, params: listParams(params) };
    const entryPoints = enter(asked);
    const handle = method.startsWith('keyring_')
      ? entryPoints.onKeyringRequest
      : entryPoints.onRpcRequest;
    const call = { jsonrpc: '2.0', id: 1, ...sent } as never;
    try {
      const answer = await timers.during(async () =>
        handle({ origin: site, request: call }),
      );
      // The answer may be the wallet's own state, so dapps get a copy.
      return JSON.parse(JSON.stringify(answer)) as unknown;
    } catch (error) {
      throw asked.failure ?? error;
    }
  };
  const manage: TestTollkeeper['manage'] = async (method, params) => {
    const answer = await askSnap(COMPANION, { method, params });
    const listed = await askSnap(COMPANION, { method: 'keyring_listAccounts' });
    accounts.splice(0, accounts.length, ...(listed as TestAccount[]));
    const ids = accounts.map(({ id }) => id);
    if (ids.length > 0) await context.grants.set(COMPANION, ids);
    return answer;
  };
  // With the same id, the providers of two tests in one page would act like two tabs of one site.
  const snapId = `local:${randomHex(8)}`;
  const providers = new Map<string, Provider>();
  const visit = (site: string): Provider => {
    const ethereum = createWallet(site, { networks, askSnap, decideOn, snapId });
    const visited = providers.get(site) ?? createProvider({ ethereum, snapId });
    providers.set(site, visited);
    return visited;
  };
  const tollkeeper: TestTollkeeper = {
    provider: visit(origin),
    accounts,
    decide,
    reviews,
    visit,
    manage,
    setAccounts: async (addresses, site = origin) => {
      const ids = addresses.map((address) => getId(address, accounts));
      await (ids.length > 0
        ? context.grants.set(site, ids)
        : context.grants.revoke(site));
      // Makes the provider notice the change and emit an event.
      await visit(site).request({ method: 'eth_accounts' });
    },
    setChain: (id, site = origin) => networks.select(site, id),
    stop: timers.stop,
  };
  for (const { id: chainId, rpcUrl: _node, ...servers } of chains) {
    const isConfigured = Object.keys(servers).length > 0;
    if (isConfigured) await manage('tollkeeper_setChain', [{ chainId, ...servers }]);
  }
  for (const options of wanted) await manage('keyring_createAccount', { options });
  return tollkeeper;
}

function readDecision(decision: Decision): Decision {
  return typeof decision === 'string'
    ? parse(decision, AnswerStruct, 'decide')
    : (parse(decision, FieldsStruct, 'decide') as Decision);
}

function getId(address: string, accounts: readonly TestAccount[]): string {
  const account = accounts.find((each) => isSameAddress(each.address, address));
  if (account) return account.id;
  throw new Error(`The wallet has no account ${address}.`);
}

/** A browser's timers are numbers, without these methods. */
type Timer = { ref?: () => void; unref?: () => void };

// Timers that keep Node running only during requests.
function createTimers() {
  const waiting = new Set<Timer>();
  let running = 0;
  let isStopped = false;
  const start = (ms: number, run: () => void): void => {
    if (isStopped) return;
    const timer = setTimeout(() => {
      waiting.delete(timer);
      run();
    }, ms) as Timer;
    waiting.add(timer);
    if (running === 0) timer.unref?.();
  };
  return {
    sleep: async (ms: number): Promise<void> =>
      new Promise((resolve) => start(ms, resolve)),
    later: (ms: number, run: () => Promise<unknown>): void =>
      start(ms, () => void run().catch(() => undefined)),
    during: async <Result>(run: () => Promise<Result>): Promise<Result> => {
      running += 1;
      for (const timer of waiting) timer.ref?.();
      try {
        return await run();
      } finally {
        running -= 1;
        if (running === 0) for (const timer of waiting) timer.unref?.();
      }
    },
    stop: (): void => {
      isStopped = true;
      for (const timer of waiting) clearTimeout(timer as number);
    },
  };
}
