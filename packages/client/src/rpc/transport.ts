// The interface between a JSON-RPC client and its transport (HTTP, a WebSocket, or the wallet's
// provider), and a transport that prefers a socket and falls back to HTTP.
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../../../../src/core/errors';
import { NetworkError, withPlace, TimeoutError } from '../errors';
import { toRetry, withRetry } from '../retry';
import type { RetryOptions } from '../retry';

/** A JSON-RPC call without an id. */
export type RpcCall = {
  method: string;
  params: Json[];
  /** Whether the call may be repeated. By default it is sent only once. */
  idempotent?: boolean | undefined;
  /** Whether to treat a "not found" error of the server as null. */
  isNullable?: boolean | undefined;
  /** Whether the call may take long. It then shares no batch, so no other call waits for it. */
  isSlow?: boolean | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

export type Transport = {
  /** Name of the server in messages, without credentials. */
  readonly label: string;
  /** Time limit in ms for a call and for completing its answer; unlimited by default. */
  readonly budgetMs?: number;
  /** Sends a call and returns its unvalidated result.
   * @throws {RpcError} If the server answered with an error. */
  readonly request: (call: RpcCall) => Promise<unknown>;
};

/** The preferred transport of {@link createFallbackTransport}. */
export type FirstTransport = {
  readonly label: string;
  readonly isUnavailable: () => boolean;
  /** Sends a call once; see {@link Transport}. */
  readonly requestOnce: (call: RpcCall) => Promise<unknown>;
};

/** Creates a transport that tries `first`, and falls back to `second` if `first` is unavailable,
 * unreachable or silent. It does not fall back if `first` may have executed a call that must not be
 * repeated. Repeatable calls that `first` refuses for now are retried according to the options. */
export function createFallbackTransport(
  first: FirstTransport,
  second: Transport,
  options: RetryOptions = {},
): Transport {
  const retry = toRetry(options);
  return {
    label: second.label,
    budgetMs: retry.budgetMs,
    request: async (call) => {
      const { method, idempotent = false, signal } = call;
      // Returns undefined to fall back. Transient failures, such as rate limits, are retried here
      // instead, because both transports lead to the same server.
      const ask = async (attempts = 1): Promise<{ result: unknown } | undefined> => {
        if (first.isUnavailable()) return undefined;
        try {
          return { result: await first.requestOnce(call) };
        } catch (error) {
          if (isGone(error, idempotent)) return undefined;
          if (!idempotent) throw error;
          throw withPlace(error, { label: `${method} at ${first.label}`, attempts });
        }
      };
      const answer = idempotent ? await withRetry(ask, retry, signal) : await ask();
      return answer ? answer.result : second.request(call);
    },
  };
}

function isGone(error: unknown, mayRepeat: boolean): boolean {
  const isLost =
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    error instanceof UnavailableError;
  return isLost && (mayRepeat || error.context.mayBeDone !== true);
}
