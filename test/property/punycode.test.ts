// Decoding is the way back of what the platform's URL does.
import fc from 'fast-check';

import { decodeLabel } from '../../src/ui/origin';

const letter = fc.constantFrom(...'abcxyz019-üßéñаеорсхікαβγ例えばテスト한국어مرحبا');

describe('decodeLabel', () => {
  it('reads what URL writes', () => {
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 20 }), (letters) => {
        const text = letters.join('').normalize('NFC');
        const url = `https://a${text}a.example`;
        fc.pre(URL.canParse(url));
        const [label = ''] = new URL(url).hostname.split('.');
        fc.pre(label.startsWith('xn--'));
        expect(new URL(`https://${decodeLabel(label) ?? ''}.example`).hostname).toBe(
          `${label}.example`,
        );
      }),
    );
  });

  it.each([
    ['xn--bcher-kva', 'bücher'],
    ['XN--BCHER-KVA', 'BüCHER'],
    ['xn--r8jz45g', '例え'],
    ['bücher', undefined],
    ['plain', undefined],
    ['xn--99999999', undefined],
  ])('reads %s as %s', (label, text) => {
    expect(decodeLabel(label)).toBe(text);
  });
});
