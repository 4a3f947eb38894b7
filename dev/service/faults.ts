// Faults on demand, for tests of clients: by name, where each can happen, what it changes of an
// answer, and how the answer then gets to the caller. They exist only in a service that a program
// started with them (`startFaultyService`). The service carries the request out before the fault
// spoils its answer: `eth_sendRawTransaction` was sent although `dropped-socket` hides it.
//
// How to ask for one (HTTP and WebSocket alike; a WebSocket keeps it for all its messages):
//   a path      /fault/slow-body/v3/<KEY>, that is `service.faults.url('slow-body')` as base
//   a program   service.faults.next('slow-body', 2): the next two answers that can have it
//
// A fault that makes no sense for an answer (a missing answer of the gas API) leaves it alone,
// and `next` keeps it for one that can. An unknown name is answered with 400.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { isObject } from '@metamask/utils';
import type { onSendAsyncHookHandler } from 'fastify';
import type { WebSocket } from 'ws';

/** What an answer is part of: the gas API, JSON-RPC over HTTP, or over a WebSocket. */
export type Channel = 'rest' | 'rpc' | 'socket';

/** An answer before it is sent; a WebSocket sends only its body. */
type Answer = { status: number; headers: Record<string, string>; body: string };

/** How an answer gets to the caller: whole or in parts, late, never, or with a cut connection. */
type Step = 'whole' | 'first' | 'second' | 'wait' | 'stall' | 'cut';

type Fault = {
  on: readonly Channel[];
  change?: (answer: Answer) => Answer;
  steps?: readonly Step[];
};

const HTTP: readonly Channel[] = ['rest', 'rpc'];
const JSON_RPC: readonly Channel[] = ['rpc', 'socket'];
const EVERYWHERE: readonly Channel[] = ['rest', 'rpc', 'socket'];
const BACKOFF_SECONDS = 1;

/** Added to an id, so that it matches no request. */
const FOREIGN_ID = 1_000_000;

type Row = Record<string, unknown>;

/** All faults. Those that begin with `slow` come to an end, those with `stalled` do not. */
const faultTable = {
  'slow-headers': { on: EVERYWHERE, steps: ['wait', 'whole'] },
  'stalled-headers': { on: EVERYWHERE, steps: ['stall'] },
  'slow-body': { on: EVERYWHERE, steps: ['first', 'wait', 'second'] },
  'stalled-body': { on: EVERYWHERE, steps: ['first', 'stall'] },
  'dropped-body': { on: EVERYWHERE, steps: ['first', 'cut'] },
  'dropped-socket': { on: EVERYWHERE, steps: ['cut'] },
  'truncated-json': { on: EVERYWHERE, change: toBody((body) => halfOf(body)[0]) },
  'not-json': { on: EVERYWHERE, change: toBody(() => '<html>Bad gateway</html>') },
  'http-500': { on: HTTP, change: withStatus(500) },
  'http-502': { on: HTTP, change: withStatus(502) },
  'http-503': { on: HTTP, change: withStatus(503) },
  'http-429': { on: HTTP, change: () => limited(String(BACKOFF_SECONDS)) },
  'http-429-date': {
    on: HTTP,
    change: () => limited(new Date(Date.now() + 1_000 * BACKOFF_SECONDS).toUTCString()),
  },
  'rpc-limited': {
    on: JSON_RPC,
    change: eachAnswer(({ jsonrpc, id }) => ({ jsonrpc, id, error: limitError })),
  },
  'wrong-id': {
    on: JSON_RPC,
    change: someAnswers(([first, ...rest]) => [
      { ...first, id: (Number(first.id) || 0) + FOREIGN_ID },
      ...rest,
    ]),
  },
  'reordered-answers': {
    on: JSON_RPC,
    change: someAnswers((answers) => [...answers].reverse()),
  },
  'missing-answer': { on: JSON_RPC, change: someAnswers(([, ...rest]) => rest) },
  'duplicated-answer': {
    on: JSON_RPC,
    change: someAnswers(([first, ...rest]) => [first, ...rest, first]),
  },
  'wrong-types': { on: EVERYWHERE, change: eachResult(withWrongTypes) },
  'missing-fields': { on: EVERYWHERE, change: eachResult(withoutFields) },

  'http-400': { on: EVERYWHERE, change: withStatus(400) },
} as const satisfies Record<string, Fault>;

const limitError = {
  code: -32005,
  message: 'Too many requests (a fault that was asked for).',
  data: { rate: { backoff_seconds: BACKOFF_SECONDS } },
};

function halfOf(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function toBody(change: (body: string) => string): (answer: Answer) => Answer {
  return (answer) => ({ ...answer, body: change(answer.body) });
}

function withStatus(status: number): (answer: Answer) => Answer {
  const error = {
    code: -32603,
    message: `HTTP ${status} (a fault that was asked for).`,
  };
  return () => ({ status, headers: {}, body: JSON.stringify({ error }) });
}

function limited(retryAfter: string): Answer {
  const headers = { 'Retry-After': retryAfter };
  return { status: 429, headers, body: JSON.stringify({ error: limitError }) };
}

// A single answer that is missing leaves an empty batch; one that is there twice, a batch.
function someAnswers(
  change: (answers: [Row, ...Row[]]) => Row[],
): (answer: Answer) => Answer {
  return (answer) => {
    const value = JSON.parse(answer.body) as Row | Row[];
    const changed = change([value].flat() as [Row, ...Row[]]);
    const isBatch = Array.isArray(value) || changed.length !== 1;
    return { ...answer, body: JSON.stringify(isBatch ? changed : changed[0]) };
  };
}

function eachAnswer(change: (answer: Row) => Row): (answer: Answer) => Answer {
  return someAnswers((answers) => answers.map(change));
}

// What JSON-RPC wraps in `result` the gas API says as it is; errors stay as they are.
function eachResult(change: (result: unknown) => unknown): (answer: Answer) => Answer {
  return eachAnswer((answer) => {
    if ('error' in answer) return answer;
    return 'result' in answer
      ? { ...answer, result: change(answer.result) }
      : (change(answer) as Row);
  });
}

function withWrongTypes(result: unknown): unknown {
  const spoil = (value: unknown): unknown =>
    typeof value === 'boolean' ? 'true' : true;
  if (!isObject(result)) return spoil(result);
  const fields = Object.entries(result).map(([name, value]) => [name, spoil(value)]);
  return Object.fromEntries(fields) as unknown;
}

// Every second field, the first among them; other values are removed altogether.
function withoutFields(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  return Object.fromEntries(Object.entries(result).filter((_each, index) => index % 2));
}

export type FaultName = keyof typeof faultTable;

export const faultNames = Object.keys(faultTable) as FaultName[];

/** Asks a running service for faults. */
export type Faults = {
  /** Spoils the next answers that can have this fault; calls queue up. */
  next: (name: FaultName, count?: number) => void;
  /** Forgets what {@link Faults.next} still had in store. */
  clear: () => void;
};

export type FaultSource = Faults & {
  /** Takes the prefix of a path off that asks for a fault, and remembers the fault. */
  rewrite: (request: IncomingMessage) => string;
  hook: (channel: Channel) => onSendAsyncHookHandler;
  /** Sends a message over a WebSocket, spoiled if that was asked for. */
  send: (socket: WebSocket, body: string, request: IncomingMessage) => Promise<void>;
};

/** Creates the faults of one service; slow answers are late by `delayMs`. */
export function createFaults(delayMs = 1_000): FaultSource {
  const queue: FaultName[] = [];
  const asked = new WeakMap<IncomingMessage, FaultName>();

  const take = (request: IncomingMessage, channel: Channel): Fault => {
    const isPossible = (name: FaultName): boolean =>
      faultTable[name].on.some((each) => each === channel);
    const name = asked.get(request);
    if (name !== undefined) return isPossible(name) ? faultTable[name] : NO_FAULT;
    const index = queue.findIndex(isPossible);
    const [queued] = index < 0 ? [] : queue.splice(index, 1);
    return queued ? faultTable[queued] : NO_FAULT;
  };
  async function* deliver(body: string, steps: readonly Step[], cut: () => unknown) {
    const [first, second] = halfOf(body);
    const texts: Partial<Record<Step, string>> = { whole: body, first, second };
    for (const step of steps) {
      const text = texts[step];
      if (text !== undefined) yield text;
      else if (step === 'wait') await sleep(delayMs);
      else {
        // What was sent has to get out.
        if (step === 'cut') await sleep(steps.length > 1 ? 50 : 0).then(cut);
        await new Promise(() => undefined);
      }
    }
  }

  return {
    hook: (channel) => async (request, reply, payload) => {
      if (request.method === 'OPTIONS' || typeof payload !== 'string') return payload;
      const { change, steps } = take(request.raw, channel);
      const answer = { status: reply.statusCode, headers: {}, body: payload };
      const { status, headers, body } = change?.(answer) ?? answer;
      reply.code(status).headers(headers);
      const { socket } = request.raw;
      if (!steps) return body;
      const parts = deliver(body, steps, () => socket.resetAndDestroy());
      // The headers go with the first one.
      const first = await parts.next();
      return Readable.from(
        (async function* () {
          yield first.value;
          yield* parts;
        })(),
      );
    },
    send: async (socket, given, request) => {
      const { change, steps = ['whole'] } = take(request, 'socket');
      const answer = { status: 200, headers: {}, body: given };
      const { body } = change?.(answer) ?? answer;
      let left = body.length;
      for await (const part of deliver(body, steps, () => socket.terminate())) {
        left -= part.length;
        socket.send(part, { fin: left === 0 }, () => undefined);
      }
    },
    rewrite: (request) => {
      const { url = '/' } = request;
      const [, name, rest] = /^\/fault\/([^/?]*)(.*)$/u.exec(url) ?? [];
      if (name === undefined || rest === undefined) return url;
      asked.set(request, faultNames.find((each) => each === name) ?? 'http-400');
      return rest;
    },
    next: (name, count = 1) => {
      for (let each = 0; each < count; each += 1) queue.push(name);
    },
    clear: () => {
      queue.length = 0;
    },
  };
}

const NO_FAULT: Fault = { on: [] };
