// What a SimpleAccount executes: intents as its call data, and call data read again.
import { generateAddress2 } from '@ethereumjs/util';
import { exactOptional } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { paramObject } from '../schema/structs';
import { decodeCall, encodeCall } from './abi';
import type { AbiSignature, AbiValue } from './abi';
import {
  concatHex,
  DataStruct,
  isSameAddress,
  QuantityStruct,
  RecipientStruct,
  toPaddedHex,
  toRecipient,
  ZERO_ADDRESS,
} from './hex';
import type { Hex } from './hex';
import { DETERMINISTIC_DEPLOYER } from './user-operation';
import type { EntryPointVersion } from './user-operation';

/** Something that an account is asked to do; `to` null creates a contract. Wei. */
export type Intent = { to: Hex | null; value: bigint; data: Hex };

/** An intent as callers give it. */
export const IntentStruct = paramObject({
  to: exactOptional(RecipientStruct),
  value: exactOptional(QuantityStruct),
  data: exactOptional(DataStruct),
});

/** A call that an account makes. Wei. */
export type Call = { to: Hex; value: bigint; data: Hex };

/** A version's way of making several calls: its function, and its arguments from calls
 * and back. */
type Batch = {
  signature: AbiSignature;
  toValues: (calls: readonly Call[]) => AbiValue[];
  toCalls: (values: readonly AbiValue[]) => Call[] | undefined;
};

/** `0x` and the digits of the salt that the deterministic deployer takes before the code. */
const SALT_END = 66;

/** A contract to be, and the salt that its address depends on. */
export type Deployment = { address: Hex; salt: Hex };

const EXECUTE = 'execute(address,uint256,bytes)';

const batches: Record<EntryPointVersion, Batch> = {
  '0.6': {
    signature: 'executeBatch(address[],bytes[])',
    toValues: (calls) => {
      assertNoValues(calls);
      return [calls.map(({ to }) => to), calls.map(({ data }) => data)];
    },
    toCalls: ([targets, data]) => zip(targets, data, []),
  },
  '0.7': {
    signature: 'executeBatch(address[],uint256[],bytes[])',
    toValues: (calls) => [
      calls.map(({ to }) => to),
      calls.map(({ value }) => value),
      calls.map(({ data }) => data),
    ],
    toCalls: ([targets, values, data]) => zip(targets, data, values),
  },
  '0.8': {
    signature: 'executeBatch((address,uint256,bytes)[])',
    toValues: (calls) => [calls.map(({ to, value, data }) => [to, value, data])],
    toCalls: ([calls]) => (calls as [AbiValue, AbiValue, AbiValue][]).map(toDecoded),
  },
};

/**
 * Read a caller's intent.
 *
 * @param root - How messages name it.
 * @throws {InvalidParamsError} If it creates a contract without code.
 */
export function toIntent(given: Infer<typeof IntentStruct>, root: string): Intent {
  const { to, value = 0n, data } = given;
  const intent = { to: toRecipient(to), value, data: data || '0x' } as const;
  assertCode(intent, root);
  return intent;
}

/**
 * Refuse to create a contract without code.
 *
 * @param root - How the message names the transaction or the call.
 * @throws {InvalidParamsError} If there is neither a recipient nor data.
 */
export function assertCode(
  { to, data }: Pick<Intent, 'to' | 'data'>,
  root: string,
): void {
  if (to !== null || data !== '0x') return;
  throw new InvalidParamsError(
    `${root}: a contract creation (no "to") needs data; without code it burns its value.`,
  );
}

/**
 * Encode intents as the account's own call.
 *
 * @param intents - At least one.
 * @returns `execute` for one intent, that version's `executeBatch` for several.
 * @throws {InvalidParamsError} If a batch for version 0.6 carries a value: its
 * `executeBatch` has no place for one. If data go to the zero address.
 */
export function encodeIntents(
  version: EntryPointVersion,
  intents: readonly Intent[],
): Hex {
  intents.forEach(assertNoLostCreation);
  const calls = intents.map(toCall);
  const [only, ...others] = calls;
  if (only && others.length === 0) {
    return encodeCall(EXECUTE, [only.to, only.value, only.data]);
  }
  const { signature, toValues } = batches[version];
  return encodeCall(signature, toValues(calls));
}

/**
 * Reads the calls that an account's call data make, as its contract does.
 *
 * @returns No calls if it is none of the functions that {@link encodeIntents} writes, or cannot
 * be read; `isCanonical` tells whether it is written as that writes it: no byte is left over,
 * nothing overlaps.
 */
export function readCallData(
  version: EntryPointVersion,
  callData: Hex,
): { calls: Call[] | undefined; isCanonical: boolean } {
  const { signature, toCalls } = batches[version];
  const single = decodeCall(EXECUTE, callData);
  if (single) {
    const { values, isCanonical } = single;
    return {
      calls: [toDecoded(values as [AbiValue, AbiValue, AbiValue])],
      isCanonical,
    };
  }
  const batch = decodeCall(signature, callData);
  return {
    calls: batch && toCalls(batch.values),
    isCanonical: batch?.isCanonical ?? false,
  };
}

/** Reads the calls alone: see {@link readCallData}. */
export function decodeCalls(
  version: EntryPointVersion,
  callData: Hex,
): Call[] | undefined {
  return readCallData(version, callData).calls;
}

/**
 * Make the call of an intent. A contract is created through the deterministic deployer: a
 * call to no address would go to the zero address and burn its value.
 */
export function toCall({ to, value, data }: Intent): Call {
  if (to !== null) return { to, value, data };
  return {
    to: DETERMINISTIC_DEPLOYER,
    value,
    data: concatHex(toPaddedHex(0n, 32), data),
  };
}

/**
 * Compute the address of the contract that a call creates.
 *
 * @returns Undefined if the call is not for the deployer, or gives it no init code.
 * @see https://eips.ethereum.org/EIPS/eip-1014
 */
export function computeDeployment({
  to,
  data,
}: Pick<Call, 'to' | 'data'>): Deployment | undefined {
  if (!isSameAddress(to, DETERMINISTIC_DEPLOYER) || data.length <= SALT_END) {
    return undefined;
  }
  const salt = data.slice(0, SALT_END).toLowerCase() as Hex;
  const address = generateAddress2(
    hexToBytes(DETERMINISTIC_DEPLOYER),
    hexToBytes(salt),
    hexToBytes(`0x${data.slice(SALT_END)}`),
  );
  return { address: bytesToHex(address), salt };
}

// Wallets have written a creation so: nothing would be created, and its value be burnt.
function assertNoLostCreation({ to, data }: Intent, index: number): void {
  if (to === null || data === '0x' || !isSameAddress(to, ZERO_ADDRESS)) return;
  throw new InvalidParamsError(
    `Intent ${index + 1} sends data to the zero address, where nothing reads them. To ` +
      'create a contract, "to" must be null.',
  );
}

function assertNoValues(calls: readonly Call[]): void {
  if (calls.every(({ value }) => value === 0n)) return;
  throw new InvalidParamsError(
    'Several intents with a value do not fit in one user operation of EntryPoint 0.6, ' +
      'whose executeBatch carries no values; send them one by one.',
  );
}

// The contracts revert on arrays of different lengths; 0.7 alone takes no values at all
// for values of zero.
function zip(...arrays: unknown[]): Call[] | undefined {
  const [targets = [], data = [], values = []] = arrays as AbiValue[][];
  const hasValues = values.length > 0;
  if (data.length !== targets.length) return undefined;
  if (hasValues && values.length !== targets.length) return undefined;
  return targets.map((to, index) =>
    toDecoded([to, values[index] ?? 0n, data[index] ?? new Uint8Array()]),
  );
}

function toDecoded([to, value, data]: [AbiValue, AbiValue, AbiValue]): Call {
  return {
    to: to as Hex,
    value: value as bigint,
    data: bytesToHex(data as Uint8Array),
  };
}
