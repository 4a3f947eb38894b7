// Replaces what micro-eth-signer's ERC-7730 engine imports from its package, which brings
// packers of every Ethereum format. Arguments are read as contracts read them, so that a call
// with bytes to spare is described as well; the dialog warns of those.
import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util';
import type { MessageTypes } from '@metamask/eth-sig-util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { encodeArguments, readArguments } from '../../eth/abi';
import type { AbiValue } from '../../eth/abi';
import type { Hex } from '../../eth/hex';
import { toDecimal } from '../../eth/units';

type Component = { name?: string; type: string; components?: Component[] };

/** A value with the names of its parts. */
type Named = AbiValue | Named[] | { [name: string]: Named };

export const ARRAY_RE = /(.+)(\[(\d+)?\])$/u;

/** Reads the arguments of a function. @throws {Error} If they cannot be read. */
export function mapArgs(inputs: Component[]): { decode: (bytes: Uint8Array) => Named } {
  return {
    decode: (bytes) => {
      const values = readArguments(inputs.map(toType), bytes);
      if (!values) throw new Error('The arguments cannot be read.');
      const [first] = inputs;
      return first && inputs.length === 1
        ? nameParts(first, values[0] as AbiValue)
        : nameMembers(inputs, values);
    },
  };
}

export function mapComponent({ type }: Component): {
  encode: (value: AbiValue) => Uint8Array;
} {
  return { encode: (value) => hexToBytes(encodeArguments([type], [value])) };
}

function toType({ type, components = [] }: Component): string {
  return type.replace(/^tuple/u, `(${components.map(toType).join()})`);
}

function nameParts(component: Component, value: AbiValue): Named {
  if (!Array.isArray(value)) return value;
  const item = ARRAY_RE.exec(component.type)?.[1];
  if (item === undefined) return nameMembers(component.components ?? [], value);
  return value.map((each: AbiValue) => nameParts({ ...component, type: item }, each));
}

function nameMembers(members: Component[], values: readonly AbiValue[]): Named {
  const named = members.map((each, index) =>
    nameParts(each, values[index] as AbiValue),
  );
  return members.every(({ name }) => name)
    ? Object.fromEntries(
        members.map(({ name = '' }, index) => [name, named[index] ?? '']),
      )
    : named;
}

/** Reads bytes as a number; none are zero. */
export function bytesToNumberBE(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes));
}

/** Writes a number as so many bytes. @throws {RangeError} If it has no room. */
export function numberToBytesBE(value: bigint | number, length: number): Uint8Array {
  const digits = value.toString(16).padStart(2 * length, '0');
  if (value < 0 || digits.length > 2 * length) throw new RangeError('too large');
  return hexToBytes(digits);
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return bytesToHex(one) === bytesToHex(other);
}

export function encodeType(types: MessageTypes, primaryType: string): string {
  return TypedDataUtils.encodeType(primaryType, types);
}

/** Lists the fields that a domain has. The engine compares a hash of them. */
export function getDomainType(domain: object): { name: string; type: string }[] {
  const fields = { name: 'string', version: 'string', chainId: 'uint256' };
  const all = { ...fields, verifyingContract: 'address', salt: 'bytes32' };
  return Object.entries(all).flatMap(([name, type]) =>
    name in domain ? [{ name, type }] : [],
  );
}

export function encoder(types: MessageTypes): {
  structHash: (type: string, value: Record<string, unknown>) => string;
} {
  return {
    structHash: (type, value) =>
      bytesToHex(
        TypedDataUtils.hashStruct(type, value, types, SignTypedDataVersion.V4),
      ),
  };
}

export const addr = {
  parse: (address: string): { data: string } => {
    const data = /^(?:0x)?([\da-f]{40})$/iu.exec(address)?.[1];
    if (data === undefined) throw new Error('It is no address.');
    return { data };
  },
};

export const ethHex = {
  encode: (bytes: Uint8Array): Hex => bytesToHex(bytes),
  decode: (hex: Hex): Uint8Array => hexToBytes(hex),
};

export const add0x = (hex: string): string => (hex.startsWith('0x') ? hex : `0x${hex}`);

export const isBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array;

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

// Descriptors are JSON without other owners.
export const cloneDeep = <Value>(value: Value): Value => value;

export const deepFreeze = <Value>(value: Value): Value => value;

export function omit(value: object, ...keys: string[]): object {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !keys.includes(key)),
  );
}

export const createDecimal = (
  decimals: number,
): { encode: (amount: bigint) => string } => ({
  encode: (amount) => {
    const sign = amount < 0n ? '-' : '';
    return `${sign}${toDecimal(amount < 0n ? -amount : amount, decimals)}`;
  },
});

export const weieth = createDecimal(18);
