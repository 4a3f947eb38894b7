// Texts on screens: untrusted text, figures, and warnings sorted worst first.
import { formatEther } from 'viem';

import { FIRST_FRAME } from '../../../dev/gallery/screen';
import { toPagedView } from '../../../src/ui/confirmation';
import {
  findText,
  splitText,
  toShownChain,
  toShownCoins,
  toShownCount,
  toShownDecimal,
  toShownDuration,
  toShownFee,
  toShownLine,
  toShownText,
  toShownTime,
} from '../../../src/ui/format';
import { createTranslate } from '../../../src/ui/i18n';
import {
  danger,
  info,
  numberWarnings,
  printWarnings,
  warning,
} from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { english, textOf, translate, writeView } from '../../support/view';

function setup(text: string): (values?: Record<string, string>) => string {
  const own = createTranslate({ ...english, 'unit.gwei': text });
  return (values) => own('unit.gwei', values);
}

describe('a translator', () => {
  it('leaves a placeholder without a value', () => {
    expect(setup('{a} {b}')({ b: '2' })).toBe('{a} 2');
    expect(setup('{a}')()).toBe('{a}');
  });

  it.each(['{b}', '$&', '$1', '{a}', '\\'])('shows the value %j unchanged', (value) => {
    expect(setup('<{a}> {b}')({ a: value, b: 'x' })).toBe(`<${value}> x`);
  });
});

const german = createTranslate(english, 'de');
const hindi = createTranslate(english, 'hi');

describe('toShownText', () => {
  const plain = (text: string) => ({ text, isCut: false, isFolded: false });

  it('leaves ordinary text unchanged', () => {
    const text = 'Grüße,\n\t你好 <b>&amp;</b> \u{1f600} $& {0}';
    expect(toShownText(text)).toStrictEqual(plain(text));
  });

  it.each([
    ['right-to-left override', '\u202e'],
    ['zero-width joiner', '\u200d'],
    ['null', '\0'],
    ['tag', '\u{e0041}'],
    // Letters and marks that look blank.
    ['combining grapheme joiner', '\u034f'],
    ['Hangul filler', '\u3164'],
    ['Hangul choseong filler', '\u115f'],
    ['half-width Hangul filler', '\uffa0'],
    ['Braille blank', '\u2800'],
    ['lone surrogate', '\ud800'],
  ])('makes a %s visible', (_name, character) => {
    const digits = character.codePointAt(0)?.toString(16) ?? '';
    expect(toShownText(`a${character}b`).text).toBe(`a\\u{${digits}}b`);
  });

  it('reads CRLF as one line break, and replaces a lone carriage return', () => {
    expect(toShownText('a\r\nb').text).toBe('a\nb');
    // A lone return must not join or hide the text around it.
    expect(toShownText('a\rb').text).not.toBe('ab');
  });

  it('cuts text above the limit', () => {
    expect(toShownText('abc', 3)).toStrictEqual(plain('abc'));
    expect(toShownText('abc', 2)).toStrictEqual({ ...plain('ab'), isCut: true });
  });

  it('folds many empty lines, even lines of spaces, and reports it', () => {
    const foreign = `Sign in.${'\n \t'.repeat(40)}\nGive all away.`;
    const folded = plain('Sign in.\n…\nGive all away.');
    expect(toShownText(foreign)).toStrictEqual({ ...folded, isFolded: true });
  });

  it.each(['one\n\ntwo', 'one\n\n\ntwo', `a${' '.repeat(32)}b`, '\t\tindented'])(
    'keeps ordinary spaces: %j',
    (text) => {
      expect(toShownText(text)).toStrictEqual(plain(text));
    },
  );

  it.each([' ', '\u3000', '\u00a0', '\u2003', '\t'])(
    'folds a long run of %j',
    (blank) => {
      expect(toShownText(`a${blank.repeat(500)}b`)).toStrictEqual({
        ...plain('a … b'),
        isFolded: true,
      });
    },
  );

  it("escapes a letter's combining marks beyond the fourth", () => {
    expect(toShownText(`z${'\u0301'.repeat(6)}algo`).text).toBe(
      `z${'\u0301'.repeat(4)}\\u{301}\\u{301}algo`,
    );
  });

  it.each(['ế', 'e\u0302\u0301', 'שָׁלוֹם', 'ที่นี่', 'नमस्ते', '❤️', '1️⃣'])(
    'keeps the marks of a script: %s',
    (text) => {
      expect(toShownText(text).text).toBe(text);
    },
  );

  it('escapes a variation selector that does not follow an emoji', () => {
    expect(toShownText('a\ufe0fb').text).toBe(String.raw`a\u{fe0f}b`);
    expect(toShownText('1\ufe0f00').text).toBe(String.raw`1\u{fe0f}00`);
    expect(toShownText('1\ufe0f\u20e3').text).toBe('1\ufe0f\u20e3');
  });
});

describe('splitText', () => {
  it.each<[string, number, string[]]>([
    ['', 3, ['']],
    ['abc', 3, ['abc']],
    ['abcdefg', 3, ['abc', 'def', 'g']],
    ['ab\u{1f600}c', 3, ['ab', '\u{1f600}c']],
    ['\u{1f600}\u{1f600}', 2, ['\u{1f600}', '\u{1f600}']],
    ['\ud83d\ud83d', 1, ['\ud83d', '\ud83d']],
  ])('splits %j by %d', (text, size, parts) => {
    expect(splitText(text, size)).toStrictEqual(parts);
  });
});

describe('toShownLine', () => {
  it.each([
    ['https://dapp.example', 'https://dapp.example'],
    ['a\nb\t c\u2028d', 'a b c d'],
    ['a\u202eb', String.raw`a\u{202e}b`],
    ['', ''],
  ])('writes %j as %j', (foreign, shown) => {
    expect(toShownLine(foreign)).toBe(shown);
  });

  it('ends with an ellipsis if it is cut', () => {
    expect(toShownLine('x'.repeat(200))).toBe('x'.repeat(200));
    expect(toShownLine('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(toShownLine(`${'\n'.repeat(1_000_000)}x`)).toBe(' x');
  });

  it('accepts a lower limit', () => {
    expect(toShownLine('abcdef', 3)).toBe('abc…');
  });
});

describe('findText', () => {
  it.each([
    '',
    'Hello',
    'a\n\r\tb',
    '你好',
    '\u{1f468}\u200d\u{1f469}',
    '\ufeffa',
    '\u202ea',
  ])('reads %j', (text) => {
    expect(findText(new TextEncoder().encode(text))).toBe(text);
  });

  it.each([
    ['invalid UTF-8', [0xff, 0xfe]],
    ['a truncated character', [0xf0, 0x9f]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['a null', [0x61, 0x00]],
    ['an escape', [0x1b, 0x5b]],
    ['private use', [0xee, 0x80, 0x80]],
  ])('finds no text in %s', (_what, bytes) => {
    expect(findText(Uint8Array.from(bytes))).toBeUndefined();
  });
});

describe('toShownCoins', () => {
  it.each([0n, 1n, 10n ** 18n, 15n * 10n ** 17n, 2n ** 256n - 1n])(
    'writes %s',
    (wei) => {
      const [whole = '', fraction] = formatEther(wei).split('.');
      const grouped = whole.replace(/\B(?=(?:\d{3})+$)/gu, ',');
      const amount = fraction === undefined ? grouped : `${grouped}.${fraction}`;
      const unnamed = `${amount} in native currency`;
      expect(toShownCoins(wei, translate)).toBe(unnamed);
      expect(toShownCoins(wei, translate, 'eip155:987654321')).toBe(unnamed);
      expect(toShownCoins(wei, translate, 'eip155:1')).toBe(`${amount} ETH`);
      expect(toShownCoins(wei, translate, 'eip155:137')).toBe(`${amount} POL`);
    },
  );
});

describe('figures in the language of the user', () => {
  it('are exact, whatever their size', () => {
    const decimal = '123456789012345678901.123456789012345678';
    expect(toShownDecimal(decimal, translate)).toBe(
      '123,456,789,012,345,678,901.123456789012345678',
    );
    expect(toShownDecimal(decimal, german)).toBe(
      '123.456.789.012.345.678.901,123456789012345678',
    );
    expect(toShownDecimal('1234567', hindi)).toBe('12,34,567');
    const long = `1234.${'0'.repeat(23)}1${'2'.repeat(12)}`;
    expect(toShownDecimal(long, translate)).toBe(`1,${long.slice(1)}`);
    expect(toShownDecimal('-0.000000000000000000000001', german)).toBe(
      '-0,000000000000000000000001',
    );
    expect(toShownCount(2n ** 64n, german)).toBe('18.446.744.073.709.551.616');
    expect(toShownCount(21_000, translate)).toBe('21,000');
  });

  it('show fees in gwei and amounts in the native currency', () => {
    expect(toShownFee(1_234_500_000_001n, translate)).toBe('1,234.500000001 gwei');
    expect(toShownCoins(15n * 10n ** 17n, german, 'eip155:1')).toBe('1,5 ETH');
  });
});

describe('time in the language of the user', () => {
  it.each([
    [0, '0 sec'],
    [1_499, '1 sec'],
    [59_999, '60 sec'],
    [60_000, '1 min'],
    [150_000, '3 min'],
    [3_600_000, '1 hr'],
    [86_400_000, '1 day'],
    [1_000_000_000, '12 days'],
  ])('is written as a duration: %s ms as %s', (ms, text) => {
    expect(toShownDuration(ms, translate)).toBe(text);
  });

  it('is written as a date', () => {
    const time = new Date(2026, 10, 21, 17, 5).getTime();
    expect(toShownTime(time, translate).replace(/\s/gu, ' ')).toBe(
      'Nov 21, 2026, 5:05 PM',
    );
    expect(toShownTime(time, german)).toBe('21.11.2026, 17:05');
  });
});

describe('a chain', () => {
  it.each([
    ['eip155:1', 'Ethereum'],
    ['eip155:11155111', 'Sepolia'],
    ['eip155:987654321', 'eip155:987654321'],
    ['eip155:0', 'eip155:0'],
    ['solana:1', 'solana:1'],
  ])('with the id %s is shown as %s', (chain, text) => {
    expect(toShownChain(chain)).toBe(text);
  });
});

const TIME = 1_700_000_000_000;

const print = (...warnings: Warning[]): string[] =>
  printWarnings(warnings, translate, 'eip155:137').map(({ title, text }) =>
    [title, text].filter(Boolean).join(' '),
  );

describe('a warning', () => {
  it.each<[string, Warning, string]>([
    [
      'an untrusted text, shortened',
      warning('siwe.otherUri', { uri: `https://bank.example/${'x'.repeat(200)}` }),
      textOf('siwe.otherUri', { uri: `https://bank.example/${'x'.repeat(79)}…` }),
    ],
    [
      'an error message, shortened',
      warning('alert.willFail', { reason: { text: 'no '.repeat(100) } }),
      textOf('alert.willFail', { reason: `${'no '.repeat(100).slice(0, 200)}…` }),
    ],
    [
      'numbers of calls',
      danger('alert.ownCall', { calls: [1, 3] }),
      textOf('alert.ownCall', { calls: '1, 3' }),
    ],
    [
      'fees',
      warning('alert.fee', { fee: { fee: 3n * 10n ** 9n }, high: { fee: 1n } }),
      textOf('alert.fee', { fee: '3 gwei', high: '< 0.001 gwei' }),
    ],
    [
      'a time',
      warning('siwe.expired', { time: { time: TIME } }),
      textOf('siwe.expired', { time: toShownTime(TIME, translate) }),
    ],
    [
      'a chain',
      danger('typed.foreignChain', { chain: { chain: 'eip155:137' } }),
      textOf('typed.foreignChain', { chain: 'Polygon' }),
    ],
  ])('shows %s', (_what, each, text) => {
    expect(print(each)).toStrictEqual([text]);
  });
});

describe('warnings', () => {
  it('are sorted with the worst first, and otherwise keep their order', () => {
    const all = [
      info('typed.everyChain'),
      warning('warning.folded'),
      danger('alert.opaque'),
      warning('alert.ownData'),
      danger('alert.hiddenBytes'),
    ];
    const keys = [
      'alert.opaque',
      'alert.hiddenBytes',
      'warning.folded',
      'alert.ownData',
      'typed.everyChain',
    ] as const;
    expect(print(...all)).toStrictEqual(keys.map((key) => textOf(key)));
    expect(printWarnings(all, translate).map(({ severity }) => severity)).toStrictEqual(
      ['danger', 'danger', 'warning', 'warning', 'info'],
    );
  });
});

describe('warnings about several calls', () => {
  const burn = danger('alert.nobody', { value: { coins: 1n } });

  it('are shown once, with the numbers of the calls, the worst first', () => {
    const numbered = numberWarnings(
      [
        { number: 1, warning: warning('alert.ownData') },
        { number: 2, warning: burn },
        { number: 3, warning: danger('alert.nobody', { value: { coins: 1n } }) },
        { number: 4, warning: danger('alert.nobody', { value: { coins: 2n } }) },
      ],
      'calls.about',
    );
    const writeAbout = (number: string, text: string): string =>
      textOf('calls.about', { number, text });
    expect(print(...numbered)).toStrictEqual([
      writeAbout('2, 3', print(burn)[0] ?? ''),
      writeAbout('4', textOf('alert.nobody', { value: '0.000000000000000002 POL' })),
      writeAbout('1', textOf('alert.ownData')),
    ]);
  });

  it('are limited to the worst fifteen, and a danger counts the rest', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      number: index + 1,
      warning: warning('alert.noContract', { address: `0x${index}` }),
    }));
    const numbered = numberWarnings(
      [...many, { number: 21, warning: burn }],
      'calls.about',
    );
    expect(numbered).toHaveLength(16);
    expect(numbered[0]?.values?.number).toStrictEqual([21]);
    expect(numbered.at(-1)).toStrictEqual(danger('alert.more', { count: 6 }));
  });
});

const SENTENCE = 'Swap 1 ETH for at least 3,000 USDC';

const draw = (warnings: ReturnType<typeof info>[]): string =>
  writeView(
    toPagedView({
      translate,
      title: 'Swap',
      sentence: SENTENCE,
      origin: 'https://dapp.example',
      warnings,
      raw: '{}',
    }).draw(FIRST_FRAME),
  );

it("shows a descriptor's sentence above the request", () => {
  const shown = draw([info('shape.permit')]);
  expect(shown.indexOf(SENTENCE)).toBeGreaterThan(
    shown.indexOf(textOf('shape.permit')),
  );
  expect(shown.indexOf(SENTENCE)).toBeLessThan(shown.indexOf(textOf('field.origin')));
});

it('shows the sentence below the request if there is a warning', () => {
  const shown = draw([warning('alert.unchecked')]);
  expect(shown.indexOf(SENTENCE)).toBeGreaterThan(
    shown.indexOf(textOf('field.origin')),
  );
});
