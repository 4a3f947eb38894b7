// EIP-7702 delegations: the contracts that an account can delegate to, and our own authorizations,
// which are signed only together with their transaction: the sender's, or that of another account.
import { eoaCode7702RecoverAuthority } from '@ethereumjs/util';

import { isOwnAuthorization, toAuthorizationJson } from '../core/authorization';
import type { Authorization } from '../core/payload';
import { concatHex, isSameAddress, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import type { TransactionRequest } from './transaction';

/** Encodes the code of an account that delegates to a contract; none for the zero address. */
export function toDelegatedCode(address: Hex): Hex {
  return isSameAddress(address, ZERO_ADDRESS) ? '0x' : concatHex('0xef0100', address);
}

/** Reads the contract that an account with this code delegates to. */
export function findDelegate(code: Hex): Hex | undefined {
  return /^0xef0100[\da-f]{40}$/iu.test(code) ? `0x${code.slice(8)}` : undefined;
}

/** Finds the account that signed an authorization; undefined if its signature is not valid. */
export function findAuthority(authorization: Authorization): Hex | undefined {
  try {
    return eoaCode7702RecoverAuthority(toAuthorizationJson(authorization)).toString();
  } catch {
    return undefined;
  }
}

/** Creates an authorization for the sender to sign with its transaction, whose nonce it follows.
 * The zero address revokes the delegation. */
export function toOwnAuthorization(chainId: bigint, address: Hex): Authorization {
  return { chainId, address, nonce: 0n, yParity: 0n, r: 0n, s: 0n };
}

/** Creates the authorization of another account than the sender, to be signed with the transaction:
 * by default it revokes the delegation. */
export function toOthersAuthorization(
  chainId: bigint,
  fields: { authority: Hex; nonce: bigint; address?: Hex },
): Authorization {
  return { ...toOwnAuthorization(chainId, ZERO_ADDRESS), ...fields };
}

/** Finds the authorization of a transaction that is our own, not signed yet. */
export function findOwnAuthorization({
  authorizationList,
}: TransactionRequest): Authorization | undefined {
  return authorizationList?.find(isOwnAuthorization);
}

/** Sets the nonce of the sender's own authorizations to the one after the transaction's. */
export function withOwnNonce(
  authorizations: readonly Authorization[],
  nonce: bigint,
): Authorization[] {
  return authorizations.map((each) =>
    isOwnAuthorization(each) && each.authority === undefined
      ? { ...each, nonce: nonce + 1n }
      : each,
  );
}

/** Finds the contract that an account delegates to by our own authorization. */
export function findOwnDelegate(request: TransactionRequest): Hex | undefined {
  return findOwnAuthorization(request)?.address;
}
