// The port between a JSON-RPC client and what carries its calls (HTTP, a WebSocket, or the wallet's
// own provider), and the transport that uses a socket where there is one, else HTTP.
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../../../../src/core/errors';
import { NetworkError, withPlace, TimeoutError } from '../errors';
import { toRetry, withRetry } from '../retry';
import type { RetryOptions } from '../retry';

/** A JSON-RPC call without an id. */
export type RpcCall = {
  method: string;
  params: Json[];
  /** Whether the call may be repeated. By default it is made once. */
  idempotent?: boolean | undefined;
  /** Whether the result is null where the server says that there is none. */
  isNullable?: boolean | undefined;
  /** Whether the call may take long, so that it shares no batch: others would wait for it. */
  isSlow?: boolean | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

export type Transport = {
  /** Name of the server in messages, without credentials. */
  readonly label: string;
  /** Time for a call and for what completes its answer, in ms; without it there is no limit. */
  readonly budgetMs?: number;
  /** Sends one call, and returns its result, which is not validated.
   * @throws {RpcError} If the server answered with an error. */
  readonly request: (call: RpcCall) => Promise<unknown>;
};

/** The preferred transport of {@link createFallbackTransport}. */
export type FirstTransport = {
  readonly label: string;
  /** Whether it is unavailable at the moment. */
  readonly isResting: () => boolean;
  /** Sends a call once; see {@link Transport}. */
  readonly requestOnce: (call: RpcCall) => Promise<unknown>;
};

/** Creates a transport that uses the second one if the first, which is asked once, is resting, could not
 * be reached or did not answer, unless that may have carried out a call that must not be repeated. What
 * the first one refuses for a while is tried again by the options. */
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
      // Undefined if the second is to be asked; a transient failure, such as a
      // rate limit, is waited for, since both lead to the same server.
      const ask = async (attempts = 1): Promise<{ result: unknown } | undefined> => {
        if (first.isResting()) return undefined;
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
