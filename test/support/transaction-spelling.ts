// Transactions as callers may write them: quantities in every form, and both names of what
// has two.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { getAddress } from 'viem';
import type { Address, Hex } from 'viem';

import { toCapitals } from './arbitraries';
import { typeNames } from './transaction-arbitraries';
import type { ViemTransaction } from './transaction-arbitraries';

/** Ways to write a quantity. */
const quantityForms = ['minimal', 'padded', 'decimal', 'number'] as const;

/** How a transaction is written. */
export type Spelling = {
  /** One after another, for each quantity. */
  quantities: (typeof quantityForms)[number][];
  gas: 'gas' | 'gasLimit' | 'both';
  data: 'data' | 'input' | 'both';
  addresses: 'same' | 'checksum' | 'lower' | 'capitals';
  parity: 'yParity' | 'v' | 'both';
};

/** Any way to write a transaction. */
export const spelling: Arbitrary<Spelling> = fc.record({
  quantities: fc.array(fc.constantFrom(...quantityForms), {
    minLength: 7,
    maxLength: 7,
  }),
  gas: fc.constantFrom('gas', 'gasLimit', 'both'),
  data: fc.constantFrom('data', 'input', 'both'),
  addresses: fc.constantFrom('same', 'checksum', 'lower', 'capitals'),
  parity: fc.constantFrom('yParity', 'v', 'both'),
});

/** Writes a transaction as a caller sends it. */
export function toRequest(
  { type, gas, data, ...fields }: ViemTransaction,
  spelling: Spelling,
  from: Address,
): Record<string, unknown> {
  const write = createWriter(spelling);
  const both = (names: 'gas' | 'data', values: Record<string, unknown>): object =>
    spelling[names] === 'both'
      ? values
      : { [spelling[names]]: values[spelling[names]] };
  return {
    ...(write(fields) as object),
    ...both('gas', { gas: write(gas), gasLimit: write(gas) }),
    ...both('data', { data, input: toCapitals(data) }),
    type: write(Number(typeNames[type])),
    from: writeAddress(from, spelling),
  };
}

/** Writes any part of a transaction; each quantity in the next form. */
function createWriter(spelling: Spelling): (value: unknown, name?: string) => unknown {
  let written = 0;
  const write = (value: unknown, name = ''): unknown => {
    if (typeof value === 'bigint' || typeof value === 'number') {
      written += 1;
      const form = spelling.quantities[written % spelling.quantities.length];
      return writeQuantity(BigInt(value), form);
    }
    if (name === 'to' || name === 'address') {
      return writeAddress(value as Address, spelling);
    }
    if (name === 'r' || name === 's') return write(BigInt(value as Hex));
    if (Array.isArray(value)) return value.map((each) => write(each));
    if (typeof value !== 'object' || value === null) return value;
    return writeObject(value as Record<string, unknown>, spelling, write);
  };
  return write;
}

function writeObject(
  { yParity, ...fields }: Record<string, unknown>,
  { parity }: Spelling,
  write: (value: unknown, name?: string) => unknown,
): object {
  const names = Object.entries(fields).map(([name, value]) => [
    name,
    write(value, name),
  ]);
  if (yParity === undefined) return Object.fromEntries(names) as object;
  const v = write(Number(yParity) + 27);
  return {
    ...(Object.fromEntries(names) as object),
    ...(parity === 'v' ? {} : { yParity: write(yParity) }),
    ...(parity === 'yParity' ? {} : { v }),
  };
}

function writeQuantity(
  value: bigint,
  form: Spelling['quantities'][number] | undefined,
): string | number {
  const digits = value.toString(16);
  if (form === 'minimal') return `0x${digits}`;
  if (form === 'padded') return `0x${digits.padStart(64, '0')}`;
  return form === 'decimal' || value > Number.MAX_SAFE_INTEGER
    ? value.toString()
    : Number(value);
}

function writeAddress(hex: Address, { addresses }: Spelling): Address {
  if (addresses === 'same') return hex;
  if (addresses === 'checksum') return getAddress(hex);
  return addresses === 'lower' ? (hex.toLowerCase() as Address) : toCapitals(hex);
}
