// Telling MetaMask what happened to our accounts (Account Management API).
import type { KeyringEvent } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

/**
 * Emit a keyring event.
 *
 * @throws What MetaMask says, such as that the user declined the account.
 */
export async function emitKeyringEvent(
  event: `${KeyringEvent}`,
  params: Record<string, Json>,
): Promise<void> {
  await snap.request({
    method: 'snap_manageAccounts',
    params: { method: event, params },
  });
}
