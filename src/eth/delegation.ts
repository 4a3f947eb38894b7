// EIP-7702 delegations. We sign an authorization only together with its transaction, as the sender
// or as another of our accounts, unless it revokes a delegation (`wallet_signAuthorization`).
import { eoaCode7702RecoverAuthority } from '@ethereumjs/util';

import { isOwnAuthorization, toAuthorizationJson } from '../core/authorization';
import type { Authorization } from '../core/payload';
import { concatHex, isSameAddress, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import type { TransactionRequest } from './transaction';

/** Encodes the code of an account that delegates to a contract; empty for the zero address, which
 * revokes a delegation. */
export function toDelegatedCode(address: Hex): Hex {
  return isSameAddress(address, ZERO_ADDRESS) ? '0x' : concatHex('0xef0100', address);
}

export function findDelegate(code: string): Hex | undefined {
  return /^0xef0100[\da-f]{40}$/iu.test(code) ? `0x${code.slice(8)}` : undefined;
}

export function findAuthority(authorization: Authorization): Hex | undefined {
  try {
    return eoaCode7702RecoverAuthority(toAuthorizationJson(authorization)).toString();
  } catch {
    return undefined;
  }
}

/** Creates an unsigned authorization by the sender. {@link withOwnNonce} sets its nonce later. The
 * zero address revokes the delegation. */
export function toOwnAuthorization(chainId: bigint, address: Hex): Authorization {
  return { chainId, address, nonce: 0n, yParity: 0n, r: 0n, s: 0n };
}

/** Creates an unsigned authorization by an account other than the sender. Without an `address`, it
 * revokes that account's delegation. */
export function toOthersAuthorization(
  chainId: bigint,
  fields: { authority: Hex; nonce: bigint; address?: Hex },
): Authorization {
  return { ...toOwnAuthorization(chainId, ZERO_ADDRESS), ...fields };
}

export function findOwnAuthorization({
  authorizationList,
}: TransactionRequest): Authorization | undefined {
  return authorizationList?.find(isOwnAuthorization);
}

/** Sets the nonce of the sender's unsigned authorizations to the transaction's plus one. */
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

export function findOwnDelegate(request: TransactionRequest): Hex | undefined {
  return findOwnAuthorization(request)?.address;
}
