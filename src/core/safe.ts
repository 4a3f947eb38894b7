// The documents that a Safe's owner signs (Safe 1.4.1 with Safe4337Module 0.3.0).
import { entryPoints } from './entry-points';
import type { EntryPointVersion } from './entry-points';
import { concatHex, toQuantity, withQuantities } from './hex';
import type { Hex } from './hex';
import type { UserOperation } from './payload';
import { fieldsOf } from './typed-data';
import type { TypedData } from './typed-data';

/** Prefix of a Safe's signature of a user operation: `validAfter` and `validUntil`. Zeros mean no
 * bounds. */
export const SAFE_BOUNDS: Hex = `0x${'0'.repeat(24)}`;

/** The EntryPoint of a Safe's module. */
export const SAFE_ENTRY_POINT: EntryPointVersion = '0.7';

/** Safe4337Module. It is also the fallback handler, which implements ERC-1271. */
export const SAFE_MODULE: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';

/** Builds the document that the owner signs for a Safe's user operation. Limits and fees must be
 * below 2^128. */
export function toSafeOperation(operation: UserOperation, chainId: bigint): TypedData {
  const { sender: safe, signature: _signature, ...fields } = operation;
  const { entryPoint } = entryPoints[SAFE_ENTRY_POINT];
  return {
    types: { EIP712Domain: DOMAIN_TYPE, SafeOp: OPERATION_TYPE },
    primaryType: 'SafeOp',
    domain: { chainId: toQuantity(chainId), verifyingContract: SAFE_MODULE },
    message: withQuantities({
      ...fields,
      safe,
      entryPoint,
      validAfter: 0,
      validUntil: 0,
    }),
  };
}

/** Builds the document that the owner signs so that the Safe signs a message hash (ERC-1271). */
export function toSafeMessage(
  hash: Hex,
  { address, chainId }: { address: Hex; chainId: bigint },
): TypedData {
  return {
    types: { EIP712Domain: DOMAIN_TYPE, SafeMessage: fieldsOf('bytes message') },
    primaryType: 'SafeMessage',
    domain: { chainId: toQuantity(chainId), verifyingContract: address },
    message: { message: hash },
  };
}

/** Prepends the validity bounds to the owner's signature of a user operation. */
export function toSafeSignature(signature: Hex): Hex {
  return concatHex(SAFE_BOUNDS, signature);
}

const DOMAIN_TYPE = fieldsOf('uint256 chainId,address verifyingContract');

const OPERATION_TYPE = fieldsOf(
  'address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,' +
    'uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,' +
    'uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,' +
    'address entryPoint',
);
