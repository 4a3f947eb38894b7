// How values are written on the page.
import { findKnownChain } from '../../src/eth/chain';
import { toDecimal } from '../../src/eth/units';

/** Shortens an address or a hash so that it can be told from others at a glance. */
export function shorten(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** Names a chain (hex, decimal or CAIP-2), by its number where it has no known name. */
export function nameChain(chain: string): string {
  return findKnownChain(chain)?.name ?? `Chain ${chain.replace(/^eip155:/u, '')}`;
}

/** Writes wei in ether, cut after some decimals. */
export function toEther(wei: bigint, decimals = 4): string {
  return cut(toDecimal(wei, 18), decimals);
}

/** Writes wei in gwei, cut after some decimals. */
export function toShownGwei(wei: bigint, decimals = 3): string {
  return cut(toDecimal(wei, 9), decimals);
}

function cut(decimal: string, decimals: number): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const kept = fraction.slice(0, decimals).replace(/0+$/u, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
