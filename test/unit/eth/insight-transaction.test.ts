import { findInsightTransaction } from '../../../src/insights/transaction';
import type { InsightTransaction } from '../../../src/insights/transaction';
import { TO } from '../../support/transactions';

const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const shown = {
  from: FROM,
  to: TO,
  nonce: '0x1',
  value: '0x2',
  data: '0xabcd',
  gas: '0x5208',
  maxFeePerGas: '0x3',
  maxPriorityFeePerGas: '0x1',
  estimateSuggested: 'medium',
  estimateUsed: 'medium',
};

const read: InsightTransaction = {
  from: FROM,
  to: TO,
  value: 2n,
  data: '0xabcd',
  nonce: 1n,
  gasLimit: 21_000n,
  delegates: [],
  fees: { maxFeePerGas: 3n, maxPriorityFeePerGas: 1n },
};

const write = (transaction: InsightTransaction | undefined): unknown =>
  JSON.parse(
    JSON.stringify(transaction ?? null, (_key, value: unknown) =>
      typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
    ),
  );

describe('a transaction that the wallet shows', () => {
  it('is read', () => {
    expect(write(findInsightTransaction(shown))).toStrictEqual(write(read));
  });

  it.each([
    ['to', undefined],
    ['to', null],
    ['to', ''],
    ['to', '0x'],
  ])('creates a contract if its %s is %j', (field, value) => {
    expect(findInsightTransaction({ ...shown, [field]: value })?.to).toBeNull();
  });

  it.each([undefined, null, '', '0x', 'NaN', 7.5])(
    'may lack fields that are not known yet: %j',
    (value) => {
      const lacking = findInsightTransaction({
        ...shown,
        gas: value,
        maxFeePerGas: value,
        maxPriorityFeePerGas: value,
      });
      expect(write(lacking)).toStrictEqual(
        write({ ...read, gasLimit: undefined, fees: undefined }),
      );
    },
  );

  it.each([undefined, null, ''])('may have no data: %j', (data) => {
    expect(findInsightTransaction({ ...shown, data })?.data).toBe('0x');
  });

  it.each([undefined, null, 'x', 7, [], {}, { from: 'me' }, { ...shown, data: 'x' }])(
    'is none if it is %j',
    (value) => {
      expect(findInsightTransaction(value)).toBeUndefined();
    },
  );
});
