// Converts the code's structs to JSON Schema, so the documents state what the code checks.
import type { Json } from '@metamask/utils';

import { findComponent } from './components';
import { getNamed, type AnyStruct, type JsonSchema, type Source } from './words';

/** Converts structs, and collects the named schemas. */
export type Converter = {
  convert: (source: Source) => JsonSchema;
  components: () => Record<string, JsonSchema>;
};

type Convert = Converter['convert'];

/** Null instead of an omitted field; the page explains it once. */
export const LEFT_OUT: JsonSchema = { type: 'null', $comment: 'The same as left out.' };

const types: Record<string, (struct: AnyStruct, convert: Convert) => JsonSchema> = {
  any: () => ({}),
  unknown: () => ({}),
  string: () => ({ type: 'string' }),
  boolean: () => ({ type: 'boolean' }),
  integer: () => ({ type: 'integer' }),
  enums: ({ schema }) => ({ enum: Object.values(schema as object) as Json[] }),
  literal: ({ schema }) => ({ const: schema as Json }),
  array: (struct, convert) => ({
    type: 'array',
    items: convert(struct.schema as AnyStruct),
    ...findBounds(struct),
  }),
  tuple: (struct, convert) => {
    const items = listItems(struct);
    return {
      type: 'array',
      items: items.map(convert),
      minItems: items.filter((item) => !isOptional(item)).length,
      additionalItems: false,
    };
  },
  record: (struct, convert) => {
    const [[, , key] = [], [, , value] = []] = struct.entries({ a: 1 }, none);
    return {
      type: 'object',
      propertyNames: convert(key as AnyStruct),
      additionalProperties: convert(value as AnyStruct),
    };
  },
  object: (struct, convert) => {
    const isOpen = struct.schema === null;
    return {
      ...toObject(struct, convert),
      ...(isOpen ? {} : { additionalProperties: false }),
    };
  },
  type: toObject,
};

// A struct's parts are listed without a value.
const none = { path: [], branch: [] } as never;

export function createConverter(): Converter {
  const components = new Map<string, JsonSchema>();
  const refer = (name: string, describe: () => JsonSchema): JsonSchema => {
    if (!components.has(name)) {
      components.set(name, {});
      components.set(name, describe());
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const convertStruct = (struct: AnyStruct): JsonSchema => {
    const [, name, whole] = findComponent(struct) ?? [];
    const describe = (): JsonSchema =>
      whole ? convert(whole) : describeStruct(struct);
    const schema = name === undefined ? describe() : refer(name, describe);
    return isNullable(struct) ? { anyOf: [schema, { type: 'null' }] } : schema;
  };
  const describeStruct = (struct: AnyStruct): JsonSchema => {
    const type = nameOf(struct);
    const own = Object.hasOwn(types, type) ? types[type] : undefined;
    if (own) return own(struct, convert);
    const { component, schema } = getNamed(type);
    return component === undefined ? schema : refer(component, () => schema);
  };
  const convert: Convert = (source) => {
    if ('validate' in source) return convertStruct(source);
    if ('anyOf' in source) return { anyOf: source.anyOf.map(convert) };
    return source.schema;
  };
  return {
    convert,
    components: () =>
      Object.fromEntries(
        [...components].sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
  };
}

export function listItems(tuple: AnyStruct): AnyStruct[] {
  return [...tuple.entries([], none)].map(([, , item]) => item as AnyStruct);
}

/** Returns whether a struct's value, or one of several, is optional. */
export function isOptional(source: Source): boolean {
  if ('anyOf' in source) return source.anyOf.some(isOptional);
  if (!('validate' in source)) return false;
  return source.type.startsWith(EXACT_OPTIONAL) || takes(source, undefined);
}

const EXACT_OPTIONAL = 'exact optional ';

function nameOf({ type }: AnyStruct): string {
  return type.startsWith(EXACT_OPTIONAL) ? type.slice(EXACT_OPTIONAL.length) : type;
}

function isNullable(struct: AnyStruct): boolean {
  const type = nameOf(struct);
  const isItself = ['any', 'unknown', 'literal'].includes(type);
  return !isItself && takes(struct, null);
}

// If callers may write null for an omitted field, the object's struct drops it.
function dropsNull({ coercer }: AnyStruct, name: string): boolean {
  return !Object.hasOwn(coercer({ [name]: null }, none) as object, name);
}

export function takes(struct: AnyStruct, value: unknown): boolean {
  const [failure] = struct.validate(value);
  return failure === undefined;
}

function toObject(struct: AnyStruct, convert: Convert): JsonSchema {
  const fields = Object.entries((struct.schema ?? {}) as Record<string, AnyStruct>);
  if (fields.length === 0) return { type: 'object' };
  const required = fields.filter(([, field]) => !isOptional(field));
  const convertField = ([name, field]: [string, AnyStruct]): [string, JsonSchema] => {
    const schema = convert(field);
    const isNull = dropsNull(struct, name) && !isNullable(field);
    return [name, isNull ? { anyOf: [schema, LEFT_OUT] } : schema];
  };
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(convertField)),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
  };
}

// An array's bounds are in its refinement's text. An empty or endless array makes it fail; the
// failure quotes the value, hence toString.
function findBounds(struct: AnyStruct): JsonSchema {
  const ofLength = (length: number): unknown[] => [
    ...struct.refiner({ length, toString: () => '' } as never, none),
  ];
  const [failure] = [...ofLength(0), ...ofLength(Infinity)] as {
    refinement?: string;
  }[];
  if (!failure) return {};
  const words = failure.refinement ?? '';
  const found = /^an array of (?<min>\d+) to (?<max>\d+) entries$/u.exec(words);
  if (!found) throw new Error(`The bounds of an array are not known: "${words}".`);
  const [min, max] = found.slice(1).map(Number);
  return { ...(min === 0 ? {} : { minItems: min ?? 0 }), maxItems: max ?? 0 };
}
