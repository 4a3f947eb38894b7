// What MetaMask shows us of transactions and signatures before it asks its user.
import type { Json } from '@metamask/utils';

import { FILLED, MESSAGE, ADDRESS } from '../../docs/contract/samples';
import { makeText } from '../junk';
import { mutate } from '../mutate';
import type { Random } from '../random';
import type { FuzzRequest, Route } from '../route';
import { siteSeeds } from '../seeds';

const typed = siteSeeds.filter(({ method }) => method.startsWith('eth_signTypedData'));

const isFields = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** MetaMask's confirmations. */
export const insight: Route = {
  name: 'insight',
  share: 5,
  make: (random) =>
    random.chance(0.5) ? makeTransaction(random) : makeSignature(random),
};

function makeTransaction(random: Random): FuzzRequest {
  const { gasLimit, ...json } = FILLED.json;
  return toRequest('onTransaction', {
    transaction: spoil({ ...json, gas: gasLimit ?? '0x5208' }, random),
    chainId: random.pick([
      'eip155:1',
      'eip155:10',
      'eip155:0',
      'eip155:abc',
      'solana:x',
    ]),
    transactionOrigin: makeOrigin(random),
  });
}

function makeSignature(random: Random): FuzzRequest {
  const { method, params } = random.pick(typed);
  const data = (Array.isArray(params) ? params[1] : null) ?? null;
  const signature = random.chance(0.3)
    ? { from: ADDRESS, data: MESSAGE, signatureMethod: 'personal_sign' }
    : { from: ADDRESS, data, signatureMethod: method };
  return toRequest('onSignature', {
    signature: spoil(signature, random),
    signatureOrigin: makeOrigin(random),
  });
}

// The platform lets objects pass alone.
function spoil(value: Record<string, Json>, random: Random): Json {
  const spoiled = random.chance(0.9) ? mutate(value, random) : value;
  return isFields(spoiled) ? spoiled : {};
}

function makeOrigin(random: Random): Json {
  return random.pick<Json>([
    'https://dapp.example',
    null,
    makeText(random),
    'metamask',
  ]);
}

function toRequest(handler: FuzzRequest['handler'], params: Json): FuzzRequest {
  return { handler, origin: 'metamask', request: { method: '', params } };
}
