// Texts by key, from the files in locales/ui, which are shipped beside the bundle; and which
// languages there are.
import type english from '../../locales/ui/en.json';

/** English has them all. */
export type TextKey = keyof typeof english;

/** Texts of a language by key. */
export type Texts = Record<TextKey, string>;

/** Gives a text in the user's language, its `{placeholders}` replaced. */
export type Translate = {
  (key: TextKey, values?: Record<string, string>): string;
  /** The language's tag (BCP 47), by which figures and dates are written. */
  readonly language: string;
};

/** Creates a translator over a language's texts. */
export function createTranslate(texts: Texts, language = 'en'): Translate {
  const translate = (key: TextKey, values: Record<string, string> = {}): string =>
    texts[key].replace(
      /\{(\w+)\}/gu,
      (placeholder, name: string) => values[name] ?? placeholder,
    );
  return Object.assign(translate, { language });
}

/** Tags (BCP 47) of the languages that there are texts in, those of MetaMask, by the wallet's names
 * for them, which the files bear. */
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
 * Finds the language that is nearest to what the user chose: `pt_BR` → `pt`.
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
