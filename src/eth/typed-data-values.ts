// Checking typed data against their types before anything is signed: eth-sig-util signs
// what does not fit, and a contract would hash that differently or not at all.
import { isObject } from '@metamask/utils';

import { InvalidParamsError } from '../errors';

/** A field of a struct type. */
export type TypedField = { name: string; type: string };

/** Struct types by name. */
export type TypeTable = Record<string, readonly TypedField[]>;

/** Where a value stands: the types it may use, and its path for messages. */
export type Place = { types: TypeTable; path: string; depth?: number };

/** Types can contain themselves; nobody reads what is nested deeper than this. */
const MAX_DEPTH = 64;

const ARRAY_TYPE = /^(?<item>.+)\[(?<length>\d{0,9})\]$/u;

// Integers have a multiple of 8 bits.
const WIDTHS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|');

/** An atomic type: how it is written, and which values fit it. */
type Atom = { pattern: RegExp; fits: (value: unknown, size?: number) => boolean };

const atoms: readonly Atom[] = [
  { pattern: /^string$/u, fits: (value) => typeof value === 'string' },
  { pattern: /^bool$/u, fits: (value) => typeof value === 'boolean' },
  { pattern: /^address$/u, fits: (value) => isBytes(value, 20) },
  { pattern: /^bytes$/u, fits: (value) => isBytes(value) },
  { pattern: /^bytes([1-9]|[12]\d|3[0-2])$/u, fits: isBytes },
  {
    pattern: new RegExp(`^uint(${WIDTHS})?$`, 'u'),
    fits: (value, bits = 256) => isIntegerIn(value, 0n, 1n << BigInt(bits)),
  },
  {
    pattern: new RegExp(`^int(${WIDTHS})?$`, 'u'),
    fits: (value, bits = 256) => {
      const half = 1n << BigInt(bits - 1);
      return isIntegerIn(value, -half, half);
    },
  },
];

/**
 * Check a value of a type.
 *
 * @returns The value with the fields that its type declares: no others are signed, so no
 * others may be shown.
 * @throws {InvalidParamsError} Naming the path and the type that was expected.
 */
export function checkTypedValue(type: string, value: unknown, place: Place): unknown {
  const { path, types, depth = 0 } = place;
  if (depth > MAX_DEPTH) throw new InvalidParamsError(`${path} is nested too deeply.`);
  const array = ARRAY_TYPE.exec(type)?.groups;
  if (array?.item !== undefined) return checkArray(array, value, place);
  if (Object.hasOwn(types, type)) return checkStruct(type, value, place);
  return checkAtom(type, value, path);
}

function checkAtom(type: string, value: unknown, path: string): unknown {
  const atom = atoms.find(({ pattern }) => pattern.test(type));
  if (!atom) throw new InvalidParamsError(`${path} is of a type that is not declared.`);
  const [, size] = atom.pattern.exec(type) ?? [];
  const fits = size === undefined ? atom.fits(value) : atom.fits(value, Number(size));
  return fits ? value : fail(type, value, path);
}

function checkArray(
  { item = '', length = '' }: Record<string, string>,
  value: unknown,
  { types, path, depth = 0 }: Place,
): unknown[] {
  const isLong =
    length === '' || (Array.isArray(value) && value.length === Number(length));
  if (!Array.isArray(value) || !isLong) return fail(`${item}[${length}]`, value, path);
  return value.map((each, index) =>
    checkTypedValue(item, each, { types, path: `${path}[${index}]`, depth: depth + 1 }),
  );
}

function checkStruct(
  type: string,
  value: unknown,
  { types, path, depth = 0 }: Place,
): Record<string, unknown> | null {
  // The end of a struct that contains itself; hashed as zero by every wallet.
  if (depth > 0 && (value === null || value === undefined)) return null;
  if (!isObject(value) || Array.isArray(value)) return fail(type, value, path);
  const fields = types[type] ?? [];
  return Object.fromEntries(
    fields.map((field) => {
      const own: unknown = Object.hasOwn(value, field.name)
        ? (value as Record<string, unknown>)[field.name]
        : undefined;
      const fieldPlace = { types, path: `${path}.${field.name}`, depth: depth + 1 };
      return [field.name, checkTypedValue(field.type, own, fieldPlace)];
    }),
  );
}

function fail(type: string, value: unknown, path: string): never {
  const verb = value === undefined ? 'is missing: it must be' : 'must be';
  throw new InvalidParamsError(`${path} ${verb} of type ${type}.`);
}

function isBytes(value: unknown, size?: number): boolean {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/u.test(value)) {
    return false;
  }
  return size === undefined || value.length === 2 + 2 * size;
}

function isIntegerIn(value: unknown, min: bigint, end: bigint): boolean {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const isText =
    typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/u.test(value);
  if (!isNumber && !isText) return false;
  const integer = BigInt(value);
  return integer >= min && integer < end;
}
