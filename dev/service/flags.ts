// The command line of the service, from words to options.
import { parseArgs } from 'node:util';

import { defaultLimits, type Limits, type ServiceOptions } from './service';

/** What the command line asks for; the chain id is the node's to say. */
export type Command = Omit<ServiceOptions, 'chainId'> | 'help';

/** A command line that makes no sense; the message says why. */
export class FlagError extends Error {}

const { batchLength, bodyBytes, connections, nodeTimeoutMs, webSockets } =
  defaultLimits;

export const usage = `Usage: npx tsx dev/service/main.ts --node URL --key K [flags]

  --node URL            HTTP address of the node
  --node-ws URL         its WebSocket address: for subscriptions, and to hear of blocks
  --key K               API key that callers must bring
  --secret S            secret that belongs to it
  --host H              interface to listen on (127.0.0.1)
  --port N              port to listen on (0: any free one)
  --near-head           serve the latest 128 blocks only: no archive requests
  --allow-origin O      origin that may ask; repeat for more (all)
  --rate N              requests per second (no limit); a batch of N counts as N + 1
  --burst N             requests that may come at once (the rate)
  --daily-limit N       requests per day, UTC (no limit)
  --max-body N          bytes of a body or message (${bodyBytes})
  --max-batch N         calls in a batch (${batchLength})
  --max-connections N   HTTP connections (${connections})
  --max-web-sockets N   WebSockets (${webSockets})
  --node-timeout N      milliseconds that the node has for an answer (${nodeTimeoutMs})
  --faults              let tests ask for faults, see faults.ts
  --help                this text
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const flags = {
  node: text,
  'node-ws': text,
  key: text,
  secret: text,
  host: text,
  port: text,
  'near-head': flag,
  'allow-origin': { ...text, multiple: true },
  rate: text,
  burst: text,
  'daily-limit': text,
  'max-body': text,
  'max-batch': text,
  'max-connections': text,
  'max-web-sockets': text,
  'node-timeout': text,
  faults: flag,
  help: flag,
} as const;

const limitFlags = {
  rate: 'ratePerSecond',
  burst: 'burst',
  'daily-limit': 'perDay',
  'max-body': 'bodyBytes',
  'max-batch': 'batchLength',
  'max-connections': 'connections',
  'max-web-sockets': 'webSockets',
  'node-timeout': 'nodeTimeoutMs',
} as const satisfies Partial<Record<keyof typeof flags, keyof Limits>>;

const MAX_PORT = 65_535;

/**
 * Read a command line.
 *
 * @throws {FlagError} If a flag is unknown, missing or no number where one is needed.
 */
export function parseFlags(args: string[]): Command {
  const values = readFlags(args);
  if (values.help) return 'help';
  if (values.node === undefined) throw new FlagError('--node is missing.');
  if (values.key === undefined) throw new FlagError('--key is missing.');
  if (values.secret === '') throw new FlagError('--secret must not be empty.');
  const port = toNumber('port', values.port ?? '0');
  if (port > MAX_PORT) throw new FlagError(`--port must be at most ${MAX_PORT}.`);
  return {
    nodeUrl: values.node,
    nodeWsUrl: values['node-ws'],
    apiKey: values.key,
    apiKeySecret: values.secret,
    host: values.host,
    port,
    nearHead: values['near-head'],
    allowOrigins: values['allow-origin'],
    limits: toLimits(values),
    faults: values.faults ? {} : undefined,
  };
}

type Values = ReturnType<typeof readFlags>;

function readFlags(
  args: string[],
): ReturnType<typeof parseArgs<{ options: typeof flags }>>['values'] {
  try {
    return parseArgs({ args, options: flags }).values;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new FlagError(`${reason.replace(/\.$/u, '')}.`);
  }
}

function toLimits(values: Values): Partial<Limits> {
  const given = Object.entries(limitFlags).flatMap(([name, limit]) => {
    const value = values[name as keyof typeof limitFlags];
    return value === undefined ? [] : [[limit, toNumber(name, value)]];
  });
  return Object.fromEntries(given) as Partial<Limits>;
}

function toNumber(name: string, value: string): number {
  if (/^\d{1,9}$/u.test(value)) return Number(value);
  throw new FlagError(`--${name} must be a whole number, 0 or more.`);
}
