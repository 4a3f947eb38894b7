// Texts by key, from the files in locales/ui, which are shipped beside the bundle.
import type english from '../../locales/ui/en.json';

/** Key of a text; English has them all. */
export type TextKey = keyof typeof english;

/** Texts of a language by key. */
export type Texts = Record<TextKey, string>;

/** Gives a text in the user's language, its `{placeholders}` replaced. */
export type Translate = (key: TextKey, values?: Record<string, string>) => string;

/** Create a translator over a language's texts. */
export function createTranslate(texts: Texts): Translate {
  return (key, values = {}) =>
    texts[key].replace(
      /\{(\w+)\}/gu,
      (placeholder, name: string) => values[name] ?? placeholder,
    );
}
