// superstruct's combinators with a quick check beside each struct. superstruct makes
// generators and contexts for every field, which for a receipt takes longer than all the
// rest of its way from the network; where a check says yes, the struct need not run, and
// where it says no, the struct runs to say what is wrong.
import * as superstruct from '@metamask/superstruct';
import type { Infer, ObjectSchema, Struct } from '@metamask/superstruct';

/** Tells whether a value fits a struct as it is, with nothing to convert. */
export type Check = (value: unknown) => boolean;

const checks = new WeakMap<object, Check>();

/** Find the check of a struct. Structs that convert every value, or have a part without a check,
 * have none. */
export function findCheck(struct: object): Check | undefined {
  return checks.get(struct);
}

/** Put a check beside a struct; it must say yes to nothing that the struct refuses or changes. */
export function withCheck<Checked extends object>(
  struct: Checked,
  check: Check | undefined,
): Checked {
  if (check) checks.set(struct, check);
  return struct;
}

/** A struct for an object with at least the fields of a schema. */
export function type<Schema extends ObjectSchema>(
  schema: Schema,
): ReturnType<typeof superstruct.type<Schema>> {
  const names = Object.keys(schema);
  const fields = findAll(Object.values(schema));
  // superstruct takes an array for an object whose fields are all optional.
  const struct = superstruct.refine(superstruct.type(schema), 'an object', isRecord);
  // Its own would copy an array as an object before anybody looks.
  struct.coercer = (value) => (isRecord(value) ? { ...value } : value);
  return withCheck(
    struct,
    fields &&
      ((value) =>
        isRecord(value) &&
        fields.every((fits, index) => fits(value[names[index] ?? '']))),
  );
}

/** A struct for an array of items. */
export function array<Type, Schema>(
  item: Struct<Type, Schema>,
): Struct<Type[], Struct<Type, Schema>> {
  const fits = findCheck(item);
  return withCheck(
    superstruct.array(item),
    fits && ((value) => Array.isArray(value) && value.every(fits)),
  );
}

/** A struct for an array with one item a struct. */
export function tuple<First extends Struct<any>, Rest extends Struct<any>[]>( // eslint-disable-line @typescript-eslint/no-explicit-any -- as superstruct has it
  items: [First, ...Rest],
): Struct<
  Infer<First> extends infer Head
    ? [Head, ...{ [Index in keyof Rest]: Infer<Rest[Index]> }]
    : never,
  null
> {
  const all = findAll(items);
  return withCheck(
    superstruct.tuple(items) as never,
    all &&
      ((value) =>
        Array.isArray(value) &&
        value.length === all.length &&
        all.every((fits, index) => fits(value[index]))),
  );
}

/** A struct for what may be null. */
export function nullable<Type, Schema>(
  struct: Struct<Type, Schema>,
): Struct<Type | null, Schema> {
  const fits = findCheck(struct);
  return withCheck(
    superstruct.nullable(struct),
    fits && ((value) => value === null || fits(value)),
  );
}

/** A struct for what may be undefined. */
export function optional<Type, Schema>(
  struct: Struct<Type, Schema>,
): Struct<Type | undefined, Schema> {
  const fits = findCheck(struct);
  return withCheck(
    superstruct.optional(struct),
    fits && ((value) => value === undefined || fits(value)),
  );
}

/** A struct for true or false. */
export function boolean(): Struct<boolean, null> {
  return withCheck(superstruct.boolean(), (value) => typeof value === 'boolean');
}

/** A struct for null. */
export function nothing(): Struct<null, null> {
  return withCheck(superstruct.literal(null), (value) => value === null);
}

function findAll(structs: readonly object[]): Check[] | undefined {
  const found = structs.map(findCheck);
  return found.every((check) => check !== undefined) ? found : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
