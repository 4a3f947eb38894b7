// Encodes intents as a smart account's call data, and decodes this call data.
import { exactOptional } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { bytesToBigInt, bytesToHex } from '@metamask/utils';

import type { EntryPointVersion } from '../core/entry-points';
import { InvalidParamsError } from '../core/errors';
import { paramObject } from '../schema/structs';
import { decodeCall, encodeCall } from './abi';
import type { AbiSignature, AbiValue } from './abi';
import {
  byteLength,
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
import { computeCreate2Address, SAFE_MULTI_SEND } from './smart-account';
import { DETERMINISTIC_DEPLOYER } from './user-operation';

/** An action requested of an account. A null `to` creates a contract. Value in wei. */
export type Intent = { to: Hex | null; value: bigint; data: Hex };

export const IntentStruct = paramObject({
  to: exactOptional(RecipientStruct),
  value: exactOptional(QuantityStruct),
  data: exactOptional(DataStruct),
});

export type Call = { to: Hex; value: bigint; data: Hex };

export type AccountContract = EntryPointVersion | 'safe';

export type ReadCalls = { calls: Call[] | undefined; isCanonical: boolean };

type Batch = {
  signature: AbiSignature;
  toValues: (calls: readonly Call[]) => AbiValue[];
  toCalls: (values: readonly AbiValue[]) => Call[] | undefined;
};

/** Length of `0x` and the salt, which the deterministic deployer expects before the code. */
const SALT_END = 66;

const EXECUTE = 'execute(address,uint256,bytes)';

const batchOfStructs: Batch = {
  signature: 'executeBatch((address,uint256,bytes)[])',
  toValues: (calls) => [calls.map(({ to, value, data }) => [to, value, data])],
  toCalls: ([calls]) => (calls as CallValues[]).map(toDecoded),
};

const batches: Record<EntryPointVersion, Batch> = {
  '0.6': {
    signature: 'executeBatch(address[],bytes[])',
    toValues: (calls) => {
      if (calls.some(({ value }) => value !== 0n)) {
        throw new InvalidParamsError(
          'Several intents with a value do not fit in one user operation of EntryPoint 0.6, ' +
            'whose executeBatch carries no values; send them one by one.',
        );
      }
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
  '0.8': batchOfStructs,
  '0.9': batchOfStructs,
};

/** Reads a caller's intent. Throws `InvalidParamsError` if it creates a contract without code. */
export function toIntent(given: Infer<typeof IntentStruct>, root: string): Intent {
  const { to, value = 0n, data } = given;
  const intent = { to: toRecipient(to), value, data: data || '0x' } as const;
  assertCode(intent, root);
  return intent;
}

/** Throws `InvalidParamsError` if a transaction or call has neither a recipient nor code. */
export function assertCode(
  { to, data }: { to: Hex | null; data: Hex },
  root: string,
): void {
  if (to !== null || data !== '0x') return;
  throw new InvalidParamsError(
    `${root}: a contract creation (no "to") needs data; without code it burns its value.`,
  );
}

/**
 * Encodes intents as the account's own call.
 *
 * @param intents - At least one.
 * @returns For a SimpleAccount, `execute` for one intent, its version's `executeBatch` for several;
 *   for a Safe, its module's `executeUserOpWithErrorString`.
 * @throws {InvalidParamsError} If a batch for version 0.6 carries a value, which its `executeBatch`
 *   does not support, or if an intent sends data to the zero address.
 */
export function encodeIntents(
  contract: AccountContract,
  intents: readonly Intent[],
): Hex {
  intents.forEach(assertNoLostCreation);
  const calls = intents.map(toCall);
  if (contract === 'safe') return encodeSafeCalls(calls);
  const [only, ...others] = calls;
  if (only && others.length === 0) {
    return encodeCall(EXECUTE, [only.to, only.value, only.data]);
  }
  const { signature, toValues } = batches[contract];
  return encodeCall(signature, toValues(calls));
}

/** Decodes the calls in an account's call data as its contract does. `calls` is undefined if the
 * data is malformed, calls an unknown function, or makes a Safe delegate to another contract than
 * {@link SAFE_MULTI_SEND}. `isCanonical` says whether the decoded arguments encode to exactly the
 * same data. */
export function readCallData(contract: AccountContract, callData: Hex): ReadCalls {
  if (contract === 'safe') return readSafeCalls(callData);
  const { signature, toCalls } = batches[contract];
  const single = decodeCall(EXECUTE, callData);
  const read = single ?? decodeCall(signature, callData);
  if (!read) return { calls: undefined, isCanonical: false };
  const { values, isCanonical } = read;
  const calls = single ? [toDecoded(values as CallValues)] : toCalls(values);
  return { calls, isCanonical };
}

const CALL = 0n;
const DELEGATE_CALL = 1n;

const EXECUTE_SAFE = 'executeUserOpWithErrorString(address,uint256,bytes,uint8)';

function encodeSafeCalls(calls: readonly Call[]): Hex {
  const [only, ...others] = calls;
  if (only && others.length === 0) {
    return encodeCall(EXECUTE_SAFE, [only.to, only.value, only.data, CALL]);
  }
  const packed = calls.map(({ to, value, data }) =>
    concatHex(
      toPaddedHex(CALL, 1),
      to,
      toPaddedHex(value, 32),
      toPaddedHex(BigInt(byteLength(data)), 32),
      data,
    ),
  );
  const batch = encodeCall('multiSend(bytes)', [concatHex(...packed)]);
  return encodeCall(EXECUTE_SAFE, [SAFE_MULTI_SEND, 0n, batch, DELEGATE_CALL]);
}

// The module accepts `EXECUTE_SAFE` and a variant without the error string. Only delegatecalls to
// `SAFE_MULTI_SEND` can be decoded.
function readSafeCalls(callData: Hex): ReadCalls {
  const read =
    decodeCall(EXECUTE_SAFE, callData) ??
    decodeCall('executeUserOp(address,uint256,bytes,uint8)', callData);
  if (!read) return { calls: undefined, isCanonical: false };
  const [to, value, data, operation] = read.values as [...CallValues, bigint];
  const { isCanonical } = read;
  const call = toDecoded([to, value, data]);
  if (operation === CALL) return { calls: [call], isCanonical };
  const batch = isSameAddress(call.to, SAFE_MULTI_SEND)
    ? decodeCall('multiSend(bytes)', call.data)
    : undefined;
  const transactions = batch && readMultiSend(batch.values[0] as Uint8Array);
  const isPlain = transactions?.every((each) => each.operation === Number(CALL));
  return {
    calls: isPlain
      ? transactions?.map((each) => toDecoded([each.to, each.value, each.data]))
      : undefined,
    isCanonical: isCanonical && (batch?.isCanonical ?? false) && call.value === 0n,
  };
}

/** Byte offsets of the fields of a MultiSend transaction, after its one-byte operation. */
const HEAD = { to: 1, value: 21, length: 53, data: 85 };

/** Reads the transactions in the argument of Safe's MultiSend; undefined if they are truncated. */
export function readMultiSend(
  bytes: Uint8Array,
): { operation: number; to: Hex; value: bigint; data: Uint8Array }[] | undefined {
  const transactions = [];
  let at = 0;
  while (at < bytes.length) {
    const part = bytes.subarray(at);
    if (part.length < HEAD.data) return undefined;
    const length = Number(bytesToBigInt(part.slice(HEAD.length, HEAD.data)));
    if (part.length < HEAD.data + length) return undefined;
    transactions.push({
      operation: part[0] ?? 0,
      to: bytesToHex(part.slice(HEAD.to, HEAD.value)),
      value: bytesToBigInt(part.slice(HEAD.value, HEAD.length)),
      data: part.slice(HEAD.data, HEAD.data + length),
    });
    at += HEAD.data + length;
  }
  return transactions;
}

/** Converts an intent to a call. Contracts are created through the deterministic deployer, since a
 * call without a recipient would go to the zero address and burn the value. */
export function toCall({ to, value, data }: Intent): Call {
  if (to !== null) return { to, value, data };
  const code = concatHex(toPaddedHex(0n, 32), data);
  return { to: DETERMINISTIC_DEPLOYER, value, data: code };
}

/** Computes the address of the contract that a call creates (EIP-1014), and its salt; undefined if
 * the call is not to the deployer, or has no init code. */
export function computeDeployment({
  to,
  data,
}: {
  to: Hex;
  data: Hex;
}): { address: Hex; salt: Hex } | undefined {
  if (!isSameAddress(to, DETERMINISTIC_DEPLOYER) || data.length <= SALT_END) {
    return undefined;
  }
  const salt = data.slice(0, SALT_END).toLowerCase() as Hex;
  const code: Hex = `0x${data.slice(SALT_END)}`;
  return { address: computeCreate2Address(DETERMINISTIC_DEPLOYER, salt, code), salt };
}

// Some wallets encode a contract creation as a call to the zero address, which creates nothing and
// burns the value.
function assertNoLostCreation({ to, data }: Intent, index: number): void {
  if (to === null || data === '0x' || !isSameAddress(to, ZERO_ADDRESS)) return;
  throw new InvalidParamsError(
    `Intent ${index + 1} sends data to the zero address, which has no code. To ` +
      'create a contract, "to" must be null.',
  );
}

// The contracts revert on arrays of different lengths; only 0.7 accepts an empty value array for
// zero values.
function zip(...arrays: unknown[]): Call[] | undefined {
  const [targets = [], data = [], values = []] = arrays as AbiValue[][];
  const hasValues = values.length > 0;
  if (data.length !== targets.length) return undefined;
  if (hasValues && values.length !== targets.length) return undefined;
  return targets.map((to, index) =>
    toDecoded([to, values[index] ?? 0n, data[index] ?? new Uint8Array()]),
  );
}

type CallValues = [to: AbiValue, value: AbiValue, data: AbiValue];

function toDecoded([to, value, data]: CallValues): Call {
  return {
    to: to as Hex,
    value: value as bigint,
    data: bytesToHex(data as Uint8Array),
  };
}
