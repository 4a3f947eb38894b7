// A site, by wallet_invokeSnap: one that was granted accounts, one that was not, and those
// that pretend to be others.
import type { Json } from '@metamask/utils';

import { makeCall } from '../call';
import type { Random } from '../random';
import type { FuzzRequest, Route } from '../route';
import { GRANTED } from '../scene';
import { companionSeeds, placeOn, siteSeeds } from '../seeds';

const STRANGERS = [
  ...[
    'https://stranger.example',
    'http://localhost:8000.example',
    'http://localhost:8001',
  ],
  ...['npm:other-snap', 'local:http://localhost:8081', 'https://xn--pple-43d.example'],
  ...[
    'http://localhost:8000/',
    'https://stranger.example:8443',
    'chrome-extension://abc',
  ],
];

/** Sites. */
export const dapp: Route = {
  name: 'dapp',
  share: 38,
  make: (random, stage) => {
    const seeds = random.chance(0.95) ? siteSeeds : companionSeeds;
    const request = placeOn(makeCall(seeds, random) as Json, random, stage);
    return {
      handler: 'onRpcRequest',
      origin: random.pick(random.chance(0.85) ? GRANTED : STRANGERS),
      request: sayOutright(request as FuzzRequest['request'], random),
    };
  },
};

// The account and the chain can be said beside the params.
function sayOutright(
  request: FuzzRequest['request'],
  random: Random,
): FuzzRequest['request'] {
  if (!Array.isArray(request.params) || !random.chance(0.08)) return request;
  const scope = random.pick<Json>(['0x1', 'eip155:10', 31_337, '0x0', 'x', null]);
  return { ...request, params: { scope, params: request.params } };
}
