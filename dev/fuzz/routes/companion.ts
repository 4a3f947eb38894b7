// The companion page: its own methods, those of sites, and the Account Management API.
import type { Json } from '@metamask/utils';

import { makeCall } from '../call';
import type { Seed } from '../call';
import { makeHex } from '../junk';
import type { Random } from '../random';
import type { FuzzRequest, Route, Stage } from '../route';
import { companionSeeds, keyringSeeds, placeOn, siteSeeds } from '../seeds';

/** The companion page. */
export const companion: Route = {
  name: 'companion',
  share: 18,
  make: (random, stage) => {
    const isKeyring = random.chance(0.45);
    const seeds = isKeyring
      ? [...keyringSeeds(random, stage), ...secretAccounts(random)]
      : [...companionSeeds, ...secretChains(random, stage), random.pick(siteSeeds)];
    const first = makeCall(seeds, random);
    // Its search takes as long as a hundred other requests.
    const isSlow = first.method === 'tollkeeper_restoreAccounts' && random.chance(0.8);
    const request = placeOn(
      (isSlow ? makeCall(seeds, random) : first) as Json,
      random,
      stage,
    );
    return {
      handler: isKeyring ? 'onKeyringRequest' : 'onRpcRequest',
      origin: stage.companion,
      request: request as FuzzRequest['request'],
    };
  },
};

// Each with a key of its own, which must not come back.
function secretAccounts(random: Random): Seed[] {
  const privateKey = `0x${makeHex(random, 64)}`;
  const more: Record<string, Json>[] = [
    {},
    { type: 'eip155:erc4337', scopes: ['eip155:1'], entryPoint: '0.8', salt: '0x1' },
  ];
  return more.map((options) => ({
    method: 'keyring_createAccount',
    params: { options: { ...options, privateKey } },
  }));
}

function secretChains(random: Random, { url }: Stage): Seed[] {
  const own = (): string => `own-${makeHex(random, 24)}`;
  const chain = {
    ...{ chainId: random.pick<Json>(['0x1', 10, 'eip155:5']), rpcUrl: `${url}/node` },
    ...{ gasBaseUrl: `${url}/gas`, gasAuth: random.pick(['basic', 'path']) },
    ...{ apiKey: own(), apiKeySecret: own(), bundlerApiKey: own() },
    ...{ bundlerUrl: `${url}/bundler`, paymasterUrl: `${url}/paymaster` },
    ...{ wsUrl: random.pick<Json>([`${url.replace('http', 'ws')}/node`, null]) },
    ...{ entryPoint: '0.7', paymasterContext: { policy: 'x' } },
  };
  return [
    { method: 'tollkeeper_setChain', params: [chain] },
    { method: 'tollkeeper_setChain', params: [{ chainId: 5, apiKey: own() }] },
  ];
}
