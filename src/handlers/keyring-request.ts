// onKeyringRequest: MetaMask and the companion manage accounts; MetaMask alone has
// requests signed this way, and has asked its user already; some want to be asked twice.
import type { Json } from '@metamask/utils';

import { suggestName } from '../accounts/record';
import { dispatchKeyringRequest } from '../keyring/dispatch';
import type { ConfirmExport } from '../keyring/keyring';
import type { KeyringCall } from '../keyring/rows';
import type { RouteServices } from '../methods';
import { ExportConfirmation } from '../ui/access';
import { confirmFactory } from './confirm-factory';
import type { Consent } from './consent';
import { classifyOrigin, requirePermitted } from './permissions';
import { assertSize } from './request-size';
import { findSecondConfirmation } from './second-confirmation';
import type { SecondConfirmationServices } from './second-confirmation';

/** What the handler needs. */
export type KeyringRequestServices = Pick<
  KeyringCall,
  'keyring' | 'requests' | 'assets'
> & {
  companionOrigin: string | undefined;
  consent: Consent;
  methodServices: RouteServices;
} & Pick<SecondConfirmationServices, 'confirmsTwice'>;

/** Answer a keyring request. */
export async function handleKeyringRequest(
  {
    origin,
    request,
  }: { origin: string; request: { method: string; params?: unknown } },
  services: KeyringRequestServices,
): Promise<Json> {
  const { companionOrigin, consent, keyring, requests, assets } = services;
  requirePermitted('keyring', request.method, classifyOrigin(origin, companionOrigin));
  assertSize(request.method, request.params);
  await keyring.settle();
  const asked = { origin, method: request.method };
  const second = await findSecondConfirmation(asked, services);
  return dispatchKeyringRequest(request, {
    keyring,
    requests,
    assets,
    confirmAccount: confirmFactory(origin, consent),
    confirmExport: confirmExport(origin, consent),
    methodServices: {
      ...services.methodServices,
      ...second,
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
