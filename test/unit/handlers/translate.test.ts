import { createTranslateLoader } from '../../../src/handlers/translate';
import { languages } from '../../../src/ui/locales';
import { refusalOf } from '../../support/refusal';
import { english } from '../../support/view';

const FILE = JSON.stringify(english);

const inEnglish = (): Promise<string> => Promise.resolve('en');

type Bench = {
  load: ReturnType<typeof createTranslateLoader>;
  asked: string[];
  user: { locale: string };
};

/** A loader over these files, for a user who can choose another language. */
function setup(locale: string, files: Record<string, string | null> = {}): Bench {
  const asked: string[] = [];
  const user = { locale };
  const all: Record<string, string | null> = { 'locales/ui/en.json': FILE, ...files };
  const load = createTranslateLoader(
    (path) => {
      asked.push(path);
      return Promise.resolve(all[path] ?? null);
    },
    () => Promise.resolve(user.locale),
  );
  return { load, asked, user };
}

const german = (texts: Record<string, unknown>): Record<string, string> => ({
  'locales/ui/de.json': JSON.stringify({ ...english, ...texts }),
});

describe('the texts of dialogs', () => {
  it('are read from the shipped file, once', async () => {
    const { load, asked } = setup('en');
    const translate = await load();
    await load();
    expect(translate('action.approve')).toBe(english['action.approve']);
    expect(asked).toStrictEqual(['locales/ui/en.json']);
  });

  it('are asked for again after they could not be read', async () => {
    const files = [Promise.reject(new Error('locked')), Promise.resolve(FILE)];
    const load = createTranslateLoader(
      () => files.shift() ?? Promise.resolve(null),
      inEnglish,
    );
    await expect(load()).rejects.toThrow(new Error('locked'));
    expect((await load())('yes')).toBe('yes');
  });

  it.each([null, '{"yes": 1}', '"text"', 'null', '7', '{'])(
    'are refused if the file is %j',
    async (file) => {
      const load = createTranslateLoader(() => Promise.resolve(file), inEnglish);
      expect(await refusalOf(load())).toStrictEqual({
        code: -32603,
        message: 'The texts of the dialogs are missing.',
      });
    },
  );
});

describe('the language', () => {
  it('is the one that the user has chosen now; each is read once', async () => {
    const { load, asked, user } = setup('de', german({ yes: 'ja' }));
    expect((await load())('yes')).toBe('ja');
    user.locale = 'en';
    expect((await load())('yes')).toBe('yes');
    user.locale = 'de';
    expect((await load())('yes')).toBe('ja');
    expect(asked).toStrictEqual([
      'locales/ui/en.json',
      'locales/ui/de.json',
      'locales/ui/en.json',
    ]);
  });

  it.each([...Object.entries(languages), ['pt_BR', 'pt'], ['es-419', 'es']])(
    'of a user of %s is written by the rules of %s',
    async (chosen, tag) => {
      const [language = ''] = chosen.split(/[-_]/u);
      const files = { [`locales/ui/${language}.json`]: FILE };
      const { load } = setup(chosen, {
        ...files,
        'locales/ui/zh_CN.json': FILE,
      });
      expect((await load()).language).toBe(tag);
    },
  );

  it.each(['xx', '', 'zh_TW', '__proto__', 'constructor'])(
    'is English where the user reads %j, of which there is none',
    async (locale) => {
      const { load, asked } = setup(locale);
      expect((await load()).language).toBe('en');
      expect(asked).toStrictEqual(['locales/ui/en.json']);
    },
  );

  it.each([null, '{', '7', '{"yes": 1}'])(
    'is English where the file of the language is %j',
    async (file) => {
      const { load } = setup('de', { 'locales/ui/de.json': file });
      const translate = await load();
      expect([translate.language, translate('yes')]).toStrictEqual(['en', 'yes']);
    },
  );

  it('is English where the file of the language cannot be read', async () => {
    const load = createTranslateLoader(
      (path) =>
        path.endsWith('en.json') ? Promise.resolve(FILE) : Promise.reject(new Error()),
      () => Promise.resolve('de'),
    );
    expect((await load()).language).toBe('en');
  });

  it('is English where the wallet does not tell', async () => {
    const load = createTranslateLoader(
      () => Promise.resolve(FILE),
      () => Promise.reject(new Error('no such method')),
    );
    expect((await load()).language).toBe('en');
  });

  it.each([
    ['a text is missing', { 'unit.gwei': undefined }],
    ['a placeholder is missing', { 'unit.gwei': 'Gwei' }],
    ['a placeholder is misspelt', { 'unit.gwei': '{betrag} Gwei' }],
    ['a placeholder is too many', { 'unit.gwei': '{amount} {more} Gwei' }],
  ])('is English for one text alone where %s', async (_why, texts) => {
    const { load } = setup('de', german({ yes: 'ja', ...texts }));
    const translate = await load();
    expect(translate('unit.gwei', { amount: '1' })).toBe('1 gwei');
    expect([translate('yes'), translate.language]).toStrictEqual(['ja', 'de']);
  });

  it('may put its placeholders in another order, and more than once', async () => {
    const text = '{block}, {hash}, {chain}, {hash}';
    const { load } = setup('de', german({ 'notify.included': text }));
    const values = { hash: 'h', chain: 'c', block: 'b' };
    expect((await load())('notify.included', values)).toBe('b, h, c, h');
  });
});
