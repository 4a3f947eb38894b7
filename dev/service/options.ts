// What can be chosen about a service, and what is taken if nothing is said.
import { type } from '@metamask/superstruct';

import { parse } from '../../src/parse';
import { integerBetween, named } from '../../src/structs';
import type { Credentials } from './credentials';
import type { FaultOptions } from './faults';

/** Limits that protect the node and the service. */
export type Limits = {
  /** Longest body or WebSocket message, in bytes. */
  bodyBytes: number;
  /** Most calls in a batch. */
  batchLength: number;
  /** Most HTTP connections, WebSockets among them. */
  connections: number;
  webSockets: number;
  /** Requests per second on average; 0 for no limit. A batch of N counts as N + 1. */
  ratePerSecond: number;
  /** Requests that may come at once; the rate of one second if it is 0. */
  burst: number;
  /** Requests from midnight to midnight (UTC); 0 for no limit. */
  perDay: number;
  /** Milliseconds that the node has for an answer. */
  nodeTimeoutMs: number;
  /** Milliseconds for which the number of the newest block is believed. */
  headMaxAgeMs: number;
  /** Milliseconds that requests have to be finished when the service stops. */
  stopTimeoutMs: number;
};

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

/** What is taken where nothing is said. */
export const defaultLimits: Limits = {
  bodyBytes: 1_000_000,
  // As many as our client sends at once.
  batchLength: 1_000,
  connections: 1_000,
  webSockets: 500,
  ratePerSecond: 0,
  burst: 0,
  perDay: 0,
  nodeTimeoutMs: 10_000,
  headMaxAgeMs: 500,
  stopTimeoutMs: 5_000,
};

const MAX_LIMIT = 2 ** 31 - 1;

const amount = integerBetween(0, MAX_LIMIT);
const positive = integerBetween(1, MAX_LIMIT);

const LimitsStruct = type({
  bodyBytes: positive,
  batchLength: positive,
  connections: positive,
  webSockets: amount,
  ratePerSecond: amount,
  burst: amount,
  perDay: amount,
  nodeTimeoutMs: positive,
  headMaxAgeMs: amount,
  stopTimeoutMs: amount,
});

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
 * Check options, and fill in the limits.
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
  return parse({ ...defaultLimits, ...options.limits }, LimitsStruct, 'limits');
}
