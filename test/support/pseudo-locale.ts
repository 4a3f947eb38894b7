// A language for tests alone: English with accents, longer by two fifths and in brackets.
// Text without brackets is not ours; truncated text lacks the closing one.
import { createTranslate } from '../../src/ui/i18n';
import type { TextKey, Texts, Translate } from '../../src/ui/i18n';
import { english } from './view';

/** How much longer a text becomes: German, Russian and Tagalog are that long. */
const GROWTH = 0.4;

const PLAIN = 'aceghiklnorstuwyzACDEGHIKLNORSTUWYZ';

const ACCENTED = 'áçéğĥíķļñóřšťúŵýžÁÇĎÉĞĤÍĶĻÑÓŘŠŤÚŴÝŽ';

/** Writes a text in the pseudo-language; its placeholders stay. */
function toPseudo(text: string): string {
  const accented = text
    .split(/(\{\w+\})/u)
    .map((part) => (part.startsWith('{') ? part : accent(part)))
    .join('');
  return `[${accented}${pad(Math.ceil(text.length * GROWTH))}]`;
}

/** Gives texts in the pseudo-language; figures are written as in German. */
export const translatePseudo: Translate = createTranslate(
  Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key as TextKey, toPseudo(text)]),
  ) as Texts,
  'de',
);

function accent(text: string): string {
  return [...text]
    .map((letter) => [...ACCENTED][PLAIN.indexOf(letter)] ?? letter)
    .join('');
}

// Words, not one long one: a language has blanks to break at.
function pad(length: number): string {
  return ' łöñğ'.repeat(Math.ceil(length / 5)).slice(0, length);
}
