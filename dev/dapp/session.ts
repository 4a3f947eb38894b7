// What the page knows: its configuration, the snap in the wallet, the accounts, the network.
import type { KeyringAccount } from '@metamask/keyring-api';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import english from '../../locales/ui/en.json';
import { version } from '../../package.json';
import type { Provider, Status } from '../../packages/provider/src';
import { createTranslate } from '../../src/ui/i18n';
import { toFailure } from './action';

/** The snap's own texts, for what the snap shows too. */
export const translate = createTranslate(english);

export function nameType({
  type,
  options,
}: Pick<KeyringAccount, 'type' | 'options'>): string {
  if (type !== 'eip155:erc4337') return translate('accounts.eoa');
  if (options.implementation === 'safe') return translate('accounts.safe');
  const version = options.entryPoint as string;
  return translate('accounts.smart', { version });
}

export function nameAccount(account: KeyringAccount): string {
  const { address } = account;
  return `${nameType(account)}: ${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** The page's configuration: `stack.json` beside it. `npm start` serves one with the addresses of
 * everything that it runs. Steps without configuration are left out. */
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
  /** Why something could not be found out. */
  problem?: string;
  accounts: readonly KeyringAccount[];
  /** The accounts that this page is connected to. */
  connected: readonly KeyringAccount[];
  /** The chain of this page in MetaMask, in hex. */
  chainId?: string;
  /** The chains whose servers the snap knows, in CAIP-2. */
  chains: readonly string[];
};

export type Session = Found & {
  config: PageConfig;
  provider: Provider;
  isReady: boolean;
  /** Looks at everything again. Never fails. */
  refresh: () => Promise<void>;
};

/** Keeps the session up to date: at once, on events of the wallet, and on return to the tab. */
export function useSession(config: PageConfig, provider: Provider): Session {
  const [found, setFound] = useState<Found>(nothing);
  const round = useRef(0);
  const refresh = useCallback(async () => {
    const own = (round.current += 1);
    const next = await look(provider);
    if (own === round.current) setFound(next);
    // Tests measure how long a visitor waits.
    if (own === 1) performance.mark('ready');
  }, [provider]);
  useEffect(() => {
    const again = (): void => void refresh();
    provider.on('accountsChanged', again).on('chainChanged', again);
    window.addEventListener('focus', again);
    again();
    return () => {
      provider.off('accountsChanged', again).off('chainChanged', again);
      window.removeEventListener('focus', again);
    };
  }, [provider, refresh]);
  return {
    ...found,
    config,
    provider,
    refresh,
    isReady: found.status?.state === 'ready',
  };
}

const nothing: Found = { accounts: [], connected: [], chains: [] };

async function look(provider: Provider): Promise<Found> {
  const found = { ...nothing };
  try {
    found.status = await provider.status();
    if (found.status.state !== 'ready') return found;
    const [accounts, granted, chainId, chains] = await Promise.all([
      provider.request<KeyringAccount[]>({ method: 'keyring_listAccounts' }),
      provider.request<string[]>({ method: 'eth_accounts' }),
      provider.request<string>({ method: 'eth_chainId' }),
      provider.request<{ chainId: string }[]>({ method: 'tollkeeper_getChains' }),
    ]);
    const connected = accounts.filter(({ address }) => granted.includes(address));
    const known = chains.map((chain) => chain.chainId);
    return { ...found, accounts, connected, chainId, chains: known };
  } catch (error) {
    return { ...found, problem: toFailure(error).text };
  }
}
