// Values and foreign text for the eye. What others wrote is capped, and characters that
// hide or reorder text are made visible.
import { toDecimal } from '../eth/decimal';
import type { Translate } from './i18n';

/** Longest foreign text that is shown in one place. */
const MAX_TEXT_LENGTH = 10_000;

const COIN_DECIMALS = 18;

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
): string[] {
  return isCut ? [translate('warning.cut', { length: String(length) })] : [];
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

/** Write wei in the chain's currency: `1500000000000000000n` → `1.5 of the network's…`. */
export function toShownCoins(wei: bigint, translate: Translate): string {
  return translate('unit.coin', { amount: toDecimal(wei, COIN_DECIMALS) });
}

function toVisible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
