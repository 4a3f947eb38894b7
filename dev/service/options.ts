// The options of a service, by a program or on the command line, and their defaults.
import { parseArgs, type ParseArgsConfig } from 'node:util';

import { parse } from '../../src/schema/parse';
import { integerBetween, named } from '../../src/schema/structs';
import { FlagError, readConfig, toConfigSchema, type NetworkOptions } from './config';
import type { FaultSource } from './faults';

/** The flags of a service, as help shows them: everything else about a flag is read from its line.
 * Defaults of limits are in parentheses at the end. */
const flagTexts = `  --config FILE         JSON file of networks and their nodes, and of any flag by its name
  --rpc-url URL         HTTP address of the node; or there is --config
  --rpc-ws-url URL      its WebSocket address: for subscriptions, and to hear of blocks
  --key K               API key that callers must bring
  --secret S            secret that belongs to it
  --keys FILE           JSON file of keys by name, read again when it changes
  --require-secret      refuse a key in a path without key:secret in the header
  --redis URL           Redis or Valkey that all instances share (each counts for itself)
  --host H              interface to listen on (127.0.0.1)
  --port N              port to listen on (0: any free one)
  --metrics-host H      interface of the metrics (127.0.0.1)
  --metrics-port N      port of the metrics (none)
  --log-level L         debug (each request), info, warn, error (info)
  --near-head           serve the latest 128 blocks only: no archive requests
  --allow-origin O      origin that may ask; repeat for more (all)
  --block-time N        milliseconds between blocks (measured); 0: the newest may be of any age
  --help                this text
  --version             the version
  --schema              the JSON schema of the configuration file
  --rate N              requests of a key per second (no limit); a batch of N is N + 1
  --rate-window N       seconds for which the rate is counted (1)
  --daily-limit N       requests of a key per day, UTC (no limit)
  --max-body N          bytes of a body or message (1000000)
  --max-batch N         calls in a batch (1000)
  --max-connections N   HTTP connections (1000)
  --max-idle N          connections of an address without a request yet (100)
  --request-timeout N   milliseconds that a connection has for a whole request (10000)
  --max-web-sockets N   WebSockets (500)
  --node-timeout N      milliseconds that the node has for an answer (10000)
  --node-check N        milliseconds between two checks of the nodes (5000)
  --node-slow N         milliseconds for a check after which a node is left out (2000)
  --node-lag N          blocks by which a node may differ from the others (3)
  --hedge N             milliseconds until another node is asked as well; 0: never (1000)
  --cache N             bytes of final answers that a network keeps in memory (64000000)
  --drain N             milliseconds from SIGTERM until new connections are refused (0)
  --stop-timeout N      milliseconds that requests have to be finished after that (5000)
`;

/** Flags that can be given several times. */
const MULTIPLE = ['allow-origin'];

const flags = [...flagTexts.matchAll(/^ {2}--(\S+) ([A-Z]*) +(.+)$/gmu)].map(
  ([, name = '', value = '', help = '']) => ({ name, value, help }),
);

/** Limits: the flag or the default of each, and the minimum. 0 is no limit where it is allowed. */
const limitTable = {
  ratePerSecond: { flag: 'rate', least: 0 },
  rateSeconds: { flag: 'rate-window', least: 1 },
  /** From midnight to midnight. */
  perDay: { flag: 'daily-limit', least: 0 },
  bodyBytes: { flag: 'max-body', least: 1 },
  /** As many as our client sends at once. */
  batchLength: { flag: 'max-batch', least: 1 },
  /** WebSockets among them. */
  connections: { flag: 'max-connections', least: 1 },
  idlePerAddress: { flag: 'max-idle', least: 1 },
  requestTimeoutMs: { flag: 'request-timeout', least: 1 },
  webSockets: { flag: 'max-web-sockets', least: 0 },
  nodeTimeoutMs: { flag: 'node-timeout', least: 1 },
  nodeCheckMs: { flag: 'node-check', least: 1 },
  nodeSlowMs: { flag: 'node-slow', least: 1 },
  nodeLag: { flag: 'node-lag', least: 0 },
  hedgeMs: { flag: 'hedge', least: 0 },
  cacheBytes: { flag: 'cache', least: 0 },
  /** Milliseconds for which the number of the newest block is believed. */
  headMaxAgeMs: { given: 500, least: 0 },
  /** Milliseconds between two looks at the key file. */
  keysCheckMs: { given: 1_000, least: 1 },
  drainMs: { flag: 'drain', least: 0 },
  stopTimeoutMs: { flag: 'stop-timeout', least: 0 },
};

export type Limits = Record<keyof typeof limitTable, number>;

const limitRows: [string, { flag?: string; given?: number; least: number }][] =
  Object.entries(limitTable);

/** What the flags below say, for programs. Fields that are left out have the defaults of the flags,
 * but nothing is logged without a level. */
export type ServiceOptions = {
  /** Chains; or there are `nodeUrl` and the four below, for one chain with one node. */
  networks?: readonly NetworkOptions[] | undefined;
  nodeUrl?: string | undefined;
  nodeWsUrl?: string | undefined;
  chainId?: number | undefined;
  nearHead?: boolean | undefined;
  blockMs?: number | undefined;
  apiKey?: string | undefined;
  apiKeySecret?: string | undefined;
  requireSecret?: boolean | undefined;
  keysFile?: string | undefined;
  redisUrl?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  metricsHost?: string | undefined;
  metricsPort?: number | undefined;
  logLevel?: string | undefined;
  /** With a list, a request without an Origin is refused, too. */
  allowOrigins?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
  /** Lets tests ask for faults, see faults.ts; not part of the build. */
  faults?: FaultSource | undefined;
};

const addressOf = (...protocols: readonly string[]): ReturnType<typeof named<string>> =>
  named<string>(
    `an address that begins with ${protocols.join('// or ')}//`,
    (value) =>
      typeof value === 'string' &&
      URL.canParse(value) &&
      protocols.includes(new URL(value).protocol),
  );

const HttpUrlStruct = addressOf('http:', 'https:');
const WsUrlStruct = addressOf('ws:', 'wss:');
const RedisUrlStruct = addressOf('redis:', 'rediss:');
const ChainIdStruct = integerBetween(1, Number.MAX_SAFE_INTEGER);

/** Lists the chains that options name; errors name the option, never its value. */
export function parseNetworks(options: ServiceOptions): readonly NetworkOptions[] {
  const { nodeUrl: url = '', nodeWsUrl: wsUrl, chainId, nearHead, blockMs } = options;
  const only = { chainId, nodes: [{ url, wsUrl }], nearHead, blockMs };
  const networks = options.networks ?? [only];
  for (const [place, { chainId: id, nodes }] of networks.entries()) {
    const name = (path: string, ofOnly: string): string =>
      options.networks ? `networks[${place}].${path}` : ofOnly;
    if (id !== undefined) parse(id, ChainIdStruct, name('chainId', 'The chain id'));
    for (const [index, node] of nodes.entries()) {
      const path = `nodes[${index}]`;
      parse(node.url, HttpUrlStruct, name(`${path}.url`, "The node's address"));
      if (node.wsUrl === undefined) continue;
      const root = name(`${path}.wsUrl`, "The node's WebSocket address");
      parse(node.wsUrl, WsUrlStruct, root);
    }
  }
  const isRepeated =
    new Set(networks.map((each) => each.chainId)).size < networks.length;
  if (isRepeated) throw new FlagError('Two networks have the same chainId.');
  return networks;
}

/** Checks the other options, and fills in the limits; errors name the option, never its value. */
export function parseLimits({ redisUrl, limits = {} }: ServiceOptions): Limits {
  if (redisUrl !== undefined) parse(redisUrl, RedisUrlStruct, "Redis's address");
  const set = new Map(Object.entries(limits));
  const parsed = limitRows.map(([name, { flag, given, least }]) => {
    const help = flags.find((each) => each.name === flag)?.help ?? '';
    const [, shown = 0] = /\((\d+)\)$/u.exec(help) ?? [];
    const struct = integerBetween(least, 2 ** 31 - 1);
    const value = set.get(name) ?? given ?? Number(shown);
    return [name, parse(value, struct, `limits.${name}`)];
  });
  return Object.fromEntries(parsed) as Limits;
}

/** What the command line asks for: a service, or a text to print. */
export type Command = ServiceOptions | { print: 'help' | 'version' | 'schema' };

// Not GAS_SERVICE_: Kubernetes sets GAS_SERVICE_PORT where a service is called gas-service.
const ENVIRONMENT = 'TOLLKEEPER_GAS_';

export const usage = `Usage: npm run service -- --rpc-url URL --key K [flags]
       npm run service -- --config FILE [flags]

${flagTexts}
Any flag can be an environment variable: ${ENVIRONMENT}RPC_URL for --rpc-url. The command line
comes before the environment, and that before the file. Flags show in lists of processes, so
set secrets elsewhere.
`;

const MAX_PORT = 65_535;
const LEVELS = ['debug', 'info', 'warn', 'error'];

/** Flags that a file cannot have. */
const COMMAND_ONLY = ['config', 'help', 'version', 'schema', 'rpc-url', 'rpc-ws-url'];

/** Builds the JSON schema of the configuration file from the table of flags. */
export function buildSchema(): Record<string, unknown> {
  const properties = flags
    .filter(({ name }) => !COMMAND_ONLY.includes(name))
    .map(({ name, value, help: description }) => {
      if (value === '') return [name, { type: 'boolean', description }];
      const type = value === 'N' ? { type: 'integer', minimum: 0 } : { type: 'string' };
      const all = MULTIPLE.includes(name) ? { type: 'array', items: type } : type;
      return [name, { ...all, description }];
    });
  return toConfigSchema(Object.fromEntries(properties) as Record<string, object>);
}

/** Reads a command line, and the environment and the configuration file for other options. Throws a
 * FlagError if a flag is unknown, missing or no number where one is needed. */
export function parseFlags(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Command {
  const given = [...toArgs(environment), ...args];
  const asked = readFlags(given);
  for (const print of ['help', 'version', 'schema'] as const) {
    if (asked[print]) return { print };
  }
  const { config: path } = asked;
  const config = typeof path === 'string' ? readConfig(path, buildSchema()) : undefined;
  const values = readFlags([...(config?.args ?? []), ...given]);
  const textOf = (flag = ''): string | undefined => {
    const value = values[flag];
    return typeof value === 'string' ? value : undefined;
  };
  const nodeUrl = textOf('rpc-url');
  if (!config && nodeUrl === undefined) throw new FlagError('--rpc-url is missing.');
  if (config && nodeUrl !== undefined) {
    throw new FlagError('--rpc-url and --config exclude each other.');
  }
  const [apiKey, keysFile] = [textOf('key'), textOf('keys')];
  if ((apiKey === undefined) === (keysFile === undefined)) {
    throw new FlagError('One of --key and --keys must be given.');
  }
  const apiKeySecret = textOf('secret');
  if (apiKeySecret === '') throw new FlagError('--secret must not be empty.');
  const logLevel = textOf('log-level') ?? 'info';
  if (!LEVELS.includes(logLevel)) {
    throw new FlagError(`--log-level must be one of ${LEVELS.join(', ')}.`);
  }
  const numberOf = (flag?: string, most = Infinity): number | undefined => {
    const text = textOf(flag);
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/u.test(text)) {
      throw new FlagError(`--${flag} must be a whole number, 0 or more.`);
    }
    if (Number(text) > most) throw new FlagError(`--${flag} must be at most ${most}.`);
    return Number(text);
  };
  const limits = limitRows.flatMap(([name, { flag }]) => {
    const number = numberOf(flag);
    return number === undefined ? [] : [[name, number]];
  });
  const nearHead = values['near-head'] === true || undefined;
  const chain = { nearHead, blockMs: numberOf('block-time') };
  const origins = values['allow-origin'];
  return {
    networks: config?.networks.map((network) => ({ ...chain, ...network })),
    ...chain,
    nodeUrl,
    nodeWsUrl: textOf('rpc-ws-url'),
    apiKey,
    apiKeySecret,
    requireSecret: values['require-secret'] === true || undefined,
    keysFile,
    redisUrl: textOf('redis'),
    host: textOf('host'),
    port: numberOf('port', MAX_PORT),
    metricsHost: textOf('metrics-host'),
    metricsPort: numberOf('metrics-port', MAX_PORT),
    logLevel,
    allowOrigins: Array.isArray(origins) ? origins.map(String) : undefined,
    limits: Object.fromEntries(limits) as Partial<Limits>,
  };
}

function readFlags(args: string[]): ReturnType<typeof parseArgs>['values'] {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    flags.map(({ name, value }) => [
      name,
      { type: value === '' ? 'boolean' : 'string', multiple: MULTIPLE.includes(name) },
    ]),
  );
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Its message would quote what may be a key.
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
      throw new FlagError('There is a value without its flag.');
    }
    const [reason = ''] = message.split('. ');
    throw new FlagError(`${reason.replace(/\.$/u, '')}.`);
  }
}

function toArgs(environment: NodeJS.ProcessEnv): string[] {
  const known = flags.map(({ name }) => toVariable(name));
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith(ENVIRONMENT) && !known.includes(name),
  );
  if (unknown !== undefined) {
    throw new FlagError(`Unknown environment variable ${unknown}.`);
  }
  return flags.flatMap(({ name, value }) => {
    const variable = toVariable(name);
    const given = environment[variable];
    if (given === undefined || given === '') return [];
    if (value !== '') return [`--${name}=${given}`];
    if (!['true', 'false'].includes(given)) {
      throw new FlagError(`${variable} must be true or false.`);
    }
    return given === 'true' ? [`--${name}`] : [];
  });
}

function toVariable(flag: string): string {
  return ENVIRONMENT + flag.toUpperCase().replaceAll('-', '_');
}
