// One node behind the service, over HTTP. Calls go with ids of our own and are
// matched by them. Whatever goes wrong becomes an outcome that may be shown, without the
// node's address, and a cause for the log.
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

/** A chain, as the service sees it: one node or several. */
export type Upstream = {
  ask: Ask;
  /** Opens a batch: its calls within one tick go as one array. */
  openBatch: () => Ask;
};

export type NodeFailure = {
  /** For the log: a code or a few words, without the address. */
  cause: string;
  /** How long the node wants to be left alone. */
  retryMs?: number | undefined;
};

/** What came of a call: the outcome for the caller, and the failure if the node failed. */
export type NodeAnswer = { outcome: Outcome; failure?: NodeFailure };

export type NodeAsk = (...call: Parameters<Ask>) => Promise<NodeAnswer>;

/** Takes what may not be shown out of an error of a node. */
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

/** Longest answer of the node, in bytes. */
const MAX_BYTES = 64_000_000;
const CONNECTIONS = 64;
export const UNREACHABLE = 'The node could not be reached.';
export const TIMED_OUT = 'The node did not answer in time.';
export const NONSENSE = 'The node returned an invalid answer.';

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
    const [only, ...others] = calls.map(({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    const body = writeJson(others.length === 0 ? only : [only, ...others]);
    const signal = AbortSignal.timeout(timeoutMs);
    const begin = performance.now();
    try {
      const path = pathname + search;
      const request = { path, method: 'POST', headers, body, signal } as const;
      const response = await pool.request(request);
      const text = await response.body.text();
      const left = settle(calls, { ...response, text, toShown });
      // An array that the node refuses, or does not answer whole, is asked call by call.
      left.forEach((call) => void send([call]));
    } catch (error) {
      const { message, code = message } = error as Error & { code?: string };
      const lost = signal.aborted
        ? { outcome: fail(TIMED_OUT), failure: { cause: 'timeout' } }
        : { outcome: fail(UNREACHABLE), failure: { cause: code } };
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

/** An outcome for a failure between the service and the node. */
export function fail(message: string): Outcome {
  return { error: { code: codes.internal, message } };
}

/** Statuses with which a node refuses everything: keys, quotas, rates. */
const REFUSALS = [401, 402, 403, 429];

// Returns the calls of an array that the answer passes over.
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
  const isOfForm = calls.length === 1 || Array.isArray(value);
  const answers = new Map<unknown, Record<PropertyKey, unknown>[]>();
  for (const answer of all.filter(isObject)) {
    const id = answer['id'] ?? null;
    answers.set(id, [...(answers.get(id) ?? []), answer]);
  }
  const isRefused = status >= 500 || REFUSALS.includes(status);
  // An error without an id is about all that was sent.
  const whole = all.length === 1 ? answers.get(null) : undefined;
  const left = calls.filter(({ id }) => {
    if (calls.length === 1) return false;
    const [answer] = answers.get(id) ?? whole ?? [];
    if (answer && isAboutBatch(answer)) return true;
    return !REFUSALS.includes(status) && (!isOfForm || !answers.has(id));
  });
  const [first] = all.filter(isObject);
  const data = isObject(first?.['error']) ? first['error']['data'] : undefined;
  const backoff = isObject(data) && 'rate' in data ? toBackoff(data) : 0;
  const header = [headers['retry-after']].flat()[0] ?? null;
  const retryMs = (findRetryAfter(header) ?? backoff) * 1_000;
  // One for all calls: pools count failures of requests.
  const refused: NodeFailure = { cause: `HTTP ${status}`, retryMs };
  const limited: NodeFailure = { cause: 'rate limited', retryMs };
  const nonsense: NodeFailure = {
    cause: status === 200 ? 'an invalid answer' : `HTTP ${status}`,
  };
  for (const { id, resolve } of calls.filter((call) => !left.includes(call))) {
    const [answer, ...others] = answers.get(id) ?? whole ?? [];
    const outcome =
      others.length === 0 ? readOutcome(answer ?? {}, toShown) : undefined;
    const isError = outcome === undefined || 'error' in outcome;
    const isLimited =
      (status === 429 && isError) ||
      (outcome && findReading(outcome)?.topic === 'rate');
    if (isLimited) resolve({ outcome: outcome ?? LIMITED, failure: limited });
    else if (outcome === undefined) {
      resolve({ outcome: fail(NONSENSE), failure: nonsense });
    }
    // What answers a call with its id is up, whatever the status.
    else if (isRefused && !answers.has(id)) resolve({ outcome, failure: refused });
    else resolve({ outcome });
  }
  return left;
}

const LIMITED = toError(codes.limited, 'The node limits the rate of calls.');

// A node that takes no arrays, or no such long ones, may answer each call of one with that.
function isAboutBatch(answer: Record<PropertyKey, unknown>): boolean {
  const { topic, said = '' } = readFailure(undefined, findError(answer) ?? {});
  return topic === 'size' || /\bbatch/iu.test(said);
}

/** Returns whether an error says that the node has not, or no longer, what another one may have. */
export function isLacking(outcome: Outcome): boolean {
  const { kind, topic, said = '' } = findReading(outcome) ?? {};
  if (kind === 'reverted' || (topic !== undefined && topic !== 'missing')) return false;
  return LACKING.test(said);
}

const LACKING =
  /archive|prun|histor|discarded|beyond .*\bhead\b|proof window|\b(?:state|block|data)\b.*(?:un|not )available/iu;

/** Reads the error of an outcome; undefined if it has none. */
export function findReading(outcome: Outcome): Reading | undefined {
  return 'error' in outcome ? readFailure(undefined, outcome.error) : undefined;
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

// Nodes that are services themselves quote the address, key and all, that they were sent.
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
        data: JSON.parse(clean(JSON.stringify(data))) as unknown,
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
