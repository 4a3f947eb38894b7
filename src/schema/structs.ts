// The combinators that shapes are written with: superstruct's, which keyring-api brings into the
// bundle anyway, each with a quick check beside its struct. superstruct makes generators and
// contexts for every field, which for a receipt takes fifteen times as long as parsing its JSON.
// Where the check says yes, the struct need not run; where it says no, the struct runs and says
// the fault. Messages name structs in words, and never write a value into one.
import * as superstruct from '@metamask/superstruct';
import type { Infer, ObjectSchema, Struct } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

/** Returns whether a value fits a struct as it is, with nothing to convert. */
type Check = (value: unknown) => boolean;

const checks = new WeakMap<object, Check>();

const names = new WeakMap<object, string>();

/** Structs that convert every value, or have a part without a check, have none. */
export function findCheck(struct: object): Check | undefined {
  return checks.get(struct);
}

/** Finds how messages name a struct whose check decides alone. */
export function findName(struct: object): string | undefined {
  return names.get(struct);
}

/** Adds a check, which must say yes to nothing that the struct refuses or changes. */
export function withCheck<Checked extends object>(
  struct: Checked,
  check: Check | undefined,
): Checked {
  if (check) checks.set(struct, check);
  return struct;
}

/** A struct that messages name in words: `a 20-byte address`. */
export function named<Type>(
  name: string,
  isValid: (value: unknown) => boolean,
): Struct<Type, null> {
  // A text in place of false keeps superstruct from writing the value into one.
  const struct = superstruct.define<Type>(name, (value) => isValid(value) || name);
  names.set(struct, name);
  return withCheck(struct, isValid);
}

/** A struct that converts what it can; `convert` answers undefined for the rest. */
export function converted<Type>(
  name: string,
  isValid: (value: unknown) => boolean,
  convert: (value: unknown) => Type | undefined,
): Struct<Type, null> {
  return superstruct.coerce(
    named<Type>(name, isValid),
    superstruct.unknown(),
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

export function oneOf<const Value extends string>(
  values: readonly Value[],
): Struct<Value, null> {
  const words = values.map((value) => JSON.stringify(value)).join(', ');
  return named<Value>(`one of ${words}`, (value) => values.includes(value as Value));
}

export function text(maxLength: number): Struct<string, null> {
  return named<string>(
    `a string of at most ${maxLength} characters`,
    (value) => typeof value === 'string' && value.length <= maxLength,
  );
}

export function integerBetween(min: number, max: number): Struct<number, null> {
  return named<number>(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

export function callable<Type>(): Struct<Type, null> {
  return named<Type>('a function', (value) => typeof value === 'function');
}

/** A struct for any value, undefined included. */
export function anything(): Struct<unknown, null> {
  return named<unknown>('anything', () => true);
}

export function boolean(): Struct<boolean, null> {
  return withCheck(superstruct.boolean(), (value) => typeof value === 'boolean');
}

export function nothing(): Struct<null, null> {
  return withCheck(superstruct.literal(null), (value) => value === null);
}

export function nullable<Type, Schema>(
  struct: Struct<Type, Schema>,
): Struct<Type | null, Schema> {
  const fits = findCheck(struct);
  return withCheck(
    superstruct.nullable(struct),
    fits && ((value) => value === null || fits(value)),
  );
}

export function optional<Type, Schema>(
  struct: Struct<Type, Schema>,
): Struct<Type | undefined, Schema> {
  const fits = findCheck(struct);
  return withCheck(
    superstruct.optional(struct),
    fits && ((value) => value === undefined || fits(value)),
  );
}

export function array<Type, Schema>(
  item: Struct<Type, Schema>,
): Struct<Type[], Struct<Type, Schema>> {
  const fits = findCheck(item);
  return withCheck(
    superstruct.array(item),
    fits && ((value) => Array.isArray(value) && value.every(fits)),
  );
}

/** A struct for an array of bounded length. One that is too long is not walked. */
export function list<Type, Schema>(
  item: Struct<Type, Schema>,
  { min = 0, max }: { min?: number; max: number },
): Struct<Type[], Struct<Type, Schema>> {
  const words = `an array of ${min} to ${max} entries`;
  const isBounded = ({ length }: { length: number }): boolean =>
    length >= min && length <= max;
  const hasLength = (value: unknown): value is unknown[] =>
    Array.isArray(value) && isBounded(value);
  const plain = superstruct.array(item);
  const struct = superstruct.refine(plain, words, (value) => isBounded(value) || words);
  const { entries, coercer } = struct;
  struct.entries = (value, context) =>
    hasLength(value) ? entries(value, context) : [];
  struct.coercer = (value, context) =>
    hasLength(value) ? coercer(value, context) : value;
  const fits = findCheck(item);
  return withCheck(struct, fits && ((value) => hasLength(value) && value.every(fits)));
}

/** As {@link list}. Some servers and clients write null for an empty one. */
export function listOrNull<Type, Schema>(
  item: Struct<Type, Schema>,
  bounds: { max: number },
): Struct<Type[], Struct<Type, Schema>> {
  const struct = list(item, bounds);
  return withCheck(
    superstruct.coerce(struct, nothing(), () => []),
    findCheck(struct),
  );
}

// oxlint-disable typescript/no-explicit-any -- as superstruct has it

/** The values of a tuple. Optional ones at its end may be left out. */
type Values<Items extends Struct<any>[]> = Items extends [
  ...infer Before extends Struct<any>[],
  infer Last extends Struct<any>,
]
  ? undefined extends Infer<Last>
    ? [...Values<Before>, Infer<Last>?]
    : { [Index in keyof Items]: Infer<Items[Index]> }
  : [];

export function tuple<First extends Struct<any>, Rest extends Struct<any>[]>(
  items: [First, ...Rest],
): Struct<Values<[First, ...Rest]>, null> {
  const all = findChecks(items);
  return withCheck(
    superstruct.tuple(items) as never,
    all &&
      ((value) =>
        Array.isArray(value) &&
        value.length === all.length &&
        all.every((fits, index) => fits(value[index]))),
  );
}

// oxlint-enable typescript/no-explicit-any

export function literal<const Value extends string | number | boolean>(
  constant: Value,
): Struct<Value, null> {
  const struct = superstruct.literal(constant as unknown) as Struct<Value, null>;
  return withCheck(struct, (value) => value === constant);
}

/** A struct for a field that an {@link object} may lack, but that is never undefined. */
export function exactOptional<Type, Schema>(
  struct: Struct<Type, Schema>,
): superstruct.ExactOptionalStruct<Type, Schema> {
  return withCheck(superstruct.exactOptional(struct), findCheck(struct));
}

/** A struct whose value appears in no error. */
export function sensitive<Type, Schema>(
  struct: Struct<Type, Schema>,
): Struct<Type, Schema> {
  return withCheck(superstruct.sensitive(struct), findCheck(struct));
}

/** A struct for an object with the fields of a schema and no others. */
export function object<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof superstruct.object<Schema>> {
  const fields = Object.entries(schema);
  const all = findChecks(Object.values(schema));
  const mayLack = fields.map(([, struct]) =>
    superstruct.ExactOptionalStruct.isExactOptional(struct),
  );
  return withCheck(
    superstruct.object(schema),
    all &&
      ((value) =>
        isObject(value) &&
        Object.keys(value).every((name) => Object.hasOwn(schema, name)) &&
        fields.every(
          ([name], index) =>
            (mayLack[index] && !Object.hasOwn(value, name)) ||
            all[index]?.(value[name]),
        )),
  );
}

/** A struct for an object with some of the fields of a schema and no others. */
export function partial<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof superstruct.partial<Schema>> {
  const fields = Object.entries(schema);
  return object(
    Object.fromEntries(fields.map(([name, struct]) => [name, optional(struct)])),
  ) as never;
}

export function record<Key extends string, Type>(
  key: Struct<Key, null>,
  item: Struct<Type, unknown>,
): Struct<Record<Key, Type>, null> {
  const [isKey, fits] = [findCheck(key), findCheck(item)];
  const struct = superstruct.record(key, item);
  return withCheck(
    // superstruct takes an array for an object.
    superstruct.refine(struct, 'an object', isObject),
    isKey &&
      fits &&
      ((value) =>
        isObject(value) &&
        Object.entries(value).every(([name, each]) => isKey(name) && fits(each))),
  );
}

/** A struct for an object with at least the fields of a schema. */
export function type<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof superstruct.type<Schema>> {
  const names = Object.keys(schema);
  const fields = findChecks(Object.values(schema));
  // superstruct takes an array for an object whose fields are all optional.
  const struct = superstruct.refine(superstruct.type(schema), 'an object', isObject);
  // The default would copy an array as an object before the check.
  struct.coercer = (value) => (isObject(value) ? { ...value } : value);
  return withCheck(
    struct,
    fields &&
      ((value) =>
        isObject(value) &&
        fields.every((fits, index) => fits(value[names[index] ?? '']))),
  );
}

/** Returns whether an optional param was left out: many clients write null for that. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A struct for an object as callers give it: `exactOptional` fields are dropped if they are null. */
export function paramObject<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof superstruct.object<Schema>> {
  const isOptional = (name: string): boolean =>
    Object.hasOwn(schema, name) &&
    superstruct.ExactOptionalStruct.isExactOptional(schema[name]);
  const isGiven = ([name, value]: [string, unknown]): boolean =>
    !isAbsent(value) || !isOptional(name);
  return new superstruct.Struct({
    ...superstruct.object(schema),
    // superstruct takes an array for an object; a text is as in `named`.
    validator: (value) => isObject(value) || 'an object',
    coercer: (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(isGiven))
        : value,
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
  const choose = (value: unknown): Struct<First | Second> => {
    const isMeant = isObject(value) && isFirst(value);
    // Structs do not widen, since they could be given what they yield.
    return (isMeant ? first : second) as unknown as Struct<First | Second>;
  };
  const hasChecks = findChecks([first, second]) !== undefined;
  const check = (value: unknown): boolean => findCheck(choose(value))?.(value) ?? false;
  return withCheck(
    superstruct.dynamic<First | Second>(choose),
    hasChecks ? check : undefined,
  );
}

function findChecks(structs: readonly object[]): Check[] | undefined {
  const found = structs.map(findCheck);
  return found.every((check) => check !== undefined) ? found : undefined;
}
