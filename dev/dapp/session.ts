// The state of the page: its configuration, the snap in the wallet, the accounts, the network.
import type { KeyringAccount } from '@metamask/keyring-api';
import { useCallback, useEffect, useState } from 'preact/hooks';

import { version } from '../../package.json';
import type { Provider, Status } from '../../packages/provider/src';
import { toFailure } from './parts';

/** The page's configuration: `stack.json` beside it. `npm start` serves one with the addresses of
 * its servers. Steps that need an omitted field are left out. */
export type PageConfig = {
  snapId: string;
  /** The versions of the snap that the page works with, as a range. */
  version: string;
  /** The chain of the servers below. */
  chainId?: number;
  /** A development node, which can fund accounts. */
  chainUrl?: string;
  /** Gas API and JSON-RPC API. */
  service?: { url: string; wsUrl?: string; apiKey?: string; apiKeySecret?: string };
  bundlerUrl?: string;
  paymasterUrl?: string;
};

/** Loads the configuration. Without a file the page works with the released snap. */
export async function loadConfig(): Promise<PageConfig> {
  const released = { snapId: 'npm:tollkeeper-snap', version: `^${version}` };
  try {
    const response = await fetch('./stack.json');
    if (!response.ok) return released;
    return { ...released, ...((await response.json()) as Partial<PageConfig>) };
  } catch {
    return released;
  }
}

type Found = {
  status?: Status;
  problem?: string;
  accounts: readonly KeyringAccount[];
  /** The accounts that this page is connected to. */
  connected: readonly KeyringAccount[];
  /** The chain of this page in MetaMask, in hex. */
  chainId?: string;
};

export type Session = Found & {
  config: PageConfig;
  provider: Provider;
  isReady: boolean;
  /** Reads everything again. Never fails. */
  refresh: () => Promise<void>;
};

/** Keeps the session up to date: at once, on events of the wallet, and on return to the tab. */
export function useSession(config: PageConfig, provider: Provider): Session {
  const [found, setFound] = useState<Found>(nothing);
  const refresh = useCallback(async () => setFound(await look(provider)), [provider]);
  useEffect(() => {
    const again = (): void => void refresh();
    provider.on('accountsChanged', again).on('chainChanged', again);
    window.addEventListener('focus', again);
    again();
  }, [provider, refresh]);
  const isReady = found.status?.state === 'ready';
  return { ...found, config, provider, refresh, isReady };
}

const nothing: Found = { accounts: [], connected: [] };

async function look(provider: Provider): Promise<Found> {
  const found = { ...nothing };
  try {
    found.status = await provider.status();
    if (found.status.state !== 'ready') return found;
    const [accounts, granted, chainId] = await Promise.all([
      provider.request<KeyringAccount[]>({ method: 'keyring_listAccounts' }),
      provider.request<string[]>({ method: 'eth_accounts' }),
      provider.request<string>({ method: 'eth_chainId' }),
    ]);
    const connected = accounts.filter(({ address }) => granted.includes(address));
    return { ...found, accounts, connected, chainId };
  } catch (error) {
    return { ...found, problem: toFailure(error).text };
  }
}
