import { findInsightTransaction } from '../../../src/insights/transaction';
import type { InsightTransaction } from '../../../src/insights/transaction';
import { owner } from '../../fixtures/eth/owner';
import { TO } from '../../support/transactions';

const { address: FROM } = owner;

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

describe('a transaction from the wallet', () => {
  it('is read', () => {
    expect(findInsightTransaction(shown)).toEqual(read);
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
    'may have %j for fields that are not known yet',
    (value) => {
      const unknown = { gas: value, maxFeePerGas: value, maxPriorityFeePerGas: value };
      expect(findInsightTransaction({ ...shown, ...unknown })).toEqual({
        ...read,
        gasLimit: undefined,
        fees: undefined,
      });
    },
  );

  it.each([undefined, null, ''])('may have %j for its data', (data) => {
    expect(findInsightTransaction({ ...shown, data })?.data).toBe('0x');
  });

  it.each([undefined, null, 'x', 7, [], {}, { from: 'me' }, { ...shown, data: 'x' }])(
    'is rejected if it is %j',
    (value) => {
      expect(findInsightTransaction(value)).toBeUndefined();
    },
  );
});
