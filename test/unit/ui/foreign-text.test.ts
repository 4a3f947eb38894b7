import { toShownLine, toShownText } from '../../../src/ui/format';

describe('toShownText', () => {
  it('folds many empty lines, also such with blanks in them, and says so', () => {
    const foreign = `Sign in.${'\n \t'.repeat(40)}\nGive all away.`;
    const shown = toShownText(foreign);
    expect(shown.text).toBe('Sign in.\n…\nGive all away.');
    expect(shown.isFolded).toBe(true);
  });

  it.each(['one\n\ntwo', 'one\n\n\ntwo', `a${' '.repeat(32)}b`, '\t\tindented'])(
    'leaves ordinary blanks alone: %j',
    (text) => {
      expect(toShownText(text)).toStrictEqual({
        text,
        isCut: false,
        isFolded: false,
      });
    },
  );

  it.each([' ', '\u3000', '\u00a0', '\u2003', '\t'])(
    'folds a long run of %j',
    (blank) => {
      expect(toShownText(`a${blank.repeat(500)}b`)).toStrictEqual({
        text: 'a … b',
        isCut: false,
        isFolded: true,
      });
    },
  );

  it('makes visible the marks beyond the fourth on one letter', () => {
    expect(toShownText(`z${'\u0301'.repeat(6)}algo`).text).toBe(
      `z${'\u0301'.repeat(4)}\\u{301}\\u{301}algo`,
    );
  });

  it.each(['ế', 'e\u0302\u0301', 'שָׁלוֹם', 'ที่นี่', 'नमस्ते', '❤️', '1️⃣'])(
    'leaves the marks of a script alone: %s',
    (text) => {
      expect(toShownText(text).text).toBe(text);
    },
  );

  it('makes visible a selector that follows no emoji', () => {
    expect(toShownText('a\ufe0fb').text).toBe(String.raw`a\u{fe0f}b`);
  });

  it.each(['\u2028', '\u2029'])('makes the line break %j visible', (character) => {
    const digits = character.codePointAt(0)?.toString(16) ?? '';
    expect(toShownText(`a${character}b`).text).toBe(`a\\u{${digits}}b`);
  });
});

describe('toShownLine', () => {
  it('takes a shorter cap', () => {
    expect(toShownLine('abcdef', 3)).toBe('abc…');
  });
});
