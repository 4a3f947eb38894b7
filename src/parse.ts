// From `unknown` to typed, once, at the edge. The messages are made here from the path
// and the expected type, because superstruct's own quote the rejected value, which may
// be a secret.
import { define } from '@metamask/superstruct';
import type { Failure, Struct } from '@metamask/superstruct';

import { InvalidParamsError } from './errors';

/** A struct that yields `Type`, whatever it is made of. */
export type StructOf<Type> = Pick<Struct<Type>, 'TYPE' | 'validate'>;

/** Longest key shown in a path; keys come from callers too. */
const MAX_KEY_LENGTH = 40;

/** superstruct's own type names in words; our structs are named in words already. */
const WORDS: Record<string, string> = {
  array: 'an array',
  bigint: 'an integer',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  tuple: 'an array',
  type: 'an object',
};

/**
 * Parse a caller's value.
 *
 * @param value - What came in.
 * @param struct - What it must be; coercions are applied.
 * @param root - How the message names the value, such as `params`.
 * @returns The typed value.
 * @throws {InvalidParamsError} Naming the path and what was expected, never the value.
 */
export function parse<Type>(
  value: unknown,
  struct: StructOf<Type>,
  root: string,
): Type {
  const [failure, parsed] = struct.validate(value, { coerce: true });
  if (failure === undefined) return parsed;
  const message = describeFailure(failure, root);
  throw new InvalidParamsError(message, { context: { path: toPath(failure, root) } });
}

/** Say what was wrong with a value in one sentence, without the value. */
export function describeFailure(
  failure: Omit<Failure, 'message'>,
  root: string,
): string {
  const path = toPath(failure, root);
  if (failure.type === 'never') return `${path} is not expected here.`;
  const expected = failure.refinement ?? WORDS[failure.type] ?? failure.type;
  const verb = failure.value === undefined ? 'is missing: it must be' : 'must be';
  return `${path} ${verb} ${expected}.`;
}

/** A struct for a string that is one of a few, named by them in messages. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
): Struct<Value, null> {
  const words = values.map((value) => JSON.stringify(value)).join(', ');
  return define<Value>(`one of ${words}`, (value) => values.includes(value as Value));
}

/** A struct for a string of bounded length. */
export function text(maxLength: number): Struct<string, null> {
  return define<string>(
    `a string of at most ${maxLength} characters`,
    (value) => typeof value === 'string' && value.length <= maxLength,
  );
}

function toPath(failure: Pick<Failure, 'path'>, root: string): string {
  return failure.path.reduce<string>((path, key: string | number) => {
    if (/^\d+$/u.test(String(key))) return `${path}[${key}]`;
    const shown = String(key).slice(0, MAX_KEY_LENGTH);
    return /^[\w$]+$/u.test(shown)
      ? `${path}.${shown}`
      : `${path}[${JSON.stringify(shown)}]`;
  }, root);
}
