// Messages of the screens by key, loaded on first use from the files in locales/ui that ship with
// the bundle. The user may change the language while the worker lives, so the language is queried
// each time.
import { isObject } from '@metamask/utils';

import type english from '../../locales/ui/en.json';
import type { Implementation } from '../core/authorization';
import { InternalError } from '../core/errors';
import type { StoredLevels } from '../state/public-state';

/** English has all keys. */
export type TextKey = keyof typeof english;

export type Texts = Record<TextKey, string>;

/** Returns a message in the user's language with its `{placeholders}` replaced; numbers are
 * formatted as counts. */
export type Translate = {
  (key: TextKey, values?: Record<string, string | number | bigint>): string;
  /** Returns the unformatted text, with its `{placeholders}`. */
  template: (key: TextKey) => string;
  /** The language's tag (BCP 47) for formatting numbers and dates. */
  readonly language: string;
};

export function createTranslate(texts: Texts, language = 'en'): Translate {
  type Values = Parameters<Translate>[1];
  const translate = (key: TextKey, values: Values = {}): string =>
    fillIn(texts[key], (name) => {
      const value = values[name];
      if (value === undefined || typeof value === 'string') return value;
      return new Intl.NumberFormat(language).format(value);
    });
  return Object.assign(translate, { template: (key: TextKey) => texts[key], language });
}

/** Replaces the `{placeholders}` of a message; those without a value stay. */
export function fillIn(
  text: string,
  valueOf: (name: string) => string | undefined,
): string {
  return text.replace(
    /\{(\w+)\}/gu,
    (placeholder, name: string) => valueOf(name) ?? placeholder,
  );
}

/** Languages of the messages: BCP 47 tags by MetaMask's names, which are also the file names. */
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

export type Locale = keyof typeof languages;

/** Finds the language nearest to the user's choice: `pt_BR` → `pt`. Chinese is not shortened
 * to `zh`, because readers of one script may not read the other. */
function findLocale(chosen: string): Locale {
  const [language = ''] = chosen.split(/[-_]/u);
  const near = [chosen.replace('-', '_'), language].find((name) =>
    Object.hasOwn(languages, name),
  );
  return (near ?? 'en') as Locale;
}

type ReadFile = (path: string) => Promise<string | null>;

/**
 * Creates a loader of messages, which reads a language's files once while the worker lives.
 *
 * @param readFile - Reads a shipped file; null if it is missing.
 * @param fetchLocale - Fetches the user's language.
 * @returns A function that falls back to English if the language is missing or incomplete, and
 *   throws {InternalError} if English is missing: what cannot be shown must not be signed.
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
  const file = await readFile(pathOf(locale)).catch(() => null);
  const own = findTexts(file, Object.keys(english));
  if (!own) return createTranslate(english as Texts);
  return createTranslate({ ...(english as Texts), ...own }, languages[locale]);
}

const pathOf = (locale: Locale): string => `locales/ui/${locale}.json`;

// Files of languages other than English are shipped without keys; `keys` lists them in order.
function findTexts(
  file: string | null,
  keys: readonly string[] = [],
): Record<string, string> | undefined {
  try {
    const parsed: unknown = JSON.parse(file ?? 'null');
    const texts = Array.isArray(parsed)
      ? Object.fromEntries(keys.map((key, index) => [key, parsed[index] as unknown]))
      : parsed;
    return isTexts(texts) ? texts : undefined;
  } catch {
    return undefined;
  }
}

// There are hundreds of messages, so a struct would take longer than everything else here.
function isTexts(value: unknown): value is Record<string, string> {
  return (
    isObject(value) && Object.values(value).every((text) => typeof text === 'string')
  );
}

export const levelNames = ['low', 'medium', 'high'] as const;

export type LevelName = (typeof levelNames)[number];

export const modeKeys = {
  synchronous: 'settings.atOnce',
  asynchronous: 'settings.later',
} as const satisfies Record<string, TextKey>;

/** The source of the fees, and a source that was rejected in its favor. */
export type ShownSource = {
  source: StoredLevels['source'];
  passedOver?: StoredLevels['passedOver'] | undefined;
};

const sourceKeys: Record<StoredLevels['source'], TextKey> = {
  'gas-api': 'source.gasApi',
  'rollup-estimate': 'source.rollup',
  'fee-history': 'source.feeHistory',
  'base-fee': 'source.baseFee',
  'gas-price': 'source.gasPrice',
};

export function writeSource(
  { source, passedOver }: ShownSource,
  translate: Translate,
): string {
  const text = translate(sourceKeys[source]);
  return passedOver ? translate('source.passedOver', { source: text }) : text;
}

/** Names an account's delegate, if it is in our table. */
export function writeImplementation(
  implementation: Implementation | undefined,
  translate: Translate,
): string {
  if (!implementation) return translate('delegation.foreign');
  const { name, entryPoint: version } = implementation;
  return translate('delegation.contract', { name, version });
}
