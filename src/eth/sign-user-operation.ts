// Hashes and signs user operations for each version of the EntryPoint.
import { SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import {
  recoverPersonalSignature,
  recoverTypedSignature,
  SignTypedDataVersion,
  TypedDataUtils,
} from '@metamask/eth-sig-util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { encodeFunction } from './abi';
import type { AbiValue } from './abi';
import type { ChainId } from './chain';
import {
  concatHex,
  hashHex,
  isSameAddress,
  toPaddedHex,
  toQuantity,
  withQuantities,
} from './hex';
import type { Hex } from './hex';
import { signMessage } from './message';
import { findSafeSignature, toSafeOperation, toSafeSignature } from './smart-account';
import { fieldsOf, signTypedData } from './typed-data';
import type { TypedData } from './typed-data';
import {
  entryPoints,
  GAS_BOUND,
  hashesByEip712,
  isDelegation,
  PAYMASTER_SIGNATURE_MAGIC,
  splitPaymasterSignature,
} from './user-operation';
import type { EntryPointVersion, UserOperation } from './user-operation';

/** Converts an operation into the types and the values of the EntryPoint's struct, whose fields
 * differ by version. Throws `InvalidParamsError` if a gas limit or fee does not fit. */
export function toChainForm(
  operation: UserOperation,
  version: EntryPointVersion,
): { types: readonly string[]; values: readonly AbiValue[] } {
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

/** Packs the gas limits and the fees of an operation into 32 bytes each, as EntryPoints from 0.7 on
 * take them. Throws `InvalidParamsError` if one is 2^128 or more. */
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

/** Selectors of `validateUserOp` and `validatePaymasterUserOp`: of EntryPoint 0.6, and of those since,
 * whose operations are packed. */
const validations = {
  account: ['0x3a871cdd', '0x19822f7c'],
  paymaster: ['0xf465c77e', '0x52b7512c'],
} as const;

/** Encodes an EntryPoint's call that validates an operation at its account or its paymaster.
 * `amount` is the missing prefund, or the highest cost. */
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
  /** In s since 1970; 0 for no bound, or for one in blocks. */
  validUntil: bigint;
  validAfter: bigint;
};

/** EntryPoint 0.9: where both bounds have this bit, they are block numbers. */
const BLOCK_RANGE = 2n ** 47n;

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

/** The place where an operation is valid: its hash differs elsewhere. */
export type UserOperationDomain = { chainId: ChainId; entryPoint: EntryPointVersion };

/** A domain, and the contract that verifies the signature: SimpleAccount by default. */
export type SigningDomain = UserOperationDomain & { implementation?: 'safe' };

/** Hashes an operation as its EntryPoint's `getUserOpHash` does. */
export function hashUserOperation(
  operation: UserOperation,
  domain: UserOperationDomain,
): Hex {
  const { chainId, entryPoint } = domain;
  if (hashesByEip712(entryPoint)) {
    const document = toTypedData(operation, domain);
    return bytesToHex(TypedDataUtils.eip712Hash(document, SignTypedDataVersion.V4));
  }
  const { types, values } = toChainForm(operation, entryPoint);
  // All but the signature. Every word has a fixed length, so that no encoder is needed.
  const words = values.slice(0, -1).map((value, index) => {
    return types[index] === 'bytes' ? hashHex(value as Hex) : (value as Word);
  });
  return hashWords([hashWords(words), entryPoints[entryPoint].entryPoint, chainId]);
}

/** Signs an operation as its account verifies it. SimpleAccount: up to 0.7 the hash as an EIP-191
 * message, from 0.8 on the EIP-712 digest itself. Safe: its module's own EIP-712 document. */
export function signUserOperation(
  operation: UserOperation,
  domain: SigningDomain,
  privateKey: Uint8Array,
): Hex {
  if (domain.implementation === 'safe') {
    const document = toSafeDocument(operation, domain.chainId);
    return toSafeSignature(signTypedData(document, privateKey));
  }
  if (hashesByEip712(domain.entryPoint)) {
    return signTypedData(toTypedData(operation, domain), privateKey);
  }
  return signMessage(hexToBytes(hashUserOperation(operation, domain)), privateKey);
}

/** Returns whether an operation's signature is its owner's, in a form that the account accepts: see
 * {@link signUserOperation}. */
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
    // It is no signature at all.
    return false;
  }
}

// OpenZeppelin's ECDSA, which SimpleAccount uses, rejects forms that the library here recovers: 64
// bytes (ERC-2098), other parities, the upper half of `s` (EIP-2).
function hasContractForm(signature: Hex): boolean {
  const [, s, parity] =
    /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})(1[bB]|1[cC])$/u.exec(signature) ?? [];
  return parity !== undefined && BigInt(`0x${s ?? ''}`) <= SECP256K1_ORDER_DIV_2;
}

function recoverSigner(operation: UserOperation, domain: SigningDomain): Hex {
  const { signature } = operation;
  const { chainId, entryPoint, implementation } = domain;
  if (implementation === undefined && !hashesByEip712(entryPoint)) {
    const data = hashUserOperation(operation, domain);
    return recoverPersonalSignature({ data, signature }) as Hex;
  }
  const data = implementation
    ? toSafeDocument(operation, chainId)
    : toTypedData(operation, domain);
  const version = SignTypedDataVersion.V4;
  return recoverTypedSignature({ data, signature, version }) as Hex;
}

function toSafeDocument(operation: UserOperation, chainId: ChainId): TypedData {
  // Refuses limits and fees that do not fit into the document.
  packGas(operation);
  return toSafeOperation(operation, chainId);
}

/** A number, an address or 32 bytes: one word of the ABI. */
type Word = bigint | Hex;

function hashWords(words: readonly Word[]): Hex {
  return hashHex(concatHex(...words.map((word) => toPaddedHex(BigInt(word), 32))));
}

function toTypedData(
  operation: UserOperation,
  { chainId, entryPoint }: UserOperationDomain,
): TypedData {
  // These EntryPoints hash the init code of an EIP-7702 account in another way.
  if (isDelegation(operation.initCode)) {
    throw new InvalidParamsError('initCode 0x7702 (EIP-7702) is not supported.');
  }
  const { sender, nonce, initCode, callData, preVerificationGas } = operation;
  const { unsigned, signature } = splitPaymasterSignature(
    operation.paymasterAndData,
    entryPoint,
  );
  const paymasterAndData =
    signature === '0x' ? unsigned : concatHex(unsigned, PAYMASTER_SIGNATURE_MAGIC);
  return {
    types: { EIP712Domain: DOMAIN_TYPE, PackedUserOperation: OPERATION_TYPE },
    primaryType: 'PackedUserOperation',
    domain: {
      name: 'ERC4337',
      version: '1',
      chainId: toQuantity(chainId),
      verifyingContract: entryPoints[entryPoint].entryPoint,
    },
    message: withQuantities({
      sender,
      nonce,
      initCode,
      callData,
      preVerificationGas,
      paymasterAndData,
      ...packGas(operation),
    }),
  };
}

const DOMAIN_TYPE = fieldsOf(
  'string name,string version,uint256 chainId,address verifyingContract',
);

const OPERATION_TYPE = fieldsOf(
  'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,' +
    'uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData',
);
