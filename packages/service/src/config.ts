// The configuration file: networks and their nodes, and other flags by name. A JSON schema checks
// the file and the command line; --schema prints it for editors.
import { readFileSync } from 'node:fs';

import Ajv from 'ajv';

import { readJson } from './json-rpc';

/** Maximum value of numeric options: longer times would overflow Node's timers. */
export const MAX_NUMBER = 2 ** 31 - 1;

/** An invalid command line or file. The message says why, without quoting values. */
export class FlagError extends Error {}

export type NodeOptions = {
  url: string;
  /** WebSocket address. If no node of a chain has one, the chain has no subscriptions. */
  wsUrl?: string | undefined;
  /** Name in logs and metrics. Default: host and port of the address, without a key. */
  name?: string | undefined;
};

/** A chain and its nodes; calls go to the first available one. */
export type NetworkOptions = {
  /** Default: the chain id that the nodes report. */
  chainId?: number | undefined;
  nodes: readonly NodeOptions[];
  /** Whether to serve the latest 128 blocks only. */
  nearHead?: boolean | undefined;
  /** Block time in ms, measured by default. With 0, the newest block may be arbitrarily old. */
  blockMs?: number | undefined;
};

export const addresses = {
  http: { type: 'string', format: 'uri', pattern: '^https?://' },
  ws: { type: 'string', format: 'uri', pattern: '^wss?://[^#]*$' },
  redis: { type: 'string', format: 'uri', pattern: '^rediss?://' },
};

const node = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: { ...addresses.http, description: 'HTTP address' },
    wsUrl: { ...addresses.ws, description: 'WebSocket address' },
    name: {
      type: 'string',
      pattern: '^[\\w.:-]{1,64}$',
      description: 'name in logs and metrics (host and port)',
    },
  },
};

export const networkSchema = {
  type: 'object',
  required: ['chainId', 'nodes'],
  additionalProperties: false,
  properties: {
    chainId: { type: 'integer', minimum: 1 },
    nodes: {
      type: 'array',
      minItems: 1,
      items: node,
      description: 'nodes; requests go to the first available one',
    },
    nearHead: { type: 'boolean', description: 'serve the latest 128 blocks only' },
    blockMs: {
      type: 'integer',
      minimum: 0,
      description: 'milliseconds between blocks (measured); 0: the newest may be old',
    },
  },
};

/** Throws a FlagError if a value does not fit a schema. The error names the place, but does not
 * quote the value. `isText` converts strings to what the schema wants: numbers, booleans or lists.
 * `isSecret` keeps the names of unknown fields out of the error. */
export function check(
  value: unknown,
  schema: object,
  how: { toPlace: (path: string) => string; isText?: boolean; isSecret?: boolean },
): void {
  const ajv = new Ajv({
    formats: { uri: (text: string) => URL.canParse(text) },
    coerceTypes: how.isText ? 'array' : false,
  });
  if (ajv.validate(schema, value) === true) return;
  const [{ dataPath = '', message = '', params = {} } = {}] = ajv.errors ?? [];
  const place = how.toPlace(dataPath.replaceAll(/^\.|^\['|'\]/gu, ''));
  const unknown =
    'additionalProperty' in params ? params.additionalProperty : undefined;
  const field = how.isSecret ? 'an unknown field' : `the unknown field ${unknown}`;
  const wrong = unknown === undefined ? message : `has ${field}`;
  const allowed =
    'allowedValues' in params ? `: ${params.allowedValues.join(', ')}` : '';
  throw new FlagError(`${place} ${wrong}${allowed}.`);
}

/** Reads a JSON file. Throws a FlagError if it cannot be read or is not JSON. */
export function readJsonFile(file: string, what: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FlagError(`${what} cannot be read (${code}).`);
  }
  const read = readJson(text);
  if (!read) throw new FlagError(`${what} is not JSON.`);
  return read.value;
}

export function readConfig(
  file: string,
  schema: object,
): { networks: NetworkOptions[] } & Record<string, unknown> {
  const what = 'The configuration file';
  const value = readJsonFile(file, what);
  check(value, schema, { toPlace: (path) => `${what}${path ? `: ${path}` : ''}` });
  return value as ReturnType<typeof readConfig>;
}
