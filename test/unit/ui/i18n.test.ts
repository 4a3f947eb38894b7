import english from '../../../locales/ui/en.json';
import { createTranslate } from '../../../src/ui/i18n';
import type { Texts, Translate } from '../../../src/ui/i18n';

/** A translator in which one text is this. */
function setup(text: string): (values?: Record<string, string>) => string {
  const texts: Texts = { ...english, 'unit.gwei': text };
  const translate: Translate = createTranslate(texts);
  return (values) => translate('unit.gwei', values);
}

describe('a translator', () => {
  it('leaves a placeholder without a value', () => {
    expect(setup('{a} {b}')({ b: '2' })).toBe('{a} 2');
    expect(setup('{a}')()).toBe('{a}');
  });

  it.each(['{b}', '$&', '$1', '{a}', '\\'])('takes the value %j as it is', (value) => {
    expect(setup('<{a}> {b}')({ a: value, b: 'x' })).toBe(`<${value}> x`);
  });
});
