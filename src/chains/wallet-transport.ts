// JSON-RPC over the wallet's own provider, for the network that the snap has there.
import { isObject } from '@metamask/utils';

import { NetworkError, RpcError } from '../client';
import type { RpcCall, Transport } from '../client';

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

// The wallet's errors come as plain objects or as instances, alike in their fields.
function toError(method: string, error: unknown): Error {
  if (!isObject(error)) return new NetworkError(LABEL, { cause: error });
  const { code, message, data } = error as Record<'code' | 'message' | 'data', unknown>;
  if (!Number.isInteger(code) || typeof message !== 'string') {
    return new NetworkError(LABEL, { cause: error });
  }
  return new RpcError(`${method} at ${LABEL}`, { code, message, data });
}
