// What the main job plays in: the stack, a wallet with the snap in it, and two websites.
import type { Json } from '@metamask/utils';

import { type DevStack, startDevStack } from '../stack/stack';
import { COMPANION_ORIGIN } from '../wallet/options';
import { type Site, startWallet, type Wallet } from '../wallet/wallet';

/** A website that calls the snap. */
export type SnapSite = {
  origin: string;
  /** Calls the snap by `wallet_invokeSnap`. */
  snap: (method: string, params?: Json) => Promise<Json>;
  /** Manages accounts by `wallet_invokeKeyring`; the companion alone may. */
  keyring: (method: string, params?: Json) => Promise<Json>;
  /** Calls the wallet itself. */
  request: Site['request'];
};

/** Everything that runs. */
export type World = {
  stack: DevStack;
  wallet: Wallet;
  companion: SnapSite;
  dapp: SnapSite;
  stop: () => Promise<void>;
};

const DAPP_ORIGIN = 'https://dapp.example';

/** Start a wallet with the development build of the snap in front of a running stack. */
export async function openWorld(stack: DevStack): Promise<World> {
  const chain = { url: stack.chain.url };
  const wallet = await startWallet({ chain });
  wallet.connect(DAPP_ORIGIN);
  return {
    stack,
    wallet,
    companion: createSnapSite(wallet, COMPANION_ORIGIN),
    dapp: createSnapSite(wallet, DAPP_ORIGIN),
    stop: async () => {
      await wallet.stop();
      await stack.stop();
    },
  };
}

/** Start everything; see {@link openWorld}. */
export async function startWorld(): Promise<World> {
  const stack = await startDevStack();
  try {
    return await openWorld(stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Make calls to the snap as a website. */
export function createSnapSite(wallet: Wallet, origin: string): SnapSite {
  const { request } = wallet.site(origin);
  const call =
    (walletMethod: string): SnapSite['snap'] =>
    async (method, params) =>
      request({
        method: walletMethod,
        params: {
          snapId: wallet.snapId,
          request: { method, ...(params === undefined ? {} : { params }) },
        },
      });
  return {
    origin,
    snap: call('wallet_invokeSnap'),
    keyring: call('wallet_invokeKeyring'),
    request,
  };
}

/** Point the snap at the stack's service and bundler, as the companion page does. */
export async function configureChain({ companion, stack }: World): Promise<Json> {
  const { service, bundler, chainId } = stack;
  return companion.snap('tollkeeper_setChain', [
    {
      chainId,
      rpcUrl: service.url,
      gasBaseUrl: service.url,
      apiKey: service.apiKey,
      apiKeySecret: service.apiKeySecret,
      bundlerUrl: bundler.url,
    },
  ]);
}
