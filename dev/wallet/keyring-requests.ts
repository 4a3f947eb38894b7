// Requests of the Account Management API as MetaMask sends them.
import type { Json } from '@metamask/utils';

/** A request's method and params around a JSON-RPC frame. */
export type KeyringRpc = {
  jsonrpc: '2.0';
  id: string;
  method: string;
  params?: Json;
};

/** Id of the requests. */
export const REQUEST_ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

/** Make a request of the Account Management API. */
export function keyringRpc(method: string, params?: Json): KeyringRpc {
  const frame = { jsonrpc: '2.0', id: REQUEST_ID, method } as const;
  return params === undefined ? frame : { ...frame, params };
}

/** What MetaMask asks to have signed. */
export type Submission = {
  account: string;
  method: string;
  params: Json;
  scope?: string;
};

/** Make the keyring_submitRequest of a signing request. */
export function submission({
  account,
  method,
  params,
  scope = '',
}: Submission): KeyringRpc {
  return keyringRpc('keyring_submitRequest', {
    id: REQUEST_ID,
    origin: 'metamask',
    scope,
    account,
    request: { method, params },
  });
}
