// What the user-operation methods share: params, and the checks that an operation is the
// account's own.
import { tuple } from '@metamask/superstruct';

import { InternalError, InvalidParamsError } from '../errors';
import { entryPoints } from '../eth/entry-point';
import { AddressStruct, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { UserOperationStruct } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import { parse } from '../parse';
import type { AccountRecord, SmartRecord } from '../state/account-record';
import { assertOwnAddress } from './account-check';

/** An operation, and the entry point if the caller named one. */
export type OperationParams = { operation: UserOperation; entryPoint?: Hex };

/** Read `[userOperation]` or `[userOperation, entryPoint]`. */
export function parseOperationParams(params: unknown, root: string): OperationParams {
  if (Array.isArray(params) && params.length > 1) {
    const struct = tuple([UserOperationStruct, AddressStruct]);
    const [operation, entryPoint] = parse(params, struct, root);
    return { operation, entryPoint };
  }
  const [operation] = parse(params, tuple([UserOperationStruct]), root);
  return { operation };
}

/** Get the smart account of a request; the keyring has checked its type. */
export function getSmartAccount(account: AccountRecord): SmartRecord {
  if (account.type === 'eip155:erc4337') return account;
  throw new InternalError('A user operation reached an account of another type.');
}

/** Refuse an operation of another sender, or for another entry point. */
export function assertOwnOperation(
  account: SmartRecord,
  { operation, entryPoint }: OperationParams,
): void {
  assertOwnAddress(account, operation.sender, 'sender');
  const own = entryPoints[account.entryPoint].entryPoint;
  if (entryPoint === undefined || isSameAddress(entryPoint, own)) return;
  throw new InvalidParamsError(
    `The entry point is ${entryPoint}, but the account ${account.address} is for ${own} ` +
      `(version ${account.entryPoint}).`,
  );
}
