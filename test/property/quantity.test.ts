import fc from 'fast-check';
import { formatUnits, isAddress, numberToHex, parseGwei } from 'viem';

import { ChainIdStruct, toCaip2 } from '../../src/eth/chain';
import {
  AddressStruct,
  findQuantity,
  isSameAddress,
  QuantityStruct,
  toPaddedHex,
  toQuantity,
} from '../../src/eth/hex';
import { GweiStruct, gweiToWei, toDecimal, weiToGwei } from '../../src/eth/units';
import { parse } from '../../src/schema/parse';
import { address, toCapitals, uint } from '../support/arbitraries';
import { runs } from '../support/runs';

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: min, maxLength: max })
    .map((each) => each.join(''));

describe('gwei', () => {
  it('survive a round trip through wei, and are formatted as in viem', () => {
    fc.assert(
      fc.property(uint(200), (wei) => {
        const gwei = weiToGwei(wei);
        expect(gwei).toBe(formatUnits(wei, 9));
        expect(GweiStruct.is(gwei)).toBe(true);
        expect(gweiToWei(gwei)).toBe(wei);
      }),
      runs(500),
    );
  });

  it('are parsed as in viem with up to nine decimals', () => {
    fc.assert(
      fc.property(digits(1, 40), digits(1, 9), (whole, fraction) => {
        const gwei = `${whole}.${fraction}`;
        expect(gweiToWei(gwei)).toBe(parseGwei(gwei));
      }),
      runs(500),
    );
  });

  it('are rounded up to whole wei with more decimals', () => {
    fc.assert(
      fc.property(digits(1, 20), digits(10, 60), (whole, fraction) => {
        // In integers: ceil(digits × 10^9 / 10^decimals).
        const scale = 10n ** BigInt(fraction.length);
        const exact = BigInt(whole + fraction) * 10n ** 9n;
        expect(gweiToWei(`${whole}.${fraction}`)).toBe((exact + scale - 1n) / scale);
      }),
      runs(500),
    );
  });
});

describe('decimals', () => {
  it('are formatted as in viem', () => {
    fc.assert(
      fc.property(uint(256), fc.integer({ min: 1, max: 30 }), (amount, decimals) => {
        expect(toDecimal(amount, decimals)).toBe(formatUnits(amount, decimals));
      }),
      runs(500),
    );
  });
});

describe('a quantity', () => {
  it('is the same number in hex, in decimal and as a bigint', () => {
    fc.assert(
      fc.property(uint(256), (value) => {
        const hex = toQuantity(value);
        expect(hex).toBe(numberToHex(value));
        for (const form of [hex, value.toString(), value, toPaddedHex(value, 32)]) {
          expect(parse(form, QuantityStruct, 'value')).toBe(value);
        }
      }),
      runs(500),
    );
  });

  it('is accepted from text only if the text is a quantity', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits(0, 90)), (text) => {
        const isQuantity = /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/u.test(text);
        expect(findQuantity(text) !== undefined).toBe(isQuantity);
      }),
      runs(1_000),
    );
  });

  it('is accepted from a number only if it is a safe integer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.maxSafeInteger()), (value) => {
        const expected = Number.isSafeInteger(value) ? BigInt(value) : undefined;
        expect(findQuantity(value)).toBe(expected);
      }),
      runs(500),
    );
  });
});

describe('a chain id', () => {
  it('survives a round trip through CAIP-2', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 37n }), (id) => {
        expect(parse(toCaip2(id), ChainIdStruct, 'id')).toBe(id);
        expect(parse(`eip155:${toQuantity(id)}`, ChainIdStruct, 'id')).toBe(id);
      }),
      runs(300),
    );
  });
});

describe('an address', () => {
  it('is accepted with or without a checksum, and equals itself in any case', () => {
    fc.assert(
      fc.property(address, (value) => {
        expect(AddressStruct.is(value)).toBe(true);
        expect(AddressStruct.is(toCapitals(value))).toBe(true);
        expect(isSameAddress(value, value.toLowerCase())).toBe(true);
      }),
      runs(300),
    );
  });

  it('is accepted in mixed case only if viem accepts it', () => {
    fc.assert(
      fc.property(address, fc.infiniteStream(fc.boolean()), (value, upper) => {
        const mixed = [...value.slice(2)].map((each) =>
          upper.next().value ? each.toUpperCase() : each.toLowerCase(),
        );
        const shown = `0x${mixed.join('')}`;
        // An address in a single case has no checksum; viem accepts only lower case.
        const isPlain = [shown.toLowerCase(), toCapitals(value)];
        expect(AddressStruct.is(shown)).toBe(
          isPlain.includes(shown) || isAddress(shown),
        );
      }),
      runs(300),
    );
  });
});
