// The provider that dapps and libraries hold (EIP-1193): the snap's methods by the wallet's
// `wallet_invokeSnap`, all others by the wallet itself.
import { findProviderRoute } from '../../../src/routes';
import type { ProviderRoute } from '../../../src/routes';
import { watchAccounts } from './accounts';
import {
  createConnection,
  listParams,
  nameChain,
  nameSignedChain,
  SNAP_ID,
} from './connection';
import type { Connection, ConnectionOptions, Status } from './connection';
import { codes, createEmitter, ProviderRpcError, toProviderError } from './eip1193';
import type { Ask, Emit, Listener, ProviderEvents, RequestArguments } from './eip1193';
import { createLegacySend } from './legacy';
import type { Send, SendAsync } from './legacy';
import { createSubscriptions } from './subscriptions';

/** Options of {@link createProvider}. All are optional. */
export type ProviderOptions = Partial<ConnectionOptions>;

/** A request to the provider (EIP-1193). */
export type ProviderRequest = { readonly method: string; readonly params?: unknown };

export type ChangeListener = <Event extends keyof ProviderEvents, Self = Provider>(
  event: Event,
  listener: ProviderEvents[Event],
) => Self;

/** Tollkeeper as an EIP-1193 provider. It is assignable to the provider types of libraries, such as
 * viem's `EIP1193Provider`. */
export type Provider = {
  /** MetaMask runs Tollkeeper and answers what it does not. Many dapps look for this flag. */
  readonly isMetaMask: true;
  readonly isTollkeeper: true;
  /** Sends a request. Rejects with a {@link ProviderRpcError}, whatever the wallet throws. */
  request: <Result = unknown>(args: ProviderRequest) => Promise<Result>;
  /** @deprecated For libraries older than EIP-1193. Use `request`. */
  send: Send;
  /** @deprecated For libraries older than EIP-1193, and the batches of web3 1.x. Use `request`. */
  sendAsync: SendAsync;
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
 * Creates a provider. It asks the wallet for nothing before its first request.
 *
 * @param options - `ethereum`: the wallet's own provider, by default found with EIP-6963 (Flask
 * first). `snapId`: by default `npm:tollkeeper-snap`. `version`: the required version, by default
 * any that is installed.
 * @example
 * ```ts
 * const provider = createProvider();
 * const [account] = await provider.request({ method: 'eth_requestAccounts' });
 * ```
 */
export function createProvider(options: ProviderOptions = {}): Provider {
  const emitter = createEmitter();
  const connection = createConnection(options, emitter.emit);
  const answers = createAnswers(connection, emitter.emit);
  const findAccounts = async (): Promise<unknown> =>
    answers.granted({ method: 'eth_accounts' });
  const watch = watchAccounts(findAccounts, emitter, options.snapId ?? SNAP_ID);
  const toChange =
    (change: (event: string, listener: Listener) => void): ChangeListener =>
    (event, listener) => {
      change(event, listener);
      return provider as never;
    };
  const toListening = (isOnce: boolean): ChangeListener =>
    toChange((event, listener) => {
      emitter.add(event, listener, isOnce);
      connection.listen();
    });
  const on = toListening(false);
  const removeListener = toChange(emitter.removeListener);
  const request = async (args: unknown): Promise<never> => {
    try {
      assertRequest(args);
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
    on,
    addListener: on,
    once: toListening(true),
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
  const subscriptions = createSubscriptions(askWallet, emit);
  const onChain: Ask = async (args) => askSnap(await nameChain(args, askWallet));
  return {
    snap: askSnap,
    granted: async (args) => ((await isReady()) ? askSnap(args) : []),
    'on-chain': onChain,
    transaction: async (args) => (namesChain(args) ? askSnap(args) : onChain(args)),
    signature: async (args) => askSnap(await nameSignedChain(args, askWallet)),
    'look-up': async (args) => ((await isReady()) ? onChain(args) : askWallet(args)),
    keyring: askKeyring,
    wallet: async (args) => (subscriptions.get(args.method) ?? askWallet)(args),
  };
}

function assertRequest(args: unknown): asserts args is RequestArguments {
  const { method } = (args ?? {}) as Partial<RequestArguments>;
  if (typeof method === 'string' && method !== '') return;
  const message = 'A request is an object with a method: { method, params? }.';
  throw new ProviderRpcError(codes.invalidRequest, message);
}

// A transaction's own chainId names the chain.
function namesChain({ params }: RequestArguments): boolean {
  const [transaction] = listParams(params);
  const { chainId, chainID } = (transaction ?? {}) as Record<string, unknown>;
  return (chainId ?? chainID ?? null) !== null;
}
