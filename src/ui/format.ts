// Values and foreign text for the eye. What others wrote is capped, and characters that
// hide or reorder text are made visible.
import { toDecimal } from '../eth/decimal';
import type { Translate } from './i18n';

/** Longest foreign text that is shown in one place. */
const MAX_TEXT_LENGTH = 10_000;

const COIN_DECIMALS = 18;

// Control characters but line breaks and tabs, zero-width and bidirectional ones: format
// characters (Cf), which no reader sees.
const TRICKS = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;

/** Text to show, and whether it is only the beginning. */
export type ShownText = { text: string; isCut: boolean; length: number };

/** Prepare foreign text for showing. */
export function toShownText(foreign: string, maxLength = MAX_TEXT_LENGTH): ShownText {
  const text = foreign.slice(0, maxLength).replace(TRICKS, toVisible);
  return { text, isCut: foreign.length > maxLength, length: foreign.length };
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
  if (character === '\r') return '';
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
