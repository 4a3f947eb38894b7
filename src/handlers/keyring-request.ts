// onKeyringRequest: MetaMask and the companion manage accounts; MetaMask alone has
// requests signed this way, and has asked its user already.
import type { Json } from '@metamask/utils';

import { suggestName } from '../accounts/account-name';
import { dispatchKeyringRequest } from '../keyring/dispatch';
import type { ConfirmExport } from '../keyring/keyring';
import type { KeyringCall } from '../keyring/rows';
import type { RouteServices } from '../methods';
import { ExportConfirmation } from '../ui/confirm/export';
import type { Consent } from './consent';
import { assertPermitted, classifyOrigin } from './permissions';

/** What the handler needs. */
export type KeyringRequestServices = Pick<
  KeyringCall,
  'keyring' | 'requests' | 'assets'
> & {
  companionOrigin: string;
  consent: Consent;
  methodServices: RouteServices;
};

/** Answer a keyring request. */
export async function handleKeyringRequest(
  { origin, request }: { origin: string; request: { method: string } },
  services: KeyringRequestServices,
): Promise<Json> {
  const { companionOrigin, consent, keyring, requests, assets } = services;
  assertPermitted('keyring', request.method, classifyOrigin(origin, companionOrigin));
  await keyring.settle();
  return dispatchKeyringRequest(request, {
    keyring,
    requests,
    assets,
    confirmExport: confirmExport(origin, consent),
    methodServices: {
      ...services.methodServices,
      // MetaMask confirmed it before it asked us.
      requireConsent: () => Promise.resolve(),
      confirmsItself: false,
      mayHoldSecrets: true,
    },
  });
}

function confirmExport(origin: string, consent: Consent): ConfirmExport {
  return async (record) =>
    consent.require(origin, (translate) =>
      ExportConfirmation({
        translate,
        origin,
        account: record.address,
        name: suggestName(record),
        owner: record.type === 'eip155:erc4337' ? record.owner : undefined,
      }),
    );
}
