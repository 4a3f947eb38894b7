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

/** Codes by which the wallet says that it could not ask the node, or not read its answer:
 * internal error, resource unavailable, parse error. */
const FAILED: readonly unknown[] = [-32603, -32002, -32700];

type ToldError = { code: unknown; message: string; data: unknown };

// The wallet's errors come as plain objects or as instances, alike in their fields.
function toError({ method, idempotent }: RpcCall, error: unknown): Error {
  const label = `${method} at ${LABEL}`;
  const lost = (): Error =>
    new NetworkError({ label, mayBeDone: !idempotent }, { cause: error });
  const told = findTold(error);
  if (!told) return lost();
  const inner = findTold(told.data);
  if (inner) return new RpcError({ label }, inner);
  // Where a call must not be repeated it counts that nobody knows what became of it.
  if (!idempotent && FAILED.includes(told.code)) return lost();
  return new RpcError({ label }, told);
}

// Some wallets put what the node says into the data of an internal error of theirs.
function findTold(error: unknown): ToldError | undefined {
  if (!isObject(error)) return undefined;
  const { code, message, data } = error as Partial<ToldError>;
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined;
  return { code, message, data };
}
