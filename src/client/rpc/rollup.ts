// Which chains are rollups whose nodes estimate gas by a method of their own, and under
// what prefix they serve it (spec 4.2: the specification writes a neutral word there).

/** Prefixes by chain id. */
const PREFIXES: ReadonlyMap<bigint, string> = new Map([
  [59144n, 'linea'],
  [59141n, 'linea'],
]);

/** The word that stands for any prefix. */
const NEUTRAL = 'rollup';

/** Tell whether a chain is known to be a rollup with an estimate of its own. */
export function isRollup(chainId: bigint): boolean {
  return PREFIXES.has(chainId);
}

/**
 * Name the method by which a chain's node estimates as a rollup does.
 *
 * @param chainId - Undefined where it is not known.
 * @returns Such as `linea_estimateGas`; for any other chain `rollup_estimateGas`.
 */
export function toRollupMethod(chainId: bigint | undefined): string {
  const prefix = chainId === undefined ? undefined : PREFIXES.get(chainId);
  return `${prefix ?? NEUTRAL}_estimateGas`;
}
