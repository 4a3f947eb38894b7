// MetaMask's own SnapKeyring, with callbacks that behave like MetaMask's: when they ask the user,
// how they report refusals, and when they save.
import type { ApprovalControllerActions } from '@metamask/approval-controller';
import {
  type KeyringState,
  SnapKeyring,
  type SnapKeyringCallbacks,
} from '@metamask/eth-snap-keyring';
import type { Messenger } from '@metamask/messenger';
import type { Json } from '@metamask/utils';

import { messengerFor, type RootMessenger } from './base';
import { NewestKeyring, type Parts } from './newest-keyring';

export const ACCOUNT_APPROVALS = {
  creation: 'snap_manageAccounts:confirmAccountCreation',
  removal: 'snap_manageAccounts:confirmAccountRemoval',
  redirect: 'snap_manageAccounts:showSnapAccountRedirect',
} as const;

type AccountApproval = (typeof ACCOUNT_APPROVALS)[keyof typeof ACCOUNT_APPROVALS];

export async function createVault(
  root: RootMessenger,
  {
    isNewest = false,
    otherAddresses = [],
  }: { isNewest?: boolean; otherAddresses?: string[] },
  saved: KeyringState | undefined,
): Promise<SnapKeyring> {
  const approvals =
    messengerFor<Messenger<'SnapKeyringBuilder', ApprovalControllerActions>>(root);

  const ask = async (
    origin: string,
    type: AccountApproval,
    requestData: Record<string, Json> = {},
  ): Promise<boolean> =>
    Boolean(
      await approvals.call(
        'ApprovalController:addRequest',
        { origin, type, requestData },
        true,
      ),
    );

  const callbacks: SnapKeyringCallbacks = {
    // MetaMask saves all keyrings here; `Wallet.disk` serializes the keyring instead.
    saveState: () => Promise.resolve(),
    async addressExists(address) {
      const addresses = [...(await keyring.getAccounts()), ...otherAddresses];
      return addresses.some((each) => each.toLowerCase() === address.toLowerCase());
    },
    async addAccount(...[address, snapId, handleUserInput, onceSaved, name, internal]) {
      const details = { address, name: name ?? null, options: { ...internal } };
      const asking = ask(snapId, ACCOUNT_APPROVALS.creation, details);
      const accepted = await asking.catch((error: unknown) => {
        throw new Error(
          `Error occurred while showing account creation dialog.\n${String(error)}`,
        );
      });
      await handleUserInput(accepted);
      if (!accepted) throw new Error('User denied account creation');
      // MetaMask selects the account here and shows a message.
      onceSaved.catch(() => undefined);
    },
    async removeAccount(address, snapId, handleUserInput) {
      const accepted = await ask(snapId, ACCOUNT_APPROVALS.removal, { address });
      if (!accepted) {
        await handleUserInput(false);
        throw new Error('User denied account removal');
      }
      // Calls the snap's keyring_deleteAccount while the snap's own request is still pending.
      await keyring.removeAccount(address);
      await handleUserInput(true);
    },
    async redirectUser(snapId, url, message) {
      if (!url && !message) return;
      await ask(snapId, ACCOUNT_APPROVALS.redirect, { url, message });
    },
  };
  const parts = {
    messenger: messengerFor<Parts['messenger']>(root),
    callbacks,
    isAnyAccountTypeAllowed: true,
  };
  const keyring = isNewest
    ? new NewestKeyring(parts, otherAddresses)
    : new SnapKeyring(parts);
  await keyring.deserialize(saved);
  return keyring;
}
