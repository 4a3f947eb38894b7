// The languages that there are texts in: those of MetaMask.

/** Tags (BCP 47) of the languages by the wallet's names for them, which the files bear. */
export const languages = {
  en: 'en',
  de: 'de',
  es: 'es',
  fr: 'fr',
  hi: 'hi',
  id: 'id',
  ja: 'ja',
  ko: 'ko',
  pt: 'pt',
  ru: 'ru',
  tl: 'fil',
  tr: 'tr',
  vi: 'vi',
  zh_CN: 'zh-CN',
} as const;

/** A language that there can be a file of. */
export type Locale = keyof typeof languages;

/**
 * Find the language that is nearest to what the user chose: `pt_BR` → `pt`.
 *
 * Chinese is not cut to its first part: who reads one script may not read the other.
 */
export function findLocale(chosen: string): Locale {
  const [language = ''] = chosen.split(/[-_]/u);
  const near = [chosen.replace('-', '_'), language].find((name) =>
    Object.hasOwn(languages, name),
  );
  return (near ?? 'en') as Locale;
}
