// Figures, times and chains for the eye, in the user's language; and foreign text.
import { findKnownChain } from '../eth/chain';
import { toDecimal, weiToGwei } from '../eth/units';
import type { Translate } from './i18n';
import type { TokenUnit } from './tokens';

export { findText, toShownLine, toShownText } from './foreign-text';

const COIN_DECIMALS = 18;

const SECOND = ['second', 1_000] as const;

/** Units of time with their length in ms, the longest first. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  SECOND,
] as const;

/**
 * Write wei in the chain's currency: `1500000000000000000n` → `1.5 ETH`.
 *
 * @param chain - CAIP-2; where its coin is not known, that is what is said.
 */
export function toShownCoins(
  wei: bigint,
  translate: Translate,
  chain?: string,
): string {
  const amount = toShownDecimal(toDecimal(wei, COIN_DECIMALS), translate);
  const known = chain === undefined ? undefined : findKnownChain(chain);
  return known ? `${amount} ${known.unit}` : translate('unit.coin', { amount });
}

/** Write wei for a unit of gas in gwei. */
export function toShownFee(wei: bigint, translate: Translate): string {
  const amount = toShownDecimal(weiToGwei(wei), translate);
  return translate('unit.gwei', { amount });
}

/** Write an amount of a token: `1500000n` → `1.5 USDC`. */
export function toShownToken(
  amount: bigint,
  { symbol, decimals }: TokenUnit,
  translate: Translate,
): string {
  return `${toShownDecimal(toDecimal(amount, decimals), translate)} ${symbol}`;
}

/** Write a decimal number exactly, as the user's language does: `1234.5` → `1,234.5`. */
export function toShownDecimal(decimal: string, { language }: Translate): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** Write a decimal number with three significant digits: `16.334026` → `16.3`. */
export function toShownRounded(decimal: string, { language }: Translate): string {
  const format = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** Write a whole number as the user's language does. */
export function toShownCount(count: bigint | number, { language }: Translate): string {
  return new Intl.NumberFormat(language).format(count);
}

/** Write a share from 0 to 1 in whole hundredths: `0.5` → `50 %`. */
export function toShownPercent(share: number, translate: Translate): string {
  const number = toShownCount(Math.round(share * 100), translate);
  return translate('percent', { number });
}

/** Write a point in time, in ms since 1970, in the user's time zone. */
export function toShownTime(time: number, { language }: Translate): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(language, style).format(time);
}

/** Write how long something takes or took, in ms, in its largest unit: `90000` → `2 min`. */
export function toShownDuration(ms: number, { language }: Translate): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? SECOND;
  const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(language, style).format(Math.round(ms / length));
}

/** Write a chain by its name, where it is known, and by its number. */
export function toShownChain(chain: string, translate: Translate): string {
  const known = findKnownChain(chain);
  return known ? translate('chain.named', { name: known.name, chain }) : chain;
}
