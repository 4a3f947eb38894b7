// Factories of superstruct structs. Error messages quote the type of a struct, so types are English
// phrases, such as "a 20-byte address in hex".
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

/** A struct that converts values before validation. `convert` returns undefined to leave a value
 * unchanged. */
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

/** Like {@link list}, but reads null as an empty array, because some servers and clients send
 * null. */
export function listOrNull<Type, Schema>(
  item: Struct<Type, Schema>,
  bounds: { max: number },
): Struct<Type[], Struct<Type, Schema>> {
  return coerce(list(item, bounds), literal(null), () => []);
}

/** Returns whether an optional param was left out; many clients send null instead. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A struct for an object in params. Drops `exactOptional` fields that are null. */
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

/** A struct for either of two object forms. Unlike a union, it reports errors for the intended
 * form, which `isFirst` selects. Other values are checked against the second form. */
export function eitherOf<First, Second>(
  isFirst: (value: Record<PropertyKey, unknown>) => boolean,
  first: Struct<First, ObjectSchema>,
  second: Struct<Second, ObjectSchema>,
): Struct<First | Second, null> {
  return dynamic<First | Second>(
    (value) =>
      // `Struct<T>` is invariant in `T`.
      (isObject(value) && isFirst(value) ? first : second) as unknown as Struct<
        First | Second
      >,
  );
}
