// A language for tests: English with accents, 40 % longer and in brackets. Text without brackets
// does not come from the locale files; truncated text lacks the closing bracket.
import { createTranslate } from '../../src/ui/i18n';
import type { TextKey, Texts, Translate } from '../../src/ui/i18n';
import { english } from './view';

/** Texts grow by this share, as in German, Russian and Tagalog. */
const GROWTH = 0.4;

const PLAIN = 'aceghiklnorstuwyzACDEGHIKLNORSTUWYZ';

const ACCENTED = 'áçéğĥíķļñóřšťúŵýžÁÇĎÉĞĤÍĶĻÑÓŘŠŤÚŴÝŽ';

function toPseudo(text: string): string {
  const accented = text
    .split(/(\{\w+\})/u)
    .map((part) => (part.startsWith('{') ? part : accent(part)))
    .join('');
  return `[${accented}${pad(Math.ceil(text.length * GROWTH))}]`;
}

/** Numbers are formatted as in German. */
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

// Pads with short words, so that lines can break.
function pad(length: number): string {
  return ' łöñğ'.repeat(Math.ceil(length / 5)).slice(0, length);
}
