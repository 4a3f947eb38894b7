// User operations of EntryPoint 0.7 and later as bundlers take them: with factory and
// paymaster unpacked. The packed form is for the chain.
import { type Address, type Hex, isAddress, isHex } from 'viem';
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction';

import { chainId } from '../stack/processes';
import { refuse } from '../stack/server';

// Reads the fields of a user operation strictly, by a table: whoever sends a field that is
// wrong, missing or unknown must hear of it here and not from a contract.

type Field<T> = {
  /** What is expected, for the error: `an address`. */
  words: string;
  /** The value as it is used, or undefined if it is not one. */
  read: (value: unknown) => T | undefined;
};

/** Names of fields, and how they are read. */
type Fields = Record<string, Field<Hex | bigint>>;

/** What fields give when each of them may be missing. */
type ReadFields<T extends Fields> = {
  [Name in keyof T]?: Exclude<ReturnType<T[Name]['read']>, undefined>;
};

/** An address, with or without a checksum. */
export const address: Field<Address> = {
  words: 'an address',
  read: (value) =>
    typeof value === 'string' && isAddress(value, { strict: false })
      ? (value.toLowerCase() as Address)
      : undefined,
};

/** Whole bytes in hex. */
export const bytes: Field<Hex> = {
  words: 'bytes in hex',
  read: (value) =>
    isHex(value) && value.length % 2 === 0 ? (value.toLowerCase() as Hex) : undefined,
};

/** A quantity in minimal hex that fits into so many bits. */
export function quantity(bits: bigint): Field<bigint> {
  return {
    words: `a quantity in hex, without leading zeros, of at most ${bits} bits`,
    read: (value) => {
      if (typeof value !== 'string' || !/^0x(?:0|[1-9a-f][\da-f]*)$/iu.test(value)) {
        return undefined;
      }
      const number = BigInt(value);
      return number < 1n << bits ? number : undefined;
    },
  };
}

/**
 * Read the fields that are there.
 *
 * @throws {RpcFailure} -32602 if it is no object, or a field is wrong or unknown.
 */
export function readFields<T extends Fields>(value: unknown, fields: T): ReadFields<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('The user operation must be an object.');
  }
  const entries = Object.entries(value).map(([name, given]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      return refuse(`${name} is not a field of this user operation.`);
    }
    const read = field.read(given);
    return read === undefined
      ? refuse(`${name} must be ${field.words}.`)
      : ([name, read] as const);
  });
  return Object.fromEntries(entries) as ReadFields<T>;
}

/**
 * Require that fields are there.
 *
 * @throws {RpcFailure} -32602 naming the first that is missing.
 */
export function requireFields(given: object, names: readonly string[]): void {
  const missing = names.find((name) => !(name in given));
  if (missing !== undefined) refuse(`${missing} is missing.`);
}

/** A user operation, unpacked. */
export type Operation = UserOperation<'0.9'>;

/** One of the EntryPoints whose operations are alike. */
export type EntryPoint = { version: '0.7' | '0.8' | '0.9'; address: Address };

// The EntryPoint takes no more: AA94.
const gas = quantity(120n);

const fields = {
  sender: address,
  nonce: quantity(256n),
  factory: address,
  factoryData: bytes,
  callData: bytes,
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  maxFeePerGas: gas,
  maxPriorityFeePerGas: gas,
  paymaster: address,
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  paymasterData: bytes,
  paymasterSignature: bytes,
  signature: bytes,
};

const always = ['sender', 'nonce', 'callData'];

/** Gas limits and fees of an account's operation, in every version. */
export const gasNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
];

const paymasterLimits = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'];
const packedNames = ['initCode', 'paymasterAndData', 'accountGasLimits', 'gasFees'];

/**
 * Read an operation that is complete and signed.
 *
 * @throws {RpcFailure} -32602 naming the field that is wrong.
 */
export function readOperation(
  value: unknown,
  version: EntryPoint['version'],
): Operation {
  const operation = readDraft(value, version);
  requireFields(value as object, ['signature', ...gasNames]);
  if (operation.paymaster) requireFields(value as object, paymasterLimits);
  if (operation.maxPriorityFeePerGas > operation.maxFeePerGas) {
    refuse('maxPriorityFeePerGas must not be above maxFeePerGas.');
  }
  return operation;
}

/**
 * Read an operation that may lack gas limits, fees and signature: they are then zero and
 * empty.
 *
 * @throws {RpcFailure} -32602 naming the field that is wrong.
 */
export function readDraft(value: unknown, version: EntryPoint['version']): Operation {
  refusePacked(value);
  const given = readFields(value, fields);
  requireFields(given, always);
  if (given.factory || given.factoryData) {
    requireFields(given, ['factory', 'factoryData']);
  }
  if (given.paymasterSignature && version !== '0.9') {
    refuse(`paymasterSignature is not a field of EntryPoint ${version}.`);
  }
  const ofPaymaster = ['paymasterData', 'paymasterSignature', ...paymasterLimits].find(
    (name) => name in given,
  );
  if (ofPaymaster && !given.paymaster) {
    refuse(`${ofPaymaster} stands there without paymaster.`);
  }
  return { ...zero, ...given } as Operation;
}

/** What a draft may leave open. */
export const zero = {
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  signature: '0x',
} as const;

function refusePacked(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const name = packedNames.find((each) => each in value);
  if (name === undefined) return;
  refuse(
    `${name} is of the packed form, which is for the chain: from EntryPoint 0.7 on a bundler takes factory, factoryData, paymaster, paymasterData and single gas fields.`,
  );
}

/** Hash an operation as its EntryPoint does. */
export function hashOperation(
  operation: Operation,
  { version, address: entryPointAddress }: EntryPoint,
): Hex {
  return getUserOperationHash({
    chainId,
    entryPointAddress,
    entryPointVersion: version,
    userOperation: operation,
  });
}

/** Add up what an operation's gas limits allow. */
export function sumGas(operation: Operation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } =
    operation;
  return (
    callGasLimit +
    verificationGasLimit +
    preVerificationGas +
    paymasterVerificationGasLimit +
    paymasterPostOpGasLimit
  );
}
