// JSON Schemas of the structs that are named in words, by their words. A struct whose words
// are not here has no schema, and `npm run docs` says so.
import type { Json } from '@metamask/utils';

/** A JSON Schema (draft 7). */
export type JsonSchema = Record<string, Json>;

/** The schema of a named struct; with a name of its own if it stands in many places. */
export type Named = { component?: string; schema: JsonSchema };

type Pattern = readonly [words: RegExp, toNamed: (...parts: string[]) => Named];

const string = (pattern: string): JsonSchema => ({ type: 'string', pattern });

const DIGIT = '[0-9a-fA-F]';

const safeInteger = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const ADDRESS = `^0x${DIGIT}{40}$`;

// What has 64 digits at most, of which `digits` tell something.
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
  'a 20-byte address in hex (in mixed case: with its EIP-55 checksum)': [
    'Address',
    string(ADDRESS),
  ],
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
  'a URL with https:// (or http:// on this machine) and without credentials in it':
    httpUrl,
  'a URL with https:// (in development builds also http:// on this machine) and without credentials in it':
    httpUrl,
  'a URL with wss:// (or ws:// on this machine) and without credentials in it': {
    ...string('^(?:wss://|ws://(?:localhost|127\\.|\\[::1\\]))[^@\\s]'),
    maxLength: 2_048,
  },
  'a 20-byte address, or null, "" or "0x" (contract creation)': {
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
  'a name (not empty, without spaces, commas and brackets)': { type: 'string' },
  'a text that is not empty': { type: 'string', minLength: 1 },
  'a type that Solidity packs (string, bool, address, bytes, integers; arrays of none but integers, bool, address and bytes32)':
    string(
      '^(?:string|bytes|(?:bool|address|bytes[0-9]+|u?int[0-9]+)(?:\\[[0-9]*\\])?)$',
    ),
  'a number': { type: 'number' },
  'a number from 0 to 1': { type: 'number', minimum: 0, maximum: 1 },
  'a number of milliseconds, 0 or more': { type: 'number', minimum: 0 },
  'a string': { type: 'string' },
  'an object': { type: 'object' },
  'an empty array': { type: 'array', maxItems: 0 },
  'a receipt': { type: 'object' },
};

const patterns: readonly Pattern[] = [
  [
    /^a quantity below 2\^(?<bits>\d+) \(hex/u,
    (words, bits = '') => ({
      component: bits === '256' ? 'Quantity' : `Quantity${bits}`,
      schema: described(words, quantity(Number(bits) / 4)),
    }),
  ],
  [
    /^(?:a quantity below 2\^64 - 1) \(hex/u,
    (words) => ({ component: 'Nonce', schema: described(words, quantity(16)) }),
  ],
  [
    /^a chain id below 2\^256, 0 for every chain \(hex/u,
    (words) => ({ schema: described(words, quantity(64)) }),
  ],
  [
    /^a quantity from 1 to .* of secp256k1 \(hex/u,
    (words) => ({ schema: described(words, { not: ZERO, ...quantity(64) }) }),
  ],
  [/^0 or 1 \(hex/u, (words) => ({ schema: described(words, smallNumbers(0, 1)) })],
  [
    /^0, 1, 27 or 28 \(hex/u,
    (words) => ({ schema: described(words, smallNumbers(0, 1, 27, 28)) }),
  ],
  [
    /^a block number in hex, or one of (?<tags>[a-z, ]+)/u,
    (words, tags = '') => ({
      component: 'Block',
      schema: described(words, {
        anyOf: [string(`^0x${DIGIT}{1,64}$`), { enum: tags.trim().split(', ') }],
      }),
    }),
  ],
  [
    /^one of (?<values>".*")$/u,
    (_words, values = '') => ({
      schema: { enum: JSON.parse(`[${values}]`) as string[] },
    }),
  ],
  [
    /^(?<bytes>\d+) bytes in hex/u,
    (words, bytes = '') => ({
      schema: described(words, string(`^0x${DIGIT}{${2 * Number(bytes)}}$`)),
    }),
  ],
  [
    /^a string of at most (?<max>\d+) characters$/u,
    (_words, max) => ({ schema: { type: 'string', maxLength: Number(max) } }),
  ],
  [
    /^a string of (?<min>\d+) to (?<max>\d+) characters$/u,
    (_words, min, max) => ({
      schema: { type: 'string', minLength: Number(min), maxLength: Number(max) },
    }),
  ],
  [
    /^an integer from (?<min>\d+) to (?<max>\d+)$/u,
    (_words, min, max) => ({
      schema: { type: 'integer', minimum: Number(min), maximum: Number(max) },
    }),
  ],
  [
    /^(?<value>\d+\.\d+\.\d+), the version of/u,
    (words, value = '') => ({ schema: described(words, { const: value }) }),
  ],
  // Fields that are named only to say why they are refused.
  [/^left out: /u, (words) => ({ schema: described(words, { not: {} }) })],
];

/**
 * Find the schema of a struct that is named in words.
 *
 * @throws {Error} If its words are not known here.
 */
export function getNamed(words: string): Named {
  const [component, schema] = components[words] ?? [];
  if (component !== undefined && schema) {
    return { component, schema: described(words, schema) };
  }
  const own = inline[words];
  if (own) return { schema: described(words, own) };
  for (const [form, toNamed] of patterns) {
    const found = form.exec(words);
    if (found) return toNamed(words, ...found.slice(1));
  }
  throw new Error(
    `There is no JSON Schema for "${words}": add one to dev/docs/schema/words.ts.`,
  );
}

function described(description: string, schema: JsonSchema): JsonSchema {
  return { description, ...schema };
}
