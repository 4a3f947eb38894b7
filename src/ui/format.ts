// Values and foreign text for the eye. What others wrote is capped, and characters that
// hide or reorder text are made visible.
import { toDecimal } from '../eth/decimal';
import { weiToGwei } from '../eth/gwei';
import { findKnownChain } from '../eth/known-chains';
import type { Translate } from './i18n';
import { warning } from './notice';
import type { Notice } from './notice';

/** Longest foreign text that is shown in one place. */
const MAX_TEXT_LENGTH = 10_000;

const COIN_DECIMALS = 18;

const SECOND = ['second', 1_000] as const;

/** Units of time with their length in ms, the longest first. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  SECOND,
] as const;

// What no reader sees: control, format (zero-width, bidirectional), private, unassigned and
// ignorable characters, halves of a pair, the blank of Braille. Not the selectors that
// choose how an emoji is drawn.
const TRICKS =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const HALF_PAIR_AT_END = /[\ud800-\udbff]$/u;

/** Text to show, and whether it is only the beginning. */
export type ShownText = { text: string; isCut: boolean; length: number };

/** Prepare foreign text for showing; at most `maxLength` characters are shown. */
export function toShownText(foreign: string, maxLength = MAX_TEXT_LENGTH): ShownText {
  const { length } = foreign;
  const visible = foreign
    .slice(0, maxLength)
    .replace(length > maxLength ? HALF_PAIR_AT_END : '', '')
    .replaceAll('\r\n', '\n')
    .replace(TRICKS, toVisible);
  const text = visible.slice(0, maxLength).replace(HALF_PAIR_AT_END, '');
  return { text, isCut: length > maxLength || visible.length > maxLength, length };
}

/** Warn if a text is not shown whole. */
export function cutWarnings(
  { isCut, length }: ShownText,
  translate: Translate,
): Notice[] {
  return isCut ? [warning(translate('warning.cut', { length: String(length) }))] : [];
}

/** Prepare a short foreign text, such as a name or an origin, for a line. */
export function toShownLine(foreign: string): string {
  const { text, isCut } = toShownText(foreign.replace(/\s+/gu, ' '), 200);
  return isCut ? `${text}…` : text;
}

/** Read bytes as text if they are text that can be shown. */
export function findText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes,
    );
    return /[\p{Cc}\p{Cn}\p{Co}]/u.test(text.replace(/[\n\r\t]/gu, ''))
      ? undefined
      : text;
  } catch {
    return undefined;
  }
}

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

/** Write a decimal number exactly, as the user's language does: `1234.5` → `1,234.5`. */
export function toShownDecimal(decimal: string, { language }: Translate): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** Write a whole number as the user's language does. */
export function toShownCount(count: bigint | number, { language }: Translate): string {
  return new Intl.NumberFormat(language).format(count);
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

function toVisible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
