// One node behind the service, over HTTP. Calls get ids of our own, which match them to answers.
// Any failure becomes an outcome that is safe to show, without the node's address, and a cause for
// the log.
import { isObject } from '@metamask/utils';
import { Pool, type Dispatcher } from 'undici';
import { WebSocket } from 'ws';

import { createRpcEndpoint, type Endpoint } from '../../client/src';
import { findRetryAfter, toBackoff } from '../../client/src/http';
import { findError, readFailure, type Reading } from '../../client/src/reading';
import {
  codes,
  readJson,
  toError,
  writeJson,
  type Outcome,
  type RpcErrorObject,
} from './json-rpc';

/** Calls a chain; never rejects. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<Outcome>;

/** Access to a chain, through one node or several. */
export type Upstream = {
  ask: Ask;
  /** Opens a batch: calls made within one microtask are sent as one array. */
  openBatch: () => Ask;
};

export type NodeFailure = {
  /** The reason for the log: a code or a few words, without the address. */
  cause: string;
  /** The pause that the node requested, in ms. */
  retryMs?: number | undefined;
};

/** The outcome of a call for the caller, and the node's failure, if any. */
export type NodeAnswer = { outcome: Outcome; failure?: NodeFailure };

export type NodeAsk = (...call: Parameters<Ask>) => Promise<NodeAnswer>;

/** Converts a node's error to one without addresses and keys. */
type ToShown = (error: unknown) => RpcErrorObject;

export type Node = {
  ask: NodeAsk;
  openBatch: () => NodeAsk;
  toShown: ToShown;
  stop: () => Promise<void>;
};

type Call = {
  id: number;
  method: string;
  params: readonly unknown[];
  resolve: (answer: NodeAnswer) => void;
};

/** Maximum length of a node's answer, in bytes. */
const MAX_BYTES = 64_000_000;
const CONNECTIONS = 64;
export const UNREACHABLE = 'The node could not be reached.';
export const TIMED_OUT = 'The node did not answer in time.';
export const BAD_ANSWER = 'The node returned an invalid answer.';

export function createNode(
  nodeUrl: string,
  { timeoutMs, onTime }: { timeoutMs: number; onTime: (seconds: number) => void },
): Node {
  const endpoint = createRpcEndpoint(nodeUrl);
  const { origin, pathname, search } = new URL(nodeUrl);
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    maxResponseSize: MAX_BYTES,
  });
  const headers = { ...endpoint.headers, 'content-type': 'application/json' };
  const toShown = createToShown(nodeUrl, endpoint);
  let lastId = 0;

  const send = async (calls: readonly Call[]): Promise<void> => {
    const requests = calls.map(({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    const body = writeJson(requests.length === 1 ? requests[0] : requests);
    const signal = AbortSignal.timeout(timeoutMs);
    const begin = performance.now();
    try {
      const path = pathname + search;
      const request = { path, method: 'POST', headers, body, signal } as const;
      const response = await pool.request(request);
      const text = await response.body.text();
      const left = settle(calls, { ...response, text, toShown });
      // If the node refuses an array, or answers only part of it, the rest is sent call by call.
      left.forEach((call) => void send([call]));
    } catch (error) {
      const { message, code = message } = error as Error & { code?: string };
      const lost = signal.aborted
        ? { outcome: failWith(TIMED_OUT), failure: { cause: 'timeout' } }
        : { outcome: failWith(UNREACHABLE), failure: { cause: code } };
      calls.forEach(({ resolve }) => resolve(lost));
    } finally {
      onTime((performance.now() - begin) / 1_000);
    }
  };

  return {
    ask: async (method, params) =>
      new Promise((resolve) => {
        void send([{ id: ++lastId, method, params, resolve }]);
      }),
    openBatch: () => {
      let waiting: Call[] = [];
      return async (method, params) =>
        new Promise((resolve) => {
          if (waiting.push({ id: ++lastId, method, params, resolve }) > 1) return;
          queueMicrotask(() => {
            void send(waiting);
            waiting = [];
          });
        });
    },
    toShown,
    stop: async () => pool.destroy(),
  };
}

/** Creates the outcome of a failure between the service and the node. */
export function failWith(message: string): Outcome {
  return toError(codes.internal, message);
}

/** Statuses that refuse a whole request because of its key, a quota or the rate. */
const REFUSALS = [401, 402, 403, 429];

// Settles calls with their answers. Returns the calls of an array that must be sent one by one.
function settle(
  calls: readonly Call[],
  response: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & {
    text: string;
    toShown: ToShown;
  },
): Call[] {
  const { statusCode: status, headers, text, toShown } = response;
  const value = readJson(text)?.value;
  const all: unknown[] = [value].flat();
  const hasExpectedForm = calls.length === 1 || Array.isArray(value);
  const answers = new Map<unknown, Record<PropertyKey, unknown>[]>();
  for (const answer of all.filter(isObject)) {
    const id = answer['id'] ?? null;
    answers.set(id, [...(answers.get(id) ?? []), answer]);
  }
  const isRefused = status >= 500 || REFUSALS.includes(status);
  // An error without an id is about the whole request.
  const whole = all.length === 1 ? answers.get(null) : undefined;
  const left = calls.filter(({ id }) => {
    if (calls.length === 1) return false;
    const [answer] = answers.get(id) ?? whole ?? [];
    if (answer && isAboutBatch(answer)) return true;
    return !REFUSALS.includes(status) && (!hasExpectedForm || !answers.has(id));
  });
  const [first] = all.filter(isObject);
  const data = isObject(first?.['error']) ? first['error']['data'] : undefined;
  const backoff = isObject(data) && 'rate' in data ? toBackoff(data) : 0;
  const header = [headers['retry-after']].flat()[0] ?? null;
  const retryMs = (findRetryAfter(header) ?? backoff) * 1_000;
  // All calls of a request share one object, so that the pool counts one failure.
  const refused: NodeFailure = { cause: `HTTP ${status}`, retryMs };
  const limited: NodeFailure = { cause: 'rate limited', retryMs };
  const nonsense: NodeFailure = {
    cause: status === 200 ? 'an invalid answer' : `HTTP ${status}`,
  };
  for (const { id, resolve } of calls.filter((call) => !left.includes(call))) {
    const [answer, ...others] = answers.get(id) ?? whole ?? [];
    const outcome =
      others.length === 0 ? readOutcome(answer ?? {}, toShown) : undefined;
    const isLimited =
      (status === 429 && outcome?.result === undefined) ||
      (outcome && findReading(outcome)?.topic === 'rate');
    if (isLimited) resolve({ outcome: outcome ?? LIMITED, failure: limited });
    else if (outcome === undefined) {
      resolve({ outcome: failWith(BAD_ANSWER), failure: nonsense });
    }
    // A node that answers a call by its id is up, whatever the status.
    else if (isRefused && !answers.has(id)) resolve({ outcome, failure: refused });
    else resolve({ outcome });
  }
  return left;
}

const LIMITED = toError(codes.limited, 'The node limits the rate of calls.');

// A node that refuses arrays, or long ones, may say so in the answer to each call.
function isAboutBatch(answer: Record<PropertyKey, unknown>): boolean {
  const { topic, said = '' } = readFailure(undefined, findError(answer) ?? {});
  return topic === 'size' || /\bbatch/iu.test(said);
}

/** Returns whether an error says that the node lacks data that another node may have. */
export function isLacking(outcome: Outcome): boolean {
  const { kind, topic, said = '' } = findReading(outcome) ?? {};
  if (kind === 'reverted' || (topic !== undefined && topic !== 'missing')) return false;
  return LACKING.test(said);
}

const LACKING =
  /archive|prun|histor|discarded|beyond .*\bhead\b|proof window|\b(?:state|block|data)\b.*(?:un|not )available/iu;

export function findReading(outcome: Outcome): Reading | undefined {
  return outcome.error ? readFailure(undefined, outcome.error) : undefined;
}

export function readOutcome(
  answer: Record<PropertyKey, unknown>,
  toShown: ToShown,
): Outcome | undefined {
  const error = findError(answer);
  if (error !== undefined) return { error: toShown(error) };
  const { result } = answer;
  return result === undefined ? undefined : { result };
}

// Hosted nodes may quote the address, including the key.
function createToShown(nodeUrl: string, { redact }: Endpoint): ToShown {
  const { href, origin, host } = new URL(nodeUrl);
  const clean = (text: string): string =>
    [nodeUrl, href, origin, host].reduce(
      (rest, form) => rest.replaceAll(form, '[node]'),
      redact(text),
    );
  return (error) => {
    const { data } = isObject(error) ? error : ({} as never);
    const { code = codes.server, said } = readFailure(undefined, error);
    return {
      code,
      message: said === '' ? 'The node refused the call.' : clean(said),
      ...(data !== undefined && {
        data: readJson(clean(JSON.stringify(data)))?.value,
      }),
    };
  };
}

/** Closes a socket whose other side no longer answers. */
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
