// MetaMask's own SnapKeyring, with callbacks that behave as MetaMask's do: what the
// user must confirm, how a refusal fails, when the state is saved.
import type { ApprovalControllerActions } from '@metamask/approval-controller';
import {
  type KeyringState,
  SnapKeyring,
  type SnapKeyringCallbacks,
} from '@metamask/eth-snap-keyring';
import type { Messenger } from '@metamask/messenger';
import type { Json } from '@metamask/utils';

import { createMessenger, type RootMessenger } from './base';
import { NewestKeyring } from './newest-keyring';

/** The approvals that the callbacks ask for. */
export const ACCOUNT_APPROVALS = {
  creation: 'snap_manageAccounts:confirmAccountCreation',
  removal: 'snap_manageAccounts:confirmAccountRemoval',
  redirect: 'snap_manageAccounts:showSnapAccountRedirect',
} as const;

type AccountApproval = (typeof ACCOUNT_APPROVALS)[keyof typeof ACCOUNT_APPROVALS];
type KeyringMessenger = ConstructorParameters<typeof SnapKeyring>[0]['messenger'];

/** What the keyring starts from. */
type VaultOptions = {
  /** Addresses of MetaMask's other keyrings: no snap may announce them. */
  otherAddresses: string[];
  /** Whether to behave as the newest MetaMask. */
  isNewest: boolean;
  saved: KeyringState | undefined;
};

/** Creates the keyring of a wallet. */
export async function createVault(
  root: RootMessenger,
  options: VaultOptions,
): Promise<SnapKeyring> {
  const approvals = createMessenger<
    Messenger<'SnapKeyringBuilder', ApprovalControllerActions>
  >(root, 'SnapKeyringBuilder', { actions: ['ApprovalController:addRequest'] });

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
    // MetaMask writes all of its keyrings after each change: see `Wallet.disk`.
    saveState: () => Promise.resolve(),
    async addressExists(address) {
      const addresses = [...(await keyring.getAccounts()), ...options.otherAddresses];
      return addresses.some((each) => each.toLowerCase() === address.toLowerCase());
    },
    async addAccount(...[address, snapId, handleUserInput, onceSaved, name, internal]) {
      const details = { address, name: name ?? null, options: { ...internal } };
      const accepted = await askToCreate(() =>
        ask(snapId, ACCOUNT_APPROVALS.creation, details),
      );
      await handleUserInput(accepted);
      if (!accepted) throw new Error('User denied account creation');
      // MetaMask selects the account here, and shows a message.
      onceSaved.catch(() => undefined);
    },
    async removeAccount(address, snapId, handleUserInput) {
      const accepted = await ask(snapId, ACCOUNT_APPROVALS.removal, { address });
      if (!accepted) {
        await handleUserInput(false);
        throw new Error('User denied account removal');
      }
      // Calls the snap's keyring_deleteAccount while the snap waits for this answer.
      await keyring.removeAccount(address);
      await handleUserInput(true);
    },
    async redirectUser(snapId, url, message) {
      if (!url && !message) return;
      await ask(snapId, ACCOUNT_APPROVALS.redirect, { url, message });
    },
  };
  const parts = {
    messenger: createMessenger<KeyringMessenger>(root, 'SnapKeyring', {
      actions: [
        'SnapController:get',
        'SnapController:handleRequest',
        'SnapController:isMinimumPlatformVersion',
      ],
    }),
    callbacks,
    isAnyAccountTypeAllowed: true,
  };
  const keyring = options.isNewest
    ? new NewestKeyring(parts, options.otherAddresses)
    : new SnapKeyring(parts);
  await keyring.deserialize(options.saved);
  return keyring;
}

async function askToCreate(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    throw new Error(
      `Error occurred while showing account creation dialog.\n${String(error)}`,
    );
  }
}
