// What can go wrong on the way to a server and back. A message says what happened, where (by a
// label without secrets), how often it was tried, and what to do. What fails inside an exchange
// does not know for which call it was made: the transport names the place, by `tellAt`.
import { TollkeeperError, toRetryAfter } from '../../../src/errors';
import type { ErrorContext, ErrorDetails } from '../../../src/errors';
import { findRevertReason } from '../../../src/eth/revert';
import { describeRejection, validate } from '../../../src/schema/parse';
import type { StructOf } from '../../../src/schema/parse';

/** Where something went wrong, and what is known of the tries. */
export type Place = {
  /** The server, or what was asked and the server: `eth_chainId at https://…`. */
  label?: string;
  /** Number of the attempt that failed, from 1 on. */
  attempts?: number | undefined;
  /** Whether the server may have carried out a call that must not be repeated. */
  mayBeDone?: boolean | undefined;
};

/** The place of a failure whose call is not known yet. */
export const NOWHERE: Place = {};

const UNAVAILABLE = -32002;
const LIMITED = -32005;

const UNKNOWN_OUTCOME =
  'Whether it was carried out is not known: look before you send it again.';

/** Write what happened at a place: the server, the tries, and what to do. */
export function write(
  { label, attempts = 1, mayBeDone }: Place,
  what: string,
  advice = '',
): string {
  return [
    label === undefined ? what : `${label} ${what}`,
    attempts > 1 ? `It was tried ${attempts} times.` : '',
    mayBeDone ? UNKNOWN_OUTCOME : advice,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Add what is known of the tries to the facts of an error. */
export function withAttempts(
  { attempts = 1, mayBeDone }: Place,
  { context, cause }: ErrorDetails = {},
): ErrorDetails {
  const tries = { ...(attempts > 1 && { attempts }), ...(mayBeDone && { mayBeDone }) };
  return { context: { ...context, ...tries }, cause };
}

type Told = ErrorDetails & { what: string; advice?: string; code?: number };

/** A failure that can be told of another place: of one call of the batch that failed. */
abstract class ClientError extends TollkeeperError {
  constructor(place: Place, { what, advice, code = UNAVAILABLE, ...details }: Told) {
    super(code, write(place, what, advice), withAttempts(place, details));
  }

  abstract at(place: Place): ClientError;
}

/** Tell a failure at the place where it happened; what is not the client's stays as it is. */
export function tellAt(error: unknown, place: Place): unknown {
  return error instanceof ClientError ? error.at(place) : error;
}

/** Read something of a server; what is wrong with it is told at its place. */
export function readAt<Result>(place: Place, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw tellAt(error, place) as Error;
  }
}

/** The server could not be reached, or the connection was lost. */
export class NetworkError extends ClientError {
  constructor(place: Place, details: ErrorDetails = {}) {
    const advice = 'Check the address and the connection.';
    super(place, { what: 'could not be reached.', advice, ...details });
  }

  at(place: Place): NetworkError {
    return new NetworkError(place, { cause: this.cause });
  }
}

/** No complete response arrived within `timeoutMs`, which covers headers and body. */
export class TimeoutError extends ClientError {
  readonly timeoutMs: number;

  constructor(place: Place, timeoutMs: number) {
    const what = `did not answer within ${timeoutMs} ms.`;
    super(place, { what, advice: 'Try again later.' });
    this.timeoutMs = timeoutMs;
  }

  at(place: Place): TimeoutError {
    return new TimeoutError(place, this.timeoutMs);
  }
}

const ADVICE: Record<number, string> = {
  401: 'Check the API key and its secret.',
  402: 'The quota of the API key is used up.',
  403: 'The API key is not allowed to do this, or not from this origin.',
  404: 'Check the address and the chain id.',
  413: 'Send less at once.',
};

/** The server responded with an HTTP status that is not a success. */
export class HttpStatusError extends ClientError {
  readonly status: number;

  /** Seconds to wait before the next request, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(place: Place, status: number, retryAfterSeconds?: number) {
    const isServers = status >= 500;
    // A request that was refused was not carried out.
    const where = isServers ? place : { ...place, mayBeDone: false };
    super(where, { ...describeStatus(status), context: { status } });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  at(place: Place): HttpStatusError {
    return new HttpStatusError(place, this.status, this.retryAfterSeconds);
  }
}

function describeStatus(status: number): { what: string; advice: string } {
  // Pages are not told the status of a redirect that is not followed: it is 0.
  if (status < 400) {
    return {
      what: 'answered with a redirect, which is not followed.',
      advice: 'Check the address, and set the one that it leads to.',
    };
  }
  const advice = ADVICE[status] ?? (status >= 500 ? 'Try again later.' : '');
  return { what: `answered with HTTP status ${status}.`, advice };
}

/** The server limits the rate of requests (HTTP 429 or JSON-RPC -32005). */
export class RateLimitError extends ClientError {
  /** Seconds to wait before the next request. */
  readonly backoffSeconds: number;

  constructor(place: Place, backoffSeconds: number) {
    super(
      { ...place, mayBeDone: false },
      {
        code: LIMITED,
        what: 'is rate limited.',
        advice: `Try again in ${backoffSeconds} s.`,
        context: toRetryAfter(backoffSeconds),
      },
    );
    this.backoffSeconds = backoffSeconds;
  }

  at(place: Place): RateLimitError {
    return new RateLimitError(place, this.backoffSeconds);
  }
}

/** The response is longer than `maxBytes`. */
export class BodyTooLargeError extends ClientError {
  readonly maxBytes: number;

  constructor(place: Place, maxBytes: number) {
    const what = `answered with more than ${maxBytes} bytes.`;
    super(place, { what, advice: 'Ask for less at once.' });
    this.maxBytes = maxBytes;
  }

  at(place: Place): BodyTooLargeError {
    return new BodyTooLargeError(place, this.maxBytes);
  }
}

/** The response is malformed. `reason` names the path and what was expected. */
export class InvalidResponseError extends ClientError {
  readonly reason: string;

  constructor(place: Place, reason: string) {
    const advice = 'Check that it is the right server.';
    super(place, { what: `gave an invalid answer: ${reason}`, advice });
    this.reason = reason;
  }

  at(place: Place): InvalidResponseError {
    return new InvalidResponseError(place, this.reason);
  }
}

/**
 * Read what a server answered.
 *
 * @param root - How the reason names the answer.
 * @throws {InvalidResponseError} If it does not fit; it names the path, and no place.
 */
export function readAnswer<Type>(
  answer: unknown,
  struct: StructOf<Type>,
  root = 'result',
): Type {
  const result = validate(answer, struct);
  if ('value' in result) return result.value;
  throw new InvalidResponseError(NOWHERE, describeRejection(result.rejection, root));
}

/** Longest part of a server's error message that is passed on. */
const MAX_MESSAGE_LENGTH = 300;

/** Code for an error whose own would be misread (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** A JSON-RPC error object, not yet validated. */
export type RpcFailure = { code?: unknown; message: string; data?: unknown };

/** The server responded with a JSON-RPC error. `code` and `data` are its own. */
export class RpcError extends ClientError {
  /** Why a contract reverted, decoded from `Error(string)` or `Panic(uint256)`. */
  readonly revertReason: string | undefined;

  /** The server's own message, shortened. May be empty. */
  readonly said: string;

  /** The method and the server, without credentials. */
  readonly label: string;

  readonly #failure: RpcFailure;

  constructor(place: Place, failure: RpcFailure) {
    const { code, message, data } = failure;
    const revertReason = findRevertReason(data);
    const said = message.slice(0, MAX_MESSAGE_LENGTH).replace(/[.\s]+$/u, '');
    // Most nodes say the reason themselves.
    const isNew = revertReason !== undefined && !said.includes(revertReason);
    const context: ErrorContext = {
      ...(data !== undefined && { data: data as never }),
      ...(revertReason !== undefined && { revertReason }),
    };
    const what = `${said === '' ? 'failed' : `failed: ${said}`}${isNew ? ` (${revertReason})` : ''}.`;
    // The server answered: it is known what became of the call.
    super({ ...place, mayBeDone: false }, { code: toCode(code), what, context });
    this.revertReason = revertReason;
    this.said = said;
    this.label = place.label ?? '';
    this.#failure = failure;
  }

  at(place: Place): RpcError {
    return new RpcError(place, this.#failure);
  }
}

// A revert (3), what became of a transaction that was waited for (4 to 6, EIP-7966), and the ranges
// that nodes and bundlers use. Others belong to the wallet,
// such as 4001, or to us: a server that answers with one must not speak for them.
function toCode(code: unknown): number {
  if (!Number.isInteger(code)) return SERVER_ERROR;
  const own = Number(code);
  const isServers =
    (own >= -32599 && own <= -32000) ||
    [3, 4, 5, 6, -32600, -32601, -32602].includes(own);
  return isServers ? own : SERVER_ERROR;
}
