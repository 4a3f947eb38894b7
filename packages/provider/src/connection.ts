// The connection to the wallet and its snap: finds MetaMask, installs the snap, and reports what is
// missing.
import { codes, ProviderRpcError, toProviderError } from './eip1193';
import type { Ask, Eip1193, Emit, RequestArguments } from './eip1193';

export type ConnectionOptions = {
  /** The wallet's own provider. */
  ethereum: Eip1193;
  /** `npm:tollkeeper-snap`, or `local:http://localhost:8080` during development. */
  snapId: string;
  /** The required version: `1.2.3` for exactly that version, or `^1.2.3` for it or a newer
   * compatible one. */
  version?: string | undefined;
};

type Snap = {
  version?: unknown;
  enabled?: unknown;
  blocked?: unknown;
  error?: unknown;
};

/** Whether the snap can be used, and its version if it is installed. */
export type Status =
  /** No MetaMask in this browser. */
  | { state: 'no-metamask' }
  /** The stable MetaMask, which installs only snaps on its allowlist, or a wallet without snaps. */
  | { state: 'no-flask' }
  | { state: 'not-installed' }
  /** A different version is required. */
  | { state: 'outdated'; version: string }
  /** Turned off by the user, or blocked by MetaMask. */
  | { state: 'disabled'; version: string }
  | { state: 'ready'; version: string };

export type Connection = {
  askWallet: Ask;
  /** Calls the snap, after installing it if necessary. */
  askSnap: Ask;
  askKeyring: Ask;
  /** Installs the snap if necessary; concurrent calls share one installation. */
  install: () => Promise<string>;
  /** Finds out, without asking the user, whether the snap can be used. Throws wallet errors. */
  status: () => Promise<Status>;
  /** Whether the snap can be called without asking the user. */
  isReady: () => Promise<boolean>;
  /** Starts forwarding the wallet's own events. */
  listen: () => void;
};

type Announcement = { detail?: { info?: { rdns?: unknown }; provider?: Eip1193 } };

type Page = EventTarget & {
  ethereum?: Eip1193 & { isMetaMask?: boolean; isTollkeeper?: boolean };
};

type Found = readonly [rdns: string, provider: Eip1193];

export const SNAP_ID = 'npm:tollkeeper-snap';

/** The rdns of MetaMask's wallets: the extension, Flask, the app. */
const METAMASK = /^io\.metamask(?:\.|$)/u;

/** Time to wait for wallets in ms. They answer immediately, unless their script loads late. */
const WAIT_MS = 500;

export function createConnection(
  { ethereum, snapId = SNAP_ID, version }: Partial<ConnectionOptions>,
  emit: Emit,
): Connection {
  const wallet = createOnce(async () => {
    const found = ethereum ?? (await findMetaMask(findPage()));
    for (const event of ['connect', 'chainChanged']) {
      found.on?.(event, (value: unknown) => emit(event, value));
    }
    found.on?.('disconnect', (error: unknown) =>
      emit('disconnect', toProviderError(error)),
    );
    return found;
  });
  const askWallet: Ask = async (args) => (await wallet.get()).request(args);
  const connected = createOnce(async () => {
    emit('connect', { chainId: await askWallet({ method: 'eth_chainId' }) });
  });
  const findInstalled = async (): Promise<Snap | undefined> =>
    findSnap(await askWallet({ method: 'wallet_getSnaps' }), snapId);
  // If no suitable version is installed, asks the user to install one. Throws 4200 if the wallet
  // then did not install it, and passes on the wallet's errors, such as 4001 if the user refuses.
  const install = async (): Promise<string> => {
    const installed = await findInstalled();
    if (fits(installed, version)) return String(installed?.version);
    const params = { [snapId]: version === undefined ? {} : { version } };
    const answer = await askWallet({ method: 'wallet_requestSnaps', params });
    const got = findSnap(answer, snapId);
    if (fits(got, version)) return String(got?.version);
    const requested = `${snapId}${version === undefined ? '' : ` ${version}`}`;
    const message = `The wallet did not install ${requested}.`;
    throw new ProviderRpcError(codes.unsupported, message, got?.error);
  };
  const ready = createOnce(async () => {
    const installed = await install();
    await connected.get();
    return installed;
  });
  const invoke =
    (method: string): Ask =>
    async (request) => {
      await ready.get();
      try {
        return await askWallet({ method, params: { snapId, request } });
      } catch (error) {
        // The snap may have been removed or turned off; the next request finds out.
        ready.forget();
        throw error;
      }
    };
  const isReady = async (): Promise<boolean> => {
    if (ready.has() || fits(await findInstalled(), version)) return true;
    const message = 'Tollkeeper was removed from MetaMask, or turned off there.';
    const gone = new ProviderRpcError(codes.disconnected, message);
    if (connected.has()) emit('disconnect', gone);
    connected.forget();
    return false;
  };
  const status = async (): Promise<Status> => {
    try {
      const snap = await findInstalled();
      if (!snap) {
        return { state: (await isFlask(askWallet)) ? 'not-installed' : 'no-flask' };
      }
      const own = String(snap.version);
      if (isOff(snap)) return { state: 'disabled', version: own };
      return { state: fits(snap, version) ? 'ready' : 'outdated', version: own };
    } catch (thrown) {
      const error = toProviderError(thrown);
      if (error.code === codes.disconnected) return { state: 'no-metamask' };
      if (error.code === codes.unknownMethod) return { state: 'no-flask' };
      throw error;
    }
  };
  // If MetaMask loads late, emits `connect` for listeners added earlier.
  const connectWhenAnnounced = createOnce(async () => {
    await waitForMetaMask(findPage());
    if (await isReady()) await connected.get();
  });
  return {
    askWallet,
    askSnap: invoke('wallet_invokeSnap'),
    askKeyring: invoke('wallet_invokeKeyring'),
    install: ready.get,
    isReady,
    status,
    listen: () =>
      void wallet
        .get()
        .catch(connectWhenAnnounced.get)
        .catch(() => undefined),
  };
}

/** Lists the params of a request: an array, or the params inside `{ account, scope, params }`. */
export function listParams(params: RequestArguments['params']): readonly unknown[] {
  const list: unknown = params && 'params' in params ? params.params : params;
  return Array.isArray(list) ? list : [];
}

/** Adds the chain that the wallet has selected for this site to a request without a `scope`. */
export async function withSelectedChain(
  { method, params = [] }: RequestArguments,
  askWallet: Ask,
): Promise<RequestArguments> {
  const envelope = Array.isArray(params) ? { params } : params;
  if ('scope' in envelope) return { method, params };
  const chainId = await askWallet({ method: 'eth_chainId' });
  const scope = `eip155:${BigInt(String(chainId))}`;
  return { method, params: { ...envelope, scope } };
}

/** If the site has selected the chain that typed data or a sign-in (EIP-4361) names, adds it to the
 * request. Otherwise the snap, which cannot see the site's selection, may warn that the chain is
 * not one of its own. */
export async function withSignedChain(
  args: RequestArguments,
  askWallet: Ask,
): Promise<RequestArguments> {
  const signed = findSignedChain(args);
  if (signed === undefined) return args;
  const named = await withSelectedChain(args, askWallet);
  const { scope } = named.params as { scope?: string };
  return scope === `eip155:${signed}` ? named : args;
}

function findSignedChain({ params }: RequestArguments): bigint | undefined {
  for (const param of listParams(params)) {
    try {
      return BigInt(readSignedChain(param));
    } catch {
      // This param names no chain.
    }
  }
  return undefined;
}

function readSignedChain(param: unknown): string {
  if (typeof param !== 'string') {
    const { domain, capabilities } = param as Record<string, Record<string, unknown>>;
    const withChain: unknown = domain ?? capabilities?.['signInWithEthereum'];
    return String((withChain as { chainId?: unknown }).chainId);
  }
  const text = /^0x/iu.test(param) ? fromHex(param) : param;
  const [, chainId] = /^Chain ID: (\d+)$/mu.exec(text) ?? [];
  return chainId ?? readSignedChain(JSON.parse(text));
}

function fromHex(hex: string): string {
  const bytes = hex.slice(2).match(/../gu) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => parseInt(byte, 16)));
}

// The public extension reports `MetaMask/v13.5.0`; Flask adds its name after the version.
async function isFlask(askWallet: Ask): Promise<boolean> {
  const name = await askWallet({ method: 'web3_clientVersion' }).catch(() => '');
  return !/^MetaMask\/v[\d.]+$/u.test(String(name));
}

function findSnap(snaps: unknown, snapId: string): Snap | undefined {
  return (Object(snaps) as Record<string, Snap | undefined>)[snapId];
}

function fits(snap: Snap | undefined, version: string | undefined): boolean {
  if (!snap || snap.error !== undefined || isOff(snap)) return false;
  return version === undefined || satisfies(String(snap.version), version);
}

function isOff({ enabled, blocked }: Snap): boolean {
  return enabled === false || blocked === true;
}

// Supports the version ranges that dapps use (Semantic Versioning): an exact version, or `^` and a
// minimum.
function satisfies(version: string, wanted: string): boolean {
  // Before 1.0.0, each minor version may break compatibility.
  const [, minimum = '', prefix = ''] = /^\^((0\.\d+\.|\d+\.).+)$/u.exec(wanted) ?? [];
  if (![version, minimum].every((each) => /^\d+\.\d+\.\d+$/u.test(each))) {
    return version === wanted;
  }
  const isNewer = version.localeCompare(minimum, 'en', { numeric: true }) >= 0;
  return version.startsWith(prefix) && isNewer;
}

// Uses EIP-6963, through which wallets identify themselves. If MetaMask does not answer, falls back
// to a `window.ethereum` that claims to be MetaMask. Prefers Flask, because it installs any snap.
async function findMetaMask(page: Page | undefined): Promise<Eip1193> {
  const announced = page && (await collect(page));
  const flask = announced?.find(([rdns]) => rdns.endsWith('.flask'));
  const [, found] = flask ?? announced?.[0] ?? [];
  if (found) return found;
  const { ethereum } = page ?? {};
  // A page may have set Tollkeeper as its `window.ethereum`.
  if (ethereum?.isMetaMask === true && ethereum.isTollkeeper !== true) return ethereum;
  const message = 'MetaMask was not found in this browser.';
  throw new ProviderRpcError(codes.disconnected, message);
}

async function waitForMetaMask(page: Page | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!page) return;
    const stop: () => void = onAnnounced(page, () => {
      stop();
      resolve();
    });
  });
}

async function collect(page: Page): Promise<Found[]> {
  const found: Found[] = [];
  const stop = onAnnounced(page, (each) => found.push(each));
  page.dispatchEvent(new Event('eip6963:requestProvider'));
  if (found.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  stop();
  return found;
}

function onAnnounced(page: Page, onFound: (found: Found) => unknown): () => void {
  const listen = (event: Event): void => {
    const { info, provider } = (event as Announcement).detail ?? {};
    const rdns = String(info?.rdns);
    if (provider && METAMASK.test(rdns)) onFound([rdns, provider]);
  };
  page.addEventListener('eip6963:announceProvider', listen);
  return () => page.removeEventListener('eip6963:announceProvider', listen);
}

function findPage(): Page | undefined {
  return typeof window === 'undefined' ? undefined : window;
}

// Runs a function when its value is first needed, and shares the value. The next caller retries a
// failed run.
function createOnce<Value>(run: () => Promise<Value>) {
  let running: Promise<Value> | undefined;
  let isDone = false;
  const start = async (): Promise<Value> => {
    try {
      const value = await run();
      isDone = true;
      return value;
    } catch (error) {
      running = undefined;
      throw error;
    }
  };
  return {
    get: async (): Promise<Value> => (running ??= start()),
    has: () => isDone,
    /** Makes the next caller run the function again, unless a run is in progress. */
    forget: () => {
      if (isDone) [running, isDone] = [undefined, false];
    },
  };
}
