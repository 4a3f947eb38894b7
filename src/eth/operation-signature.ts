// Encodes the calls with which an EntryPoint validates a user operation, and checks whether its
// owner signed it.
import {
  ecrecover,
  fromRPCSig,
  publicToAddress,
  SECP256K1_ORDER_DIV_2,
} from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { hashPayload } from '../core/digest';
import type { EntryPointVersion } from '../core/entry-points';
import { hashUserOperation, toChainForm } from '../core/operation';
import type {
  SigningDomain,
  UserOperation,
  UserOperationDomain,
} from '../core/payload';
import { encodeFunction } from './abi';
import { isSameAddress } from './hex';
import type { Hex } from './hex';
import { findSafeSignature } from './smart-account';

/** Selectors of `validateUserOp` and `validatePaymasterUserOp`: for EntryPoint 0.6, and for later
 * versions, whose operations are packed. */
const validations = {
  account: ['0x3a871cdd', '0x19822f7c'],
  paymaster: ['0xf465c77e', '0x52b7512c'],
} as const;

/** Encodes an EntryPoint's validation call to an operation's account or paymaster. `amount` is the
 * missing prefund for an account, and the maximum cost for a paymaster. */
export function encodeValidation(
  operation: UserOperation,
  domain: UserOperationDomain,
  { contract, amount }: { contract: keyof typeof validations; amount: bigint },
): Hex {
  const { types, values } = toChainForm(operation, domain.entryPoint);
  const [first, later] = validations[contract];
  return encodeFunction(
    {
      selector: domain.entryPoint === '0.6' ? first : later,
      types: [`(${types.join(',')})`, 'bytes32', 'uint256'],
    },
    [values, hashUserOperation(operation, domain), amount],
  );
}

/** A contract's answer to a validation (ERC-4337, `validationData`). */
type Verdict = {
  isSignatureValid: boolean;
  /** Unix time in seconds; 0 for no bound, or for a bound in blocks. */
  validUntil: bigint;
  validAfter: bigint;
};

/** Since EntryPoint 0.9, bounds are block numbers if both have this bit. */
const BLOCK_RANGE = 2n ** 47n;

/** Decodes a paymaster's answer, whose second word is the validation data; undefined if the answer
 * is malformed. */
export function findVerdict(
  answer: Hex,
  version: EntryPointVersion,
): Verdict | undefined {
  const word = /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})/u.exec(answer)?.[1];
  if (word === undefined) return undefined;
  const validAfter = BigInt(`0x${word.slice(0, 12)}`);
  const validUntil = BigInt(`0x${word.slice(12, 24)}`);
  // A `validUntil` of zero means no end.
  const isInBlocks =
    version === '0.9' &&
    validAfter > BLOCK_RANGE &&
    (validUntil > BLOCK_RANGE || validUntil === 0n);
  // Values other than 0 and 1 are an aggregator's address, which is not supported.
  const isSignatureValid = BigInt(`0x${word.slice(24)}`) === 0n;
  return isInBlocks
    ? { isSignatureValid, validUntil: 0n, validAfter: 0n }
    : { isSignatureValid, validUntil, validAfter };
}

/** Returns whether an operation has its owner's signature, in a form that the account accepts. */
export function isSignedBy(
  operation: UserOperation,
  domain: SigningDomain,
  owner: Hex,
): boolean {
  const { signature: given } = operation;
  const signature = domain.implementation === 'safe' ? findSafeSignature(given) : given;
  if (signature === undefined || !hasContractForm(signature)) return false;
  try {
    return isSameAddress(recoverSigner({ ...operation, signature }, domain), owner);
  } catch {
    // Not a signature.
    return false;
  }
}

// OpenZeppelin's ECDSA, which SimpleAccount uses, rejects forms that @ethereumjs/util accepts: 64
// bytes (ERC-2098), other parities, and an `s` in the upper half (EIP-2).
function hasContractForm(signature: Hex): boolean {
  const [, s, parity] =
    /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})(1[bB]|1[cC])$/u.exec(signature) ?? [];
  return parity !== undefined && BigInt(`0x${s ?? ''}`) <= SECP256K1_ORDER_DIV_2;
}

function recoverSigner(operation: UserOperation, domain: SigningDomain): Hex {
  const { digest } = hashPayload({ kind: 'operation', operation, domain });
  const { v, r, s } = fromRPCSig(operation.signature);
  return bytesToHex(publicToAddress(ecrecover(hexToBytes(digest), v, r, s)));
}
