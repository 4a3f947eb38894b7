// Calls by method and params, as they are or with something wrong.
import type { Json } from '@metamask/utils';

import { makeJunk, makeName, makeText } from './junk';
import { mutate } from './mutate';
import type { Random } from './random';
import type { FuzzRequest } from './route';

/** A call that is right. */
export type Seed = { method: string; params: Json | undefined };

type Call = FuzzRequest['request'];

type Spoil = (seed: Seed, random: Random, seeds: readonly Seed[]) => Call;

const call = (method: string, params: Json | undefined): Call =>
  params === undefined ? { method } : { method, params };

const asIs: Spoil = ({ method, params }) => call(method, params);

// Others than arrays and objects the platform does not let through.
const toLegal = (params: Json, random: Random): Json =>
  (typeof params === 'object' && params !== null) || random.chance(0.1)
    ? params
    : [params];

const wrongParams: Spoil = ({ method, params }, random) =>
  call(method, toLegal(mutate(params ?? [], random), random));

const foreignParams: Spoil = ({ method }, random, seeds) =>
  call(method, random.pick(seeds).params);

const junkParams: Spoil = ({ method }, random) =>
  call(method, toLegal(makeJunk(random), random));

const noParams: Spoil = ({ method }) => ({ method });

const wrongMethod: Spoil = ({ method, params }, random) => {
  const names = [method.toUpperCase(), `${method} `, method.slice(1), makeName(random)];
  const prefixes = ['keyring_', 'tollkeeper_', 'snap_', 'wallet_', 'eth_', ''];
  names.push(random.pick(prefixes) + makeText(random).slice(0, 300));
  return call(random.pick(names), params);
};

const wrongFrame: Spoil = ({ method, params }, random) => ({
  ...call(method, params),
  ...(random.chance(0.5) && {
    id: random.pick<Json>([null, 0, -1, 1.5, '', 'x'.repeat(999)]),
  }),
  ...(random.chance(0.3) && { jsonrpc: random.pick<Json>(['2.0', '1.0', 2]) }),
  ...(random.chance(0.1) && { [makeName(random)]: makeJunk(random) }),
  ...(random.chance(0.1) && { origin: 'metamask', scope: 'eip155:1' }),
});

const ways: readonly Spoil[] = [
  ...Array.from({ length: 12 }, () => wrongParams),
  ...[asIs, asIs, asIs, foreignParams, junkParams, noParams, wrongMethod, wrongFrame],
];

/** Make a call of one of those that are right. */
export function makeCall(seeds: readonly Seed[], random: Random): Call {
  return random.pick(ways)(random.pick(seeds), random, seeds);
}
