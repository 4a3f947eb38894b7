// The texts of what is shown, loaded from the shipped files when they are first needed. The
// user may change the language while the worker lives, so it is asked for each time.
import { record, string } from '@metamask/superstruct';

import { InternalError } from '../errors';
import { matches } from '../schema/parse';
import { createTranslate, findLocale, languages } from '../ui/i18n';
import type { Locale, TextKey, Texts, Translate } from '../ui/i18n';

const TextsStruct = record(string(), string());

type ReadFile = (path: string) => Promise<string | null>;

/**
 * Create a loader of texts, which reads the files of a language once while the worker lives.
 *
 * @param readFile - Reads a shipped file; null if it is not there.
 * @param fetchLocale - Asks which language the user reads.
 * @returns A function that gives English where the language is not there or not whole, and
 * throws {InternalError} if English cannot be had: what cannot be shown must not be signed.
 */
export function createTranslateLoader(
  readFile: ReadFile,
  fetchLocale: () => Promise<string>,
): () => Promise<Translate> {
  const loaded = new Map<Locale, Translate>();
  return async () => {
    const locale = findLocale(await fetchLocale().catch(() => 'en'));
    const translate = loaded.get(locale) ?? (await loadLanguage(locale, readFile));
    loaded.set(locale, translate);
    return translate;
  };
}

async function loadLanguage(locale: Locale, readFile: ReadFile): Promise<Translate> {
  const english = findTexts(await readFile(pathOf('en')));
  if (!english) throw new InternalError('The texts of the dialogs are missing.');
  if (locale === 'en') return createTranslate(english as Texts);
  const own = findTexts(await readFile(pathOf(locale)).catch(() => null));
  if (!own) return createTranslate(english as Texts);
  return createTranslate(complete(own, english as Texts), languages[locale]);
}

const pathOf = (locale: Locale): string => `locales/ui/${locale}.json`;

function findTexts(file: string | null): Record<string, string> | undefined {
  try {
    const texts: unknown = JSON.parse(file ?? 'null');
    return matches(texts, TextsStruct) ? texts : undefined;
  } catch {
    return undefined;
  }
}

// A text that would hide a figure is worse than one in another language.
function complete(own: Record<string, string>, english: Texts): Texts {
  const keys = Object.keys(english) as TextKey[];
  const choose = (key: TextKey): string => {
    const text = own[key];
    const isSame = placeholdersOf(text ?? '') === placeholdersOf(english[key]);
    return text !== undefined && isSame ? text : english[key];
  };
  return Object.fromEntries(keys.map((key) => [key, choose(key)])) as Texts;
}

function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/gu))].sort().join(' ');
}
