// A request signs for the account it was sent to, and for no other.
import { InvalidParamsError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';

/**
 * Refuse params that name another address than the account's.
 *
 * @param field - How the message names the address.
 */
export function assertOwnAddress(
  account: AccountRecord,
  address: Hex,
  field: string,
): void {
  if (isSameAddress(account.address, address)) return;
  throw new InvalidParamsError(
    `${field} is ${address}, but the request is for the account ${account.address}.`,
  );
}
