// JSON Schemas of structs, keyed by the description of each struct. `npm run docs` fails for an
// unknown description.
import type { Json } from '@metamask/utils';

/** A JSON Schema (draft 7). */
export type JsonSchema = Record<string, Json>;

/** The common supertype of all structs: `Struct<T>` itself is invariant in `T`. */
export type AnyStruct = {
  type: string;
  schema: unknown;
  entries: (value: unknown, context: never) => Iterable<readonly unknown[]>;
  coercer: (value: unknown, context: never) => unknown;
  refiner: (value: never, context: never) => Iterable<unknown>;
  validate(value: unknown): readonly unknown[];
};

/** Source of a schema: a struct, alternatives, or a schema itself. */
export type Source = AnyStruct | { anyOf: readonly Source[] } | { schema: JsonSchema };

/** The schema for a description, with a name if it is shared. */
export type Named = { component?: string | undefined; schema: JsonSchema };

const string = (pattern: string): JsonSchema => ({ type: 'string', pattern });

const DIGIT = '[0-9a-fA-F]';

const safeInteger = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const ADDRESS = `^0x${DIGIT}{40}$`;

// Has at most 64 digits, all but the last `digits` of which are zeros.
function quantity(digits: number): JsonSchema {
  const hex = `0x(?=${DIGIT}{1,64}$)0*${DIGIT}{0,${digits}}`;
  return { anyOf: [string(`^(?:${hex}|[0-9]{1,78})$`), safeInteger] };
}

const ZERO = { anyOf: [string('^(?:0x)?0*$'), { const: 0 }] };

function smallNumbers(...values: readonly number[]): JsonSchema {
  const hex = values.map((value) => value.toString(16)).join('|');
  const forms = `0x(?=${DIGIT}{1,64}$)0*(?:${hex})|(?=[0-9]{1,78}$)0*(?:${values.join('|')})`;
  return { anyOf: [string(`^(?:${forms})$`), { enum: [...values] }] };
}

const CHAIN_ID =
  `^(?:eip155:)?(?!(?:0x)?0*$)(?:0x(?=${DIGIT}{1,64}$)0*${DIGIT}{1,16}|` +
  '[0-9]{1,78})$';

const components: Record<string, readonly [component: string, schema: JsonSchema]> = {
  'a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31)':
    ['Address', string(ADDRESS)],
  'a 20-byte address in hex': ['NodeAddress', string(ADDRESS)],
  'bytes in hex (0x and an even number of digits; 1 MB at most)': [
    'Bytes',
    { ...string(`^0x(?:${DIGIT}{2})*$`), maxLength: 2_000_002 },
  ],
  'bytes in hex (0x and an even number of digits)': [
    'NodeBytes',
    string(`^0x(?:${DIGIT}{2})*$`),
  ],
  'a 32-byte value in hex (0x and 64 digits)': ['Hash', string(`^0x${DIGIT}{64}$`)],
  'a hex quantity': ['HexQuantity', string(`^0x${DIGIT}{1,64}$`)],
  'a hex quantity, written as 32 bytes': ['SignatureWord', string(`^0x${DIGIT}{64}$`)],
  'a chain id (hex, decimal or CAIP-2 such as "eip155:1")': [
    'ChainId',
    { anyOf: [string(CHAIN_ID), { ...safeInteger, minimum: 1 }] },
  ],
  'a CAIP-2 chain id such as "eip155:1"': [
    'Scope',
    string('^eip155:(?:0|[1-9][0-9]{0,19})$'),
  ],
  'a decimal string in gwei': ['Gwei', string('^[0-9]{1,60}(?:\\.[0-9]{1,60})?$')],
};

const httpUrl: JsonSchema = {
  ...string('^(?:https://|http://(?:localhost|127\\.|\\[::1\\]))[^@\\s]'),
  maxLength: 2_048,
};

const inline: Record<string, JsonSchema> = {
  'a URL that starts with https:// (or http:// on this machine) and has no credentials':
    httpUrl,
  'a URL that starts with https:// (in development builds also http:// on this machine) and has no credentials':
    httpUrl,
  'a URL that starts with wss:// (or ws:// on this machine) and has no credentials': {
    ...string('^(?:wss://|ws://(?:localhost|127\\.|\\[::1\\]))[^@\\s]'),
    maxLength: 2_048,
  },
  'a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31), or null, "" or "0x" (contract creation)':
    {
      anyOf: [string(ADDRESS), { enum: ['', '0x'] }],
    },
  'bytes in hex (0x and an even number of digits; 1 MB at most) or ""': {
    ...string(`^(?:0x(?:${DIGIT}{2})*)?$`),
    maxLength: 2_000_002,
  },
  'a versioned hash of EIP-4844 (0x01 and 62 digits)': string(`^0x01${DIGIT}{62}$`),
  'an address or the id of an account': {
    anyOf: [string(ADDRESS), string('^[0-9a-f-]{36}$')],
  },
  'a non-empty string': { type: 'string', minLength: 1 },
  'a type that Solidity packs (string, bool, address, bytes, integers; arrays only of integers, bool, address and bytes32)':
    string(
      '^(?:string|bytes|(?:bool|address|bytes[0-9]+|u?int[0-9]+)(?:\\[[0-9]*\\])?)$',
    ),
  'a number from 0 to 1': { type: 'number', minimum: 0, maximum: 1 },
  'a number of milliseconds, 0 or more': { type: 'number', minimum: 0 },
  'a string': { type: 'string' },
  'a well-formed string (no lone surrogates)': { type: 'string' },
  'an object': { type: 'object' },
};

type ToSchema = (...parts: string[]) => JsonSchema;

/** Patterns of descriptions that the schema repeats as its `description`, and names of schemas. */
const patterns: readonly (readonly [words: RegExp, ToSchema, component?: string])[] = [
  [/^a quantity below 2\^256 \(hex/u, () => quantity(64), 'Quantity'],
  [
    /^a quantity below 2\^(?<bits>\d+) \(hex/u,
    (bits) => quantity(Number(bits) / 4),
    'Quantity$<bits>',
  ],
  [/^(?:a quantity below 2\^64 - 1) \(hex/u, () => quantity(16), 'Nonce'],
  [/^a chain id below 2\^256, 0 for every chain \(hex/u, () => quantity(64)],
  [
    /^a quantity from 1 to .* of secp256k1 \(hex/u,
    () => ({ not: ZERO, ...quantity(64) }),
  ],
  [/^0 or 1 \(hex/u, () => smallNumbers(0, 1)],
  [/^0, 1, 27 or 28 \(hex/u, () => smallNumbers(0, 1, 27, 28)],
  [
    /^a block number in hex, or one of (?<tags>[a-z, ]+)/u,
    (tags = '') => ({
      anyOf: [string(`^0x${DIGIT}{1,64}$`), { enum: tags.trim().split(', ') }],
    }),
    'Block',
  ],
  [
    /^(?<bytes>\d+) bytes in hex/u,
    (bytes) => string(`^0x${DIGIT}{${2 * Number(bytes)}}$`),
  ],
  [/^(?<value>\d+\.\d+\.\d+), the version of/u, (value = '') => ({ const: value })],
  // Forbidden fields, listed so that their error can explain why.
  [/^left out: /u, () => ({ not: {} })],
];

/** Patterns of descriptions that the schema already expresses, and so omits. */
const plain: readonly (readonly [words: RegExp, ToSchema])[] = [
  [
    /^one of (?<values>".*")$/u,
    (values = '') => ({ enum: JSON.parse(`[${values}]`) as string[] }),
  ],
  [
    /^a string of at most (?<max>\d+) characters$/u,
    (max) => ({ type: 'string', maxLength: Number(max) }),
  ],
  [
    /^a string of (?<min>\d+) to (?<max>\d+) characters$/u,
    (min, max) => ({ type: 'string', minLength: Number(min), maxLength: Number(max) }),
  ],
  [
    /^an integer from (?<min>\d+) to (?<max>\d+)$/u,
    (min, max) => ({ type: 'integer', minimum: Number(min), maximum: Number(max) }),
  ],
];

/** Finds the schema for the description of a struct. Throws if the description is unknown. */
export function getNamed(description: string): Named {
  const [component, schema = inline[description]] = components[description] ?? [];
  if (schema) return { component, schema: { description, ...schema } };
  for (const [form, toSchema, name] of patterns) {
    const found = form.exec(description);
    if (!found) continue;
    return {
      component: name && found[0].replace(form, name),
      schema: { description, ...toSchema(...found.slice(1)) },
    };
  }
  for (const [form, toSchema] of plain) {
    const found = form.exec(description);
    if (found) return { schema: toSchema(...found.slice(1)) };
  }
  throw new Error(
    `There is no JSON Schema for "${description}": add one to dev/docs/schema/words.ts.`,
  );
}
