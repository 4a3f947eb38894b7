// What can be chosen about a service, by a program or on the command line, and what is taken
// if nothing is said.
import { parseArgs } from 'node:util';

import { type, type Struct } from '@metamask/superstruct';

import { parse } from '../../src/schema/parse';
import { integerBetween, named } from '../../src/schema/structs';
import type { FaultOptions } from './faults';

/** A limit: what is taken where nothing is said, its flag, and the least that it can be. */
type LimitRow = { given: number; flag?: string; help?: string; least?: 1 };

/** Limits that protect the node and the service; 0 is no limit where it is allowed. */
const limitTable = {
  ratePerSecond: {
    given: 0,
    ...{
      flag: 'rate',
      help: 'requests per second (no limit); a batch of N counts as N + 1',
    },
  },
  /** The rate of one second if it is 0. */
  burst: {
    given: 0,
    ...{ flag: 'burst', help: 'requests that may come at once (the rate)' },
  },
  /** From midnight to midnight. */
  perDay: {
    given: 0,
    ...{ flag: 'daily-limit', help: 'requests per day, UTC (no limit)' },
  },
  bodyBytes: {
    given: 1_000_000,
    ...{ flag: 'max-body', help: 'bytes of a body or message', least: 1 },
  },
  /** As many as our client sends at once. */
  batchLength: {
    given: 1_000,
    ...{ flag: 'max-batch', help: 'calls in a batch', least: 1 },
  },
  /** WebSockets among them. */
  connections: {
    given: 1_000,
    ...{ flag: 'max-connections', help: 'HTTP connections', least: 1 },
  },
  webSockets: { given: 500, flag: 'max-web-sockets', help: 'WebSockets' },
  nodeTimeoutMs: {
    given: 10_000,
    flag: 'node-timeout',
    ...{ help: 'milliseconds that the node has for an answer', least: 1 },
  },
  /** Milliseconds for which the number of the newest block is believed. */
  headMaxAgeMs: { given: 500 },
  /** Milliseconds that requests have to be finished when the service stops. */
  stopTimeoutMs: { given: 5_000 },
} as const satisfies Record<string, LimitRow>;

type LimitName = keyof typeof limitTable;

/** Limits of a service. */
export type Limits = Record<LimitName, number>;

const limitRows = Object.entries(limitTable) as [LimitName, LimitRow][];

/** What callers must bring. With a secret set, the key alone in a header is not enough. */
export type Credentials = { apiKey: string; apiKeySecret?: string | undefined };

/** How a service is set up. */
export type ServiceOptions = Credentials & {
  /** HTTP address of the node. */
  nodeUrl: string;
  /** WebSocket address of the node; without it there are no subscriptions. */
  nodeWsUrl?: string | undefined;
  /** Chain that the node serves. */
  chainId: number;
  /** Interface to listen on; loopback by default. */
  host?: string | undefined;
  /** 0, the default, takes a free one. */
  port?: number | undefined;
  /** Serve nothing that is about blocks before the latest 128. */
  nearHead?: boolean | undefined;
  /** Origins that may ask; all by default. With a list, one without an Origin may not. */
  allowOrigins?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
  /** Lets tests ask for faults, see faults.ts. */
  faults?: FaultOptions | undefined;
  /** Time in ms since the epoch; the system's clock by default. */
  now?: (() => number) | undefined;
};

const LimitsStruct = type(
  Object.fromEntries(
    limitRows.map(([name, { least = 0 }]) => [
      name,
      integerBetween(least, 2 ** 31 - 1),
    ]),
  ),
) as unknown as Struct<Limits>;

const KeyStruct = named<string>(
  'of 1 to 200 characters that can stand in an address: letters, digits, - . _ ~',
  (value) => typeof value === 'string' && /^[\w.~-]{1,200}$/u.test(value),
);

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
const ChainIdStruct = integerBetween(1, Number.MAX_SAFE_INTEGER);

/**
 * Checks options, and fills in the limits.
 *
 * @throws {InvalidParamsError} Naming the option, never its value.
 */
export function parseLimits(options: ServiceOptions): Limits {
  parse(options.apiKey, KeyStruct, 'The API key');
  parse(options.nodeUrl, HttpUrlStruct, "The node's address");
  if (options.nodeWsUrl !== undefined) {
    parse(options.nodeWsUrl, WsUrlStruct, "The node's WebSocket address");
  }
  parse(options.chainId, ChainIdStruct, 'The chain id');
  const given = limitRows.map(([name, row]) => [name, row.given]);
  const limits = { ...Object.fromEntries(given), ...options.limits } as Limits;
  return parse(limits, LimitsStruct, 'limits');
}

/** What the command line asks for; the chain id is the node's to say. */
export type Command = Omit<ServiceOptions, 'chainId'> | 'help';

/** A command line that makes no sense; the message says why. */
export class FlagError extends Error {}

const limitHelp = limitRows.flatMap(([, { flag, given, help }]) =>
  flag === undefined
    ? []
    : [`  ${`--${flag} N`.padEnd(22)}${help}${given > 0 ? ` (${given})` : ''}`],
);

export const usage = `Usage: npx tsx dev/service/main.ts --node URL --key K [flags]

  --node URL            HTTP address of the node
  --node-ws URL         its WebSocket address: for subscriptions, and to hear of blocks
  --key K               API key that callers must bring
  --secret S            secret that belongs to it
  --host H              interface to listen on (127.0.0.1)
  --port N              port to listen on (0: any free one)
  --near-head           serve the latest 128 blocks only: no archive requests
  --allow-origin O      origin that may ask; repeat for more (all)
${limitHelp.join('\n')}
  --faults              let tests ask for faults, see faults.ts
  --help                this text
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const flags = {
  ...{ node: text, 'node-ws': text, key: text, secret: text, host: text, port: text },
  'near-head': flag,
  'allow-origin': { ...text, multiple: true },
  ...{ faults: flag, help: flag },
} as const;

const limitFlags: Record<string, typeof text> = Object.fromEntries(
  limitRows.flatMap(([, row]) => (row.flag === undefined ? [] : [[row.flag, text]])),
);

const MAX_PORT = 65_535;

/**
 * Reads a command line.
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
  const given = values as Record<string, string | undefined>;
  const limits = limitRows.flatMap(([name, { flag: by = '' }]) =>
    given[by] === undefined ? [] : [[name, toNumber(by, given[by])]],
  );
  return {
    nodeUrl: values.node,
    nodeWsUrl: values['node-ws'],
    apiKey: values.key,
    apiKeySecret: values.secret,
    host: values.host,
    port,
    nearHead: values['near-head'],
    allowOrigins: values['allow-origin'],
    limits: Object.fromEntries(limits) as Partial<Limits>,
    faults: values.faults ? {} : undefined,
  };
}

function readFlags(
  args: string[],
): ReturnType<typeof parseArgs<{ options: typeof flags }>>['values'] {
  try {
    return parseArgs({ args, options: { ...limitFlags, ...flags } }).values;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new FlagError(`${reason.replace(/\.$/u, '')}.`);
  }
}

function toNumber(name: string, value: string): number {
  if (/^\d{1,9}$/u.test(value)) return Number(value);
  throw new FlagError(`--${name} must be a whole number, 0 or more.`);
}
