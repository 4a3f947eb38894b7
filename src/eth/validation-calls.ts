// Encodes an EntryPoint's calls that validate an operation at its account and paymaster, for
// simulations. One row a version.
import { encodeFunction } from './abi';
import type { AbiFunction } from './abi';
import type { Hex } from './hex';
import { toChainForm } from './sign-user-operation';
import type { EntryPointVersion, UserOperation } from './user-operation';

type Validation = Record<'account' | 'paymaster', AbiFunction>;

const rowOf = (operation: string, account: Hex, paymaster: Hex): Validation => {
  const types = [operation, 'bytes32', 'uint256'];
  return {
    account: { selector: account, types },
    paymaster: { selector: paymaster, types },
  };
};

const packed = rowOf(
  '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)',
  '0x19822f7c',
  '0x52b7512c',
);

/** `validateUserOp` and `validatePaymasterUserOp`; tests compare the selectors. */
export const validations: Record<EntryPointVersion, Validation> = {
  '0.6': rowOf(
    '(address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)',
    '0x3a871cdd',
    '0xf465c77e',
  ),
  '0.7': packed,
  '0.8': packed,
  '0.9': packed,
};

/** A contract's answer to a validation (ERC-4337, `validationData`). */
type Verdict = {
  isSignatureValid: boolean;
  /** In s since 1970; 0 for no bound, or for one in blocks. */
  validUntil: bigint;
  validAfter: bigint;
};

/** EntryPoint 0.9: where both bounds have this bit, they are block numbers. */
const BLOCK_RANGE = 2n ** 47n;

/** Encodes an account's validation of an operation, without a payment. */
export function encodeAccountValidation(
  operation: UserOperation,
  hash: Hex,
  version: EntryPointVersion,
): Hex {
  const { values } = toChainForm(operation, version);
  return encodeFunction(validations[version].account, [values, hash, 0n]);
}

/** Encodes a paymaster's validation of an operation. */
export function encodePaymasterValidation(
  operation: UserOperation,
  { hash, maxCost }: { hash: Hex; maxCost: bigint },
  version: EntryPointVersion,
): Hex {
  const { values } = toChainForm(operation, version);
  return encodeFunction(validations[version].paymaster, [values, hash, maxCost]);
}

/** Decodes a paymaster's answer, a context and the verdict in one word; undefined if it is
 * malformed. */
export function findVerdict(answer: Hex): Verdict | undefined {
  const word = /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})/u.exec(answer)?.[1];
  if (word === undefined) return undefined;
  const validAfter = BigInt(`0x${word.slice(0, 12)}`);
  const validUntil = BigInt(`0x${word.slice(12, 24)}`);
  // The EntryPoint reads an end of zero as no end.
  const isInBlocks =
    validAfter > BLOCK_RANGE && (validUntil > BLOCK_RANGE || validUntil === 0n);
  // Any other value is an aggregator's address, which is not supported.
  const isSignatureValid = BigInt(`0x${word.slice(24)}`) === 0n;
  return isInBlocks
    ? { isSignatureValid, validUntil: 0n, validAfter: 0n }
    : { isSignatureValid, validUntil, validAfter };
}
