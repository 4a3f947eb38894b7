// What a server answered to which call. Answers are matched by id, and a bad one harms no
// other call than its own.
import {
  any,
  integer,
  literal,
  nullable,
  optional,
  string,
  type,
  unknown,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import { matches } from '../../parse';
import type { Endpoint } from '../endpoint';
import { InvalidResponseError, RateLimitError, RpcError } from '../errors';

// Some bundlers leave the code out.
const ErrorStruct = type({
  code: optional(any()),
  message: string(),
  data: optional(any()),
});

const AnswerStruct = type({
  id: integer(),
  result: optional(unknown()),
  error: optional(nullable(ErrorStruct)),
});

const UnaddressedStruct = type({ id: optional(literal(null)), error: ErrorStruct });

/** An answer that names the call it belongs to. */
export type Answer = Infer<typeof AnswerStruct>;

/** How a call ended. */
export type Outcome = { result: unknown } | { error: Error };

/** JSON-RPC code of a server that wants to be asked later (spec section 8). */
const LIMITED = -32005;

const DEFAULT_BACKOFF_SECONDS = 1;

/** Longest data of a server's error that is passed on, as JSON text. */
const MAX_DATA_LENGTH = 10_000;

/**
 * Sort a response's answers by the id of their call.
 *
 * @throws {RpcError | RateLimitError} If the only answer is an error without an id: it is
 * about the whole request, and no call was carried out.
 */
export function sortAnswers(body: unknown, endpoint: Endpoint): Map<number, Answer[]> {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  const [only, ...others] = all;
  if (others.length === 0 && matches(only, UnaddressedStruct)) {
    throw toError(endpoint.label, only.error, endpoint);
  }
  const answers = new Map<number, Answer[]>();
  for (const answer of all) {
    if (!matches(answer, AnswerStruct)) continue;
    answers.set(answer.id, [...(answers.get(answer.id) ?? []), answer]);
  }
  return answers;
}

/** Find how a call ended; it needs exactly one answer with its id. */
export function findOutcome(
  { id, method }: { id: number; method: string },
  answers: Map<number, Answer[]>,
  endpoint: Endpoint,
): Outcome {
  const what = `${method} at ${endpoint.label}`;
  const [answer, ...others] = answers.get(id) ?? [];
  const invalid = (reason: string): Outcome => ({
    error: new InvalidResponseError(what, reason),
  });
  if (!answer) return invalid('it has no answer for this call.');
  if (others.length > 0) return invalid('it answered this call more than once.');
  if (answer.error) return { error: toError(what, answer.error, endpoint) };
  if (!('result' in answer)) return invalid('it has neither a result nor an error.');
  return { result: answer.result };
}

function toError(
  what: string,
  { code, message, data }: Infer<typeof ErrorStruct>,
  { redact }: Endpoint,
): Error {
  if (code === LIMITED) return new RateLimitError(what, findBackoff(data));
  return new RpcError(what, {
    code,
    message: redact(message),
    data: toShown(data, redact),
  });
}

// Servers quote what they were sent, the address with its key among it.
function toShown(data: unknown, redact: (text: string) => string): unknown {
  const text = data === undefined ? '' : JSON.stringify(data);
  if (text === '' || text.length > MAX_DATA_LENGTH) return undefined;
  try {
    return JSON.parse(redact(text));
  } catch {
    return undefined;
  }
}

function findBackoff(data: unknown): number {
  const rate: unknown = isObject(data) && 'rate' in data ? data.rate : undefined;
  const seconds: unknown =
    isObject(rate) && 'backoff_seconds' in rate ? rate.backoff_seconds : undefined;
  return typeof seconds === 'number' && seconds >= 0
    ? seconds
    : DEFAULT_BACKOFF_SECONDS;
}
