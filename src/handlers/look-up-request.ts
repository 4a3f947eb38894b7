// Look-ups for dapps, by their JSON-RPC names. They need no grant, since a chain is
// public, but are limited per origin.
import { tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { findReceipt, findTransaction } from '../activity/look-up';
import type { Chain, Chains } from '../chains/chain';
import { nodeSchema } from '../client';
import { Bytes32Struct, toQuantity } from '../eth/hex';
import { ageOf, mapFees } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import { parse } from '../parse';
import type { StructOf } from '../parse';
import type { RateLimit } from './rate-limit';
import { parseOutright } from './signing-request';

/** What looking up for a dapp needs. */
export type LookUpRequestServices = {
  chains: Chains;
  rateLimit: RateLimit;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
  feeLevels: (chain: Chain) => Promise<FeeLevels>;
};

/** Reads its params, or throws what is wrong with them; then answers on a chain. */
type LookUp = (
  params: Json,
  root: string,
) => (chain: Chain, services: LookUpRequestServices) => Promise<unknown>;

const HashParamsStruct = tuple([Bytes32Struct]);

const lookUps: Record<string, LookUp> = {
  eth_getTransactionReceipt: lookUp(
    HashParamsStruct,
    async ([hash], { node }, { sleep }) => findReceipt(hash, { node, sleep }),
  ),
  eth_getTransactionByHash: lookUp(HashParamsStruct, async ([hash], { node }) =>
    findTransaction(hash, { node }),
  ),
  tollkeeper_getFeeLevels: lookUp(
    nodeSchema.eth_chainId.params,
    async (_params, chain, { feeLevels, now }) =>
      toShown(await feeLevels(chain), now()),
  ),
};

/** Tell whether a method is a look-up. */
export function isLookUp(method: string): boolean {
  return Object.hasOwn(lookUps, method);
}

/**
 * Answer a look-up on the chain named outright, else on the snap's own network.
 *
 * @throws {LimitExceededError} If the origin asks too often.
 */
export async function handleLookUp(
  { origin, method, params }: { origin: string; method: string; params: Json },
  services: LookUpRequestServices,
): Promise<Json> {
  const { rateLimit, chains } = services;
  rateLimit(origin);
  const { scope, params: own } = parseOutright(method, params);
  const answer = lookUps[method]?.(own, `${method}: params`);
  const chain = await chains.connect(scope ?? (await chains.own()));
  return (await answer?.(chain, services)) as Json;
}

function lookUp<Params>(
  struct: StructOf<Params>,
  run: (
    params: Params,
    chain: Chain,
    services: LookUpRequestServices,
  ) => Promise<unknown>,
): LookUp {
  return (params, root) => {
    const own = parse(params, struct, root);
    return (chain, services) => run(own, chain, services);
  };
}

// Quantities in hex, as dapps write fees into transactions.
function toShown(levels: FeeLevels, now: number): Json {
  const { source } = levels;
  return { source, ageMs: ageOf(levels, now), ...mapFees(levels, toQuantity) };
}
