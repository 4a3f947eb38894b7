// The port between a JSON-RPC client and what carries its calls (HTTP, a WebSocket, or the wallet's
// own provider), and the transport that uses a socket where there is one, else HTTP.
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../../errors';
import { NetworkError, tellAt, TimeoutError } from '../errors';
import { toRetry, withRetry } from '../retry';
import type { RetryOptions } from '../retry';

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

/**
 * Create a transport that uses the second where the first is gone.
 *
 * @param first - Is asked once: the second is the next attempt.
 * @param second - Used if the first is resting, could not be reached or did not answer,
 * unless that may have carried out a call that must not be repeated.
 * @param options - How what the first one refuses for a while is tried again.
 */
export function createFallbackTransport(
  first: FirstTransport,
  second: Transport,
  options: RetryOptions = {},
): Transport {
  const retry = toRetry(options);
  return {
    label: second.label,
    request: async (call) => {
      const { method, idempotent = false, signal } = call;
      // Undefined if the second is to be asked; what passes by itself, such as a rate
      // limit, is waited for, since the second stands before the same server.
      const ask = async (attempts = 1): Promise<{ result: unknown } | undefined> => {
        if (first.isResting()) return undefined;
        try {
          return { result: await first.requestOnce(call) };
        } catch (error) {
          if (isGone(error, idempotent)) return undefined;
          if (!idempotent) throw error;
          throw tellAt(error, { label: `${method} at ${first.label}`, attempts });
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
