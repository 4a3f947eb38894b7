// A dapp's view of the snap with viem: a provider and a transport that call wallet_invokeSnap.
// Nothing is changed on the way.
import type { Json } from '@metamask/utils';
import { custom } from 'viem';
import type { CustomTransport } from 'viem';

import type { SnapSite } from '../../dev/demo/world';
import type { Provider, ProviderRequest } from '../../packages/provider/src';

/** A provider whose every request the snap answers. */
export function createSnapProvider(site: SnapSite): Pick<Provider, 'request'> {
  return {
    request: async ({ method, params }: ProviderRequest) =>
      (await site.snap(method, params as Json)) as never,
  };
}

/** A transport of viem that has the snap answer. */
export function createSnapTransport(site: SnapSite): CustomTransport {
  return custom(createSnapProvider(site));
}
