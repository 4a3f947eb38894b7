// Faults on demand, for tests of clients. They exist only in a service that was started
// with `faults` (or `--faults`). The service carries the request out, and then the named
// fault spoils its answer: `eth_sendRawTransaction` was sent even though `dropped-socket`
// says nothing of it.
//
// How to ask for one (HTTP and WebSocket alike; a WebSocket keeps it for all its messages):
//   a header    X-Fault: slow-body
//   a query     /v3/<KEY>?fault=slow-body
//   a path      /fault/slow-body/v3/<KEY>, that is `service.faults.url('slow-body')` as base
//   a program   service.faults.next('slow-body', 2): the next two answers that can have it
//
//   const service = await startService({ …, faults: { delayMs: 300 } });
//   service.faults.next('missing-answer');
//
// What each does is a row of fault-table.ts; a fault that makes no sense for an answer (a
// missing answer of the gas API) leaves it alone, and `next` keeps it for one that can. A
// name that is none is answered with 400.
import type { IncomingMessage } from 'node:http';

import { faultTable } from './fault-table';
import type { Channel, Fault } from './fault-table';

/** A fault that can be asked for. */
export type FaultName = keyof typeof faultTable;

/** The names of all faults. */
export const faultNames = Object.keys(faultTable) as FaultName[];

/** How faults are set up. */
export type FaultOptions = {
  /** Milliseconds by which slow answers are late; 1,000 by default. */
  delayMs?: number | undefined;
};

/** Asks a running service for faults. */
export type Faults = {
  /** Spoil the next answers that can have this fault; calls queue up. */
  next: (name: FaultName, count?: number) => void;
  /** The address of the service at which every answer has this fault. */
  url: (name: FaultName) => string;
  /** Forget what {@link Faults.next} still had in store. */
  clear: () => void;
};

/** The service's own side of the faults. */
export type FaultSource = {
  delayMs: number;
  /** Take the prefix of a path off that asks for a fault, and remember the fault. */
  rewrite: (request: IncomingMessage) => string;
  /** Find the fault that an answer shall have. */
  take: (request: IncomingMessage, channel: Channel) => Fault | undefined;
  next: Faults['next'];
  clear: Faults['clear'];
};

const DELAY_MS = 1_000;

/** Create the store of faults of one service. */
export function createFaults({ delayMs = DELAY_MS }: FaultOptions): FaultSource {
  const queue: FaultName[] = [];
  const asked = new WeakMap<IncomingMessage, string>();

  const takeQueued = (channel: Channel): FaultName | undefined => {
    const index = queue.findIndex((name) => isPossible(name, channel));
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  };

  return {
    delayMs,
    rewrite: (request) => {
      const { url = '/' } = request;
      const [, name, rest] = /^\/fault\/([^/?]*)(.*)$/u.exec(url) ?? [];
      if (name === undefined || rest === undefined) return url;
      asked.set(request, name);
      return rest;
    },
    take: (request, channel) => {
      const own = asked.get(request) ?? findFaultOf(request);
      const name = own ?? takeQueued(channel);
      if (name === undefined) return undefined;
      if (!isFaultName(name)) return faultTable['http-400'];
      return isPossible(name, channel) ? faultTable[name] : undefined;
    },
    next: (name, count = 1) => {
      for (let each = 0; each < count; each += 1) queue.push(name);
    },
    clear: () => {
      queue.length = 0;
    },
  };
}

function findFaultOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const header = headers['x-fault'];
  if (typeof header === 'string') return header;
  return new URL(url, 'http://service').searchParams.get('fault') ?? undefined;
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faultTable, name);
}

function isPossible(name: FaultName, channel: Channel): boolean {
  return faultTable[name].on.includes(channel);
}
