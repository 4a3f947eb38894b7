// A dapp's view of the snap with viem: a provider and a transport that pass requests unchanged to
// wallet_invokeSnap.
import type { Json } from '@metamask/utils';
import { custom } from 'viem';
import type { CustomTransport } from 'viem';

import type { SnapSite } from '../../dev/demo/world';
import type { Provider, ProviderRequest } from '../../packages/provider/src';

export function createSnapProvider(site: SnapSite): Pick<Provider, 'request'> {
  return {
    request: async ({ method, params }: ProviderRequest) =>
      (await site.snap(method, params as Json)) as never,
  };
}

export function createSnapTransport(site: SnapSite): CustomTransport {
  return custom(createSnapProvider(site));
}
