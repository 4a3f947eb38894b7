// Untrusted text on screens cannot hide, reorder or flood anything, and decoding host labels
// reverses the platform's URL encoding.
import fc from 'fast-check';

import { toShownLine, toShownText } from '../../src/ui/format';
import { decodeLabel } from '../../src/ui/origin';

const tricks = fc.constantFrom(
  '\u202e',
  '\u2066',
  '\u200b',
  '\u00ad',
  '\ufeff',
  '\u0000',
  '\u001b',
  '\r',
  '\u0301',
  '\u0489',
  '\u20dd',
  '\ufe0f',
  '\u2800',
  '\u3164',
  '\u2028',
  '\ud83d',
  '\n',
  '\n\n',
  ' ',
  '\t',
  '\u3000',
  '❤',
  '\u{1f600}',
  '\u{e0041}',
  'a',
  '\u{1f468}',
);

const foreign = fc.oneof(
  fc.array(tricks, { maxLength: 400 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .tuple(tricks, fc.nat({ max: 400 }), fc.string())
    .map(([each, count, rest]) => `x${each.repeat(count)}${rest}`),
);

const INVISIBLE =
  /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2028\u2029\ufeff\u00ad\u061c\u2800\u3164\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Cf}]/u;

const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text;

describe('untrusted text on screens', () => {
  it('has no characters that hide or reorder text, and no lone surrogates', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const shown = toShownText(text).text;
        expect(shown.replace(/[\n\t]/gu, '')).not.toMatch(INVISIBLE);
        expect(isWellFormed(shown)).toBe(true);
        expect(toShownLine(text)).not.toMatch(INVISIBLE);
      }),
    );
  });

  it('has no floods of marks, empty lines or spaces', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const shown = toShownText(text).text;
        expect(shown).not.toMatch(/\p{M}{5}/u);
        expect(shown).not.toMatch(/\n(?:[^\S\n]*\n){3}/u);
        expect(shown).not.toMatch(/[^\S\n]{33}/u);
        expect(toShownLine(text)).not.toMatch(/\s\s|\n/u);
      }),
    );
  });

  it('is never longer than its limit', () => {
    fc.assert(
      fc.property(foreign, fc.integer({ min: 1, max: 300 }), (text, cap) => {
        expect(toShownText(text, cap).text.length).toBeLessThanOrEqual(cap);
        expect(toShownLine(text, cap).length).toBeLessThanOrEqual(cap + 1);
      }),
    );
  });

  it('does not change when it is cleaned again', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const { text: shown } = toShownText(text);
        expect(toShownText(shown)).toStrictEqual({
          text: shown,
          isCut: false,
          isFolded: false,
        });
      }),
    );
  });
});

const letter = fc.constantFrom(...'abcxyz019-üßéñаеорсхікαβγ例えばテスト한국어مرحبا');

describe('decodeLabel', () => {
  it('decodes labels that URL has encoded', () => {
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
