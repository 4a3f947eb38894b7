// The node behind the service, over HTTP. Calls go with ids of our own and are matched by
// them; whatever goes wrong becomes an outcome that may be shown, without the node's
// address.
import { isObject } from '@metamask/utils';
import { Pool } from 'undici';

import { createRpcEndpoint } from '../../src/client';
import { codes } from './failure';
import type { Outcome, RpcErrorObject } from './failure';

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

export const UNREACHABLE = 'The node could not be reached.';
export const TIMED_OUT = 'The node did not answer in time.';
export const NONSENSE = 'The node gave an answer that makes no sense.';

/** Create the way to a node. */
export function createUpstream(nodeUrl: string, timeoutMs: number): Upstream {
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
    try {
      const response = await pool.request({ ...request, method: 'POST' });
      return JSON.parse(await readText(response.body));
    } catch (error) {
      if (signal.aborted) throw new Error(TIMED_OUT);
      // A text that is no JSON came all the same; anything else did not come.
      const isText = (error as { name?: unknown }).name === 'SyntaxError';
      throw new Error(isText ? NONSENSE : UNREACHABLE);
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
    return [{ id: ++lastId, method, params, resolve }, promise];
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
