// What a JSON Schema is made from.
import type { JsonSchema } from './words';

/** As much of a struct as is looked at: structs do not widen, and this is any of them. */
export type AnyStruct = {
  type: string;
  schema: unknown;
  entries: (value: unknown, context: never) => Iterable<readonly unknown[]>;
  coercer: (value: unknown, context: never) => unknown;
  refiner: (value: never, context: never) => Iterable<unknown>;
  validate(value: unknown): readonly unknown[];
};

/** What a schema is made from: a struct, one of several, or what no struct says. */
export type Source = AnyStruct | { anyOf: readonly Source[] } | { schema: JsonSchema };
