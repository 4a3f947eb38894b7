// Calls the snap as MetaMask does: each request passes through its entry point and handler.
import type { Json } from '@metamask/utils';

import { keyringRpc, submission } from '../../dev/wallet/keyring-requests';
import type { TestApp } from './test-app';

export type Callers = ReturnType<typeof callersOf>;

/** Creates functions that call an app's snap, one for each way to reach it. */
export function callersOf({ entry }: TestApp) {
  return {
    /** Calls through wallet_invokeSnap. */
    rpc: async (origin: string, method: string, params?: unknown) =>
      await entry.onRpcRequest({
        origin,
        request: rpcRequest(method, params as Json | undefined),
      }),
    /** Calls through the Account Management API. */
    keyring: async (origin: string, method: string, params?: Json) =>
      await entry.onKeyringRequest({
        origin,
        request: keyringRpc(method, params) as never,
      }),
    /** Requests a signature as MetaMask does. */
    submit: async (
      options: Parameters<typeof submission>[0],
      fields: Record<string, Json> = {},
    ) => {
      const params = { ...(submission(options).params as object), ...fields };
      const request = keyringRpc('keyring_submitRequest', params);
      return await entry.onKeyringRequest({
        origin: 'metamask',
        request: request as never,
      });
    },
  };
}

// Bypasses the JSON-RPC types, so that params can be malformed or missing.
function rpcRequest(method: string, params: Json | undefined): never {
  const request = { id: 1, jsonrpc: '2.0', method };
  return (params === undefined ? request : { ...request, params }) as never;
}
