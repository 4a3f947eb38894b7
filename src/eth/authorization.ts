// EIP-7702 authorisations: signed permissions to run a contract's code as an account.
// Whoever asks for the transaction has them signed already.
import { SECP256K1_ORDER, SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import { exactOptional } from '@metamask/superstruct';
import type { Struct } from '@metamask/superstruct';

import { InvalidParamsError } from '../errors';
import { converted, paramObject } from '../schema/structs';
import { AddressStruct, findQuantity, toQuantity } from './hex';
import type { Hex } from './hex';

// Two names of one field, as `gas` and `gasLimit`: callers may give either, or both if
// they agree.

/**
 * Takes the value that is there, whichever its name.
 *
 * @param names - What stands under each name; the case of hex does not count.
 * @param root - How messages name the object that has the fields.
 * @returns `undefined` if there is none.
 * @throws {InvalidParamsError} If they differ.
 */
export function agree<Value>(
  names: Record<string, Value | undefined>,
  root: string,
): Value | undefined {
  const given = Object.entries(names).filter(([, value]) => value !== undefined);
  const values = new Set(given.map(([, value]) => String(value).toLowerCase()));
  if (values.size > 1) {
    const both = given.map(([name]) => name).join(' and ');
    throw new InvalidParamsError(`${root}: ${both} differ; give one of them.`);
  }
  return given[0]?.[1];
}

/** An authorisation with its signature. */
export type Authorization = {
  /** Zero stands for every chain. */
  chainId: bigint;
  /** The contract whose code runs; zero takes a permission back. */
  address: Hex;
  nonce: bigint;
  /** 0n or 1n. */
  yParity: bigint;
  r: bigint;
  s: bigint;
};

/** An authorisation as callers give it: its parity as `yParity`, `v` or both. */
export type AuthorizationParams = Omit<Authorization, 'yParity'> & {
  yParity?: bigint;
  v?: bigint;
};

// @ethereumjs/tx writes a zero in an authorisation as `0x`, and MetaMask with it.
const findNumber = (value: unknown): bigint | undefined =>
  value === '0x' ? 0n : findQuantity(value);

function numberBetween(min: bigint, max: bigint, name: string): Struct<bigint, null> {
  return converted<bigint>(
    `${name} (hex with 0x, decimal string, or safe integer)`,
    (value) => typeof value === 'bigint' && value >= min && value <= max,
    findNumber,
  );
}

const ParityStruct = numberBetween(0n, 1n, '0 or 1');

/** 27 and 28 are how messages carry 0 and 1. */
const VStruct = converted<bigint>(
  '0, 1, 27 or 28 (hex with 0x, decimal string, or safe integer)',
  (value) => value === 0n || value === 1n,
  (value) => {
    const v = findNumber(value);
    return v !== undefined && v >= 27n ? v - 27n : v;
  },
);

/** An authorisation as callers give it. `s` lies in the lower half (EIP-2). */
export const AuthorizationStruct: Struct<AuthorizationParams, unknown> = paramObject({
  chainId: numberBetween(
    0n,
    2n ** 256n - 1n,
    'a chain id below 2^256, 0 for every chain',
  ),
  address: AddressStruct,
  nonce: numberBetween(0n, 2n ** 64n - 2n, 'a quantity below 2^64 - 1'),
  yParity: exactOptional(ParityStruct),
  v: exactOptional(VStruct),
  r: numberBetween(
    1n,
    SECP256K1_ORDER - 1n,
    'a quantity from 1 to the order of secp256k1',
  ),
  s: numberBetween(
    1n,
    SECP256K1_ORDER_DIV_2,
    'a quantity from 1 to half the order of secp256k1',
  ),
});

/**
 * Reads a caller's authorisation.
 *
 * @param root - How messages name it.
 * @throws {InvalidParamsError} If neither `yParity` nor `v` is there, or they differ.
 */
export function toAuthorization(
  { yParity, v, ...others }: AuthorizationParams,
  root: string,
): Authorization {
  const parity = agree({ yParity, v }, root);
  if (parity === undefined) {
    throw new InvalidParamsError(`${root}.yParity is missing: it must be 0 or 1.`);
  }
  return { ...others, yParity: parity };
}

/** Writes an authorisation as nodes take it: every quantity as minimal hex. */
export function toAuthorizationJson({
  chainId,
  address,
  nonce,
  yParity,
  r,
  s,
}: Authorization): Record<
  'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's',
  Hex
> {
  return {
    chainId: toQuantity(chainId),
    address,
    nonce: toQuantity(nonce),
    yParity: toQuantity(yParity),
    r: toQuantity(r),
    s: toQuantity(s),
  };
}
