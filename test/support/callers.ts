// Callers of the snap: each request passes through its entry point and handler, as on the platform.
import type { Json } from '@metamask/utils';

import { keyringRpc, submission } from '../../dev/wallet/keyring-requests';
import type { TestApp } from './test-app';

/** The snap's callers, by origin. */
export type Callers = ReturnType<typeof callersOf>;

/** Creates the callers of an app. */
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

// Skips JSON-RPC's types: params may have any form, or be missing.
function rpcRequest(method: string, params: Json | undefined): never {
  const request = { id: 1, jsonrpc: '2.0', method };
  return (params === undefined ? request : { ...request, params }) as never;
}
