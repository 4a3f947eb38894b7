import { GweiStruct, gweiToWei } from '../../../src/eth/units';

describe('gweiToWei', () => {
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
    '1e9',
    '1,5',
    '1.2.3',
    '1\n',
    '١',
    '1'.repeat(61),
    `0.${'1'.repeat(61)}`,
    '9'.repeat(1_000_000),
    0.05,
    5n,
    undefined,
  ])('refuses %p', (value) => {
    expect(GweiStruct.is(value)).toBe(false);
  });
});
