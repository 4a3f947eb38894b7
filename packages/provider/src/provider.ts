// The EIP-1193 provider for dapps and libraries. It sends each call to the snap or the wallet
// (src/routes.ts), and answers `eth_coinbase` and subscriptions itself.
import { findProviderRoute } from '../../../src/routes';
import type { ProviderRoute } from '../../../src/routes';
import { watchAccounts } from './accounts';
import type { Answers } from './answers';
import {
  createConnection,
  listParams,
  withSelectedChain,
  withSignedChain,
  SNAP_ID,
} from './connection';
import type { Connection, ConnectionOptions, Status } from './connection';
import { codes, createEmitter, ProviderRpcError, toProviderError } from './eip1193';
import type { Ask, Emit, Listener, ProviderEvents, RequestArguments } from './eip1193';
import { createLegacySend, toLegacyState } from './legacy';
import type { LegacyState, Send, SendAsync } from './legacy';
import { createSubscriptions } from './subscriptions';

/** Options of {@link createProvider}. All are optional. */
export type ProviderOptions = Partial<ConnectionOptions>;

/** A request to the provider (EIP-1193). */
export type ProviderRequest = { readonly method: string; readonly params?: unknown };

/** {@link Answers} has the result types of known methods; for others, the caller specifies one. */
export type ProviderRequestFn = {
  <Method extends keyof Answers>(args: {
    readonly method: Method;
    readonly params?: unknown;
  }): Promise<Answers[Method]>;
  <Result = unknown>(args: ProviderRequest): Promise<Result>;
};

export type ChangeListener = <Event extends keyof ProviderEvents, Self = Provider>(
  event: Event,
  listener: ProviderEvents[Event],
) => Self;

/** Tollkeeper as an EIP-1193 provider. It is assignable to the provider types of libraries, such as
 * viem's `EIP1193Provider`. */
export type Provider = LegacyState & {
  /** True because MetaMask runs Tollkeeper and answers all other methods. Many dapps check it. */
  readonly isMetaMask: true;
  readonly isTollkeeper: true;
  /** Sends a request. Rejects with a {@link ProviderRpcError}, whatever the wallet throws. */
  request: ProviderRequestFn;
  /** @deprecated For libraries older than EIP-1193. Use `request`. */
  send: Send;
  /** @deprecated For libraries older than EIP-1193, and the batches of web3 1.x. Use `request`. */
  sendAsync: SendAsync;
  /** @deprecated For libraries older than EIP-1102. Use `request` with `eth_requestAccounts`. */
  enable: () => Promise<string[]>;
  on: ChangeListener;
  addListener: ChangeListener;
  once: ChangeListener;
  off: ChangeListener;
  removeListener: ChangeListener;
  /** Removes the listeners of an event, or of all events. */
  removeAllListeners: <Self = Provider>(event?: keyof ProviderEvents) => Self;
  /** Installs or updates the snap if necessary. Returns its version. */
  install: () => Promise<string>;
  /** Returns whether the snap can be used, without asking the user. */
  status: () => Promise<Status>;
};

/**
 * Creates a provider. It does not contact the wallet before its first request or listener.
 *
 * @param options - `ethereum`: the wallet's own provider, by default found with EIP-6963 (Flask
 *   first). `snapId`: by default `npm:tollkeeper-snap`. `version`: the required version, by default
 *   any installed one.
 * @example
 * ```ts
 * import { createProvider } from 'tollkeeper-snap/provider';
 *
 * const provider = createProvider();
 * const [account] = await provider.request({ method: 'eth_requestAccounts' });
 * ```
 */
export function createProvider(options: ProviderOptions = {}): Provider {
  const emitter = createEmitter();
  const emit: Emit = (event, value) => {
    Object.assign(provider, toLegacyState(event, value));
    emitter.emit(event, value);
  };
  const connection = createConnection(options, emit);
  const answers = createAnswers(connection, emit);
  const findAccounts = async (): Promise<unknown> =>
    answers.granted({ method: 'eth_accounts' });
  const watch = watchAccounts(
    findAccounts,
    { ...emitter, emit },
    options.snapId ?? SNAP_ID,
  );
  const toChainable =
    (change: (event: string, listener: Listener) => void): ChangeListener =>
    (event, listener) => {
      change(event, listener);
      return provider as never;
    };
  const toAdder = (isOnce: boolean): ChangeListener =>
    toChainable((event, listener) => {
      if (typeof listener !== 'function') {
        throw new TypeError(`The listener of ${event} must be a function.`);
      }
      emitter.add(event, listener, isOnce);
      connection.listen();
    });
  const on = toAdder(false);
  const removeListener = toChainable(emitter.removeListener);
  const request = async (given: unknown): Promise<never> => {
    try {
      const args = readRequest(given);
      const route = findProviderRoute(args.method);
      const answer = answers[route](args);
      const isOurs = route !== 'wallet';
      return (await (isOurs ? watch(args.method, answer) : answer)) as never;
    } catch (error) {
      throw toProviderError(error);
    }
  };
  const provider: Provider = {
    isMetaMask: true,
    isTollkeeper: true,
    request,
    ...createLegacySend(request),
    enable: async () => request({ method: 'eth_requestAccounts' }),
    isConnected: () => false,
    chainId: null,
    selectedAddress: null,
    on,
    addListener: on,
    once: toAdder(true),
    off: removeListener,
    removeListener,
    removeAllListeners: (event) => {
      emitter.removeAllListeners(event);
      return provider as never;
    },
    install: async () =>
      connection.install().catch((error: unknown) => {
        throw toProviderError(error);
      }),
    status: connection.status,
  };
  return provider;
}

function createAnswers(
  { askSnap, askKeyring, askWallet, isReady }: Connection,
  emit: Emit,
): Record<ProviderRoute, Ask> {
  const onChain: Ask = async (args) =>
    askSnap(await withSelectedChain(args, askWallet));
  const granted: Ask = async (args) => ((await isReady()) ? askSnap(args) : []);
  // MetaMask answers with the connected account; a node would return its miner.
  const findCoinbase: Ask = async () => {
    const [first = null] = (await granted({ method: 'eth_accounts' })) as string[];
    return first;
  };
  const ownAnswers = new Map([
    ...createSubscriptions(askWallet, emit),
    ['eth_coinbase', findCoinbase],
  ]);
  return {
    snap: askSnap,
    granted,
    'on-chain': onChain,
    transaction: async (args) => (hasChainId(args) ? askSnap(args) : onChain(args)),
    signature: async (args) => askSnap(await withSignedChain(args, askWallet)),
    'look-up': async (args) => ((await isReady()) ? onChain(args) : askWallet(args)),
    keyring: askKeyring,
    wallet: async (args) => (ownAnswers.get(args.method) ?? askWallet)(args),
  };
}

function readRequest(args: unknown): RequestArguments {
  const { method, params } = (args ?? {}) as Partial<ProviderRequest>;
  if (typeof method !== 'string' || method === '') {
    const message = 'A request is an object with a method: { method, params? }.';
    throw new ProviderRpcError(codes.invalidRequest, message);
  }
  if (params === undefined || params === null) return { method };
  const path = findBigint(params, `${method}: params`);
  if (typeof params === 'object' && path === undefined) return { method, params };
  const message =
    path === undefined
      ? `${method}: params must be an array or an object.`
      : `${path} is a bigint, which JSON does not support: send it as a hex string, such as "0x1".`;
  throw new ProviderRpcError(codes.invalidParams, message);
}

function findBigint(value: unknown, path: string): string | undefined {
  if (typeof value === 'bigint') return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const name = Array.isArray(value) ? `[${key}]` : `.${key}`;
    const found = findBigint(part, `${path}${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasChainId({ params }: RequestArguments): boolean {
  const [transaction] = listParams(params);
  const { chainId, chainID } = (transaction ?? {}) as Record<string, unknown>;
  return (chainId ?? chainID ?? null) !== null;
}
