// The state of the development page.
import type { KeyringAccount } from '@metamask/keyring-api';
import { useCallback, useEffect, useState } from 'preact/hooks';

import { version } from '../../package.json';
import type { Provider, Status } from '../../packages/provider/src';
import { toFailure } from './parts';

/** The page's configuration, loaded from `stack.json`. `npm start` serves one with the URLs of its
 * servers. The page omits the steps whose fields are missing. */
export type PageConfig = {
  snapId: string;
  version: string;
  chainId?: number;
  chainUrl?: string;
  /** The server of the gas API and the JSON-RPC API. */
  service?: { url: string; wsUrl?: string; apiKey?: string; apiKeySecret?: string };
  bundlerUrl?: string;
  paymasterUrl?: string;
};

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
  connected: readonly KeyringAccount[];
  /** Chain id of this page in MetaMask, in hex. */
  chainId?: string;
};

export type Session = Found & {
  config: PageConfig;
  provider: Provider;
  isReady: boolean;
  /** Reads the session again. Never rejects. */
  refresh: () => Promise<void>;
};

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
