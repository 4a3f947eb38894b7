// Foreign text for the eye: lines are capped, what hides or reorders text is made
// visible, and what only pushes the rest out of sight is folded. Snaps' JSX shows a string as
// it stands: none of it is read as markdown.

/** Longest name, origin or other text of one line. */
const MAX_LINE_LENGTH = 200;

// What no reader sees: control, format (zero-width, bidirectional), private, unassigned and
// ignorable characters, halves of a pair, the blank of Braille, line breaks that are no
// line feeds. Selectors of how an emoji is drawn are left where there is one.
const TRICKS =
  /(?!(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// No script stacks more marks on a letter; a pile of them covers the lines around it.
const MARKS = /(?<=\p{M}{4})\p{M}/gu;

/** More empty lines in a row, which push what follows out of sight. */
const BLANK_LINES = /\n(?:[^\S\n]*\n){3,}/gu;

/** More blanks in a row, likewise. */
const PADDING = /[^\S\n]{33,}/gu;

const HALF_PAIR_AT_END = /[\ud800-\udbff]$/u;

/** Text to show, whether it is only the beginning, and whether blanks in it were folded. */
export type ShownText = { text: string; isCut: boolean; isFolded: boolean };

/** Prepare foreign text for showing; at most `maxLength` characters are shown. */
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

/** Splits a text into parts, between characters; an empty text is one part. */
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

/** Prepare a short foreign text, such as a name or an origin, for a line. */
export function toShownLine(foreign: string, maxLength = MAX_LINE_LENGTH): string {
  const { text, isCut } = toShownText(foreign.replace(/\s+/gu, ' '), maxLength);
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

function toVisible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
