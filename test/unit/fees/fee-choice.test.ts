import type { FeeName, TypedFees } from '../../../src/eth/fee-fields';
import type { Transaction } from '../../../src/eth/transaction';
import { findOpenFees, priceAsTyped, priceAtLevel } from '../../../src/fees/fee-choice';
import type { FeeSubject } from '../../../src/fees/fee-choice';
import type { FeeLevels } from '../../../src/fees/level';
import { PRICE_LEVELS, SUGGESTED_LEVELS } from '../../support/fees';
import { make } from '../../support/raw-transactions';
import { transactions } from '../../support/transactions';

const LEVELS: FeeLevels = { ...SUGGESTED_LEVELS, at: 0 };

const GWEI = 10n ** 9n;

const DYNAMIC = make(transactions['EIP-1559']);
const LEGACY = make(transactions.legacy);

const BOTH: FeeName[] = ['maxFeePerGas', 'maxPriorityFeePerGas'];

const dynamic = (about: Partial<FeeSubject> = {}): FeeSubject => ({
  transaction: DYNAMIC,
  open: BOTH,
  ...about,
});

const legacy: FeeSubject = { transaction: LEGACY, open: ['gasPrice'] };

describe('the fees that can be chosen', () => {
  it.each<[string, Record<string, bigint>, [Transaction, FeeName[]]]>([
    ['both where none was given', {}, [DYNAMIC, BOTH]],
    [
      'the priority fee beside a maximum',
      { maxFeePerGas: 1n },
      [DYNAMIC, ['maxPriorityFeePerGas']],
    ],
    [
      'the maximum beside a priority fee',
      { maxPriorityFeePerGas: 1n },
      [DYNAMIC, ['maxFeePerGas']],
    ],
    ['the gas price', {}, [LEGACY, ['gasPrice']]],
    ['none where all were given', { gasPrice: 1n }, [LEGACY, []]],
  ])('are %s', (_what, asked, [transaction, open]) => {
    expect(findOpenFees(asked, transaction)).toStrictEqual(open);
  });
});

describe('fees at a level', () => {
  it.each(['low', 'medium', 'high'] as const)(
    'are those of %s, and nothing else changes',
    (level) => {
      expect(priceAtLevel(dynamic(), LEVELS, level)).toStrictEqual({
        ...DYNAMIC,
        ...SUGGESTED_LEVELS[level],
      });
    },
  );

  it('are what was given where all was given', () => {
    expect(priceAtLevel(dynamic({ open: [] }), LEVELS, 'high')).toBe(DYNAMIC);
  });

  it('keep the type, whatever the source says now', () => {
    expect(priceAtLevel(dynamic(), PRICE_LEVELS, 'low')).toMatchObject({
      type: '0x2',
      maxFeePerGas: 7n,
    });
    expect(priceAtLevel(legacy, PRICE_LEVELS, 'low')).toStrictEqual({
      ...LEGACY,
      gasPrice: 7n,
    });
  });

  it('fit beside the one that was given', () => {
    const transaction = { ...DYNAMIC, maxFeePerGas: 50_000_000n } as Transaction;
    const priority = dynamic({ transaction, open: ['maxPriorityFeePerGas'] });
    expect(priceAtLevel(priority, LEVELS, 'high')).toMatchObject({
      maxFeePerGas: 50_000_000n,
      maxPriorityFeePerGas: 50_000_000n,
    });
  });

  it('cover what a rollup asks for', () => {
    const priorityFloor = 1_000_000_000n;
    expect(priceAtLevel(dynamic({ priorityFloor }), LEVELS, 'low')).toMatchObject({
      maxFeePerGas: 17_284_026_964n,
      maxPriorityFeePerGas: priorityFloor,
    });
  });

  it('are a tenth above those of what is replaced', () => {
    const replaced = {
      ...DYNAMIC,
      maxFeePerGas: 100n * GWEI,
      maxPriorityFeePerGas: 10n,
    } as Transaction;
    expect(priceAtLevel(dynamic({ replaced }), LEVELS, 'high')).toMatchObject({
      maxFeePerGas: 110n * GWEI,
      maxPriorityFeePerGas: 300_000_000n,
    });
  });

  it('leave a maximum that was given for a replacement', () => {
    const replaced = {
      ...DYNAMIC,
      maxFeePerGas: 100n,
      maxPriorityFeePerGas: 10n,
    } as Transaction;
    const transaction = { ...DYNAMIC, maxFeePerGas: 200n } as Transaction;
    const subject = dynamic({ transaction, replaced, open: ['maxPriorityFeePerGas'] });
    expect(priceAtLevel(subject, LEVELS, 'high')).toMatchObject({
      maxFeePerGas: 200n,
      maxPriorityFeePerGas: 200n,
    });
  });
});

describe('fees as typed', () => {
  it('are signed as they are', () => {
    const typed = { maxFeePerGas: ' 30.5 ', maxPriorityFeePerGas: '1' };
    expect(priceAsTyped(dynamic(), typed)).toStrictEqual({
      transaction: {
        ...DYNAMIC,
        maxFeePerGas: 30_500_000_000n,
        maxPriorityFeePerGas: GWEI,
      },
    });
    expect(priceAsTyped(legacy, { gasPrice: '0' })).toStrictEqual({
      transaction: { ...LEGACY, gasPrice: 0n },
    });
  });

  it('may be written with a comma', () => {
    expect(priceAsTyped(legacy, { gasPrice: '1,5' })).toStrictEqual({
      transaction: { ...LEGACY, gasPrice: 1_500_000_000n },
    });
  });

  it.each(['', 'abc', '-1', '1,000.5', '1,0,5', '1e9', '0x1', '.5'])(
    'are no number: %j',
    (gasPrice) => {
      expect(priceAsTyped(legacy, { gasPrice })).toStrictEqual({
        problems: { gasPrice: { kind: 'malformed' } },
      });
    },
  );

  it('are missing', () => {
    expect(priceAsTyped(dynamic(), {})).toStrictEqual({
      problems: {
        maxFeePerGas: { kind: 'malformed' },
        maxPriorityFeePerGas: { kind: 'malformed' },
      },
    });
  });

  it('are more than anybody ever paid', () => {
    const bound = 10n ** 14n;
    expect(priceAsTyped(legacy, { gasPrice: '100000' })).toStrictEqual({
      problems: { gasPrice: { kind: 'tooHigh', bound } },
    });
  });

  it.each<[FeeName[], TypedFees, object]>([
    [
      BOTH,
      { maxFeePerGas: '1', maxPriorityFeePerGas: '2' },
      { maxPriorityFeePerGas: { kind: 'aboveMaximum', maximum: GWEI } },
    ],
    [
      ['maxFeePerGas'],
      { maxFeePerGas: '0.5' },
      { maxFeePerGas: { kind: 'tooLow', least: GWEI } },
    ],
  ])('have a priority fee above the maximum: %j', (open, typed, problems) => {
    expect(priceAsTyped(dynamic({ open }), typed)).toStrictEqual({ problems });
  });

  it('are too low for a replacement', () => {
    const subject = {
      ...legacy,
      replaced: { ...LEGACY, gasPrice: 10n * GWEI } as Transaction,
    };
    expect(priceAsTyped(subject, { gasPrice: '10.9' })).toStrictEqual({
      problems: { gasPrice: { kind: 'tooLow', least: 11n * GWEI } },
    });
    expect(priceAsTyped(subject, { gasPrice: '11' })).toHaveProperty('transaction');
  });
});
