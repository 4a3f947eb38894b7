// The two fields of an operation that go on chain packed: what deploys the account, and,
// from EntryPoint 0.7 on, what pays for it.
import { InvalidParamsError } from '../errors';
import { byteLength, concatHex, toPaddedHex } from './hex';
import type { Hex } from './hex';

/** What deploys an account. */
export type FactoryFields = { factory: Hex; data: Hex };

/** What pays for an operation, as EntryPoints from 0.7 on take it. */
export type PaymasterFields = {
  paymaster: Hex;
  verificationGasLimit: bigint;
  postOpGasLimit: bigint;
  data: Hex;
};

/** Bytes of an address, and of each gas limit. */
const ADDRESS_BYTES = 20;
const GAS_BYTES = 16;

/** Bound of a gas limit in packed fields. */
export const GAS_BOUND = 2n ** 128n;

const VERIFICATION_END = ADDRESS_BYTES + GAS_BYTES;
const POST_OP_END = VERIFICATION_END + GAS_BYTES;

/** EIP-7702's marker in place of a factory: alone, or filled up to 20 bytes. */
const DELEGATION = /^0x7702(?:(?:00){0,17}$|(?:00){18})/u;

/** Tell whether an `initCode` asks for an EIP-7702 delegation in place of a factory. */
export function isDelegation(initCode: string): boolean {
  return DELEGATION.test(initCode);
}

/** Write what deploys an account as an `initCode`. */
export function packFactory({ factory, data }: FactoryFields): Hex {
  return concatHex(factory, data);
}

/**
 * Read what deploys an account from an `initCode`.
 *
 * @returns Undefined if it is empty.
 * @throws {InvalidParamsError} If it is too short to name a factory.
 */
export function unpackFactory(initCode: Hex): FactoryFields | undefined {
  if (initCode === '0x') return undefined;
  assertLength('initCode', initCode, ADDRESS_BYTES);
  return {
    factory: cut(initCode, 0, ADDRESS_BYTES),
    data: cut(initCode, ADDRESS_BYTES),
  };
}

/**
 * Write what pays for an operation as a `paymasterAndData` of EntryPoint 0.7 and later.
 *
 * @throws {InvalidParamsError} If a gas limit does not fit into its 16 bytes.
 */
export function packPaymaster(fields: PaymasterFields): Hex {
  const { paymaster, verificationGasLimit, postOpGasLimit, data } = fields;
  return concatHex(
    paymaster,
    packGas('paymasterVerificationGasLimit', verificationGasLimit),
    packGas('paymasterPostOpGasLimit', postOpGasLimit),
    data,
  );
}

/**
 * Read what pays for an operation from a `paymasterAndData` of EntryPoint 0.7 and later.
 *
 * @returns Undefined if it is empty.
 * @throws {InvalidParamsError} If it is too short to hold an address and two gas limits.
 */
export function unpackPaymaster(paymasterAndData: Hex): PaymasterFields | undefined {
  if (paymasterAndData === '0x') return undefined;
  assertLength('paymasterAndData', paymasterAndData, POST_OP_END);
  return {
    paymaster: cut(paymasterAndData, 0, ADDRESS_BYTES),
    verificationGasLimit: BigInt(
      cut(paymasterAndData, ADDRESS_BYTES, VERIFICATION_END),
    ),
    postOpGasLimit: BigInt(cut(paymasterAndData, VERIFICATION_END, POST_OP_END)),
    data: cut(paymasterAndData, POST_OP_END),
  };
}

// Left out, a bundler would be told of another operation than the one that is signed.
function assertLength(field: string, packed: Hex, atLeast: number): void {
  if (byteLength(packed) >= atLeast) return;
  throw new InvalidParamsError(
    `${field} must be empty or at least ${atLeast} bytes long for this EntryPoint.`,
  );
}

function packGas(field: string, limit: bigint): Hex {
  if (limit < GAS_BOUND) return toPaddedHex(limit, GAS_BYTES);
  throw new InvalidParamsError(`${field} must be below 2^128.`);
}

function cut(bytes: Hex, start: number, end?: number): Hex {
  return `0x${bytes.slice(2 + 2 * start, end === undefined ? undefined : 2 + 2 * end)}`;
}
