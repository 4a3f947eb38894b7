// What can go wrong on the way to a server and back. Every message names what was asked
// and where by a redacted label: no key, no secret.
import { TollkeeperError } from '../errors';
import type { ErrorDetails } from '../errors';

const UNAVAILABLE = -32002;
const LIMITED = -32005;

/** The server could not be reached, or the connection broke. */
export class NetworkError extends TollkeeperError {
  constructor(label: string, details?: ErrorDetails) {
    super(UNAVAILABLE, `${label} could not be reached.`, details);
  }
}

/** No complete answer came in time; the time covers headers and body. */
export class TimeoutError extends TollkeeperError {
  constructor(label: string, timeoutMs: number, details?: ErrorDetails) {
    super(UNAVAILABLE, `${label} did not answer within ${timeoutMs} ms.`, details);
  }
}

/** The server answered with a status that is not a success. */
export class HttpStatusError extends TollkeeperError {
  readonly status: number;

  constructor(label: string, status: number, details?: ErrorDetails) {
    const advice = ADVICE[status] ?? '';
    super(UNAVAILABLE, `${label} answered with HTTP status ${status}.${advice}`, {
      ...details,
      context: { ...details?.context, status },
    });
    this.status = status;
  }
}

const ADVICE: Record<number, string> = {
  401: ' Check the API key and its secret.',
  402: ' The quota of the API key is used up.',
  403: ' The API key is not allowed to do this, or not from this origin.',
  404: ' Check the address and the chain id.',
};

/** The server asks to come back later (HTTP 429 or JSON-RPC -32005). */
export class RateLimitError extends TollkeeperError {
  constructor(label: string, backoffSeconds: number, details?: ErrorDetails) {
    super(LIMITED, `${label} is rate limited; try again in ${backoffSeconds} s.`, {
      ...details,
      context: { ...details?.context, rate: { backoff_seconds: backoffSeconds } },
    });
  }
}

/** The answer is longer than any that is expected. */
export class BodyTooLargeError extends TollkeeperError {
  constructor(label: string, maxBytes: number, details?: ErrorDetails) {
    super(UNAVAILABLE, `${label} answered with more than ${maxBytes} bytes.`, details);
  }
}

/** The answer is not what the method answers; the reason names the path. */
export class InvalidResponseError extends TollkeeperError {
  constructor(label: string, reason: string, details?: ErrorDetails) {
    super(UNAVAILABLE, `${label} gave an invalid answer: ${reason}`, details);
  }
}

/** Longest part of a server's error message that is passed on. */
const MAX_MESSAGE_LENGTH = 300;

/** Code for an error whose own would be misread (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** The server answered with a JSON-RPC error; code and data are its own. */
export class RpcError extends TollkeeperError {
  constructor(
    what: string,
    error: { code?: unknown; message: string; data?: unknown },
  ) {
    const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
    super(toCode(error.code), `${what} failed: ${message}`, {
      context: error.data === undefined ? {} : { data: error.data as never },
    });
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
