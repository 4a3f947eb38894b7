// Formats numbers and times in the user's language, names chains, and prepares foreign text for
// display: caps lines, makes characters that hide or reorder text visible, and shortens padding
// that pushes text out of sight. Snaps' JSX shows a string literally, without markdown.
import { findKnownChain } from '../eth/chain';
import { MAX_UINT256 } from '../eth/hex';
import { HIDDEN } from '../eth/text';
import { toDecimal, weiToGwei } from '../eth/units';
import type { Translate } from './i18n';
import type { TokenUnit } from './tokens';

export const COIN_DECIMALS = 18;

/** The most fraction digits that Node.js 20 and older browsers format. */
const MAX_FRACTION = 20;

/** The smallest fee per gas, in wei, that is visible with three decimals in gwei. */
const MIN_FEE = 10n ** 6n;

const SECOND = ['second', 1_000] as const;

/** Units of time with their length in ms, longest first. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  SECOND,
] as const;

/** Formats wei in the native currency of `chain` (CAIP-2): `1500000000000000000n` → `1.5 ETH`. If
 * the currency is unknown, the text does not name it. */
export function toShownCoins(
  wei: bigint,
  translate: Translate,
  chain?: string,
): string {
  const amount = toShownDecimal(toDecimal(wei, COIN_DECIMALS), translate);
  return withCoin(amount, translate, chain);
}

/** Formats wei per gas in gwei. */
export function toShownFee(wei: bigint, translate: Translate): string {
  const amount = toShownDecimal(weiToGwei(wei), translate);
  return translate('unit.gwei', { amount });
}

/** Formats wei like {@link toShownCoins}, with six significant digits: `≈ 1.25046 ETH`. */
export function toRoundedCoins(
  wei: bigint,
  translate: Translate,
  chain?: string,
): string {
  const amount = toRoundedDecimal(toDecimal(wei, COIN_DECIMALS), translate);
  return withCoin(amount, translate, chain);
}

function withCoin(amount: string, translate: Translate, chain = ''): string {
  const known = findKnownChain(chain);
  return known ? `${amount} ${known.unit}` : translate('unit.coin', { amount });
}

/** Formats wei per gas like {@link toShownFee}, with three decimals. */
export function toRoundedFee(wei: bigint, translate: Translate): string {
  const isTiny = wei > 0n && wei < MIN_FEE;
  const amount = isTiny
    ? `< ${toShownDecimal(weiToGwei(MIN_FEE), translate)}`
    : toRounded(weiToGwei(wei), { maximumFractionDigits: 3 }, translate);
  return translate('unit.gwei', { amount });
}

function toRounded(
  decimal: string,
  digits: Intl.NumberFormatOptions,
  translate: Translate,
): string {
  const format = new Intl.NumberFormat(translate.language, digits);
  const rounded = format.format(decimal as Intl.StringNumericLiteral);
  return rounded === toShownDecimal(decimal, translate) ? rounded : `≈ ${rounded}`;
}

/** Formats a token amount: `1500000n` → `1.5 USDC`. */
export function toShownToken(
  amount: bigint,
  { symbol, decimals }: TokenUnit,
  translate: Translate,
): string {
  return `${toShownDecimal(toDecimal(amount, decimals), translate)} ${symbol}`;
}

export function toRoundedToken(
  amount: bigint,
  { symbol, decimals }: TokenUnit,
  translate: Translate,
): string {
  return `${toRoundedDecimal(toDecimal(amount, decimals), translate)} ${symbol}`;
}

/** Formats a decimal number with six significant digits: `1.0786084` → `≈ 1.07861`. */
export function toRoundedDecimal(decimal: string, translate: Translate): string {
  return toRounded(decimal, { maximumSignificantDigits: 6 }, translate);
}

/** Formats a decimal number exactly, in the user's language: `1234.5` → `1,234.5`. */
export function toShownDecimal(decimal: string, { language }: Translate): string {
  const [, fraction = ''] = decimal.split('.');
  const rest = fraction.slice(MAX_FRACTION);
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: rest === '' ? 0 : MAX_FRACTION,
    maximumFractionDigits: MAX_FRACTION,
  });
  const first = decimal.slice(0, decimal.length - rest.length);
  const digits = new Intl.NumberFormat(language);
  const others = [...rest].map((digit) => digits.format(Number(digit)));
  return format.format(first as Intl.StringNumericLiteral) + others.join('');
}

/** Formats a decimal number with three significant digits: `16.334026` → `16.3`. */
export function toShownRounded(decimal: string, { language }: Translate): string {
  const format = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  return format.format(decimal as Intl.StringNumericLiteral);
}

export function toShownCount(count: bigint | number, { language }: Translate): string {
  return new Intl.NumberFormat(language).format(count);
}

/** Formats a share from 0 to 1 in whole percent: `0.5` → `50 %`. */
export function toShownPercent(share: number, translate: Translate): string {
  return translate('percent', { number: Math.round(share * 100) });
}

/** Formats a point in time, in ms since 1970, in the user's time zone. */
export function toShownTime(time: number, { language }: Translate): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(language, style).format(time);
}

/** Formats the distance to a point in time, in ms since 1970: `in 20 minutes`, `2 days ago`. */
export function toShownRelativeTime(
  time: number,
  now: number,
  { language }: Translate,
): string {
  const ms = time - now;
  const [unit, length] = units.find(([, each]) => Math.abs(ms) >= each) ?? SECOND;
  return new Intl.RelativeTimeFormat(language).format(Math.round(ms / length), unit);
}

/** Formats a duration, in ms, in its largest unit: `90000` → `2 min`. */
export function toShownDuration(ms: number, { language }: Translate): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? SECOND;
  const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(language, style).format(Math.round(ms / length));
}

/** Returns the name of a chain (CAIP-2), or the id itself if the chain is unknown. */
export function toShownChain(chain: string): string {
  return findKnownChain(chain)?.name ?? chain;
}

/** Larger than any amount: numbers from here on are addresses, hashes or flags. */
const MIN_WORD = 2n ** 128n;

/** Formats a decimal number in hex if it is too large for an amount, such as an address on another
 * chain. The maximum of uint256, which often means unlimited, stays decimal. */
export function toShownWord(decimal: string): string {
  if (!/^\d{39,78}$/u.test(decimal)) return decimal;
  const number = BigInt(decimal);
  return number < MIN_WORD || number === MAX_UINT256
    ? decimal
    : `0x${number.toString(16)}`;
}

/** Shortens an address or a hash: `0x1234…abcd`. */
export function toShortHex(hex: string): string {
  return `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Maximum length of a name, an origin or another text of one line. */
const MAX_LINE_LENGTH = 200;

const TRICKS = new RegExp(HIDDEN, 'gu');

// Ordinary text has at most four marks on a letter. A longer pile covers the lines around it.
const MARKS = /(?<=\p{M}{4})\p{M}/gu;

/** Runs of empty lines, which push later text out of sight. */
const BLANK_LINES = /\n(?:[^\S\n]*\n){3,}/gu;

/** Runs of blanks, which also push later text out of sight. */
const PADDING = /[^\S\n]{33,}/gu;

const HALF_PAIR_AT_END = /[\ud800-\udbff]$/u;

/** Text to show. `isFolded` means that runs of blanks or empty lines were shortened. */
type ShownText = { text: string; isCut: boolean; isFolded: boolean };

/** Prepares foreign text for display; shows at most `maxLength` characters. */
export function toShownText(foreign: string, maxLength = Infinity): ShownText {
  const { length } = foreign;
  const given = foreign
    .slice(0, maxLength)
    .replace(length > maxLength ? HALF_PAIR_AT_END : '', '')
    .replaceAll('\r\n', '\n');
  const folded = given.replace(BLANK_LINES, '\n…\n').replace(PADDING, ' … ');
  const visible = folded.replace(TRICKS, toVisible).replace(MARKS, toVisible);
  const text = visible.slice(0, maxLength).replace(HALF_PAIR_AT_END, '');
  const isCut = length > maxLength || visible.length > maxLength;
  return { text, isCut, isFolded: folded !== given };
}

/** Splits text into parts of at most `size` UTF-16 code units, without splitting a surrogate pair.
 * An empty string is one part. */
export function splitText(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length || parts.length === 0;) {
    const part = text.slice(start, start + size);
    const isLast = start + size >= text.length;
    const kept = isLast ? part : part.replace(HALF_PAIR_AT_END, '') || part;
    parts.push(kept);
    start += Math.max(kept.length, 1);
  }
  return parts;
}

/** Prepares a short foreign text, such as a name or an origin, for one line. */
export function toShownLine(foreign: string, maxLength = MAX_LINE_LENGTH): string {
  const { text, isCut } = toShownText(foreign.replace(/\s+/gu, ' '), maxLength);
  return isCut ? `${text}…` : text;
}

/** Prepares the name of a field for one line, and escapes ambiguous or invisible blanks. */
export function toShownName(foreign: string, maxLength?: number): string {
  return toShownLine(foreign.replace(/^ | $|(?<= ) |[^\S ]/gu, toCode), maxLength);
}

export function capitalize(text: string): string {
  const [first = ''] = text;
  return `${first.toUpperCase()}${text.slice(first.length)}`;
}

/** Decodes bytes as UTF-8; undefined if the text cannot be displayed. */
export function findText(bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes);
    return /(?![\n\r\t])[\p{Cc}\p{Cn}\p{Co}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function toVisible(character: string): string {
  return character === '\n' || character === '\t' ? character : toCode(character);
}

function toCode(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
