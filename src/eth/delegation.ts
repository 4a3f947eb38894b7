// EIP-7702 delegations: the contracts that an account can delegate to, and our own authorizations,
// which are signed only together with their transaction: the sender's, or that of another account.
import { eoaCode7702SignAuthorization, privateToAddress } from '@ethereumjs/util';
import { bytesToHex } from '@metamask/utils';

import { InternalError } from '../errors';
import type { Authorization } from './authorization';
import { concatHex, isSameAddress, toQuantity, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import type { TransactionRequest } from './transaction';
import type { EntryPointVersion } from './user-operation';

export type Implementation = {
  name: string;
  entryPoint: EntryPointVersion;
  address: Hex;
  /** keccak256 of its deployed code. */
  codeHash: Hex;
};

/** The contracts that are offered, the newest first. Both make calls for the account itself and
 * for their EntryPoint only. */
export const implementations: readonly Implementation[] = [
  {
    name: 'Simple7702Account',
    entryPoint: '0.9',
    address: '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5',
    codeHash: '0xc443c078781889c491bf2b29230504c029e910018b6be8ee67f4e36422b9d8cb',
  },
  {
    name: 'Simple7702Account',
    entryPoint: '0.8',
    address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
    codeHash: '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3',
  },
];

export function findImplementation(address: Hex): Implementation | undefined {
  return implementations.find((each) => isSameAddress(each.address, address));
}

/** Encodes the code of an account that delegates to a contract; none for the zero address. */
export function toDelegatedCode(address: Hex): Hex {
  return isSameAddress(address, ZERO_ADDRESS) ? '0x' : concatHex('0xef0100', address);
}

/** Reads the contract that an account with this code delegates to. */
export function findDelegate(code: Hex): Hex | undefined {
  return /^0xef0100[\da-f]{40}$/iu.test(code) ? `0x${code.slice(8)}` : undefined;
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

/** Returns whether an authorization is our own, not signed yet: callers' have no zeros. */
export function isOwnAuthorization({ r }: { r?: bigint }): boolean {
  return r === 0n;
}

/** Finds the authorization of a transaction that is our own, not signed yet. */
export function findOwnAuthorization({
  authorizationList,
}: TransactionRequest): Authorization | undefined {
  return authorizationList?.find(isOwnAuthorization);
}

/** Finds the contract that an account delegates to by our own authorization. */
export function findOwnDelegate(request: TransactionRequest): Hex | undefined {
  return findOwnAuthorization(request)?.address;
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

export function signOwnAuthorizations(
  authorizations: readonly Authorization[],
  nonce: bigint,
  privateKey: Uint8Array,
): Authorization[] {
  return withOwnNonce(authorizations, nonce).map((each) =>
    isOwnAuthorization(each) ? signAuthorization(each, privateKey) : each,
  );
}

/** Signs an authorization; `s` is in the lower half (EIP-2). Throws `InternalError` if it is for a
 * contract that is not offered, for every chain, or of an account whose key this is not. */
export function signAuthorization(
  { authority, ...authorization }: Authorization,
  privateKey: Uint8Array,
): Authorization {
  const { chainId, address, nonce } = authorization;
  const isOffered =
    isSameAddress(address, ZERO_ADDRESS) || findImplementation(address) !== undefined;
  const isSigner =
    authority === undefined ||
    isSameAddress(authority, bytesToHex(privateToAddress(privateKey)));
  if (!isOffered || chainId === 0n || !isSigner) {
    throw new InternalError(`No authorization is signed for ${address}.`);
  }
  const [, , , yParity, r, s] = eoaCode7702SignAuthorization(
    { chainId: toQuantity(chainId), address, nonce: toQuantity(nonce) },
    privateKey,
  ).map((item) => BigInt(`0x0${bytesToHex(item).slice(2)}`));
  return { ...authorization, yParity: yParity ?? 0n, r: r ?? 0n, s: s ?? 0n };
}
