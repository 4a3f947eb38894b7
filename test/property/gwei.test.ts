// Fees of the gas API agree with arithmetic on integers, or are refused.
import fc from 'fast-check';

import { BaseFeePercentileStruct } from '../../packages/client/src/gas-api';
import { GweiStruct } from '../../src/eth/units';
import { matches, validate } from '../../src/schema/parse';
import { runs } from '../support/runs';

const GWEI = 10n ** 9n;

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: min, maxLength: max })
    .map((each) => each.join(''));

/** Read a fee as the client does; undefined if it is refused. */
function read(baseFeePercentile: unknown): bigint | undefined {
  const result = validate({ baseFeePercentile }, BaseFeePercentileStruct);
  return 'value' in result ? result.value.baseFeePercentile : undefined;
}

describe('a fee', () => {
  it('is the exact number of wei, rounded up', () => {
    fc.assert(
      fc.property(digits(1, 60), digits(0, 60), (whole, fraction) => {
        const scale = 10n ** BigInt(fraction.length);
        const exact = BigInt(whole + fraction) * GWEI;
        const text = fraction === '' ? whole : `${whole}.${fraction}`;
        expect(read(text)).toBe((exact + scale - 1n) / scale);
      }),
      runs(1_000),
    );
  });

  it('grows with its digits', () => {
    const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), digits(9, 9));
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const [first = 0n, second = 0n] = [one, other].map((each) =>
          read(each.join('.')),
        );
        const isLess = BigInt(one.join('')) < BigInt(other.join(''));
        expect(first < second).toBe(isLess);
      }),
      runs(500),
    );
  });

  it('is refused in any other form', () => {
    const spoil = fc.constantFrom(
      '+',
      '-',
      ' ',
      'e',
      'E9',
      '_',
      ',',
      '.',
      'x',
      '\n',
      '٣',
    );
    fc.assert(
      fc.property(digits(1, 20), digits(1, 20), spoil, fc.nat(3), (...row) => {
        const [whole, fraction, sign, place] = row;
        const parts = [whole, '.', fraction];
        parts.splice(place, 0, sign);
        expect(read(parts.join(''))).toBeUndefined();
      }),
      runs(500),
    );
  });

  it('is never read from what is no text', () => {
    const other = fc.anything().filter((value) => typeof value !== 'string');
    fc.assert(
      fc.property(other, (value) => {
        expect(matches(value, GweiStruct)).toBe(false);
        if (typeof value !== 'bigint') expect(read(value)).toBeUndefined();
      }),
      runs(500),
    );
  });
});
