import english from '../../../locales/ui/en.json';
import {
  toShownChain,
  toShownCoins,
  toShownCount,
  toShownDecimal,
  toShownDuration,
  toShownFee,
  toShownTime,
} from '../../../src/ui/format';
import { createTranslate } from '../../../src/ui/i18n';

const translate = createTranslate(english);
const german = createTranslate(english, 'de');
const hindi = createTranslate(english, 'hi');

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
    expect(toShownCount(2n ** 64n, german)).toBe('18.446.744.073.709.551.616');
    expect(toShownCount(21_000, translate)).toBe('21,000');
  });

  it('are fees in gwei and amounts in coins', () => {
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
  ])('is %s ms long', (ms, text) => {
    expect(toShownDuration(ms, translate)).toBe(text);
  });

  it('is written as a date there', () => {
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
  ])('that is %s is written as %s', (chain, text) => {
    expect(toShownChain(chain)).toBe(text);
  });
});
