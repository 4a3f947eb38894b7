// The languages that the gallery shows: English, and German if there is a file.
import { existsSync, readFileSync } from 'node:fs';

import { createTranslate } from '../../src/ui/i18n';
import type { Texts, Translate } from '../../src/ui/i18n';
import { languages } from '../../src/ui/locales';
import type { Locale } from '../../src/ui/locales';

const pathOf = (locale: Locale): string => `locales/ui/${locale}.json`;

/** Give the texts of a language as they are shipped. */
export function translateInto(locale: Locale): Translate {
  const texts = JSON.parse(readFileSync(pathOf(locale), 'utf8')) as Texts;
  return createTranslate(texts, languages[locale]);
}

/** List those of the languages that there are texts in. */
export function findLanguages(wanted: readonly Locale[] = ['en', 'de']): Translate[] {
  return wanted.filter((locale) => existsSync(pathOf(locale))).map(translateInto);
}
