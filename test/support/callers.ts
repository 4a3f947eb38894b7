// Callers of the snap: each request passes the boundary and its handler, as it does from
// the platform.
import type { Json } from '@metamask/utils';

import { atBoundary } from '../../src/handlers/boundary';
import { handleKeyringRequest } from '../../src/handlers/keyring-request';
import { handleRpcRequest } from '../../src/handlers/rpc-request';
import { keyringRpc } from './keyring-requests';
import type { TestApp } from './test-app';

/** Those who call the snap, by their origin. */
export type Callers = {
  /** Call by wallet_invokeSnap. */
  rpc: (origin: string, method: string, params?: unknown) => Promise<Json>;
  /** Call by the Account Management API. */
  keyring: (origin: string, method: string, params?: Json) => Promise<Json>;
};

/** Let callers in. */
export function callersOf({ services }: TestApp): Callers {
  const onRpcRequest = atBoundary('onRpcRequest', () => services, handleRpcRequest);
  const onKeyringRequest = atBoundary(
    'onKeyringRequest',
    () => services,
    handleKeyringRequest,
  );
  return {
    rpc: (origin, method, params) =>
      onRpcRequest({
        origin,
        request: params === undefined ? { method } : { method, params },
      }),
    keyring: (origin, method, params) =>
      onKeyringRequest({ origin, request: keyringRpc(method, params) }),
  };
}
