// A socket where there is one, else HTTP: whoever calls does not notice.
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../../errors';
import { NetworkError, tellAt, TimeoutError } from '../errors';
import { toRetry, withRetry } from '../retry';
import type { RetryPolicy, RetryServices } from '../retry';

// The port between a JSON-RPC client and what carries its calls: HTTP, a WebSocket, or
// the wallet's own provider.

/** A JSON-RPC call before it has an id. */
export type RpcCall = {
  method: string;
  params: Json[];
  /** Whether asking twice does no harm; a call that does not say so is made once. */
  idempotent?: boolean | undefined;
  /** Gives the call up: it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** Carries calls to a server. */
export type Transport = {
  /** How messages name the server; holds no secret. */
  readonly label: string;
  /**
   * Carry one call.
   *
   * @returns The result as it came, unchecked.
   * @throws {RpcError} If the server answered with an error; else what `client/errors`
   * names.
   */
  readonly request: (call: RpcCall) => Promise<unknown>;
};

/** What is used first: it says whether it is worth asking, and asks once. */
export type FirstTransport = {
  readonly label: string;
  /** Whether it is known to be of no use now. */
  readonly isResting: () => boolean;
  /** Carry a call without another attempt; see {@link Transport.request}. */
  readonly requestOnce: (call: RpcCall) => Promise<unknown>;
};

/** How what the first one refuses for a while is tried again. */
export type FallbackOptions = {
  retry?: Partial<RetryPolicy> | undefined;
  services?: Partial<RetryServices> | undefined;
};

/**
 * Create a transport that uses the second where the first is gone.
 *
 * @param first - Is asked once: the second is the next attempt.
 * @param second - Used if the first is resting, could not be reached or did not answer,
 * unless that may have carried out a call that must not be repeated.
 */
export function createFallbackTransport(
  first: FirstTransport,
  second: Transport,
  options: FallbackOptions = {},
): Transport {
  const retry = toRetry(options.retry, options.services);
  return {
    label: second.label,
    request: async (call) => {
      // Undefined if the second is to be asked; what passes by itself, such as a rate
      // limit, is waited for, since the second stands before the same server.
      const ask = async (attempts = 1): Promise<{ result: unknown } | undefined> => {
        if (first.isResting()) return undefined;
        try {
          return { result: await first.requestOnce(call) };
        } catch (error) {
          if (mayRepeat(call, error)) return undefined;
          throw tellAttempts(error, call, { label: first.label, attempts });
        }
      };
      const answer = call.idempotent
        ? await withRetry(ask, retry, call.signal)
        : await ask();
      return answer ? answer.result : second.request(call);
    },
  };
}

function mayRepeat({ idempotent }: RpcCall, error: unknown): boolean {
  const isGone =
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    error instanceof UnavailableError;
  return isGone && (Boolean(idempotent) || error.context.mayBeDone !== true);
}

function tellAttempts(
  error: unknown,
  { method, idempotent }: RpcCall,
  { label, attempts }: { label: string; attempts: number },
): unknown {
  return idempotent
    ? tellAt(error, { label: `${method} at ${label}`, attempts })
    : error;
}
