// JSON-RPC calls on their way, and what a server answered to which. A call is written once and
// answered once, whatever happens to the messages that carry it. Answers are matched by id, and a
// bad one harms no other call than its own.
import type { Infer } from '@metamask/superstruct';

import { InvalidParamsError } from '../../../../src/errors';
import { matches } from '../../../../src/schema/parse';
import {
  anything,
  named,
  nothing,
  nullable,
  optional,
  type,
} from '../../../../src/schema/structs';
import type { Endpoint } from '../endpoint';
import { InvalidResponseError, NOWHERE, RateLimitError, RpcError } from '../errors';
import { toBackoff } from '../http';
import type { RpcCall } from './transport';

export type Outcome = { result: unknown; error?: undefined } | { error: unknown };

export type PendingCall = {
  readonly id: number;
  readonly method: string;
  /** The request as JSON text. */
  readonly body: string;
  readonly idempotent: boolean;
  /** Whether the caller has been answered, or has given the call up. */
  readonly isSettled: () => boolean;
  /** Answer the caller; only the first answer counts. */
  readonly settle: (outcome: Outcome) => void;
  readonly onSettled: (listener: () => void) => void;
};

// Some bundlers leave the code out.
const ErrorStruct = type({
  code: optional(anything()),
  message: named<string>('a string', (value) => typeof value === 'string'),
  data: optional(anything()),
});

const AnswerStruct = type({
  id: named<number>('an integer', Number.isInteger),
  result: optional(anything()),
  error: optional(nullable(ErrorStruct)),
});

const UnaddressedStruct = type({ id: optional(nothing()), error: ErrorStruct });

export type Answers = ReadonlyMap<number, readonly Infer<typeof AnswerStruct>[]>;

/** Most answers that are read of a response: as many as a batch can have calls, twice. */
const MAX_ANSWERS = 20_000;

/** Longest data of a server's error that is passed on, as JSON text. */
const MAX_DATA_LENGTH = 10_000;

/** Starts a call, which `send` puts on its way and settles in the end. Throws `InvalidParamsError` if
 * the params cannot be written as JSON, and the reason of the call's signal. */
export async function startCall(
  id: number,
  call: RpcCall,
  send: (pending: PendingCall) => void,
): Promise<unknown> {
  const { method, signal, idempotent = false } = call;
  signal?.throwIfAborted();
  const body = write(id, call);
  const listeners: (() => void)[] = [];
  let isSettled = false;
  return new Promise((resolve, reject: (reason: Error) => void) => {
    const settle = (outcome: Outcome): void => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', giveUp);
      listeners.forEach((listener) => listener());
      if ('error' in outcome) reject(outcome.error as Error);
      else resolve(outcome.result);
    };
    const giveUp = (): void => settle({ error: signal?.reason as Error });
    signal?.addEventListener('abort', giveUp);
    send({
      id,
      method,
      body,
      idempotent,
      settle,
      isSettled: () => isSettled,
      onSettled: (listener) => listeners.push(listener),
    });
  });
}

// Before it joins the others: what cannot be written must harm no other call.
function write(id: number, { method, params }: RpcCall): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, method, params });
  } catch (cause) {
    const message = `${method}: params cannot be written as JSON.`;
    throw new InvalidParamsError(message, { cause });
  }
}

/** Sorts a response's answers by the id of their call. Throws `RpcError` or `RateLimitError` if the only
 * answer is an error without an id: it is about the whole request, and no call was carried out. Throws
 * `InvalidResponseError` if there are more answers than any batch has calls. */
export function sortAnswers(body: unknown, endpoint: Endpoint): Answers {
  const [only, ...others] = toArray(body);
  if (others.length >= MAX_ANSWERS) {
    throw new InvalidResponseError(NOWHERE, 'it has too many answers.');
  }
  const answers = groupAnswers(body);
  if (answers.size === 0 && others.length === 0 && matches(only, UnaddressedStruct)) {
    throw toError(only.error, endpoint);
  }
  return answers;
}

/** Groups answers by the id of their call, up to as many as are read; drops anything else. */
export function groupAnswers(body: unknown): Answers {
  const answers = new Map<number, Infer<typeof AnswerStruct>[]>();
  for (const answer of toArray(body).slice(0, MAX_ANSWERS)) {
    if (!matches(answer, AnswerStruct)) continue;
    const sameId = answers.get(answer.id);
    if (sameId) sameId.push(answer);
    else answers.set(answer.id, [answer]);
  }
  return answers;
}

function toArray(body: unknown): unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** Reads the result of a call, which needs exactly one answer with its id. */
export function readResult(id: number, answers: Answers, endpoint: Endpoint): unknown {
  const [answer, ...others] = answers.get(id) ?? [];
  if (answer?.error && others.length === 0) throw toError(answer.error, endpoint);
  if (answer && 'result' in answer && others.length === 0) return answer.result;
  const lack = answer
    ? 'it has neither a result nor an error.'
    : 'it has no answer for this call.';
  const reason = others.length > 0 ? 'it answered this call more than once.' : lack;
  throw new InvalidResponseError(NOWHERE, reason);
}

function toError(
  { code, message, data }: Infer<typeof ErrorStruct>,
  { redact }: Endpoint,
): Error {
  // It wants to be asked later (spec section 8).
  if (code === -32005) return new RateLimitError(NOWHERE, toBackoff(data));
  const failure = { code, message: redact(message), data: redactData(data, redact) };
  return new RpcError(NOWHERE, failure);
}

// Servers quote what they were sent, the address with its key among it.
function redactData(data: unknown, redact: Endpoint['redact']): unknown {
  if (data === undefined) return undefined;
  try {
    const text = JSON.stringify(data);
    return text.length > MAX_DATA_LENGTH ? undefined : JSON.parse(redact(text));
  } catch {
    // It is deeper than the stack, or the redacted text is no JSON.
    return undefined;
  }
}
