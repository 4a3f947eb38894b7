// MetaMask itself, by the Account Management API, and others that try to pass for it.
import type { Json } from '@metamask/utils';

import { makeCall } from '../call';
import type { FuzzRequest, Route } from '../route';
import { keyringSeeds, placeOn } from '../seeds';

/** MetaMask's keyring requests. */
export const metamask: Route = {
  name: 'metamask',
  share: 18,
  make: (random, stage) => {
    const seeds = keyringSeeds(random, stage);
    const { method, ...call } = makeCall(seeds, random);
    const request: Json = {
      ...{ jsonrpc: '2.0', id: '9c190a38-8a7c-4f84-a390-53cd8b5f758b' },
      ...call,
      method,
    };
    return {
      handler: 'onKeyringRequest',
      origin: 'metamask',
      request: placeOn(request, random, stage) as FuzzRequest['request'],
    };
  },
};
