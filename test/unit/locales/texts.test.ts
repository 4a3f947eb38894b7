// Every language has the same keys, plain messages, and the terms of the glossary.
import { readdirSync, readFileSync } from 'node:fs';

import { languages } from '../../../src/ui/i18n';
import { english } from '../../support/view';

type Texts = Record<string, string>;

const read = (path: string): string => readFileSync(path, 'utf8');

const files = readdirSync('locales/ui');

const texts = (file: string): Texts => JSON.parse(read(`locales/ui/${file}`)) as Texts;

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/gu))].sort();

function keysOf(file: string, isFault: (text: string, key: string) => boolean) {
  return Object.entries(texts(file)).flatMap(([key, text]) =>
    isFault(text, key) ? [key] : [],
  );
}

describe.each(files)('the messages in %s', (file) => {
  it('are in an offered language', () => {
    expect(Object.keys(languages)).toContain(file.replace('.json', ''));
  });

  it('have the keys of English, sorted and without duplicates', () => {
    expect(Object.keys(texts(file))).toStrictEqual(Object.keys(english).sort());
    const written = read(`locales/ui/${file}`).match(/^ {2}"/gmu) ?? [];
    expect(written).toHaveLength(Object.keys(english).length);
  });

  it('have the placeholders of English', () => {
    const expected = (key: string) => placeholders((english as Texts)[key] ?? '');
    const differ = keysOf(
      file,
      (text, key) => String(placeholders(text)) !== String(expected(key)),
    );
    expect(differ).toStrictEqual([]);
  });

  it('have no braces outside placeholders', () => {
    const stray = (text: string) => /[{}]/u.test(text.replace(/\{\w+\}/gu, ''));
    expect(keysOf(file, stray)).toStrictEqual([]);
  });

  it('are neither empty nor surrounded by spaces, and have no extra spaces', () => {
    const isLoose = (text: string): boolean =>
      text === '' || text !== text.trim() || /\s{2}|[\n\t]/u.test(text);
    expect(keysOf(file, isLoose)).toStrictEqual([]);
  });

  it('have neither markdown nor HTML nor invisible characters', () => {
    const isFormatted = (text: string): boolean =>
      /\*\*|__|`|<\/?\w|&\w+;|\]\(|^#|[\p{Cc}\p{Cf}]/u.test(text);
    expect(keysOf(file, isFormatted)).toStrictEqual([]);
  });
});

type Term = { words: string[]; wrong: string[] };

const glossary = JSON.parse(read('locales/glossary.json')) as Record<
  string,
  Record<string, Term>
>;

/** Returns whether a message has one of these words; `*` matches any letters. */
function hasWord(text: string, words: readonly string[]): boolean {
  const plain = text.replace(/\{\w+\}/gu, '0');
  return words.some((word) => {
    const letter = '[\\p{L}\\p{M}]';
    const pattern = word.replaceAll('*', `${letter}*`);
    return new RegExp(`(?<!${letter})${pattern}(?!${letter})`, 'iu').test(plain);
  });
}

describe('the glossary', () => {
  describe.each(Object.entries(glossary))('of %s', (_term, byLocale) => {
    const { words = [], wrong = [] } = byLocale.en ?? {};

    it('is in every language and in the English messages', () => {
      expect(Object.keys(byLocale).sort()).toStrictEqual(Object.keys(languages).sort());
      expect(keysOf('en.json', (text) => hasWord(text, words))).not.toStrictEqual([]);
      expect(keysOf('en.json', (text) => hasWord(text, wrong))).toStrictEqual([]);
    });

    it.each(Object.entries(byLocale).filter(([locale]) => locale !== 'en'))(
      'is followed in %s',
      (locale, own) => {
        const isFault = (text: string, key: string): boolean =>
          hasWord((english as Texts)[key] ?? '', words) &&
          (!hasWord(text, own.words) || hasWord(text, own.wrong));
        expect(keysOf(`${locale}.json`, isFault)).toStrictEqual([]);
      },
    );
  });
});

describe.each(Object.keys(languages))('the names and descriptions in %s', (locale) => {
  const path = `locales/manifest/${locale}.json`;

  it("exist, and fit MetaMask's limits", () => {
    const { messages, ...rest } = JSON.parse(read(path)) as {
      messages: Record<string, { message: string }>;
    };
    expect(rest).toStrictEqual({ locale });
    const { name, insightName, description, insightDescription, ...others } = messages;
    expect(others).toStrictEqual({});
    expect(name).toStrictEqual({ message: 'Tollkeeper' });
    expect(insightName).toStrictEqual({ message: 'Tollkeeper Insight' });
    expect(description?.message).toMatch(/^.{20,280}$/u);
    expect(insightDescription?.message).toMatch(/^.{20,280}$/u);
  });
});
