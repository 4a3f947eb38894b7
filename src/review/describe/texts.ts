// Descriptors' texts in other languages than English, from the files in locales/clear-signing.
import { record, string } from '@metamask/superstruct';

import { matches } from '../../schema/parse';
import { findLocaleOf } from '../../ui/i18n';

/** Puts translations in the places of a descriptor's texts. */
export type DescriptorTexts = {
  /**
   * @param note - Told each text that is translated.
   * @returns A copy; a text without a translation is as it was.
   */
  translate: <Descriptor>(
    descriptor: Descriptor,
    note: (original: string) => unknown,
  ) => Descriptor;
};

/** Properties of descriptors with texts that people read. */
const SHOWN = [
  'intent',
  'interpolatedIntent',
  'label',
  'separator',
  'message',
  'enums',
];

const TextsStruct = record(string(), string());

type ReadFile = (path: string) => Promise<string | null>;

/** Creates a loader of texts by language, which reads each file once. */
export function createTextsLoader(
  readFile: ReadFile,
): (language: string) => Promise<DescriptorTexts> {
  const loaded = new Map<string, DescriptorTexts>();
  return async (language) => {
    const texts = loaded.get(language) ?? createTexts(await load(language, readFile));
    loaded.set(language, texts);
    return texts;
  };
}

async function load(
  language: string,
  readFile: ReadFile,
): Promise<Record<string, string>> {
  const locale = findLocaleOf(language);
  if (locale === 'en') return {};
  try {
    const file = await readFile(`locales/clear-signing/${locale}.json`);
    const texts: unknown = JSON.parse(file ?? '{}');
    return matches(texts, TextsStruct) ? texts : {};
  } catch {
    return {};
  }
}

function createTexts(translations: Record<string, string>): DescriptorTexts {
  const table = new Map(Object.entries(translations));
  return {
    translate: (descriptor, note) => {
      const visit = (value: unknown, isShown: boolean): unknown => {
        if (Array.isArray(value)) return value.map((each) => visit(each, isShown));
        if (typeof value === 'object' && value !== null) {
          const parts = Object.entries(value).map(([key, each]) => [
            key,
            visit(each, isShown || SHOWN.includes(key)),
          ]);
          return Object.fromEntries(parts);
        }
        const found = isShown ? table.get(String(value)) : undefined;
        if (found !== undefined) note(String(value));
        return found ?? value;
      };
      return table.size === 0
        ? descriptor
        : (visit(descriptor, false) as typeof descriptor);
    },
  };
}
