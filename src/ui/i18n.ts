// Texts by key, from the files in locales/ui, which are shipped beside the bundle.
import type english from '../../locales/ui/en.json';

/** Key of a text; English has them all. */
export type TextKey = keyof typeof english;

/** Texts of a language by key. */
export type Texts = Record<TextKey, string>;

/** Gives a text in the user's language, its `{placeholders}` replaced. */
export type Translate = {
  (key: TextKey, values?: Record<string, string>): string;
  /** The language's tag (BCP 47), by which figures and dates are written. */
  readonly language: string;
};

/** Create a translator over a language's texts. */
export function createTranslate(texts: Texts, language = 'en'): Translate {
  const translate = (key: TextKey, values: Record<string, string> = {}): string =>
    texts[key].replace(
      /\{(\w+)\}/gu,
      (placeholder, name: string) => values[name] ?? placeholder,
    );
  return Object.assign(translate, { language });
}
