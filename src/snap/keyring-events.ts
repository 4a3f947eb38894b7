// Telling MetaMask what happened to our accounts (Account Management API).
import { KeyringEvent } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { heardUnlocked } from './answered';

/** What MetaMask asks its user about. */
const decided: readonly string[] = [
  KeyringEvent.AccountCreated,
  KeyringEvent.AccountDeleted,
];

/**
 * Emit a keyring event.
 *
 * @throws What MetaMask says, such as that the user declined the account.
 */
export async function emitKeyringEvent(
  event: `${KeyringEvent}`,
  params: Record<string, Json>,
): Promise<void> {
  const method = 'snap_manageAccounts';
  const answer = snap.request({ method, params: { method: event, params } });
  await (decided.includes(event) ? answer : heardUnlocked(method, answer));
}
