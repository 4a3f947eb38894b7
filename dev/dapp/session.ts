// What all sections share: the page's configuration, the state of the wallet, the accounts,
// and which account is selected.
import type { KeyringAccount } from '@metamask/keyring-api';
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';

import { version } from '../../package.json';
import type { Provider, Status } from '../../src/provider';
import { toFailure, type Failure } from './action';

/**
 * The page's configuration: `stack.json` beside it. `npm start` serves one with the addresses
 * of everything that it runs; a deployed page may have one of its own. What is absent is not
 * offered.
 */
export type PageConfig = {
  snapId: string;
  /** The versions of the snap that the page works with, as a range. */
  version: string;
  chainId?: number;
  /** A development node, which can give money away. */
  chainUrl?: string;
  /** Gas API and JSON-RPC API. */
  service?: { url: string; wsUrl?: string; apiKey?: string; apiKeySecret?: string };
  bundlerUrl?: string;
  paymasterUrl?: string;
  /** EntryPoint 0.6. */
  entryPoint?: string;
  entryPoints?: Record<'0.6' | '0.7' | '0.8' | '0.9', string>;
  /** Whom examples pay. */
  recipient?: string;
};

/** Loads the configuration; without a file the page is a deployed one. */
export async function loadConfig(): Promise<PageConfig> {
  const deployed = { snapId: 'npm:tollkeeper-snap', version: `^${version}` };
  try {
    const response = await fetch('./stack.json');
    if (!response.ok) return deployed;
    return { ...deployed, ...((await response.json()) as Partial<PageConfig>) };
  } catch {
    return deployed;
  }
}

type Found = {
  /** Undefined until it is known. */
  status?: Status;
  /** Why the status or the accounts could not be found out. */
  problem?: Failure;
  accounts: readonly KeyringAccount[];
  /** Addresses that this page may sign with. */
  granted: readonly string[];
  /** The chain of this page in MetaMask, in hex. */
  chainId?: string;
};

/** What sections know and can do. */
export type Session = Found & {
  config: PageConfig;
  provider: Provider;
  /** The account that forms are filled in for. */
  selected?: KeyringAccount | undefined;
  select: (id: string) => void;
  isReady: boolean;
  /** Looks at everything again. Never fails. */
  refresh: () => Promise<void>;
  /** The accounts that this page may sign with. */
  usable: readonly KeyringAccount[];
};

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A section stands outside of the page.');
  return session;
}

/** Keeps the session: refreshed at once and whenever the wallet reports a change. */
export function useSessionStore(config: PageConfig, provider: Provider): Session {
  const [found, setFound] = useState<Found>({ accounts: [], granted: [] });
  const [chosen, select] = useState<string>();
  const round = useRef(0);
  const refresh = useCallback(async () => {
    const own = (round.current += 1);
    const next = await look(provider);
    // The answers of a later round are newer.
    if (own === round.current) setFound(next);
    // How long a visitor waits for the page, for those who measure.
    if (own === 1) performance.mark('ready');
  }, [provider]);
  useEffect(() => watch(provider, refresh), [provider, refresh]);
  const { accounts, granted, status } = found;
  const selected = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const isReady = status?.state === 'ready';
  const own = new Set(granted.map((address) => address.toLowerCase()));
  const usable = accounts.filter(({ address }) => own.has(address.toLowerCase()));
  return { ...found, config, provider, selected, select, isReady, refresh, usable };
}

function watch(provider: Provider, refresh: () => Promise<void>): () => void {
  const again = (): void => void refresh();
  const events = ['accountsChanged', 'chainChanged'] as const;
  for (const event of events) provider.on(event, again);
  // Another tab or MetaMask's own window may have changed anything.
  window.addEventListener('focus', again);
  again();
  return () => {
    for (const event of events) provider.removeListener(event, again);
    window.removeEventListener('focus', again);
  };
}

async function look(provider: Provider): Promise<Found> {
  const found: Found = { accounts: [], granted: [] };
  try {
    found.status = await provider.status();
    if (found.status.state !== 'ready') return found;
    const [accounts, granted, chainId] = await Promise.all([
      provider.request<KeyringAccount[]>({ method: 'keyring_listAccounts' }),
      provider.request<string[]>({ method: 'eth_accounts' }),
      provider.request({ method: 'eth_chainId' }),
    ]);
    return { ...found, accounts, granted, chainId: String(chainId) };
  } catch (error) {
    return { ...found, problem: toFailure(error) };
  }
}

/** A list that the snap answers with, loaded once the snap is ready and again by `load`. */
export function useList<Item>(
  method: string,
  isSkipped?: () => boolean,
): { list: readonly Item[]; problem: string | undefined; load: () => Promise<void> } {
  const { provider, isReady } = useSession();
  const [list, setList] = useState<readonly Item[]>([]);
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    if (!isReady || isSkipped?.()) return;
    try {
      setList(await provider.request<Item[]>({ method }));
      setProblem(undefined);
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  }, [isReady, provider, method]);
  return { list, problem, load };
}
