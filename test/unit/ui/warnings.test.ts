// How warnings are printed: values by their types, the worst first.
import { toShownTime } from '../../../src/ui/format';
import {
  danger,
  info,
  numberWarnings,
  printWarnings,
  warning,
} from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { textOf, translate } from '../../support/view';

const TIME = 1_700_000_000_000;

const print = (...warnings: Warning[]): string[] =>
  printWarnings(warnings, translate, 'eip155:137').map(({ title, text }) =>
    [title, text].filter(Boolean).join(' '),
  );

describe('a warning', () => {
  it.each<[string, Warning, string]>([
    [
      'a foreign text, which is cut',
      warning('siwe.otherUri', { uri: `https://bank.example/${'x'.repeat(200)}` }),
      textOf('siwe.otherUri', { uri: `https://bank.example/${'x'.repeat(79)}…` }),
    ],
    [
      'a longer one, too',
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
  ])('prints %s', (_what, each, text) => {
    expect(print(each)).toStrictEqual([text]);
  });
});

describe('warnings', () => {
  it('stand the worst first, and otherwise as they came', () => {
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

  it('are said once, with the numbers of the calls, the worst first', () => {
    const numbered = numberWarnings(
      [
        { number: 1, warning: warning('alert.ownData') },
        { number: 2, warning: burn },
        { number: 3, warning: danger('alert.nobody', { value: { coins: 1n } }) },
        { number: 4, warning: danger('alert.nobody', { value: { coins: 2n } }) },
      ],
      'calls.about',
    );
    const about = (number: string, text: string): string =>
      textOf('calls.about', { number, text });
    expect(print(...numbered)).toStrictEqual([
      about('2, 3', print(burn)[0] ?? ''),
      about('4', textOf('alert.nobody', { value: '0.000000000000000002 POL' })),
      about('1', textOf('alert.ownData')),
    ]);
  });

  it('are fifteen of many, the worst, and a danger that says how many more', () => {
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
