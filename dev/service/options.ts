// The options of a service, by a program or on the command line, and the values
// if nothing is said.
import { parseArgs, type ParseArgsConfig } from 'node:util';

import { parse } from '../../src/schema/parse';
import { integerBetween, named } from '../../src/schema/structs';
import { FlagError, readConfig, toConfigSchema, type NetworkOptions } from './config';
import type { FaultSource } from './faults';

/** A limit: its default, its flag, and its minimum. */
type LimitRow = { given: number; flag?: string; help: string; least: number };

const limit = (given: number, flag?: string, help = ''): LimitRow => ({
  given,
  help,
  least: 0,
  ...(flag && { flag }),
});

const positive = (...row: Parameters<typeof limit>): LimitRow => ({
  ...limit(...row),
  least: 1,
});

/** Limits that protect the node and the service; 0 is no limit where it is allowed. */
const limitTable = {
  ratePerSecond: limit(
    0,
    'rate',
    'requests of a key per second (no limit); a batch of N is N + 1',
  ),
  rateSeconds: positive(1, 'rate-window', 'seconds for which the rate is counted'),
  /** From midnight to midnight. */
  perDay: limit(0, 'daily-limit', 'requests of a key per day, UTC (no limit)'),
  bodyBytes: positive(1_000_000, 'max-body', 'bytes of a body or message'),
  /** As many as our client sends at once. */
  batchLength: positive(1_000, 'max-batch', 'calls in a batch'),
  /** WebSockets among them. */
  connections: positive(1_000, 'max-connections', 'HTTP connections'),
  idlePerAddress: positive(
    100,
    'max-idle',
    'connections of an address without a request yet',
  ),
  requestTimeoutMs: positive(
    10_000,
    'request-timeout',
    'milliseconds that a connection has for a whole request',
  ),
  webSockets: limit(500, 'max-web-sockets', 'WebSockets'),
  nodeTimeoutMs: positive(
    10_000,
    'node-timeout',
    'milliseconds that the node has for an answer',
  ),
  nodeCheckMs: positive(
    5_000,
    'node-check',
    'milliseconds between two checks of the nodes',
  ),
  nodeSlowMs: positive(
    2_000,
    'node-slow',
    'milliseconds for a check after which a node is left out',
  ),
  nodeLag: limit(3, 'node-lag', 'blocks by which a node may differ from the others'),
  hedgeMs: limit(
    1_000,
    'hedge',
    'milliseconds until another node is asked as well; 0: never',
  ),
  cacheBytes: limit(
    64_000_000,
    'cache',
    'bytes of final answers that a network keeps in memory',
  ),
  /** Milliseconds for which the number of the newest block is believed. */
  headMaxAgeMs: limit(500),
  /** Milliseconds between two looks at the key file. */
  keysCheckMs: positive(1_000),
  drainMs: limit(
    0,
    'drain',
    'milliseconds from SIGTERM until new connections are refused (0)',
  ),
  stopTimeoutMs: limit(
    5_000,
    'stop-timeout',
    'milliseconds that requests have to be finished after that',
  ),
};

type LimitName = keyof typeof limitTable;

export type Limits = Record<LimitName, number>;

const limitRows = Object.entries(limitTable) as [LimitName, LimitRow][];

/** What the flags below say, for programs. Fields that are left out have the defaults of the flags, but
 * nothing is logged without a level. */
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
  const parsed = limitRows.map(([name, { given, least }]) => {
    const struct = integerBetween(least, 2 ** 31 - 1);
    return [name, parse(limits[name] ?? given, struct, `limits.${name}`)];
  });
  return Object.fromEntries(parsed) as Limits;
}

/** What the command line asks for: a service, or a text to print. */
export type Command = ServiceOptions | { print: 'help' | 'version' | 'schema' };

/** A flag: how help shows its value, if it has one, and what it says of it. */
type FlagRow = { value?: string; help: string; multiple?: true };

const flagTable = {
  config: {
    value: 'FILE',
    help: 'JSON file of networks and their nodes, and of any flag by its name',
  },
  'rpc-url': { value: 'URL', help: 'HTTP address of the node; or there is --config' },
  'rpc-ws-url': {
    value: 'URL',
    help: 'its WebSocket address: for subscriptions, and to hear of blocks',
  },
  key: { value: 'K', help: 'API key that callers must bring' },
  secret: { value: 'S', help: 'secret that belongs to it' },
  keys: {
    value: 'FILE',
    help: 'JSON file of keys by name, read again when it changes',
  },
  'require-secret': { help: 'refuse a key in a path without key:secret in the header' },
  redis: {
    value: 'URL',
    help: 'Redis or Valkey that all instances share (each counts for itself)',
  },
  host: { value: 'H', help: 'interface to listen on (127.0.0.1)' },
  port: { value: 'N', help: 'port to listen on (0: any free one)' },
  'metrics-host': { value: 'H', help: 'interface of the metrics (127.0.0.1)' },
  'metrics-port': { value: 'N', help: 'port of the metrics (none)' },
  'log-level': { value: 'L', help: 'debug (each request), info, warn, error (info)' },
  'near-head': { help: 'serve the latest 128 blocks only: no archive requests' },
  'allow-origin': {
    value: 'O',
    help: 'origin that may ask; repeat for more (all)',
    multiple: true,
  },
  'block-time': {
    value: 'N',
    help: 'milliseconds between blocks (measured); 0: the newest may be of any age',
  },
  help: { help: 'this text' },
  version: { help: 'the version' },
  schema: { help: 'the JSON schema of the configuration file' },
} as const satisfies Record<string, FlagRow>;

const flagRows: [string, FlagRow][] = [
  ...Object.entries(flagTable),
  ...limitRows.flatMap(([, { flag, given, help }]): [string, FlagRow][] =>
    flag === undefined
      ? []
      : [[flag, { value: 'N', help: given > 0 ? `${help} (${given})` : help }]],
  ),
];

// Not GAS_SERVICE_: Kubernetes sets GAS_SERVICE_PORT where a service is called gas-service.
const ENVIRONMENT = 'TOLLKEEPER_GAS_';

export const usage = `Usage: npm run service -- --rpc-url URL --key K [flags]
       npm run service -- --config FILE [flags]

${flagRows
  .map(([name, { value = '', help }]) => `  ${`--${name} ${value}`.padEnd(22)}${help}`)
  .join('\n')}

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
  const properties = flagRows
    .filter(([name]) => !COMMAND_ONLY.includes(name))
    .map(([name, { value, help: description, multiple }]) => {
      if (value === undefined) return [name, { type: 'boolean', description }];
      const type = value === 'N' ? { type: 'integer', minimum: 0 } : { type: 'string' };
      const all = multiple ? { type: 'array', items: type } : type;
      return [name, { ...all, description }];
    });
  return toConfigSchema(Object.fromEntries(properties) as Record<string, object>);
}

/**
 * Reads a command line, and the environment and the configuration file for other options.
 *
 * @throws {FlagError} If a flag is unknown, missing or no number where one is needed.
 */
export function parseFlags(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Command {
  const given = [...toArgs(environment), ...args];
  const { config: path, ...asked } = readFlags(given);
  for (const print of ['help', 'version', 'schema'] as const) {
    if (asked[print]) return { print };
  }
  const config = path === undefined ? undefined : readConfig(path, buildSchema());
  const values = readFlags([...(config?.args ?? []), ...given]);
  const isFlat = values['rpc-url'] !== undefined;
  if (!config && !isFlat) throw new FlagError('--rpc-url is missing.');
  if (config && isFlat) {
    throw new FlagError('--rpc-url and --config exclude each other.');
  }
  if ((values.key === undefined) === (values.keys === undefined)) {
    throw new FlagError('One of --key and --keys must be given.');
  }
  if (values.secret === '') throw new FlagError('--secret must not be empty.');
  const level = values['log-level'] ?? 'info';
  if (!LEVELS.includes(level)) {
    throw new FlagError(`--log-level must be one of ${LEVELS.join(', ')}.`);
  }
  const numberOf = (flag: string, most = Infinity): number | undefined => {
    const text = values[flag as FlagName];
    if (typeof text !== 'string') return undefined;
    if (!/^\d{1,9}$/u.test(text)) {
      throw new FlagError(`--${flag} must be a whole number, 0 or more.`);
    }
    if (Number(text) > most) throw new FlagError(`--${flag} must be at most ${most}.`);
    return Number(text);
  };
  const limits = limitRows.flatMap(([name, { flag = '' }]) => {
    const number = numberOf(flag);
    return number === undefined ? [] : [[name, number]];
  });
  const chain = { nearHead: values['near-head'], blockMs: numberOf('block-time') };
  return {
    networks: config?.networks.map((network) => ({ ...chain, ...network })),
    ...chain,
    nodeUrl: values['rpc-url'],
    nodeWsUrl: values['rpc-ws-url'],
    apiKey: values.key,
    apiKeySecret: values.secret,
    requireSecret: values['require-secret'],
    keysFile: values.keys,
    redisUrl: values.redis,
    host: values.host,
    port: numberOf('port', MAX_PORT),
    metricsHost: values['metrics-host'],
    metricsPort: numberOf('metrics-port', MAX_PORT),
    logLevel: level,
    allowOrigins: values['allow-origin'],
    limits: Object.fromEntries(limits) as Partial<Limits>,
  };
}

type FlagName = keyof typeof flagTable;
type FlagValue<Row> = Row extends { multiple: true }
  ? string[]
  : Row extends { value: string }
    ? string
    : boolean;
type FlagValues = { [Name in FlagName]?: FlagValue<(typeof flagTable)[Name]> };

function readFlags(args: string[]): FlagValues {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    flagRows.map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple },
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
  const known = flagRows.map(([name]) => toVariable(name));
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith(ENVIRONMENT) && !known.includes(name),
  );
  if (unknown !== undefined) {
    throw new FlagError(`Unknown environment variable ${unknown}.`);
  }
  return flagRows.flatMap(([name, { value }]) => {
    const variable = toVariable(name);
    const given = environment[variable];
    if (given === undefined || given === '') return [];
    if (value !== undefined) return [`--${name}=${given}`];
    if (!['true', 'false'].includes(given)) {
      throw new FlagError(`${variable} must be true or false.`);
    }
    return given === 'true' ? [`--${name}`] : [];
  });
}

function toVariable(flag: string): string {
  return ENVIRONMENT + flag.toUpperCase().replaceAll('-', '_');
}
