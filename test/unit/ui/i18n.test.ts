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
  it('gives the text of the key', () => {
    expect(createTranslate(english)('field.nonce')).toBe('Nonce');
    expect(createTranslate(english)('unit.gwei', { amount: '1.5' })).toBe('1.5 gwei');
  });

  it('puts every value in its places', () => {
    const translate = setup('{a}-{b}-{a}');
    expect(translate({ a: '1', b: '2' })).toBe('1-2-1');
    expect(translate({ a: '', b: '2' })).toBe('-2-');
  });

  it('leaves a placeholder without a value', () => {
    expect(setup('{a} {b}')({ b: '2' })).toBe('{a} 2');
    expect(setup('{a}')()).toBe('{a}');
  });

  it.each(['{b}', '$&', '$1', '{a}', '\\'])('takes the value %j as it is', (value) => {
    expect(setup('<{a}> {b}')({ a: value, b: 'x' })).toBe(`<${value}> x`);
  });
});
