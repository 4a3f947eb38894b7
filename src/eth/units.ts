// Converts between smallest units and decimal strings, without floats.
import { define } from '@metamask/superstruct';

/** Formats an amount in smallest units as a decimal string, without trailing zeros. */
export function toDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/u, '');
  const whole = digits.slice(0, point);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const DECIMALS = 9;

/** A fee in gwei as a decimal string, such as `"16.334026964"`. */
export const GweiStruct = define<string>(
  'a decimal string in gwei',
  (value) => typeof value === 'string' && /^\d{1,60}(?:\.\d{1,60})?$/u.test(value),
);

/** Converts decimal gwei ({@link GweiStruct}) to wei. Rounds up, because a node may refuse a fee
 * that is one wei too low, but not one that is too high. */
export function gweiToWei(gwei: string): bigint {
  const [whole = '0', fraction = ''] = gwei.split('.');
  const wei = BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return /[1-9]/u.test(fraction.slice(DECIMALS)) ? wei + 1n : wei;
}

/** Converts wei to decimal gwei, without trailing zeros: `16334026964n` → `16.334026964`. */
export function weiToGwei(wei: bigint): string {
  return toDecimal(wei, DECIMALS);
}
