// onKeyringRequest: MetaMask and the companion manage accounts; MetaMask alone has
// requests signed this way, and has asked its user already.
import type { Json } from '@metamask/utils';

import { dispatchKeyringRequest } from '../keyring/dispatch';
import type { Keyring } from '../keyring/keyring';
import type { MethodServices } from '../methods';
import { assertPermitted, classifyOrigin } from './permissions';

/** What the handler needs. */
export type KeyringRequestServices = {
  companionOrigin: string;
  keyring: Keyring;
  methodServices: Omit<MethodServices, 'requireConsent' | 'mayHoldSecrets'>;
};

/** Answer a keyring request. */
export async function handleKeyringRequest(
  { origin, request }: { origin: string; request: { method: string } },
  { companionOrigin, keyring, methodServices }: KeyringRequestServices,
): Promise<Json> {
  assertPermitted('keyring', request.method, classifyOrigin(origin, companionOrigin));
  return dispatchKeyringRequest(request, {
    keyring,
    methodServices: {
      ...methodServices,
      // MetaMask confirmed it before it asked us.
      requireConsent: () => Promise.resolve(),
      mayHoldSecrets: true,
    },
  });
}
