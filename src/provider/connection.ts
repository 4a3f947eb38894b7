// The way to the wallet, and to the snap in it.
import type { Ask, Eip1193, RequestArguments } from './eip1193';
import type { Emit } from './emitter';
import { toProviderError } from './errors';
import { findMetaMask } from './find-metamask';
import type { Page } from './find-metamask';
import { findInstalledSnap, fits, install } from './install';
import type { Snap, Wanted } from './install';
import { createOnce } from './once';

/** Where the snap is published. */
const SNAP_ID = 'npm:tollkeeper-snap';

/** What a connection is made with. */
export type ConnectionOptions = Wanted & {
  /** The wallet's own provider. */
  ethereum: Eip1193;
};

/** The wallet and the snap, as the provider asks them. */
export type Connection = {
  readonly wanted: Wanted;
  askWallet: Ask;
  /** Ask the snap; it is installed first where it is not. */
  askSnap: Ask;
  askKeyring: Ask;
  /** Have the snap installed; once, however many ask for it at a time. */
  install: () => Promise<string>;
  /** Find the snap as the wallet has it, without a question to the user. */
  findInstalled: () => Promise<Snap | undefined>;
  /** Whether the snap can be asked without a question to the user. */
  isReady: () => Promise<boolean>;
  /** Hear the wallet's own events from now on. */
  listen: () => void;
};

/** Create a connection; nothing is asked yet. */
export function createConnection(
  { ethereum, snapId = SNAP_ID, version }: Partial<ConnectionOptions>,
  emit: Emit,
): Connection {
  const wanted = { snapId, version };
  const wallet = createOnce(async () =>
    follow(ethereum ?? (await findMetaMask(findPage())), emit),
  );
  const askWallet: Ask = async (args) => (await wallet.get()).request(args);
  const connected = createOnce(async () => {
    emit('connect', { chainId: await askWallet({ method: 'eth_chainId' }) });
  });
  const ready = createOnce(async () => {
    const installed = await install(await wallet.get(), wanted);
    await connected.get();
    return installed;
  });
  const findInstalled = async () => findInstalledSnap(await wallet.get(), snapId);
  const invoke =
    (method: string): Ask =>
    async (request) => {
      await ready.get();
      try {
        return await askWallet({ method, params: { snapId, request } });
      } catch (error) {
        // It may have been removed meanwhile, or turned off: the next request finds out.
        ready.forget();
        throw error;
      }
    };
  return {
    wanted,
    askWallet,
    askSnap: invoke('wallet_invokeSnap'),
    askKeyring: invoke('wallet_invokeKeyring'),
    install: ready.get,
    isReady: async () => ready.has() || fits(await findInstalled(), version),
    findInstalled,
    listen: () => void wallet.get().catch(() => undefined),
  };
}

/** Say outright which chain a request is for: the wallet's, for this site. */
export async function nameChain(
  { method, params = [] }: RequestArguments,
  askWallet: Ask,
): Promise<RequestArguments> {
  if (!Array.isArray(params)) return { method, params };
  const chainId = await askWallet({ method: 'eth_chainId' });
  return { method, params: { scope: `eip155:${BigInt(String(chainId))}`, params } };
}

// The wallet's own events are told as ours.
function follow(wallet: Eip1193, emit: Emit): Eip1193 {
  for (const event of ['connect', 'chainChanged']) {
    wallet.on?.(event, (value: unknown) => emit(event, value));
  }
  wallet.on?.('disconnect', (error: unknown) =>
    emit('disconnect', toProviderError(error)),
  );
  return wallet;
}

// Pages have a window; what is drawn on a server has none.
function findPage(): Page | undefined {
  return typeof window === 'undefined' ? undefined : window;
}
