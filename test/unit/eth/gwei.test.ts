import { formatEther, formatGwei, parseGwei } from 'viem';

import { GweiStruct, gweiToWei, toDecimal, weiToGwei } from '../../../src/eth/units';

describe('gweiToWei', () => {
  // Figures of a real answer.
  it.each(['0.05', '16.334026964', '27.982845839', '0', '3', '23.227829059', '007.10'])(
    'reads %s as viem does',
    (gwei) => {
      expect(gweiToWei(gwei)).toBe(parseGwei(gwei));
    },
  );

  it.each([
    ['0.0000000001', 1n],
    ['0.0000000009', 1n],
    ['1.0000000000', 1_000_000_000n],
    ['16.3340269640000001', 16_334_026_965n],
    ['16.33402696499', 16_334_026_965n],
    ['0.9999999991', 1_000_000_000n],
    [`0.${'0'.repeat(59)}1`, 1n],
  ])('rounds %s up to a whole wei', (gwei, wei) => {
    expect(gweiToWei(gwei)).toBe(wei);
  });

  it('is exact where a float is not', () => {
    expect(gweiToWei('9007199254740993.123456789')).toBe(9007199254740993123456789n);
    expect(gweiToWei('9'.repeat(60))).toBe(BigInt(`${'9'.repeat(60)}000000000`));
  });
});

describe('weiToGwei', () => {
  it.each([
    0n,
    1n,
    999_999_999n,
    1_000_000_000n,
    16_334_026_964n,
    2n ** 200n,
    10n ** 18n,
  ])('writes %s as viem does', (wei) => {
    expect(weiToGwei(wei)).toBe(formatGwei(wei));
  });
});

describe('toDecimal', () => {
  it.each([0n, 1n, 10n ** 17n, 10n ** 18n, 15n * 10n ** 17n, 2n ** 256n - 1n])(
    'writes %s wei in ether as viem does',
    (wei) => {
      expect(toDecimal(wei, 18)).toBe(formatEther(wei));
    },
  );
});

describe('GweiStruct', () => {
  it.each(['0', '0.05', '16.334026964', '1'.repeat(60), `0.${'1'.repeat(60)}`])(
    'takes %s',
    (value) => {
      expect(GweiStruct.is(value)).toBe(true);
    },
  );

  it.each<unknown>([
    '',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e9',
    '0x1',
    '1,5',
    '1.2.3',
    ' 1',
    '1\n',
    '١',
    'NaN',
    '1'.repeat(61),
    `0.${'1'.repeat(61)}`,
    '9'.repeat(1_000_000),
    0.05,
    16,
    5n,
    null,
    undefined,
    [],
    ['1'],
  ])('refuses %p', (value) => {
    expect(GweiStruct.is(value)).toBe(false);
  });
});
