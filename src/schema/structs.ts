// Structs that messages can name in words, and that never write a value into one.
import {
  coerce,
  define,
  dynamic,
  ExactOptionalStruct,
  object,
  refine,
  Struct,
  unknown,
} from '@metamask/superstruct';
import type { ObjectSchema } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import { array, findCheck, withCheck } from './quick';

/** A struct that messages name in words: `a 20-byte address`. */
export function named<Type>(
  name: string,
  isValid: (value: unknown) => boolean,
): Struct<Type, null> {
  // A text in place of false keeps superstruct from writing the value into one.
  const struct = define<Type>(name, (value) => isValid(value) || name);
  return withCheck(struct, isValid);
}

/** A struct that converts what it can; `convert` answers undefined for the rest. */
export function converted<Type>(
  name: string,
  isValid: (value: unknown) => boolean,
  convert: (value: unknown) => Type | undefined,
): Struct<Type, null> {
  return coerce(
    named<Type>(name, isValid),
    unknown(),
    (value) => convert(value) ?? value,
  );
}

/** A struct for a text that has a normal form, which is what it yields. */
export function normalized<Type extends string>(
  name: string,
  isValid: (value: unknown) => boolean,
  normalize: (value: Type) => Type,
): Struct<Type, null> {
  const find = (value: unknown): Type | undefined =>
    isValid(value) ? normalize(value as Type) : undefined;
  return withCheck(
    converted<Type>(name, isValid, find),
    (value) => value !== undefined && find(value) === value,
  );
}

/** A struct for a string that is one of a few, named by them in messages. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
): Struct<Value, null> {
  const words = values.map((value) => JSON.stringify(value)).join(', ');
  return named<Value>(`one of ${words}`, (value) => values.includes(value as Value));
}

/** Tells whether an optional param was left out: many clients write null for that. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A struct for a string of bounded length. */
export function text(maxLength: number): Struct<string, null> {
  return named<string>(
    `a string of at most ${maxLength} characters`,
    (value) => typeof value === 'string' && value.length <= maxLength,
  );
}

/** A struct for an integer within bounds, both included. */
export function integerBetween(min: number, max: number): Struct<number, null> {
  return named<number>(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

/** A struct for an array of bounded length. One that is too long is not walked. */
export function list<Type, Schema>(
  item: Struct<Type, Schema>,
  { min = 0, max }: { min?: number; max: number },
): Struct<Type[], Struct<Type, Schema>> {
  const isBounded = ({ length }: { length: number }): boolean =>
    length >= min && length <= max;
  const hasLength = (value: unknown): value is unknown[] =>
    Array.isArray(value) && isBounded(value);
  const words = `an array of ${min} to ${max} entries`;
  const struct = refine(array(item), words, (value) => isBounded(value) || words);
  const { entries, coercer } = struct;
  struct.entries = (value, context) =>
    hasLength(value) ? entries(value, context) : [];
  struct.coercer = (value, context) =>
    hasLength(value) ? coercer(value, context) : value;
  const fits = findCheck(item);
  return withCheck(struct, fits && ((value) => hasLength(value) && value.every(fits)));
}

/**
 * A struct for an object as callers give it: optional fields that are null are dropped, as
 * if they had been left out.
 *
 * @param schema - Its fields; those that may be left out are `exactOptional`.
 */
export function paramObject<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof object<Schema>> {
  const isOptional = (name: string): boolean =>
    Object.hasOwn(schema, name) && ExactOptionalStruct.isExactOptional(schema[name]);
  const isGiven = ([name, value]: [string, unknown]): boolean =>
    !isAbsent(value) || !isOptional(name);
  return new Struct({
    ...object(schema),
    // superstruct takes an array for an object; a text is as in `named`.
    validator: (value) => isObject(value) || 'an object',
    coercer: (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(isGiven))
        : value,
  });
}

/**
 * A struct for one of two forms: a message names what is wrong with the form that was
 * meant, where a union could only say that neither fits.
 *
 * @param isFirst - Tells from an object's fields which form is meant; what is no object
 * is checked against the second.
 */
export function eitherOf<First, Second>(
  isFirst: (value: Record<PropertyKey, unknown>) => boolean,
  first: Struct<First, ObjectSchema>,
  second: Struct<Second, ObjectSchema>,
): Struct<First | Second, null> {
  const choose = (value: unknown): Struct<First | Second> => {
    const isMeant = isObject(value) && isFirst(value);
    // Structs do not widen, since they could be given what they yield.
    return (isMeant ? first : second) as unknown as Struct<First | Second>;
  };
  const hasChecks = findCheck(first) !== undefined && findCheck(second) !== undefined;
  const check = (value: unknown): boolean => findCheck(choose(value))?.(value) ?? false;
  return withCheck(dynamic<First | Second>(choose), hasChecks ? check : undefined);
}
