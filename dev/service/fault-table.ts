// The faults by name: where each can happen, what it changes of an answer, and how the
// answer then gets to the caller.
import { isObject } from '@metamask/utils';

/** What an answer is part of: the gas API, JSON-RPC over HTTP, or over a WebSocket. */
export type Channel = 'rest' | 'rpc' | 'socket';

/** An answer before it is sent; a WebSocket sends only its body. */
export type Answer = { status: number; headers: Record<string, string>; body: string };

/** How an answer gets to the caller. */
export type Delivery =
  'late' | 'never' | 'half-then-rest' | 'half-then-nothing' | 'half-then-cut' | 'cut';

/** A fault: what it does to an answer. */
export type Fault = {
  on: readonly Channel[];
  change?: (answer: Answer) => Answer;
  delivery?: Delivery;
};

const HTTP: readonly Channel[] = ['rest', 'rpc'];
const JSON_RPC: readonly Channel[] = ['rpc', 'socket'];
const EVERYWHERE: readonly Channel[] = ['rest', 'rpc', 'socket'];

const BACKOFF_SECONDS = 1;

/** Added to an id, so that it is nobody's. */
const FOREIGN_ID = 1_000_000;

type Row = Record<string, unknown>;

/** All faults. Those that begin with `slow` come to an end, those with `stalled` do not. */
export const faultTable = {
  'slow-headers': { on: EVERYWHERE, delivery: 'late' },
  'stalled-headers': { on: EVERYWHERE, delivery: 'never' },
  'slow-body': { on: EVERYWHERE, delivery: 'half-then-rest' },
  'stalled-body': { on: EVERYWHERE, delivery: 'half-then-nothing' },
  'dropped-body': { on: EVERYWHERE, delivery: 'half-then-cut' },
  'dropped-socket': { on: EVERYWHERE, delivery: 'cut' },
  'truncated-json': {
    on: EVERYWHERE,
    change: (answer) => ({ ...answer, body: halfOf(answer.body)[0] }),
  },
  'not-json': {
    on: EVERYWHERE,
    change: (answer) => ({ ...answer, body: '<html>Bad gateway</html>' }),
  },
  'http-500': { on: HTTP, change: withStatus(500) },
  'http-502': { on: HTTP, change: withStatus(502) },
  'http-503': { on: HTTP, change: withStatus(503) },
  'http-429': {
    on: HTTP,
    change: () => limited(() => String(BACKOFF_SECONDS)),
  },
  'http-429-date': {
    on: HTTP,
    change: () =>
      limited(() => new Date(Date.now() + 1_000 * BACKOFF_SECONDS).toUTCString()),
  },
  'rpc-limited': {
    on: JSON_RPC,
    change: eachAnswer(({ jsonrpc, id }) => ({ jsonrpc, id, error: limitError })),
  },
  'wrong-id': {
    on: JSON_RPC,
    change: someAnswers(([first, ...rest]) => [
      {
        ...first,
        id: typeof first.id === 'number' ? first.id + FOREIGN_ID : FOREIGN_ID,
      },
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

/** Cut a text in two. */
export function halfOf(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function withStatus(status: number): (answer: Answer) => Answer {
  const error = {
    code: -32603,
    message: `HTTP ${status} (a fault that was asked for).`,
  };
  return () => ({ status, headers: {}, body: JSON.stringify({ error }) });
}

function limited(retryAfter: () => string): Answer {
  const headers = { 'Retry-After': retryAfter() };
  return { status: 429, headers, body: JSON.stringify({ error: limitError }) };
}

function changeBody(
  { body, ...answer }: Answer,
  change: (value: unknown) => unknown,
): Answer {
  return { ...answer, body: JSON.stringify(change(JSON.parse(body))) };
}

// A single answer that is missing leaves an empty batch; one that is there twice, a batch.
function someAnswers(
  change: (answers: [Row, ...Row[]]) => Row[],
): (answer: Answer) => Answer {
  return (answer) =>
    changeBody(answer, (value) => {
      const changed = change([value].flat() as [Row, ...Row[]]);
      return Array.isArray(value) || changed.length !== 1 ? changed : changed[0];
    });
}

function eachAnswer(change: (answer: Row) => Row): (answer: Answer) => Answer {
  return someAnswers((answers) => answers.map(change));
}

// What JSON-RPC wraps in `result` the gas API says as it is; errors stay as they are.
function eachResult(change: (result: unknown) => unknown): (answer: Answer) => Answer {
  const changeOne = (value: unknown): unknown => {
    if (!isObject(value) || 'error' in value) return value;
    return 'result' in value
      ? { ...value, result: change(value.result) }
      : change(value);
  };
  return (answer) =>
    changeBody(answer, (value) =>
      Array.isArray(value) ? value.map(changeOne) : changeOne(value),
    );
}

function withWrongTypes(result: unknown): unknown {
  if (!isObject(result)) return typeof result === 'boolean' ? 'true' : true;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? 'true' : true,
    ]),
  );
}

// Every second field, the first among them; what is no object is gone altogether.
function withoutFields(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  return Object.fromEntries(Object.entries(result).filter((_each, index) => index % 2));
}
