// JSON-RPC over the wallet's own provider, for the network that the snap has there.
import { isObject } from '@metamask/utils';

import { NetworkError, RpcError } from '../client';
import type { RpcCall, Transport } from '../client';
import { unlessAborted } from '../client/abort';

const LABEL = "the wallet's node";

/** Create a transport over the wallet's provider, which carries one call at a time. */
export function createWalletTransport(
  requestWallet: (call: RpcCall) => Promise<unknown>,
): Transport {
  return {
    label: LABEL,
    request: async (call) => {
      const { method, params, signal } = call;
      signal?.throwIfAborted();
      try {
        // The provider cannot be told to stop; whoever waits can.
        return await unlessAborted(requestWallet({ method, params }), signal);
      } catch (error) {
        signal?.throwIfAborted();
        throw toError(call, error);
      }
    },
  };
}

// The wallet's errors come as plain objects or as instances, alike in their fields.
function toError({ method, idempotent }: RpcCall, error: unknown): Error {
  const label = `${method} at ${LABEL}`;
  const lost = (): Error =>
    new NetworkError({ label, mayBeDone: !idempotent }, { cause: error });
  if (!isObject(error)) return lost();
  const { code, message, data } = error as Record<'code' | 'message' | 'data', unknown>;
  if (!Number.isInteger(code) || typeof message !== 'string') return lost();
  return new RpcError({ label }, { code, message, data });
}
