// Creating accounts, which several forms do.
import type { KeyringAccount } from '@metamask/keyring-api';
import { useCallback } from 'preact/hooks';

import { shorten } from '../format';
import { useSession } from '../session';

/** Get what creates an account with options of keyring_createAccount, and says so. */
export function useCreate(): (options: Record<string, unknown>) => Promise<string> {
  const { provider, refresh, select } = useSession();
  return useCallback(
    async (options) => {
      const request = { method: 'keyring_createAccount', params: { options } };
      const { id, address } = await provider.request<KeyringAccount>(request);
      await refresh();
      select(id);
      return `MetaMask has the account ${shorten(address)}.`;
    },
    [provider, refresh, select],
  );
}
