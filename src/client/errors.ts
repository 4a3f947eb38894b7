// A server's own error, passed on with its code and data.
import { TollkeeperError } from '../errors';
import type { ErrorContext, ErrorDetails } from '../errors';
import { findRevertReason } from '../eth/revert';

// Where something went wrong, and how a message tells of it.

/** Where something went wrong: a server's label, and what is known of the tries. */
export type Place = {
  /** The server, or what was asked and the server: `eth_chainId at https://…`. */
  label: string;
  /** Number of the attempt that failed, from 1 on. */
  attempts?: number | undefined;
  /** Whether the server may have carried out a call that must not be repeated. */
  mayBeDone?: boolean | undefined;
};

/** Write what happened at a place: the server, the tries, and what to do. */
export function write(
  { label, attempts = 1, mayBeDone }: Place,
  what: string,
  advice: string,
): string {
  return [
    `${label} ${what}`,
    attempts > 1 ? `It was tried ${attempts} times.` : '',
    mayBeDone ? UNKNOWN_OUTCOME : advice,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const UNKNOWN_OUTCOME =
  'Whether it was carried out is not known: look before you send it again.';

/** Add what is known of the tries to the facts of an error. */
export function withAttempts(
  { attempts = 1, mayBeDone }: Place,
  details: ErrorDetails = {},
): ErrorDetails {
  const facts: ErrorContext = {
    ...(attempts > 1 ? { attempts } : {}),
    ...(mayBeDone ? { mayBeDone } : {}),
  };
  return { ...details, context: { ...details.context, ...facts } };
}

// What can go wrong on the way to a server and back. Every message says what happened,
// where (a redacted label: no key, no secret), how often it was tried, and what to do.

const UNAVAILABLE = -32002;
const LIMITED = -32005;

/** A failure that can be told of another place: of one call of the batch that failed. */
export type ClientError = TollkeeperError & { at: (place: Place) => TollkeeperError };

/** Tell a failure of a call, when all that carried it failed. */
export function tellAt(error: unknown, place: Place): unknown {
  return error instanceof TollkeeperError && 'at' in error
    ? (error as ClientError).at(place)
    : error;
}

/** The server could not be reached, or the connection broke. */
export class NetworkError extends TollkeeperError {
  constructor(place: Place, details?: ErrorDetails) {
    super(
      UNAVAILABLE,
      write(place, 'could not be reached.', 'Check the address and the connection.'),
      withAttempts(place, details),
    );
  }

  at(place: Place): NetworkError {
    return new NetworkError(place, { cause: this.cause });
  }
}

/** No complete answer came in time; the time covers headers and body. */
export class TimeoutError extends TollkeeperError {
  readonly timeoutMs: number;

  constructor(place: Place, timeoutMs: number) {
    const what = `did not answer within ${timeoutMs} ms.`;
    super(UNAVAILABLE, write(place, what, 'Try again later.'), withAttempts(place));
    this.timeoutMs = timeoutMs;
  }

  at(place: Place): TimeoutError {
    return new TimeoutError(place, this.timeoutMs);
  }
}

/** The server answered with a status that is not a success. */
export class HttpStatusError extends TollkeeperError {
  readonly status: number;

  /** Seconds after which the server wants to be asked again, if it said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(place: Place, status: number, retryAfterSeconds?: number) {
    const isServers = status >= 500;
    // Pages are not told the status of a redirect that is not followed: it is 0.
    const isRedirect = status < 400;
    // A request that was refused was not carried out.
    const where = isServers ? place : { ...place, mayBeDone: false };
    const what = isRedirect
      ? 'a redirect, which is not followed'
      : `HTTP status ${status}`;
    const later = isServers ? 'Try again later.' : '';
    const advice = isRedirect ? REDIRECT_ADVICE : (ADVICE[status] ?? later);
    super(
      UNAVAILABLE,
      write(where, `answered with ${what}.`, advice),
      withAttempts(where, { context: { status } }),
    );
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  at(place: Place): HttpStatusError {
    return new HttpStatusError(place, this.status, this.retryAfterSeconds);
  }
}

const REDIRECT_ADVICE = 'Check the address, and set the one that it leads to.';

const ADVICE: Record<number, string> = {
  401: 'Check the API key and its secret.',
  402: 'The quota of the API key is used up.',
  403: 'The API key is not allowed to do this, or not from this origin.',
  404: 'Check the address and the chain id.',
  413: 'Send less at once.',
};

/** The server asks to come back later (HTTP 429 or JSON-RPC -32005). */
export class RateLimitError extends TollkeeperError {
  readonly backoffSeconds: number;

  constructor({ label, attempts }: Place, backoffSeconds: number) {
    const place = { label, attempts };
    super(
      LIMITED,
      write(place, 'is rate limited.', `Try again in ${backoffSeconds} s.`),
      withAttempts(place, { context: { rate: { backoff_seconds: backoffSeconds } } }),
    );
    this.backoffSeconds = backoffSeconds;
  }

  at(place: Place): RateLimitError {
    return new RateLimitError(place, this.backoffSeconds);
  }
}

/** The answer is longer than any that is expected. */
export class BodyTooLargeError extends TollkeeperError {
  readonly maxBytes: number;

  constructor(place: Place, maxBytes: number) {
    super(
      UNAVAILABLE,
      write(
        place,
        `answered with more than ${maxBytes} bytes.`,
        'Ask for less at once.',
      ),
      withAttempts(place),
    );
    this.maxBytes = maxBytes;
  }

  at(place: Place): BodyTooLargeError {
    return new BodyTooLargeError(place, this.maxBytes);
  }
}

/** The answer is not what the method answers; the reason names the path. */
export class InvalidResponseError extends TollkeeperError {
  readonly reason: string;

  constructor(place: Place, reason: string) {
    super(
      UNAVAILABLE,
      write(
        place,
        `gave an invalid answer: ${reason}`,
        'Check that it is the right server.',
      ),
      withAttempts(place),
    );
    this.reason = reason;
  }

  at(place: Place): InvalidResponseError {
    return new InvalidResponseError(place, this.reason);
  }
}

/** Longest part of a server's error message that is passed on. */
const MAX_MESSAGE_LENGTH = 300;

/** Code for an error whose own would be misread (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** A JSON-RPC error as it came. */
type ToldError = { code?: unknown; message: string; data?: unknown };

/** The server answered with a JSON-RPC error; code and data are its own. */
export class RpcError extends TollkeeperError {
  /** Why a contract reverted, decoded from `Error(string)` or `Panic(uint256)`. */
  readonly revertReason: string | undefined;

  /** The server's own message, as far as it is passed on; it may be empty. */
  readonly said: string;

  /** The method and the server. */
  readonly label: string;

  readonly #told: ToldError;

  constructor(place: Place, told: ToldError) {
    const { code, message, data } = told;
    const reason = findRevertReason(data);
    const said = message.slice(0, MAX_MESSAGE_LENGTH).replace(/[.\s]+$/u, '');
    // Most nodes say the reason themselves.
    const what = said === '' ? 'failed' : `failed: ${said}`;
    // The server answered: it is known what became of the call.
    const where = { ...place, mayBeDone: false };
    const isNew = reason !== undefined && !said.includes(reason);
    super(
      toCode(code),
      write(where, `${what}${isNew ? ` (${reason})` : ''}.`, ''),
      withAttempts(where, {
        context: {
          ...(data === undefined ? {} : { data: data as never }),
          ...(reason === undefined ? {} : { revertReason: reason }),
        },
      }),
    );
    this.revertReason = reason;
    this.said = said;
    this.label = place.label;
    this.#told = told;
  }

  at(place: Place): RpcError {
    return new RpcError(place, this.#told);
  }
}

// A revert (3), and the ranges that nodes and bundlers use. Others belong to the wallet,
// such as 4001, or to us: a server that answers with one must not speak for them.
function toCode(code: unknown): number {
  if (!Number.isInteger(code)) return SERVER_ERROR;
  const own = Number(code);
  const isServers =
    (own >= -32599 && own <= -32000) || [3, -32600, -32601, -32602].includes(own);
  return isServers ? own : SERVER_ERROR;
}
