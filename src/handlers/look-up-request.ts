// Look-ups for dapps, by their JSON-RPC names. They need no grant, since a chain is
// public, but are limited per origin.
import { tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { findReceipt, findTransaction } from '../activity/look-up';
import type { LookUpServices } from '../activity/look-up';
import type { Chains } from '../chains/chain';
import { Bytes32Struct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parse } from '../parse';
import type { RateLimit } from './rate-limit';
import { parseOutright } from './signing-request';

type LookUp = (hash: Hex, services: LookUpServices) => Promise<unknown>;

const lookUps: Record<string, LookUp> = {
  eth_getTransactionReceipt: findReceipt,
  eth_getTransactionByHash: findTransaction,
};

/** What looking up for a dapp needs. */
export type LookUpRequestServices = {
  chains: Chains;
  rateLimit: RateLimit;
  sleep: (ms: number) => Promise<void>;
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
  { chains, rateLimit, sleep }: LookUpRequestServices,
): Promise<Json> {
  rateLimit(origin);
  const { scope, params: own } = parseOutright(method, params);
  const [hash] = parse(own, tuple([Bytes32Struct]), `${method}: params`);
  const { node } = await chains.connect(scope ?? (await chains.own()));
  return (await lookUps[method]?.(hash, { node, sleep })) as Json;
}
