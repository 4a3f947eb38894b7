// The struct types of a document, checked before any value is. Libraries find types by the
// words in their names, so a name that is none of these would hash as something else.
import { InvalidParamsError } from '../errors';
import { parse, toPath } from '../parse';
import { array, type } from '../quick';
import { named } from '../structs';
import { findAtom, findBase, isReserved } from './typed-data-atoms';
import type { Budget } from './typed-data-budget';

/** A field of a struct type. */
export type TypedField = { name: string; type: string };

/** Struct types by name. */
export type TypeTable = Record<string, readonly TypedField[]>;

/** Name of the type of a document's domain. */
export const DOMAIN = 'EIP712Domain';

/** Most types of a document; real ones have a dozen. */
const MAX_TYPES = 200;

// Half of a surrogate pair is no text; the rest are the signs that types are written with.
const NO_NAME = /[(),[\]\s\p{Cc}\p{Cs}]/u;

const NameStruct = named<string>(
  'a name (not empty, without spaces, commas and brackets)',
  (value) => typeof value === 'string' && value !== '' && !NO_NAME.test(value),
);

const TextStruct = named<string>('a string', (value) => typeof value === 'string');

/** The fields of a struct type. */
export const FieldsStruct = array(type({ name: TextStruct, type: TextStruct }));

/**
 * Read the types that a document declares.
 *
 * @param path - How messages name them.
 * @throws {InvalidParamsError} If one is malformed, or has a name that a type cannot have.
 */
export function parseTypes(
  types: Record<string, unknown>,
  path: string,
  budget: Budget,
): TypeTable {
  const entries = Object.entries(types);
  if (entries.length > MAX_TYPES) {
    throw new InvalidParamsError(`${path} must be at most ${MAX_TYPES} types.`);
  }
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const place = toPath([name], path);
      // To assign to `__proto__`, as libraries do when they copy, declares nothing.
      if (isReserved(name) || NO_NAME.test(name) || ['', '__proto__'].includes(name)) {
        throw new InvalidParamsError(`${place} has a name that no type can have.`);
      }
      return [name, parseFields(value, place, budget)];
    }),
  );
}

function parseFields(value: unknown, path: string, budget: Budget): TypedField[] {
  const names = new Set<string>();
  return parse(value, FieldsStruct, path).map((field, index) => {
    budget.spend(field.name.length + field.type.length);
    const place = `${path}[${index}].name`;
    parse(field.name, NameStruct, place);
    if (names.has(field.name)) {
      throw new InvalidParamsError(`${place} is that of another field of the type.`);
    }
    names.add(field.name);
    return { name: field.name, type: field.type };
  });
}

/**
 * Check the types that a primary type is made of, and the domain's.
 *
 * @param path - How messages name the types.
 * @returns The names of the types that were reached.
 * @throws {InvalidParamsError} If one is not declared, or would not be hashed as declared.
 */
export function checkReached(
  types: TypeTable,
  primaryType: string,
  path: string,
): Set<string> {
  const reached = new Set([primaryType]);
  for (const name of reached) {
    for (const base of checkFields(types, name, path)) reached.add(base);
  }
  // A domain is hashed without the other types.
  if (checkFields(types, DOMAIN, path).length > 0) {
    throw new InvalidParamsError(
      `${path}.${DOMAIN} must have no fields of struct types.`,
    );
  }
  if (!/^\w+$/u.test(primaryType)) checkOddName(types, primaryType, path);
  return reached.add(DOMAIN);
}

function checkFields(types: TypeTable, name: string, path: string): string[] {
  return (types[name] ?? []).flatMap((field, index) => {
    const base = findBase(field.type);
    if (base !== undefined && findAtom(base)) return [];
    // \w: how libraries find the types that a type is made of.
    if (base !== undefined && Object.hasOwn(types, base) && /^\w+$/u.test(base)) {
      return [base];
    }
    throw new InvalidParamsError(
      `${toPath([name, index], path)}.type is not a type, nor declared in ${path}.`,
    );
  });
}

// Such as "HyperliquidTransaction:UsdSend", which is in use: hashed alike by everyone while
// neither it nor what libraries take for its name is made of other types.
function checkOddName(types: TypeTable, name: string, path: string): void {
  const [word = ''] = /^\w*/u.exec(name) ?? [];
  if (checkFields(types, name, path).length === 0 && !Object.hasOwn(types, word)) {
    return;
  }
  throw new InvalidParamsError(
    `${toPath([name], path)} must have a name of letters, digits and _ to be made of other types.`,
  );
}

/** Tell which of some types contain themselves without an array between. */
export function findEndless(types: TypeTable, names: Iterable<string>): Set<string> {
  const parts = (name: string): string[] =>
    (types[name] ?? [])
      .map((field) => field.type)
      .filter((each) => Object.hasOwn(types, each));
  return new Set(
    [...names].filter((name) => {
      const inside = new Set(parts(name));
      for (const each of inside) parts(each).forEach((part) => inside.add(part));
      return inside.has(name);
    }),
  );
}
