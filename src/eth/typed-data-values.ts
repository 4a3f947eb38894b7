// Checking typed data against their types before anything is signed: eth-sig-util signs
// what does not fit, and a contract would hash that differently or not at all.
import { isObject } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { toPath } from '../parse';
import { findArray, findAtom } from './typed-data-atoms';
import type { ArrayType } from './typed-data-atoms';
import type { Budget } from './typed-data-budget';
import type { TypeTable } from './typed-data-types';

/** What values are checked by. */
export type Rules = {
  types: TypeTable;
  /** Types that contain themselves: null, or nothing, ends them. */
  endless: ReadonlySet<string>;
  /** Characters of types that are hashed with each struct. */
  typeLength: number;
  budget: Budget;
};

/** A value, its type, and its path for messages. */
export type TypedValue = { type: string; value: unknown; path: string; depth?: number };

/** Types can contain themselves; nobody reads what is nested deeper than this. */
const MAX_DEPTH = 64;

/**
 * Check a value of a type.
 *
 * @returns The value with the fields that its type declares: no others are signed, so no
 * others may be shown.
 * @throws {InvalidParamsError} Naming the path and the type that was expected.
 */
export function checkTypedValue(typed: TypedValue, rules: Rules): unknown {
  const { type, value, path, depth = 0 } = typed;
  rules.budget.spend(typeof value === 'string' ? value.length : 0);
  if (depth > MAX_DEPTH) throw new InvalidParamsError(`${path} is nested too deeply.`);
  const array = findArray(type);
  if (array) return checkArray(array, typed, rules);
  if (Object.hasOwn(rules.types, type)) return checkStruct(typed, rules);
  return findAtom(type)?.(value) ? value : fail(typed);
}

function checkArray(
  { item, length }: ArrayType,
  typed: TypedValue,
  rules: Rules,
): unknown[] {
  const { value, path, depth = 0 } = typed;
  if (!Array.isArray(value) || (length ?? value.length) !== value.length) {
    return fail(typed);
  }
  return value.map((each: unknown, index) =>
    checkTypedValue(
      { type: item, value: each, path: `${path}[${index}]`, depth: depth + 1 },
      rules,
    ),
  );
}

function checkStruct(typed: TypedValue, rules: Rules): Record<string, unknown> | null {
  const { type, value, path, depth = 0 } = typed;
  // eth-sig-util hashes it as zero. In other types a contract has no such value.
  if ((value ?? null) === null && depth > 0 && rules.endless.has(type)) return null;
  if (!isObject(value) || Array.isArray(value)) return fail(typed);
  rules.budget.spend(rules.typeLength);
  const fields = rules.types[type] ?? [];
  // Not by assignment, which would not declare a field named `__proto__`.
  return Object.fromEntries(
    fields.map((field) => {
      const own: unknown = Object.hasOwn(value, field.name)
        ? (value as Record<string, unknown>)[field.name]
        : undefined;
      const place = { path: toPath([field.name], path), depth: depth + 1 };
      return [
        field.name,
        checkTypedValue({ type: field.type, value: own, ...place }, rules),
      ];
    }),
  );
}

function fail({ type, value, path }: TypedValue): never {
  const verb = value === undefined ? 'is missing: it must be' : 'must be';
  throw new InvalidParamsError(`${path} ${verb} of type ${type}.`);
}
