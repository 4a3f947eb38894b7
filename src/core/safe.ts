// What the owner of a Safe (1.4.1, with the Safe4337Module 0.3.0) signs in its name.
import { entryPoints } from './entry-points';
import type { EntryPointVersion } from './entry-points';
import { concatHex, toQuantity, withQuantities } from './hex';
import type { Hex } from './hex';
import type { UserOperation } from './payload';
import { fieldsOf } from './typed-data';
import type { TypedData } from './typed-data';

/** `validAfter` and `validUntil` before a Safe's signature: no bounds. */
export const SAFE_BOUNDS: Hex = `0x${'0'.repeat(24)}`;

/** The EntryPoint of a Safe's module. */
export const SAFE_ENTRY_POINT: EntryPointVersion = '0.7';

/** Safe4337Module, which is the fallback handler, too: it has ERC-1271. */
export const SAFE_MODULE: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';

/** Writes a Safe's user operation as its owner signs it; limits and fees are below 2^128. */
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

/** Writes the hash of a message as its owner signs it in the Safe's name (ERC-1271). */
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

/** Puts the bounds of a user operation's validity before its owner's signature. */
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
