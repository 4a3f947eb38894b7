// Hashing and signing user operations, for each version of the EntryPoint.
import {
  recoverPersonalSignature,
  recoverTypedSignature,
  SignTypedDataVersion,
  TypedDataUtils,
} from '@metamask/eth-sig-util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import type { AbiValue } from './abi';
import type { ChainId } from './chain';
import { concatHex, isSameAddress, keccak256, toPaddedHex, toQuantity } from './hex';
import type { Hex } from './hex';
import { signMessage } from './message';
import { findSafeSignature, toSafeOperation, toSafeSignature } from './safe';
import { signTypedData } from './typed-data';
import type { TypedData } from './typed-data';
import {
  entryPoints,
  hashesByEip712,
  isDelegation,
  PAYMASTER_SIGNATURE_MAGIC,
  splitPaymasterSignature,
} from './user-operation';
import type { EntryPointVersion, UserOperation } from './user-operation';

// A user operation as its EntryPoint takes it: a struct whose fields differ by version.

const MAX_UINT128 = 2n ** 128n - 1n;

/** The types of a struct's fields, and their values. */
export type ChainForm = { types: readonly string[]; values: readonly AbiValue[] };

/** Two words that hold two numbers of 16 bytes each, from EntryPoint 0.7 on. */
export type PackedGas = { accountGasLimits: Hex; gasFees: Hex };

/**
 * Writes an operation as the struct that goes on chain.
 *
 * @throws {InvalidParamsError} If a gas limit or fee does not fit.
 */
export function toChainForm(
  operation: UserOperation,
  version: EntryPointVersion,
): ChainForm {
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
    const gasTypes = gas.map(() => 'uint256');
    return {
      types: [...headTypes, ...gasTypes, 'bytes', 'bytes'],
      values: [...head, ...gas, ...tail],
    };
  }
  const { accountGasLimits, gasFees } = packGas(operation);
  return {
    types: [...headTypes, 'bytes32', 'uint256', 'bytes32', 'bytes', 'bytes'],
    values: [...head, accountGasLimits, preVerificationGas, gasFees, ...tail],
  };
}

/**
 * Packs the gas limits and the fees of an operation.
 *
 * @throws {InvalidParamsError} If one is 2^128 or more.
 */
export function packGas(operation: UserOperation): PackedGas {
  const pack = (high: bigint, low: bigint): Hex => {
    if (high <= MAX_UINT128 && low <= MAX_UINT128) {
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

/** Half of the order of secp256k1. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Where an operation is valid: a hash for one place says nothing about another. */
export type UserOperationDomain = { chainId: ChainId; entryPoint: EntryPointVersion };

/** A domain, and which contract verifies the signature: SimpleAccount where none is named. */
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
  const words = entryPoint === '0.6' ? listWords06(operation) : listWords07(operation);
  return hashWords([hashWords(words), entryPoints[entryPoint].entryPoint, chainId]);
}

/**
 * Signs an operation as its account verifies it. SimpleAccount: up to 0.7 the hash as an EIP-191
 * message, from 0.8 on the EIP-712 digest itself. Safe: its module's own EIP-712 document.
 */
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

/**
 * Returns whether an operation's signature is its owner's: see {@link signUserOperation}.
 *
 * @returns False too for a form of it that the account does not take.
 */
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

// What recovers a signer here takes more: 64 bytes (ERC-2098), other parities, the upper
// half of `s` (EIP-2). OpenZeppelin's ECDSA, which SimpleAccount asks, takes none of these.
function hasContractForm(signature: Hex): boolean {
  const [, s, parity] =
    /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})(1[bB]|1[cC])$/u.exec(signature) ?? [];
  return parity !== undefined && BigInt(`0x${s ?? ''}`) <= HALF_ORDER;
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
  // It refuses limits and fees that the document has no room for.
  packGas(operation);
  return toSafeOperation(operation, chainId);
}

function listWords06(operation: UserOperation): Word[] {
  return [
    operation.sender,
    operation.nonce,
    hashHex(operation.initCode),
    hashHex(operation.callData),
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.maxFeePerGas,
    operation.maxPriorityFeePerGas,
    hashHex(operation.paymasterAndData),
  ];
}

function listWords07(operation: UserOperation): Word[] {
  const { accountGasLimits, gasFees } = packGas(operation);
  return [
    operation.sender,
    operation.nonce,
    hashHex(operation.initCode),
    hashHex(operation.callData),
    accountGasLimits,
    operation.preVerificationGas,
    gasFees,
    hashHex(operation.paymasterAndData),
  ];
}

/** A number, an address or 32 bytes: what fills one word of the ABI. */
type Word = bigint | Hex;

// Nothing here has a length of its own, so that there is no encoder to ask.
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
  const { sender, nonce, initCode, callData, preVerificationGas, paymasterAndData } =
    operation;
  const { unsigned, signature } = splitPaymasterSignature(paymasterAndData, entryPoint);
  return {
    types: { EIP712Domain: DOMAIN_TYPE, PackedUserOperation: OPERATION_TYPE },
    primaryType: 'PackedUserOperation',
    domain: {
      name: 'ERC4337',
      version: '1',
      chainId: toQuantity(chainId),
      verifyingContract: entryPoints[entryPoint].entryPoint,
    },
    message: {
      sender,
      nonce: toQuantity(nonce),
      initCode,
      callData,
      preVerificationGas: toQuantity(preVerificationGas),
      paymasterAndData:
        signature === '0x' ? unsigned : concatHex(unsigned, PAYMASTER_SIGNATURE_MAGIC),
      ...packGas(operation),
    },
  };
}

const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const OPERATION_TYPE = [
  { name: 'sender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'initCode', type: 'bytes' },
  { name: 'callData', type: 'bytes' },
  { name: 'accountGasLimits', type: 'bytes32' },
  { name: 'preVerificationGas', type: 'uint256' },
  { name: 'gasFees', type: 'bytes32' },
  { name: 'paymasterAndData', type: 'bytes' },
];

function hashHex(hex: Hex): Hex {
  return bytesToHex(keccak256(hexToBytes(hex)));
}
