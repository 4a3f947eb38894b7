// Callers of the snap: each request passes the boundary and its handler, as it does from
// the platform.
import type { Json } from '@metamask/utils';

import { keyringRpc, submission } from '../../dev/wallet/keyring-requests';
import type { TestApp } from './test-app';

/** Those who call the snap, by their origin. */
export type Callers = ReturnType<typeof callersOf>;

/** Lets callers in. */
export function callersOf({ entry }: TestApp) {
  return {
    /** Call by wallet_invokeSnap. */
    rpc: async (origin: string, method: string, params?: unknown) =>
      await entry.onRpcRequest({
        origin,
        request: rpcRequest(method, params as Json | undefined),
      }),
    /** Call by the Account Management API. */
    keyring: async (origin: string, method: string, params?: Json) =>
      await entry.onKeyringRequest({
        origin,
        request: keyringRpc(method, params) as never,
      }),
    /** Asks for a signature as MetaMask does. */
    submit: async (
      asked: Parameters<typeof submission>[0],
      fields: Record<string, Json> = {},
    ) => {
      const params = { ...(submission(asked).params as object), ...fields };
      const request = keyringRpc('keyring_submitRequest', params);
      return await entry.onKeyringRequest({
        origin: 'metamask',
        request: request as never,
      });
    },
  };
}

// Not as JSON-RPC has it, but as it comes: params of every kind, or none.
function rpcRequest(method: string, params: Json | undefined): never {
  const request = { id: 1, jsonrpc: '2.0', method };
  return (params === undefined ? request : { ...request, params }) as never;
}
