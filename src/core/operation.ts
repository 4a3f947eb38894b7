// User operations (ERC-4337): their hashes, which EntryPoints use as ids. A SimpleAccount's owner
// signs the hash, a Safe's owner a document (safe.ts).
import { bytesToHex, stringToBytes } from '@metamask/utils';

import { entryPoints, hashesByEip712 } from './entry-points';
import type { EntryPointVersion } from './entry-points';
import { InvalidParamsError } from './errors';
import { byteLength, concatHex, hashHex, keccak256, toPaddedHex } from './hex';
import type { Hex } from './hex';
import type { UserOperation, UserOperationDomain } from './payload';

/** Hashes an operation as its EntryPoint's `getUserOpHash` does: by EIP-712 from EntryPoint 0.8 on.
 * Throws `InvalidParamsError` if a gas limit or fee does not fit, or, from 0.8 on, for EIP-7702's
 * `initCode` or a paymaster signature of a wrong length. */
export function hashUserOperation(
  operation: UserOperation,
  { chainId, entryPoint }: UserOperationDomain,
): Hex {
  const { entryPoint: contract } = entryPoints[entryPoint];
  if (hashesByEip712(entryPoint)) {
    const signed = toSignedForm(operation, entryPoint);
    const struct = hashFields(signed, entryPoint, [hashText(OPERATION_TYPE)]);
    const head = [DOMAIN_TYPE, 'ERC4337', '1'].map(hashText);
    const domain = hashWords([...head, chainId, contract]);
    return hashHex(concatHex('0x1901', domain, struct));
  }
  return hashWords([hashFields(operation, entryPoint), contract, chainId]);
}

// Hashes all fields except the signature. Every word has a fixed length, so no encoder is needed.
function hashFields(
  operation: UserOperation,
  version: EntryPointVersion,
  head: readonly Hex[] = [],
): Hex {
  const { types, values } = toChainForm(operation, version);
  const words = values
    .slice(0, -1)
    .map((value, index) => (types[index] === 'bytes' ? hashHex(value as Hex) : value));
  return hashWords([...head, ...words]);
}

/** Returns the fields of the EntryPoint's struct, which differ by version. Throws
 * `InvalidParamsError` if a gas limit or fee does not fit. */
export function toChainForm(
  operation: UserOperation,
  version: EntryPointVersion,
): { types: readonly string[]; values: readonly Word[] } {
  const { sender, nonce, initCode, callData, preVerificationGas } = operation;
  const head = [sender, nonce, initCode, callData];
  const tail = [operation.paymasterAndData, operation.signature];
  const headTypes = ['address', 'uint256', 'bytes', 'bytes'];
  if (version === '0.6') {
    const gas = [
      operation.callGasLimit,
      operation.verificationGasLimit,
      preVerificationGas,
      operation.maxFeePerGas,
      operation.maxPriorityFeePerGas,
    ];
    return {
      types: [...headTypes, ...gas.map(() => 'uint256'), 'bytes', 'bytes'],
      values: [...head, ...gas, ...tail],
    };
  }
  const { accountGasLimits, gasFees } = packGas(operation);
  return {
    types: [...headTypes, 'bytes32', 'uint256', 'bytes32', 'bytes', 'bytes'],
    values: [...head, accountGasLimits, preVerificationGas, gasFees, ...tail],
  };
}

/** Packs the gas limits and the fees of an operation into 32 bytes each, as EntryPoints expect them
 * from 0.7 on. Throws `InvalidParamsError` if a limit or fee is 2^128 or more. */
export function packGas(operation: UserOperation): {
  accountGasLimits: Hex;
  gasFees: Hex;
} {
  const pack = (high: bigint, low: bigint): Hex => {
    if (high < GAS_BOUND && low < GAS_BOUND) {
      return concatHex(toPaddedHex(high, 16), toPaddedHex(low, 16));
    }
    throw new InvalidParamsError(
      'Gas limits and fees of a user operation must be below 2^128 from EntryPoint 0.7 on.',
    );
  };
  return {
    accountGasLimits: pack(operation.verificationGasLimit, operation.callGasLimit),
    gasFees: pack(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
  };
}

/** A number, an address or bytes. `hashWords` takes only those that fit in one word of the ABI. */
type Word = bigint | Hex;

function hashWords(words: readonly Word[]): Hex {
  return hashHex(concatHex(...words.map((word) => toPaddedHex(BigInt(word), 32))));
}

// Converts to the form that EIP-712 hashes: with the paymaster's magic, but without its signature.
function toSignedForm(
  operation: UserOperation,
  version: EntryPointVersion,
): UserOperation {
  // EntryPoints from 0.8 on hash the `initCode` of EIP-7702 accounts differently.
  if (isDelegation(operation.initCode)) {
    throw new InvalidParamsError('initCode 0x7702 (EIP-7702) is not supported.');
  }
  const { unsigned, signature } = splitPaymasterSignature(
    operation.paymasterAndData,
    version,
  );
  const paymasterAndData =
    signature === '0x' ? unsigned : concatHex(unsigned, PAYMASTER_SIGNATURE_MAGIC);
  return { ...operation, paymasterAndData };
}

const DOMAIN_TYPE =
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';

const OPERATION_TYPE =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,' +
  'bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)';

function hashText(text: string): Hex {
  return bytesToHex(keccak256(stringToBytes(text)));
}

export const ADDRESS_BYTES = 20;
export const GAS_BYTES = 16;

export const GAS_BOUND = 2n ** 128n;

export const VERIFICATION_END = ADDRESS_BYTES + GAS_BYTES;
export const POST_OP_END = VERIFICATION_END + GAS_BYTES;

/** EIP-7702's marker in place of a factory, alone or padded with zeros to at most 20 bytes. */
const DELEGATION = /^0x7702(?:(?:00){0,17}$|(?:00){18})/u;

/** Returns whether an `initCode` asks for an EIP-7702 delegation in place of a factory. */
export function isDelegation(initCode: string): boolean {
  return DELEGATION.test(initCode);
}

/** First 8 bytes of keccak256("PaymasterSignature"). They follow a paymaster's signature. */
export const PAYMASTER_SIGNATURE_MAGIC: Hex = '0x22e325a297439656';

/** Length of the suffix after a paymaster's signature: the signature's length in two bytes, and the
 * magic. */
const SIGNATURE_SUFFIX_BYTES = 10;

/** Splits the paymaster's signature off `paymasterAndData`; `0x` if there is none. Only EntryPoint
 * 0.9 supports such a signature, and leaves it out of the hash, so that owner and paymaster can
 * sign at the same time. Throws `InvalidParamsError` if the stated length reaches beyond the
 * paymaster's data. */
export function splitPaymasterSignature(
  paymasterAndData: Hex,
  version: EntryPointVersion,
): { unsigned: Hex; signature: Hex } {
  const end = byteLength(paymasterAndData) - SIGNATURE_SUFFIX_BYTES;
  const isSigned =
    version === '0.9' &&
    end >= POST_OP_END &&
    sliceBytes(paymasterAndData, end + 2).toLowerCase() === PAYMASTER_SIGNATURE_MAGIC;
  const length = isSigned ? Number(sliceBytes(paymasterAndData, end, end + 2)) : 0;
  if (length === 0) return { unsigned: paymasterAndData, signature: '0x' };
  const start = end - length;
  if (start < POST_OP_END) {
    throw new InvalidParamsError(
      'paymasterAndData is shorter than the length that it states for the paymaster signature.',
    );
  }
  return {
    unsigned: sliceBytes(paymasterAndData, 0, start),
    signature: sliceBytes(paymasterAndData, start, end),
  };
}

export function sliceBytes(bytes: Hex, start: number, end?: number): Hex {
  return `0x${bytes.slice(2 + 2 * start, end === undefined ? undefined : 2 + 2 * end)}`;
}
