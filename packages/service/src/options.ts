// A service's options, from a program or the command line, and their defaults.
import { parseArgs, type ParseArgsConfig } from 'node:util';

import {
  addresses,
  check,
  FlagError,
  MAX_NUMBER,
  readConfig,
  networkSchema,
  type NetworkOptions,
} from './config';

/** The flags as help shows them. Their names, values and descriptions are read from these lines,
 * and the defaults of limits from the parentheses at the end. */
const flagTexts = `  --config FILE         JSON file of networks and their nodes, and of any flag by its name
  --rpc-url URL         HTTP address of the node, unless --config names nodes
  --rpc-ws-url URL      its WebSocket address: for subscriptions and new blocks
  --key K               API key that callers must send
  --secret S            secret of the key
  --keys FILE           JSON file of keys by name, reloaded when it changes
  --require-secret      refuse a key in a path without key:secret in the header
  --redis URL           Redis or Valkey that all instances share (none)
  --host H              interface to listen on (127.0.0.1)
  --port N              port to listen on (0: any free one)
  --metrics-host H      interface of the metrics (127.0.0.1)
  --metrics-port N      port of the metrics (none)
  --log-level L         debug (each request), info, warn, error (info)
  --near-head           serve the latest 128 blocks only: no archive requests
  --allow-origin O      allowed origin; repeat for more (all)
  --block-time N        milliseconds between blocks (measured); 0: the newest may have any age
  --help                this text
  --version             the version
  --schema              the JSON schema of the configuration file
  --rate N              requests per key per second (no limit); a batch of N counts as N + 1
  --rate-window N       seconds for which the rate is counted (1)
  --daily-limit N       requests per key per UTC day (no limit)
  --max-body N          bytes per body or message (1000000)
  --max-batch N         calls in a batch (1000)
  --max-connections N   HTTP connections (1000)
  --max-idle N          connections per address before their first request (100)
  --request-timeout N   milliseconds for a client to send a whole request (10000)
  --max-web-sockets N   WebSockets (500)
  --node-timeout N      milliseconds for a node to answer (10000)
  --node-check N        milliseconds between checks of the nodes (5000)
  --node-slow N         milliseconds after which a check counts as too slow (2000)
  --node-lag N          blocks by which a node may differ from the others (3)
  --hedge N             milliseconds until another node is asked as well; 0: never (1000)
  --cache N             bytes of final answers to keep in memory per network (64000000)
  --drain N             milliseconds from SIGTERM until new connections are refused (0)
  --stop-timeout N      milliseconds after that to finish requests (5000)
`;

const flags = [...flagTexts.matchAll(/^ {2}--(\S+) ([A-Z]*) +(.+)$/gmu)].map(
  ([, name = '', value = '', help = '']) => ({ name, value, help }),
);

/** The flag and the minimum of each limit. */
const limitTable = {
  ratePerSecond: ['rate', 0],
  rateSeconds: ['rate-window', 1],
  /** From midnight to midnight. */
  perDay: ['daily-limit', 0],
  bodyBytes: ['max-body', 1],
  /** Our client's default. */
  batchLength: ['max-batch', 1],
  /** Includes WebSockets. */
  connections: ['max-connections', 1],
  idlePerAddress: ['max-idle', 1],
  requestTimeoutMs: ['request-timeout', 1],
  webSockets: ['max-web-sockets', 0],
  nodeTimeoutMs: ['node-timeout', 1],
  nodeCheckMs: ['node-check', 1],
  nodeSlowMs: ['node-slow', 1],
  nodeLag: ['node-lag', 0],
  hedgeMs: ['hedge', 0],
  cacheBytes: ['cache', 0],
  drainMs: ['drain', 0],
  stopTimeoutMs: ['stop-timeout', 0],
} as const;

const limitRows = Object.entries(limitTable);

export type Limits = Record<keyof typeof limitTable | keyof typeof fixed, number>;

/** Limits without a flag. */
const fixed = {
  /** How long to reuse the number of the newest block, in ms. */
  headMaxAgeMs: 500,
  keysCheckMs: 1_000,
};

/** Fills in missing limits with the defaults from the flags' descriptions. */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  const defaults = limitRows.map(([limit, [flag]]) => {
    const help = flags.find(({ name }) => name === flag)?.help ?? '';
    const [, shown = 0] = /\((\d+)\)$/u.exec(help) ?? [];
    return [limit, Number(shown)];
  });
  return { ...fixed, ...(Object.fromEntries(defaults) as Limits), ...given };
}

/** A service's options. Omitted ones have the flags' defaults, except that nothing is logged
 * without a level. */
export type ServiceOptions = {
  networks: readonly NetworkOptions[];
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
  /** With a list, requests without an Origin are refused as well. */
  allowOrigins?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
};

/** The parsed command line: the options of a service, or the text to print. */
export type Command = ServiceOptions | { print: 'help' | 'version' | 'schema' };

// Not GAS_SERVICE_: Kubernetes sets GAS_SERVICE_PORT if a service is named gas-service.
const ENVIRONMENT = 'TOLLKEEPER_GAS_';

export const usage = `Usage: npm run service -- --rpc-url URL --key K [flags]
       npm run service -- --config FILE [flags]

${flagTexts}
Any flag can be an environment variable: ${ENVIRONMENT}RPC_URL for --rpc-url. The command line
overrides the environment, which overrides the file. Process lists show flags, so set secrets
elsewhere.
`;

const MAX_PORT = 65_535;

/** Schemas of flags that restrict their values further than text or number. */
const schemas: Record<string, object> = {
  'rpc-url': addresses.http,
  'rpc-ws-url': addresses.ws,
  redis: addresses.redis,
  'rate-window': { type: 'integer', minimum: 1, maximum: Math.floor(MAX_NUMBER / 1e3) },
  port: { type: 'integer', minimum: 0, maximum: MAX_PORT },
  'metrics-port': { type: 'integer', minimum: 0, maximum: MAX_PORT },
  'log-level': { type: 'string', enum: ['debug', 'info', 'warn', 'error'] },
  'allow-origin': { type: 'array', items: { type: 'string' } },
};

function toSchemas(given: typeof flags): Record<string, object> {
  const rows = given.map(({ name, value, help: description }): [string, object] => {
    const minimum = limitRows.find(([, [flag]]) => flag === name)?.[1][1] ?? 0;
    const types: Record<string, object> = {
      '': { type: 'boolean' },
      N: { type: 'integer', minimum, maximum: MAX_NUMBER },
    };
    const usual = types[value] ?? { type: 'string', minLength: 1 };
    return [name, { ...(schemas[name] ?? usual), description }];
  });
  return Object.fromEntries(rows);
}

const COMMAND_ONLY = ['config', 'help', 'version', 'schema', 'rpc-url', 'rpc-ws-url'];

export function buildSchema(): Record<string, unknown> {
  const inFile = flags.filter(({ name }) => !COMMAND_ONLY.includes(name));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of the gas service',
    type: 'object',
    required: ['networks'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      networks: { type: 'array', minItems: 1, items: networkSchema },
      ...toSchemas(inFile),
    },
  };
}

/** Reads the command line, and other options from the environment and the configuration file.
 * Throws a FlagError if any of them is invalid, or if a required one is missing. */
export function parseFlags(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Command {
  const given: Values = { ...readVariables(environment), ...readFlags([...args]) };
  const properties = toSchemas(flags);
  check(given, { properties }, { toPlace: (path) => `--${path}`, isText: true });
  for (const print of ['help', 'version', 'schema'] as const) {
    if (given[print]) return { print };
  }
  const { config } = given;
  const file =
    typeof config === 'string' ? readConfig(config, buildSchema()) : undefined;
  const values: Values = { ...file, ...given };
  const get = <Value>(flag: string): Value | undefined =>
    values[flag] as Value | undefined;
  const url = get<string>('rpc-url');
  if (!file && url === undefined) throw new FlagError('--rpc-url is missing.');
  if (file && url !== undefined) {
    throw new FlagError('--rpc-url and --config cannot be combined.');
  }
  const [apiKey, keysFile] = [get<string>('key'), get<string>('keys')];
  if ((apiKey === undefined) === (keysFile === undefined)) {
    throw new FlagError('Set either --key or --keys, not both.');
  }
  const only = { nodes: [{ url: url ?? '', wsUrl: get<string>('rpc-ws-url') }] };
  const chain = {
    nearHead: get<boolean>('near-head'),
    blockMs: get<number>('block-time'),
  };
  const networks: NetworkOptions[] = file?.networks ?? [only];
  if (new Set(networks.map(({ chainId }) => chainId)).size < networks.length) {
    throw new FlagError('Two networks have the same chainId.');
  }
  const limits = limitRows.flatMap(([name, [flag]]) =>
    values[flag] === undefined ? [] : [[name, values[flag]]],
  );
  return {
    networks: networks.map((network) => ({ ...chain, ...network })),
    apiKey,
    apiKeySecret: get('secret'),
    requireSecret: get('require-secret'),
    keysFile,
    redisUrl: get('redis'),
    host: get('host'),
    port: get('port'),
    metricsHost: get('metrics-host'),
    metricsPort: get('metrics-port'),
    logLevel: get('log-level') ?? 'info',
    allowOrigins: get('allow-origin'),
    limits: Object.fromEntries(limits) as Partial<Limits>,
  };
}

type Values = Record<string, unknown>;

function readFlags(args: string[]): Values {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    flags.map(({ name, value }) => [
      name,
      { type: value === '' ? 'boolean' : 'string', multiple: name === 'allow-origin' },
    ]),
  );
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Node's message would quote the value, which may be a key.
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
      throw new FlagError('A value has no flag.');
    }
    const [reason = ''] = message.split('. ');
    throw new FlagError(`${reason.replace(/\.$/u, '')}.`);
  }
}

function readVariables(environment: NodeJS.ProcessEnv): Values {
  const set = Object.entries(environment).flatMap(([variable, value]) => {
    if (!variable.startsWith(ENVIRONMENT)) return [];
    const flag = variable.slice(ENVIRONMENT.length).toLowerCase().replaceAll('_', '-');
    if (!flags.some(({ name }) => name === flag)) {
      throw new FlagError(
        `Unknown environment variable ${variable}. If Kubernetes sets it for a Service, set enableServiceLinks: false in the pod.`,
      );
    }
    return value === '' ? [] : [[flag, value] as const];
  });
  return Object.fromEntries(set);
}
