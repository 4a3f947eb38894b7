import { createTranslateLoader } from '../../../src/handlers/translate';
import { refusalOf } from '../../support/refusal';
import { english } from '../../support/view';

const FILE = JSON.stringify(english);

describe('the texts of dialogs', () => {
  it('are read from the shipped file, once', async () => {
    const asked: string[] = [];
    const load = createTranslateLoader((path) => {
      asked.push(path);
      return Promise.resolve(FILE);
    });
    const translate = await load();
    await load();
    expect(translate('action.approve')).toBe(english['action.approve']);
    expect(asked).toStrictEqual(['locales/ui/en.json']);
  });

  it('are asked for again after they could not be read', async () => {
    const files = [Promise.reject(new Error('locked')), Promise.resolve(FILE)];
    const load = createTranslateLoader(() => files.shift() ?? Promise.resolve(null));
    await expect(load()).rejects.toThrow(new Error('locked'));
    expect((await load())('yes')).toBe('yes');
  });

  it.each([null, '{"yes": 1}', '"text"', 'null', '7'])(
    'are refused if the file is %j',
    async (file) => {
      const load = createTranslateLoader(() => Promise.resolve(file));
      expect(await refusalOf(load())).toStrictEqual({
        code: -32603,
        message: 'The texts of the dialogs are missing.',
      });
    },
  );
});
