// What all sections share: how far the user is, the accounts, and which one is chosen.
import type { KeyringAccount } from '@metamask/keyring-api';
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';

import type { Provider, Status } from '../../src/provider';
import { toFailure } from './components/action';
import type { Failure } from './components/action';
import type { PageConfig } from './config';

/** What was found when it was last looked. */
type Found = {
  /** Undefined until it is known. */
  status?: Status;
  /** Why the status, or the accounts, could not be found out. */
  problem?: Failure;
  accounts: readonly KeyringAccount[];
  /** Addresses that this page may sign with. */
  granted: readonly string[];
  /** Chain of this page in MetaMask, hex. */
  chainId?: string;
};

/** What sections know and can do. */
export type Session = Found & {
  config: PageConfig;
  provider: Provider;
  /** The account that forms are filled in for. */
  selected?: KeyringAccount | undefined;
  select: (id: string) => void;
  /** Look again at everything; never fails. */
  refresh: () => Promise<void>;
};

/** Gives the sections their session. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Get the session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A section stands outside of the page.');
  return session;
}

/** Keep a session: it looks at once, after each action, and when the wallet tells of a change. */
export function useSessionStore(config: PageConfig, provider: Provider): Session {
  const [found, setFound] = useState<Found>({ accounts: [], granted: [] });
  const [chosen, select] = useState<string>();
  const round = useRef(0);
  const refresh = useCallback(async () => {
    const own = (round.current += 1);
    const next = await look(provider);
    // A later look knows better.
    if (own === round.current) setFound(next);
    // How long a visitor waits for the page, for those who measure.
    if (own === 1) performance.mark('ready');
  }, [provider]);
  useEffect(() => follow(provider, refresh), [provider, refresh]);
  const { accounts } = found;
  const selected = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  return { ...found, config, provider, selected, select, refresh };
}

function follow(provider: Provider, refresh: () => Promise<void>): () => void {
  const again = (): void => void refresh();
  const events = ['accountsChanged', 'chainChanged'] as const;
  for (const event of events) provider.on(event, again);
  // Another tab, or MetaMask's own window, may have changed anything.
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
      provider.request({ method: 'keyring_listAccounts' }),
      provider.request({ method: 'eth_accounts' }),
      provider.request({ method: 'eth_chainId' }),
    ]);
    return {
      ...found,
      accounts: accounts as KeyringAccount[],
      granted: granted as string[],
      chainId: String(chainId),
    };
  } catch (error) {
    return { ...found, problem: toFailure(error) };
  }
}
