// The configuration file: networks and their nodes, and any flag by its name. Its JSON schema is
// what it is checked with; --schema prints it for editors.
import { readFileSync } from 'node:fs';

import Ajv from 'ajv';

import { readJson } from './json-rpc';

/** A command line or a file that makes no sense; the message says why, and quotes no value. */
export class FlagError extends Error {}

export type NodeOptions = {
  url: string;
  /** WebSocket address; a chain without one has no subscriptions. */
  wsUrl?: string | undefined;
  /** For logs and metrics; host and port of the address by default. */
  name?: string | undefined;
};

/** A chain that is served, and its nodes: the first one that is up is asked. */
export type NetworkOptions = {
  /** The nodes are asked by default. */
  chainId?: number | undefined;
  nodes: readonly NodeOptions[];
  /** Serves nothing that is about blocks before the latest 128. */
  nearHead?: boolean | undefined;
  /** Milliseconds between blocks, measured by default; 0: the newest may be of any age. */
  blockMs?: number | undefined;
};

const node = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: { type: 'string', pattern: '^https?://', description: 'HTTP address' },
    wsUrl: { type: 'string', pattern: '^wss?://', description: 'WebSocket address' },
    name: {
      type: 'string',
      pattern: '^[\\w.:-]{1,64}$',
      description: 'its name in logs and metrics (host and port)',
    },
  },
};

const network = {
  type: 'object',
  required: ['chainId', 'nodes'],
  additionalProperties: false,
  properties: {
    chainId: { type: 'integer', minimum: 1 },
    nodes: {
      type: 'array',
      minItems: 1,
      items: node,
      description: 'the first one that is up is asked',
    },
    nearHead: { type: 'boolean', description: 'serve the latest 128 blocks only' },
    blockMs: {
      type: 'integer',
      minimum: 0,
      description: 'milliseconds between blocks (measured); 0: the newest may be old',
    },
  },
};

export function toConfigSchema(flags: Record<string, object>): Record<string, unknown> {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of the gas service',
    type: 'object',
    required: ['networks'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      networks: { type: 'array', minItems: 1, items: network },
      ...flags,
    },
  };
}

/** Reads a configuration file: its networks, and its flags as arguments of a command line. Throws a
 * FlagError if it cannot be read, or does not fit the schema. */
export function readConfig(
  file: string,
  schema: object,
): { networks: NetworkOptions[]; args: string[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FlagError(`The configuration file cannot be read (${code}).`);
  }
  const read = readJson(text);
  if (!read) throw new FlagError('The configuration file is not JSON.');
  const ajv = new Ajv();
  if (ajv.validate(schema, read.value) !== true) {
    const [error] = ajv.errors ?? [];
    const path = error?.dataPath.replaceAll(/^\.|\['|'\]/gu, '');
    const place = `The configuration file${path ? `: ${path}` : ''}`;
    const field =
      error && 'additionalProperty' in error.params
        ? `has the unknown field ${error.params.additionalProperty}`
        : error?.message;
    throw new FlagError(`${place} ${field}.`);
  }
  const { networks, $schema: _schema, ...flags } = read.value as ConfigFile;
  const args = Object.entries(flags).flatMap(([name, value]) => {
    if (typeof value === 'boolean') return value ? [`--${name}`] : [];
    return [value].flat().map((each) => `--${name}=${each}`);
  });
  return { networks, args };
}

type ConfigFile = Record<string, boolean | number | string | string[]> & {
  networks: NetworkOptions[];
};
