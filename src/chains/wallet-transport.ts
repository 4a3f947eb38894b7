// JSON-RPC over the wallet's own provider, for the network that the snap has there.
import { any, integer, optional, string, type } from '@metamask/superstruct';

import { NetworkError, RpcError } from '../client';
import type { RpcCall, Transport } from '../client';
import { matches } from '../parse';

const RpcErrorStruct = type({
  code: integer(),
  message: string(),
  data: optional(any()),
});

const LABEL = "the wallet's node";

/** Create a transport over the wallet's provider, which carries one call at a time. */
export function createWalletTransport(
  requestWallet: (call: RpcCall) => Promise<unknown>,
): Transport {
  return {
    label: LABEL,
    request: async (call) => {
      try {
        return await requestWallet(call);
      } catch (error) {
        throw toError(call.method, error);
      }
    },
  };
}

// The wallet's errors come as plain objects.
function toError(method: string, error: unknown): Error {
  if (!matches(error, RpcErrorStruct)) return new NetworkError(LABEL, { cause: error });
  return new RpcError(`${method} at ${LABEL}`, error);
}
