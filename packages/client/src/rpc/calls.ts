// Pending JSON-RPC calls and the answers to them. A call is serialized once and settled once,
// whatever happens to the messages that carry it. Answers are matched by id, and a malformed one
// affects no other call.
import { isObject } from '@metamask/utils';

import { InvalidParamsError } from '../../../../src/core/errors';
import type { Endpoint } from '../endpoint';
import { invalidAnswer, NOWHERE, RateLimitError, RpcError } from '../errors';
import type { RpcFailure } from '../errors';
import { assertJson, toBackoff } from '../http';
import type { Reply } from '../http';
import { findError } from '../reading';
import type { RpcCall } from './transport';

export type Outcome = { result: unknown; error?: undefined } | { error: unknown };

export type PendingCall = {
  readonly id: number;
  readonly method: string;
  /** The request as JSON text. */
  readonly body: string;
  readonly idempotent: boolean;
  /** Whether to treat a "not found" error of the server as null. */
  readonly isNullable: boolean;
  /** Whether the caller has been answered, or has given up. */
  readonly isSettled: () => boolean;
  /** Settles the call; only the first outcome counts. */
  readonly settle: (outcome: Outcome) => void;
  readonly onSettled: (listener: () => void) => void;
};

type Answer = Record<PropertyKey, unknown>;

export type Answers = ReadonlyMap<number, readonly Answer[]>;

type Source = { endpoint: Endpoint; reply?: Reply };

/** Maximum answers to read from a response, twice the size of the largest batch. */
const MAX_ANSWERS = 20_000;

/** Longest error data to pass on, as JSON text. Messages are cut to this length, far beyond the
 * part that is shown, so that no part of a secret remains visible at the cut. */
const MAX_DATA_LENGTH = 10_000;

/** Maximum fields of an error to read. Those of JSON-RPC come first, so none of them is cut. */
const MAX_FIELDS = 20;
const FIELDS = ['code', 'message', 'data'];

/** Starts a call, which `send` dispatches and eventually settles. Throws `InvalidParamsError` if
 * the params cannot be written as JSON, and the signal's reason if it aborts. */
export async function startCall(
  id: number,
  call: RpcCall,
  send: (pending: PendingCall) => void,
): Promise<unknown> {
  const { method, signal, idempotent = false, isNullable = false } = call;
  signal?.throwIfAborted();
  const body = serialize(id, call);
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
      isNullable,
      settle,
      isSettled: () => isSettled,
      onSettled: (listener) => listeners.push(listener),
    });
  });
}

// Serialized before the call joins a batch, so bad params affect no other call.
function serialize(id: number, { method, params }: RpcCall): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, method, params });
  } catch (cause) {
    const message = `${method}: params cannot be written as JSON.`;
    throw new InvalidParamsError(message, { cause });
  }
}

/** Sorts a response's answers by the id of their call. Throws errors about the whole request: an
 * error without an id, or an HTTP status. Throws `InvalidResponseError` if the response is not
 * JSON, or has too many answers. */
export function sortAnswers(
  reply: Reply,
  endpoint: Endpoint,
  [call, ...more]: readonly PendingCall[],
): Answers {
  const [only, ...others] = [reply.value].flat();
  if (others.length >= MAX_ANSWERS) throw invalidAnswer('it has too many answers.');
  const answers = groupAnswers(reply.value);
  if (answers.size > 0) return answers;
  if (isObject(only) && others.length === 0 && typeof only['id'] !== 'number') {
    const error = findError(only);
    // A text with an error status comes from a gateway, and is not a JSON-RPC error.
    if (error !== undefined && (reply.isOk || isObject(error))) {
      const failure = toError(error, { endpoint, reply });
      if (reply.status >= 500 && isVague(failure)) assertJson(reply);
      throw failure;
    }
    // Over HTTP, a single answer without a numeric id belongs to the single call.
    if (call && more.length === 0 && 'result' in only) {
      return new Map([[call.id, [only]]]);
    }
  }
  assertJson(reply);
  return answers;
}

/** Groups answers by the id of their call, up to the maximum; drops anything else. */
export function groupAnswers(value: unknown): Answers {
  const answers = new Map<number, Answer[]>();
  for (const answer of [value].flat().slice(0, MAX_ANSWERS)) {
    if (!isObject(answer) || !Number.isInteger(answer['id'])) continue;
    const id = Number(answer['id']);
    const sameId = answers.get(id);
    if (sameId) sameId.push(answer);
    else answers.set(id, [answer]);
  }
  return answers;
}

export function readResult(
  { id, isNullable }: Pick<PendingCall, 'id' | 'isNullable'>,
  answers: Answers,
  source: Source,
): unknown {
  const [answer, ...others] = answers.get(id) ?? [];
  if (!answer) throw invalidAnswer('it has no answer for this call.');
  if (others.length > 0) throw invalidAnswer('it answered this call more than once.');
  const error = findError(answer);
  if (error !== undefined) {
    const failure = toError(error, source);
    if (isNullable && isMissing(failure)) return null;
    throw failure;
  }
  if ('result' in answer) return answer['result'];
  throw invalidAnswer('it has neither a result nor an error.');
}

/** Returns whether a server says that it lacks a block, transaction or receipt, perhaps for now. */
export function isMissing(error: unknown): boolean {
  return error instanceof RpcError && error.topic === 'missing';
}

// Returns whether an error says no more than the HTTP status.
function isVague(error: Error): boolean {
  return error instanceof RpcError && error.kind === 'refused' && !error.topic;
}

// Some servers send a string instead of an error object.
function toError(error: unknown, { endpoint: { redact }, reply }: Source): Error {
  const fields = isObject(error) ? error : { message: error };
  // Redaction is slow if an address has many secrets, and nothing can interrupt it.
  const isOther = ([name]: [string, unknown]): number => Number(!FIELDS.includes(name));
  const shown = Object.entries(fields)
    .sort((one, other) => isOther(one) - isOther(other))
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => [
      name,
      name === 'message' && typeof value === 'string'
        ? redact(value.slice(0, MAX_DATA_LENGTH))
        : redactData(value, redact),
    ]);
  const failure = Object.fromEntries(shown) as RpcFailure;
  const failed = new RpcError(NOWHERE, failure, reply?.status);
  if (failed.topic !== 'rate') return failed;
  const seconds = reply?.retryAfterSeconds ?? toBackoff(failure.data);
  return new RateLimitError(NOWHERE, seconds);
}

// Servers quote requests, including the address with its key.
function redactData(data: unknown, redact: Endpoint['redact']): unknown {
  try {
    const text = JSON.stringify(data);
    return text.length > MAX_DATA_LENGTH ? undefined : JSON.parse(redact(text));
  } catch {
    // Nested too deeply to serialize, or no longer JSON after redaction.
    return undefined;
  }
}
