// EIP-7702 authorizations, which permit an account to run a contract's code. Callers must pass them
// already signed.
import { SECP256K1_ORDER, SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import { exactOptional } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';

import { InvalidParamsError } from '../core/errors';
import type { Authorization } from '../core/payload';
import { converted, paramObject } from '../schema/structs';
import { AddressStruct, findQuantity, MAX_UINT256 } from './hex';

/** Reads a field that has two names, such as `gas` and `gasLimit`; undefined if both are missing.
 * Throws `InvalidParamsError` if the values differ in more than the case of hex. */
export function readAlias<Value>(
  names: Record<string, Value | undefined>,
  root: string,
): Value | undefined {
  const given = Object.entries(names).filter(([, value]) => value !== undefined);
  const values = new Set(given.map(([, value]) => String(value).toLowerCase()));
  if (values.size > 1) {
    const both = given.map(([name]) => name).join(' and ');
    throw new InvalidParamsError(`${root}: ${both} differ; give only one of them.`);
  }
  return given[0]?.[1];
}

// @ethereumjs/tx, and thus MetaMask, writes a zero in an authorization as `0x`.
const findNumber = (value: unknown): bigint | undefined =>
  value === '0x' ? 0n : findQuantity(value);

function numberBetween(min: bigint, max: bigint, name: string): Struct<bigint, null> {
  return converted<bigint>(
    `${name} (hex with 0x, decimal string, or safe integer)`,
    (value) => typeof value === 'bigint' && value >= min && value <= max,
    findNumber,
  );
}

/** Message signatures write 0 and 1 as 27 and 28. */
const VStruct = converted<bigint>(
  '0, 1, 27 or 28 (hex with 0x, decimal string, or safe integer)',
  (value) => value === 0n || value === 1n,
  (value) => {
    const v = findNumber(value);
    return v !== undefined && v >= 27n ? v - 27n : v;
  },
);

export const AuthorizationNonceStruct = numberBetween(
  0n,
  2n ** 64n - 2n,
  'a quantity below 2^64 - 1',
);

/** A caller's authorization, with `yParity`, `v` or both. `s` is in the lower half (EIP-2). */
export const AuthorizationStruct = paramObject({
  chainId: numberBetween(0n, MAX_UINT256, 'a chain id below 2^256, 0 for every chain'),
  address: AddressStruct,
  nonce: AuthorizationNonceStruct,
  yParity: exactOptional(numberBetween(0n, 1n, '0 or 1')),
  v: exactOptional(VStruct),
  r: signatureWord(SECP256K1_ORDER - 1n, 'the order of secp256k1 minus 1'),
  s: signatureWord(SECP256K1_ORDER_DIV_2, 'half the order of secp256k1'),
});

function signatureWord(max: bigint, name: string): Struct<bigint, null> {
  return numberBetween(1n, max, `a quantity from 1 to ${name}`);
}

/** Reads a caller's authorization. Throws `InvalidParamsError` if `yParity` and `v` are both
 * missing, or differ. */
export function toAuthorization(
  { yParity, v, ...others }: Infer<typeof AuthorizationStruct>,
  root: string,
): Authorization {
  const parity = readAlias({ yParity, v }, root);
  if (parity === undefined) {
    throw new InvalidParamsError(`${root}.yParity is missing: it must be 0 or 1.`);
  }
  return { ...others, yParity: parity };
}
