// The ERC-4337 contracts in force on a chain: the configured ones, else the canonical ones.
// Those have the same addresses on every chain, so no chain needs a row of its own; whether
// they are deployed on one, its node is asked before they are configured.
import { DEFAULT_ENTRY_POINT, entryPoints } from '../eth/entry-point';
import type { EntryPointVersion } from '../eth/entry-point';
import type { Hex } from '../eth/hex';
import type { ChainRow } from '../state/chain-row';

/** The contracts of a chain's new smart accounts. */
export type Contracts = {
  entryPoint: { version: EntryPointVersion; address: Hex };
  factory: Hex;
};

/** Get the contracts that hold with a chain's configuration. */
export function toContracts({ entryPoint, factory }: ChainRow): Contracts {
  const version = entryPoint ?? DEFAULT_ENTRY_POINT;
  const canonical = entryPoints[version];
  return {
    entryPoint: { version, address: canonical.entryPoint },
    factory: factory ?? canonical.factory,
  };
}
