// The node behind the service, over HTTP. Calls go with ids of our own and are matched by
// them; whatever goes wrong becomes an outcome that may be shown, without the node's
// address.
import { isObject } from '@metamask/utils';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

import { createRpcEndpoint } from '../../packages/client/src';
import { codes, type Outcome, type RpcErrorObject } from './json-rpc';
import type { Metrics } from './metrics';

/** Calls the node; never rejects. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<Outcome>;

/** The node, as the service sees it. */
export type Upstream = {
  /** Call on its own. */
  ask: Ask;
  /** Open a batch: what is asked of it within one tick goes as one array. */
  openBatch: () => Ask;
  /** Take what may not be shown out of an error of the node. */
  toShown: (error: unknown) => RpcErrorObject;
  stop: () => Promise<void>;
};

type Call = {
  id: number;
  method: string;
  params: readonly unknown[];
  resolve: (outcome: Outcome) => void;
};

/** Longest answer of the node, in bytes. */
const MAX_BYTES = 64_000_000;
const CONNECTIONS = 64;
const UNREACHABLE = 'The node could not be reached.';
export const TIMED_OUT = 'The node did not answer in time.';
export const NONSENSE = 'The node gave an answer that makes no sense.';

/** Create the way to a node. */
export function createUpstream(
  nodeUrl: string,
  { timeoutMs, metrics }: { timeoutMs: number; metrics: Metrics },
): Upstream {
  const { origin, pathname, search, username, password } = new URL(nodeUrl);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (username !== '' || password !== '') {
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers['authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
  }
  const toShown = createToShown(nodeUrl);
  let lastId = 0;

  const post = async (body: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = { path: pathname + search, method: 'POST', headers, body, signal };
    const stop = metrics.nodeSeconds.startTimer();
    try {
      const response = await pool.request({ ...request, method: 'POST' });
      return JSON.parse(await readText(response.body));
    } catch (error) {
      if (signal.aborted) throw new Error(TIMED_OUT);
      // A text that is no JSON came all the same; anything else did not come.
      const isText = (error as { name?: unknown }).name === 'SyntaxError';
      throw new Error(isText ? NONSENSE : UNREACHABLE);
    } finally {
      stop();
    }
  };

  const send = async (calls: readonly Call[]): Promise<void> => {
    const [only, ...others] = calls.map(({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    try {
      const body = await post(
        JSON.stringify(others.length === 0 ? only : [only, ...others]),
      );
      settle(calls, body, toShown);
    } catch (error) {
      const message = error instanceof Error ? error.message : NONSENSE;
      calls.forEach(({ resolve }) => resolve(fail(message)));
    }
  };

  const toCall = (
    method: string,
    params: readonly unknown[],
  ): [Call, Promise<Outcome>] => {
    const { promise, resolve } = withResolver<Outcome>();
    const settleCall = (outcome: Outcome): void => {
      metrics.nodeCalls.inc({
        method,
        outcome: 'error' in outcome ? 'error' : 'result',
      });
      resolve(outcome);
    };
    return [{ id: ++lastId, method, params, resolve: settleCall }, promise];
  };

  return {
    ask: async (method, params) => {
      const [call, outcome] = toCall(method, params);
      void send([call]);
      return outcome;
    },
    openBatch: () => {
      let waiting: Call[] = [];
      return async (method, params) => {
        const [call, outcome] = toCall(method, params);
        if (waiting.push(call) === 1) {
          queueMicrotask(() => {
            void send(waiting);
            waiting = [];
          });
        }
        return outcome;
      };
    },
    toShown,
    stop: async () => pool.destroy(),
  };
}

/** An outcome for a failure between the service and the node. */
export function fail(message: string): Outcome {
  return { error: { code: codes.internal, message } };
}

// An error without an id is about all that was sent.
function settle(
  calls: readonly Call[],
  body: unknown,
  toShown: Upstream['toShown'],
): void {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  const answers = new Map<unknown, Record<PropertyKey, unknown>[]>();
  for (const answer of all.filter(isObject)) {
    const id = answer['id'] ?? null;
    answers.set(id, [...(answers.get(id) ?? []), answer]);
  }
  const whole = all.length === 1 ? answers.get(null) : undefined;
  for (const { id, resolve } of calls) {
    const [answer, ...others] = answers.get(id) ?? whole ?? [];
    resolve(others.length > 0 ? fail(NONSENSE) : toOutcome(answer, toShown));
  }
}

function toOutcome(
  answer: Record<PropertyKey, unknown> | undefined,
  toShown: Upstream['toShown'],
): Outcome {
  const error = answer?.['error'] ?? undefined;
  if (error !== undefined) return { error: toShown(error) };
  const result = answer?.['result'];
  return result === undefined ? fail(NONSENSE) : { result };
}

// Nodes that are services themselves quote the address, key and all, that they were sent.
function createToShown(nodeUrl: string): Upstream['toShown'] {
  const { href, origin, host } = new URL(nodeUrl);
  const { redact } = createRpcEndpoint(nodeUrl);
  const clean = (text: string): string =>
    [nodeUrl, href, origin, host].reduce(
      (rest, form) => rest.replaceAll(form, '[node]'),
      redact(text),
    );
  return (error) => {
    const { code, message, data } = isObject(error) ? error : ({} as never);
    return {
      code: Number.isSafeInteger(code) ? Number(code) : codes.server,
      message:
        typeof message === 'string' ? clean(message) : 'The node refused the call.',
      ...(data !== undefined && {
        data: JSON.parse(clean(JSON.stringify(data))) as unknown,
      }),
    };
  };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function withResolver<Value>(): {
  promise: Promise<Value>;
  resolve: (value: Value) => void;
} {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

// A WebSocket to the node: calls matched by ids of our own, and what the node says by
// itself. It notices a node that is gone without a word by pings.

/** An open WebSocket to the node. */
export type NodeSocket = { ask: Ask; close: () => void };

export type NodeSocketOptions = {
  url: string;
  timeoutMs: number;
  toShown: Upstream['toShown'];
  /** A notification of a subscription, as its `params`. */
  onNotification: (params: Record<PropertyKey, unknown>) => void;
  /** The socket is gone, or could not be opened; called once. */
  onClose: () => void;
};

const PING_MS = 15_000;

/** Open a socket; calls wait until it is open. */
export function openNodeSocket(options: NodeSocketOptions): NodeSocket {
  const { url, timeoutMs, toShown, onNotification, onClose } = options;
  // Not several messages in one tick: an answer is to be seen before what follows it.
  const settings = { perMessageDeflate: false, allowSynchronousEvents: false };
  const socket = new WebSocket(url, { ...settings, handshakeTimeout: timeoutMs });
  const waiting = new Map<unknown, (outcome: Outcome) => void>();
  const opened = new Promise<void>((resolve) => socket.once('open', resolve));
  let lastId = 0;

  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    waiting.forEach((resolve) => resolve(fail(UNREACHABLE)));
    onClose();
  });
  socket.on('message', (data: Buffer) => {
    const message = readObject(data);
    const { id, method, params } = message;
    if (method === 'eth_subscription' && isObject(params)) onNotification(params);
    waiting.get(id)?.(readOutcome(message, toShown));
  });
  pingWhileOpen(socket, PING_MS);

  return {
    ask: async (method, params) => {
      if (socket.readyState > WebSocket.OPEN) return fail(UNREACHABLE);
      const id = ++lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(fail(TIMED_OUT)), timeoutMs);
        const settle = (outcome: Outcome): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(outcome);
        };
        waiting.set(id, settle);
        const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
        void opened.then(() => socket.send(text, () => undefined));
      });
    },
    close: () => socket.terminate(),
  };
}

/** Close a socket whose other side no longer answers. */
export function pingWhileOpen(socket: WebSocket, everyMs: number): void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!isAlive) socket.terminate();
    isAlive = false;
    socket.ping(() => undefined);
  }, everyMs).unref();
  socket.once('close', () => clearInterval(timer));
}

function readObject(data: Buffer): Record<PropertyKey, unknown> {
  try {
    const value: unknown = JSON.parse(data.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function readOutcome(
  { error, result }: Record<PropertyKey, unknown>,
  toShown: Upstream['toShown'],
): Outcome {
  if (error !== undefined && error !== null) return { error: toShown(error) };
  return result === undefined ? fail(UNREACHABLE) : { result };
}
