// A proxy that injects faults into the service's answers on demand. The service still executes each
// request, so that `dropped-socket`, for example, loses the answer to a transaction that was sent.
// A fault stays queued until it applies to an answer: `missing-answer` never applies to the gas
// API.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { isObject } from '@metamask/utils';

import { startHttpServer } from './http-server';
import type { Arrived } from './http-server';

/** The gas API or JSON-RPC. */
type Channel = 'rest' | 'rpc';

type Answer = { status: number; headers: Record<string, string>; body: string };

/**
 * A step of sending an answer: all of it or one half, a delay, an endless wait, or a cut
 * connection.
 */
type Step = 'whole' | 'first' | 'second' | 'wait' | 'stall' | 'cut';

type Fault = {
  on: readonly Channel[];
  change?: (answer: Answer) => Answer;
  steps?: readonly Step[];
};

const JSON_RPC: readonly Channel[] = ['rpc'];
const EVERYWHERE: readonly Channel[] = ['rest', 'rpc'];
const BACKOFF_SECONDS = 1;

/** Added to an id, so that it matches no request. */
const FOREIGN_ID = 1_000_000;

type Row = Record<string, unknown>;

/** `slow` answers arrive late; `stalled` ones never end. */
const faultTable = {
  'slow-headers': { on: EVERYWHERE, steps: ['wait', 'whole'] },
  'stalled-headers': { on: EVERYWHERE, steps: ['stall'] },
  'slow-body': { on: EVERYWHERE, steps: ['first', 'wait', 'second'] },
  'stalled-body': { on: EVERYWHERE, steps: ['first', 'stall'] },
  'dropped-body': { on: EVERYWHERE, steps: ['first', 'cut'] },
  'dropped-socket': { on: EVERYWHERE, steps: ['cut'] },
  'truncated-json': { on: EVERYWHERE, change: toBody((body) => halfOf(body)[0]) },
  'not-json': { on: EVERYWHERE, change: toBody(() => '<html>Bad gateway</html>') },
  'http-400': { on: EVERYWHERE, change: withStatus(400) },
  'http-500': { on: EVERYWHERE, change: withStatus(500) },
  'http-502': { on: EVERYWHERE, change: withStatus(502) },
  'http-503': { on: EVERYWHERE, change: withStatus(503) },
  'http-429': { on: EVERYWHERE, change: () => limited(String(BACKOFF_SECONDS)) },
  'http-429-date': {
    on: EVERYWHERE,
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
} as const satisfies Record<string, Fault>;

const limitError = {
  code: -32005,
  message: 'Too many requests (requested fault).',
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
    message: `HTTP ${status} (requested fault).`,
  };
  return () => ({ status, headers: {}, body: JSON.stringify({ error }) });
}

function limited(retryAfter: string): Answer {
  const headers = { 'Retry-After': retryAfter };
  return { status: 429, headers, body: JSON.stringify({ error: limitError }) };
}

// If the change removes or duplicates a single answer, the body becomes a batch.
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

// A JSON-RPC result is in `result`; a gas API result is the whole body. Errors stay unchanged.
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

// Removes every other field, beginning with the first. A value that is not an object is removed.
function withoutFields(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  return Object.fromEntries(Object.entries(result).filter((_each, index) => index % 2));
}

export type FaultName = keyof typeof faultTable;

export const faultNames = Object.keys(faultTable) as FaultName[];

export async function startFaultyService(serviceUrl: string, delayMs: number) {
  const queue: FaultName[] = [];

  const take = (channel: Channel): Fault => {
    const index = queue.findIndex((each) =>
      faultTable[each].on.some((possible) => possible === channel),
    );
    const [next] = index < 0 ? [] : queue.splice(index, 1);
    return next ? faultTable[next] : { on: [] };
  };
  const respond = async (
    response: ServerResponse,
    { method, path, headers, body }: Arrived,
  ) => {
    const { authorization = '' } = headers;
    const isPost = method === 'POST';
    const init = { method, headers: { authorization }, ...(isPost && { body }) };
    const original = await fetch(serviceUrl + path, init);
    const answer = {
      status: original.status,
      headers: {},
      body: await original.text(),
    };
    const { change, steps = ['whole'] } = take(isPost ? 'rpc' : 'rest');
    const changed = change?.(answer) ?? answer;
    const type = { 'Content-Type': 'application/json' };
    response.writeHead(changed.status, { ...type, ...changed.headers });
    const [first, second] = halfOf(changed.body);
    const texts: Partial<Record<Step, string>> = { whole: changed.body, first, second };
    for (const step of steps) {
      if (step === 'stall') return;
      if (step === 'wait') await sleep(delayMs);
      // Gives the first half time to arrive.
      else if (step === 'cut') await sleep(steps.length > 1 ? 50 : 0);
      else response.write(texts[step]);
    }
    if (steps.includes('cut')) response.socket?.resetAndDestroy();
    else response.end();
  };

  const server = await startHttpServer((response, arrived) => {
    respond(response, arrived).catch(() => response.destroy());
  });
  return {
    url: server.url,
    next: (name: FaultName) => queue.push(name),
    clear: () => {
      queue.length = 0;
    },
    stop: server.stop,
  };
}

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>;
