// Structs for the values of this project, made with superstruct. Messages name a value by the type
// of its struct, so the types here are words: "a 20-byte address in hex".
import {
  array,
  coerce,
  define,
  dynamic,
  ExactOptionalStruct,
  literal,
  object,
  refine,
  unknown,
} from '@metamask/superstruct';
import type { ObjectSchema, Struct } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

/** A struct that converts what it can; `convert` answers undefined for the rest. */
export function converted<Type>(
  name: string,
  isValid: (value: unknown) => boolean,
  convert: (value: unknown) => Type | undefined,
): Struct<Type, null> {
  return coerce(
    define<Type>(name, isValid),
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
  return converted<Type>(name, isValid, (value) =>
    isValid(value) ? normalize(value as Type) : undefined,
  );
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
): Struct<Value, null> {
  const words = values.map((value) => JSON.stringify(value)).join(', ');
  return define<Value>(`one of ${words}`, (value) => values.includes(value as Value));
}

export function text(maxLength: number): Struct<string, null> {
  return define<string>(
    `a string of at most ${maxLength} characters`,
    (value) => typeof value === 'string' && value.length <= maxLength,
  );
}

export function integerBetween(min: number, max: number): Struct<number, null> {
  return define<number>(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

export function callable<Type>(): Struct<Type, null> {
  return define<Type>('a function', (value) => typeof value === 'function');
}

/** A struct for an array of bounded length. */
export function list<Type, Schema>(
  item: Struct<Type, Schema>,
  { min = 0, max }: { min?: number; max: number },
): Struct<Type[], Struct<Type, Schema>> {
  return refine(
    array(item),
    `an array of ${min} to ${max} entries`,
    ({ length }) => length >= min && length <= max,
  );
}

/** As {@link list}. Some servers and clients write null for an empty one. */
export function listOrNull<Type, Schema>(
  item: Struct<Type, Schema>,
  bounds: { max: number },
): Struct<Type[], Struct<Type, Schema>> {
  return coerce(list(item, bounds), literal(null), () => []);
}

/** Returns whether an optional param was left out: many clients write null for that. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A struct for an object as callers give it: `exactOptional` fields are dropped if they are null. */
export function paramObject<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof object<Schema>> {
  const optional = Object.keys(schema).filter((name) =>
    ExactOptionalStruct.isExactOptional(schema[name]),
  );
  return coerce(object(schema), define('an object', isObject), (given) => {
    const fields: Record<string, unknown> = { ...(given as object) };
    for (const name of optional) if (isAbsent(fields[name])) delete fields[name];
    return fields;
  });
}

/** A struct for one of two forms: a message names the fault in the form that was meant, where a union
 * could only say that neither fits. `isFirst` decides by an object's fields which form is meant; a
 * value that is no object is checked against the second. */
export function eitherOf<First, Second>(
  isFirst: (value: Record<PropertyKey, unknown>) => boolean,
  first: Struct<First, ObjectSchema>,
  second: Struct<Second, ObjectSchema>,
): Struct<First | Second, null> {
  return dynamic<First | Second>(
    (value) =>
      // Structs do not widen, since they could be given what they yield.
      (isObject(value) && isFirst(value) ? first : second) as unknown as Struct<
        First | Second
      >,
  );
}
