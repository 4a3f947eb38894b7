// Converts callers' values from `unknown` to typed ones. Error messages are built here, from the
// path and the expected type, because superstruct's own messages quote the rejected value, which
// may be a secret, and fail for values that cannot be converted to a string.
import type { Struct } from '@metamask/superstruct';

import { InvalidParamsError } from '../core/errors';

/** A struct for `Type`, whatever its schema. */
export type StructOf<Type> = Pick<Struct<Type>, 'TYPE' | 'validate'>;

/** Why a value was rejected. Safe to show to callers. */
export type Rejection = {
  path: readonly unknown[];
  expected: string;
  isMissing: boolean;
};

export type Validation<Type> = { value: Type } | { rejection: Rejection };

/** Maximum length of a key in a path, because keys come from callers too. */
const MAX_KEY_LENGTH = 40;

/** The expectation in messages if there is no description. */
const UNREADABLE = 'in an accepted format';

/** Descriptions of types and refinements of superstruct and MetaMask's packages. The types of our
 * structs are descriptions already. */
const WORDS: Record<string, string> = {
  array: 'an array',
  CaipAssetType: 'a CAIP-19 asset type',
  CaipChainId: 'a CAIP-2 chain id',
  UuidV4: 'an account id (UUIDv4)',
  bigint: 'an integer',
  boolean: 'true or false',
  enums: 'one of the allowed values',
  integer: 'an integer',
  literal: 'the only allowed value',
  max: 'in the allowed range',
  min: 'in the allowed range',
  nonempty: 'not empty',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  tuple: 'an array',
  type: 'an object',
  union: UNREADABLE,
};

/** superstruct's type for a key that is not in the struct. */
const UNEXPECTED = 'never';

/**
 * Parses a caller's value, with coercions.
 *
 * @param root - Name of the value in messages, such as `params`.
 * @throws {InvalidParamsError} With the path and the expected type, never the value.
 */
export function parse<Type>(
  value: unknown,
  struct: StructOf<Type>,
  root: string,
): Type {
  const result = validate(value, struct);
  if ('value' in result) return result.value;
  const { rejection } = result;
  const context = { path: toPath(rejection.path, root) };
  throw new InvalidParamsError(describeRejection(rejection, root), { context });
}

/** Parses params that are one object, alone or as the only entry of an array. Missing or null
 * params are an empty object. Throws `InvalidParamsError` like {@link parse}, or if the array has
 * more entries. */
export function parseObjectParams<Type>(
  params: unknown,
  struct: StructOf<Type>,
  root: string,
): Type {
  const list: unknown[] = Array.isArray(params) ? params : [params];
  const [only, ...others] = list;
  if (others.length > 0 || Array.isArray(only)) {
    throw new InvalidParamsError(`${root} must be one object.`);
  }
  return parse(only ?? {}, struct, root);
}

/** Checks a value against a struct, with coercions. Never throws. */
export function validate<Type>(
  value: unknown,
  struct: StructOf<Type>,
): Validation<Type> {
  // Copied, since superstruct converts the items of a tuple in place.
  const own: unknown = Array.isArray(value) ? [...(value as unknown[])] : value;
  const result = tryValidate(() => own, struct);
  if (result) return result;
  const printed = tryValidate(() => toPrintable(value), struct);
  return printed && 'rejection' in printed
    ? printed
    : { rejection: { path: [], expected: UNREADABLE, isMissing: false } };
}

// superstruct writes a rejected value as text, which throws for { "toString": 1 }.
function tryValidate<Type>(
  read: () => unknown,
  struct: StructOf<Type>,
): Validation<Type> | undefined {
  try {
    const [failure, value] = struct.validate(read(), { coerce: true });
    if (failure === undefined) return { value };
    const { path, type, refinement = type } = failure;
    const expected = WORDS[refinement] ?? refinement;
    return { rejection: { path, expected, isMissing: failure.value === undefined } };
  } catch {
    return undefined;
  }
}

// Copies a JSON value so that each object in it can be written as text. Validating the copy shows
// which part is rejected.
function toPrintable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    isTree(each)
      ? Object.defineProperty(each, Symbol.toPrimitive, { value: () => '' })
      : each,
  );
}

/** Returns whether a value fits a struct, possibly after coercion. */
export function matches<Type>(value: unknown, struct: StructOf<Type>): value is Type {
  return 'value' in validate(value, struct);
}

/** Describes the error of a value in one sentence, without the value. */
export function describeRejection(
  { path, expected, isMissing }: Rejection,
  root: string,
): string {
  const where = toPath(path, root);
  if (expected === UNEXPECTED) return `${where} is not expected here.`;
  return `${where} ${isMissing ? 'is missing: it must be' : 'must be'} ${expected}.`;
}

/** Formats the path of a value below a root: `params[1].types["a b"]`. */
export function toPath(keys: readonly unknown[], root: string): string {
  return keys.reduce<string>((path, key) => {
    const all = [...String(key).slice(0, 2 * MAX_KEY_LENGTH)];
    const shown = all.slice(0, MAX_KEY_LENGTH).join('');
    if (/^\d+$/u.test(shown)) return `${path}[${shown}]`;
    return /^[\w$]+$/u.test(shown) ? `${path}.${shown}` : `${path}[${quote(shown)}]`;
  }, root);
}

/** Returns whether two JSON values are equal, regardless of the order of keys. Comparison packages
 * call methods of the values, so they fail for JSON such as { "valueOf": 1 }. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isTree(one) || !isTree(other)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

// Formats a key as JSON, and escapes characters that reorder or hide text.
function quote(key: string): string {
  return JSON.stringify(key).replace(
    /[\p{Cf}\p{Co}\p{Cn}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
