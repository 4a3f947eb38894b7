// The setting of the main job: the stack, a wallet with the snap, two websites, and accounts.
import type { Json } from '@metamask/utils';
import type { Address } from 'viem';

import { type DevStack, startDevStack } from '../stack/stack';
import { COMPANION_ORIGIN, type WalletOptions } from '../wallet/options';
import type { Site, Wallet } from '../wallet/wallet';

export type SnapSite = {
  origin: string;
  snap: (method: string, params?: Json) => Promise<Json>;
  /** Uses `wallet_invokeKeyring`, which only the companion page may call. */
  keyring: (method: string, params?: Json) => Promise<Json>;
  request: Site['request'];
};

export type World = {
  stack: DevStack;
  wallet: Wallet;
  companion: SnapSite;
  dapp: SnapSite;
  stop: () => Promise<void>;
};

const DAPP_ORIGIN = 'https://dapp.example';

export async function openWorld(
  stack: DevStack,
  options: Partial<WalletOptions> = {},
): Promise<World> {
  // MetaMask's packages take a second to load, and some tests need only the functions below.
  const { startWallet } = await import('../wallet/wallet');
  const wallet = await startWallet({ ...options, chain: { url: stack.chain.url } });
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

export async function startWorld(options?: Partial<WalletOptions>): Promise<World> {
  const stack = await startDevStack();
  try {
    return await openWorld(stack, options);
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

export function createSnapSite(
  wallet: { snapId: string; site: (origin: string) => Pick<Site, 'request'> },
  origin: string,
): SnapSite {
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

export async function configureChain({
  companion,
  stack: { service, bundler, chainId },
}: {
  companion: Pick<SnapSite, 'snap'>;
  stack: DevStack;
}): Promise<Json> {
  const { url, ...credentials } = service;
  const row = { chainId, rpcUrl: url, gasBaseUrl: url, bundlerUrl: bundler.url };
  return companion.snap('tollkeeper_setChain', [{ ...row, ...credentials }]);
}

export type DemoAccount = { id: string; type: string; address: Address };

/** Creates an account through the companion page. Throws if MetaMask does not list it. */
export async function createAccount(
  { companion, wallet }: World,
  options: Record<string, string | string[]>,
): Promise<DemoAccount> {
  const created = await companion.keyring('keyring_createAccount', { options });
  const account = created as DemoAccount;
  if (wallet.keyring.getAccountByAddress(account.address)?.id !== account.id) {
    throw new Error('The SnapKeyring does not hold the account.');
  }
  return account;
}

/** The site requests accounts, and the user selects the given ones. Returns the addresses that the
 * site sees. */
export async function connect(
  { wallet }: Pick<World, 'wallet'>,
  site: SnapSite,
  accounts: readonly Pick<DemoAccount, 'id'>[],
): Promise<Address[]> {
  const answered = wallet.user.onDialog;
  wallet.user.onDialog = async (dialog) => {
    for (const { id } of accounts) await dialog.fill(id, true);
    await dialog.approve();
  };
  try {
    await site.snap('wallet_requestPermissions', [{ eth_accounts: {} }]);
    return (await site.snap('eth_accounts')) as Address[];
  } finally {
    wallet.user.onDialog = answered;
  }
}
