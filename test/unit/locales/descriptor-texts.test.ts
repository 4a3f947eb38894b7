// Every language has the texts of the clear signing registry that its dialogs show most.
import { readdirSync, readFileSync } from 'node:fs';

import { readPackage } from '../../../dev/clear-signing/sources';
import { languages } from '../../../src/ui/i18n';

const folder = 'locales/clear-signing';
const locales = Object.keys(languages).filter((locale) => locale !== 'en');

const texts = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(`${folder}/${locale}.json`, 'utf8')) as Record<
    string,
    string
  >;

const keys = Object.keys(texts('de'));

/** Names that are the same in every language. */
const names = new Set([
  ...['GM Token', 'ScriptPubKey (BTC)'],
  ...['Safe', 'SmartCredit.io', 'PoolTogether Governor Alpha'],
  ...['ENS Governor', 'Gitcoin Governor', 'Hop Governor', 'Uniswap Governor'],
  'Arbitrum Foundation: Core Governor',
  'Arbitrum Foundation: Treasury Governor',
]);

/** Counts the strings that descriptors have under this key, but for fields that are never shown. */
function count(key: string): Map<string, number> {
  const counts = new Map<string, number>();
  JSON.stringify(readPackage(), (name, value: unknown) => {
    if (isHidden(value)) return undefined;
    if (name === key && typeof value === 'string') {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return value;
  });
  return counts;
}

const isHidden = (value: unknown): boolean =>
  (value as { visible?: unknown } | null)?.visible === 'never';

const placeholders = (text: string): string[] =>
  (text.match(/\{[^}]*\}/gu) ?? []).sort();

/** Lists the keys of a language whose text is like this. */
const keysOf = (
  locale: string,
  isFault: (text: string, key: string) => boolean,
): string[] =>
  Object.entries(texts(locale)).flatMap(([key, text]) =>
    isFault(text, key) ? [key] : [],
  );

const missing = (wanted: Iterable<string>): string[] =>
  [...wanted].filter((text) => !names.has(text) && !keys.includes(text));

describe('the texts of descriptors', () => {
  it('are there in every language but English', () => {
    expect(readdirSync(folder)).toStrictEqual(locales.map((it) => `${it}.json`).sort());
  });

  it.each(['intent', 'interpolatedIntent'])('have every %s of the registry', (key) => {
    const all = count(key);
    expect(all.size).toBeGreaterThan(50);
    expect(missing(all.keys())).toStrictEqual([]);
  });

  it('have the most frequent labels of the registry', () => {
    const labels = [...count('label')].sort(([, a], [, b]) => b - a).slice(0, 300);
    expect(labels).toHaveLength(300);
    expect(missing(labels.map(([label]) => label))).toStrictEqual([]);
  });
});

describe.each(locales)('the texts of descriptors in %s', (locale) => {
  it('have the keys of all languages, in order', () => {
    expect(Object.keys(texts(locale))).toStrictEqual([...keys].sort());
  });

  it('have the placeholders of English', () => {
    const differ = keysOf(
      locale,
      (text, key) => String(placeholders(text)) !== String(placeholders(key)),
    );
    expect(differ).toStrictEqual([]);
  });

  it('are short plain text', () => {
    const isFault = (text: string, key: string): boolean =>
      text === '' ||
      text !== text.trim() ||
      text.length > 2.5 * key.length + 20 ||
      /\s{2}|[\p{Cc}\p{Cf}]/u.test(text);
    expect(keysOf(locale, isFault)).toStrictEqual([]);
  });
});
