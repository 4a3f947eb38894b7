// The ERC-4337 contracts of a chain's new smart accounts: those that its configuration names,
// else the canonical ones of the newest EntryPoint that its bundler serves. The canonical ones
// have the same addresses on every chain, so no chain needs a row of its own; whether they are
// deployed on one, its node is asked before they are configured.
import { withTimeLimit } from '../client/abort';
import type { ChainId } from '../eth/chain';
import {
  entryPoints,
  entryPointVersions,
  NEWEST_ENTRY_POINT,
} from '../eth/entry-point';
import type { EntryPointVersion } from '../eth/entry-point';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { ChainRow } from '../state/chain-row';
import type { Chains } from './chain';

/** The contracts of a chain's new smart accounts. */
export type Contracts = {
  entryPoint: { version: EntryPointVersion; address: Hex };
  factory: Hex;
};

/** How long creating an account waits for the bundler, in ms. */
const SUPPORT_MS = 3_000;

/** Find the contracts that a chain's configuration names; undefined if it names none. */
export function findContracts({
  entryPoint: version,
  factory,
}: ChainRow): Contracts | undefined {
  if (version === undefined) return undefined;
  const canonical = entryPoints[version];
  return {
    entryPoint: { version, address: canonical.entryPoint },
    factory: factory ?? canonical.factory,
  };
}

/**
 * Find the newest EntryPoint that a chain's bundler serves: the newest of all if the chain has
 * no bundler, or it does not answer within 3 s.
 */
export async function fetchNewestEntryPoint(
  { connect }: Pick<Chains, 'connect'>,
  chainId: ChainId,
): Promise<EntryPointVersion> {
  const served = await withTimeLimit(async () => {
    const { bundler } = await connect(chainId);
    const support = await bundler?.client.fetchSupport();
    return support?.chainId === chainId ? support.entryPoints : [];
  }, SUPPORT_MS).catch((): Hex[] => []);
  const isServed = (version: EntryPointVersion): boolean =>
    served.some((each) => isSameAddress(each, entryPoints[version].entryPoint));
  return entryPointVersions.filter(isServed).at(-1) ?? NEWEST_ENTRY_POINT;
}
