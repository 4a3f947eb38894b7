// Errors of requests to servers. A message says what happened, where, after how many attempts, and
// what to do. Code inside an exchange does not know which call it serves, so its caller adds the
// place with `withPlace`.
import { TollkeeperError, toRetryContext } from '../../../src/core/errors';
import type { ErrorContext, ErrorDetails } from '../../../src/core/errors';
import type { Hex } from '../../../src/eth/hex';
import { describeRejection, validate } from '../../../src/schema/parse';
import type { StructOf } from '../../../src/schema/parse';
import { consequences, readFailure } from './reading';
import type { FailureKind, Topic } from './reading';

/** Where something went wrong, and after how many attempts. */
export type Place = {
  /** The server, or the method and the server: `eth_chainId at https://…`. */
  label?: string;
  /** Number of the failed attempt, counted from 1. */
  attempts?: number | undefined;
  /** Whether the server may have executed a call that must not be repeated. */
  mayBeDone?: boolean | undefined;
};

/** Placeholder for failures whose call is not known yet. */
export const NOWHERE: Place = {};

const UNKNOWN_OUTCOME = 'It may have been carried out: check before you send it again.';

export function formatMessage(
  { label, attempts = 1, mayBeDone }: Place,
  what: string,
  advice = '',
): string {
  const tries = attempts > 1 ? `It was tried ${attempts} times.` : '';
  const parts = [label, what, tries, mayBeDone ? UNKNOWN_OUTCOME : advice];
  return parts.filter(Boolean).join(' ');
}

export function withAttempts(
  { attempts = 1, mayBeDone }: Place,
  { context, cause }: ErrorDetails = {},
): ErrorDetails {
  const tries = { ...(attempts > 1 && { attempts }), ...(mayBeDone && { mayBeDone }) };
  return { context: { ...context, ...tries }, cause };
}

type Failure = ErrorDetails & {
  kind: FailureKind;
  what: string;
  advice?: string | undefined;
  code?: number;
  /** Seconds to wait before another attempt. */
  pauseSeconds?: number | undefined;
};

/** A failed call. Its place can be replaced, for example by that of a call in a failed batch. */
export abstract class ClientError extends TollkeeperError {
  readonly kind: FailureKind;

  readonly pauseSeconds: number;

  readonly #given: readonly unknown[];

  /** @param given - Arguments of the subclass's constructor after the place. */
  constructor(place: Place, failure: Failure, ...given: readonly unknown[]) {
    const { kind, what, pauseSeconds = 0, ...details } = failure;
    const { mayBeDone, advice: usual } = consequences[kind];
    // The default is -32002, resource unavailable (EIP-1474).
    const { advice = usual, code = -32002, ...rest } = details;
    const where = mayBeDone ? place : { ...place, mayBeDone };
    super(code, formatMessage(where, what, advice), withAttempts(where, rest));
    this.kind = kind;
    this.pauseSeconds = pauseSeconds;
    this.#given = given;
  }

  at(place: Place): this {
    const Own = this.constructor as new (at: Place, ...given: unknown[]) => this;
    return new Own(place, ...this.#given);
  }
}

/** Adds the place to a client's error. Returns other errors unchanged. */
export function withPlace(error: unknown, place: Place): unknown {
  return error instanceof ClientError ? error.at(place) : error;
}

export function readAt<Result>(place: Place, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw withPlace(error, place) as Error;
  }
}

/** The server could not be reached, or the connection was lost. */
export class NetworkError extends ClientError {
  override readonly name = 'NetworkError';

  constructor(place: Place, details: ErrorDetails = {}) {
    const advice = 'Check the address and the connection.';
    const failure = { what: 'could not be reached.', advice, ...details };
    super(place, { kind: 'unknown outcome', ...failure }, { cause: details.cause });
  }
}

/** No complete response, headers and body, arrived within `timeoutMs`. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError';

  constructor(
    place: Place,
    readonly timeoutMs: number,
  ) {
    const what = `did not answer within ${timeoutMs} ms.`;
    super(place, { kind: 'unknown outcome', what }, timeoutMs);
  }
}

const ADVICE: Record<number, string> = {
  401: 'Check the API key and its secret.',
  402: 'The quota of the API key is used up.',
  403: 'The API key is not allowed to do this, or not from this origin.',
  404: 'Check the address and the chain id.',
  413: 'Send less in one request.',
};

/** The server responded with an unsuccessful HTTP status. */
export class HttpStatusError extends ClientError {
  override readonly name = 'HttpStatusError';

  constructor(
    place: Place,
    readonly status: number,
    /** Seconds to wait before the next request, from `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    const { kind } = readFailure(status);
    // In pages, a redirect that is not followed has status 0.
    const isRedirect = status < 400;
    const what = isRedirect
      ? 'answered with a redirect, which is not followed.'
      : `answered with HTTP status ${status}.`;
    const advice = isRedirect
      ? 'Use the address it redirects to.'
      : (ADVICE[status] ?? (status >= 500 ? 'Try again later.' : ''));
    const failure = { kind, what, advice, pauseSeconds: retryAfterSeconds };
    super(place, { ...failure, context: { status } }, status, retryAfterSeconds);
  }
}

/** The server limits the request rate. It reports this as HTTP 429, or as a JSON-RPC error. */
export class RateLimitError extends ClientError {
  override readonly name = 'RateLimitError';

  constructor(
    place: Place,
    readonly backoffSeconds: number,
  ) {
    const failure = {
      kind: 'busy',
      code: -32005,
      what: 'is rate limited.',
      advice: `Try again in ${backoffSeconds} s.`,
      pauseSeconds: backoffSeconds,
      context: toRetryContext(backoffSeconds),
    } as const;
    super(place, failure, backoffSeconds);
  }
}

/** The response is longer than `maxBytes`. */
export class BodyTooLargeError extends ClientError {
  override readonly name = 'BodyTooLargeError';

  constructor(
    place: Place,
    readonly maxBytes: number,
  ) {
    const what = `answered with more than ${maxBytes} bytes.`;
    super(
      place,
      { kind: 'broken', what, advice: 'Ask for less in one request.' },
      maxBytes,
    );
  }
}

/** The response is malformed. `reason` says how, such as the path and the expected value. */
export class InvalidResponseError extends ClientError {
  override readonly name = 'InvalidResponseError';

  constructor(
    place: Place,
    readonly reason: string,
  ) {
    super(place, { kind: 'broken', what: `gave an invalid answer: ${reason}` }, reason);
  }
}

/** Parses an answer. Throws `InvalidResponseError` without a place; paths start at `root`. */
export function readAnswer<Type>(
  answer: unknown,
  struct: StructOf<Type>,
  root = 'result',
): Type {
  const result = validate(answer, struct);
  if ('value' in result) return result.value;
  throw invalidAnswer(describeRejection(result.rejection, root));
}

export function invalidAnswer(reason: string): InvalidResponseError {
  return new InvalidResponseError(NOWHERE, reason);
}

const MAX_MESSAGE_LENGTH = 300;

/** Length of a selector in characters, including `0x`. */
const SELECTOR_LENGTH = 10;

/** An unvalidated JSON-RPC error object. */
export type RpcFailure = { code?: unknown; message?: unknown; data?: unknown };

/** The server responded with a JSON-RPC error. `code` is -32000 if the server's is withheld. */
export class RpcError extends ClientError {
  override readonly name = 'RpcError';

  readonly topic: Topic | undefined;

  /** The HTTP status of the answer; undefined over other transports. */
  readonly status: number | undefined;

  /** Revert data of a contract: a selector and its arguments. */
  readonly revertData: Hex | undefined;

  /** The revert reason, decoded from `Error(string)` or `Panic(uint256)`. */
  readonly revertReason: string | undefined;

  /** The server's own message, shortened. May be empty. */
  readonly said: string;

  /** The method and the server, without credentials. */
  readonly label: string;

  constructor(place: Place, error: RpcFailure, status?: number) {
    const { kind, topic, code, said: message, revert } = readFailure(status, error);
    const { data } = error;
    const said = message.slice(0, MAX_MESSAGE_LENGTH).replace(/[.\s]+$/u, '');
    const { reason } = revert ?? {};
    const named = reason ?? revert?.data.slice(0, SELECTOR_LENGTH);
    const words = reason ?? `custom error ${named}`;
    // Most nodes include the reason in their message.
    const isNew = named !== undefined && !said.includes(named);
    const context: ErrorContext = {
      ...(data !== undefined && { data: data as never }),
      ...(reason !== undefined && { revertReason: reason }),
    };
    const what = `${said === '' ? 'failed' : `failed: ${said}`}${isNew ? ` (${words})` : ''}.`;
    const advice = kind === 'refused' ? ADVICE[status ?? 0] : undefined;
    super(place, { kind, code: toCode(code), what, context, advice }, error, status);
    this.topic = topic;
    this.status = status;
    this.revertData = revert?.data;
    this.revertReason = reason;
    this.said = said;
    this.label = place.label ?? '';
  }
}

/** Returns whether a server refused a call because of its content, such as a transaction that
 * reverts. After any other failure of an optional method, the basic method may still work. */
export function isContentRefusal(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false;
  const { kind, topic = '' } = error;
  return kind === 'reverted' || ['known', 'transaction'].includes(topic);
}

// Passes on reverts (3), outcomes of awaited transactions (4 to 6, EIP-7966), refused requests
// (-32600 to -32602), and the ranges of nodes and bundlers. Other codes may be the wallet's, such
// as 4001, or ours: a server must not speak for either, so they become the generic -32000.
function toCode(code = -32000): number {
  const isNamed = [3, 4, 5, 6, -32600, -32601, -32602].includes(code);
  return isNamed || (code >= -32599 && code <= -32000) ? code : -32000;
}
