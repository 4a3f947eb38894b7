// What nodes write in ways of their own is handed on as the specification writes it, and arrays
// that are longer than any answer are not walked.
import { BlockStruct } from '../../../../src/client/rpc/block';
import {
  ReceiptStruct,
  TransactionStruct,
} from '../../../../src/client/rpc/transaction';
import { validate } from '../../../../src/parse';
import { block } from '../../../fixtures/client/block';
import { history, simulatedCall } from '../../../fixtures/client/method-parts';
import { receipt, transaction } from '../../../fixtures/client/node-answers';
import { failureOf } from '../../../support/error-of';
import { createTestNode } from '../../../support/test-node';
import { without } from '../../../support/without';

const HASH = `0x${'ab'.repeat(32)}` as const;

/** Write leading zeros before every quantity; what has a fixed length is longer. */
function withZeros(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    const isQuantity = /^0x[0-9a-f]{1,10}$/u.test(value) && name !== 'extraData';
    return isQuantity ? value.replace('0x', '0x000') : value;
  }
  if (Array.isArray(value)) return value.map((each) => withZeros(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withZeros(each, key)]),
  );
}

describe('leading zeros of quantities', () => {
  it.each([
    ['eth_getTransactionReceipt', [HASH], receipt],
    ['eth_getTransactionReceipt', [HASH], { ...receipt, status: '0x0', type: '0x0' }],
    ['eth_getTransactionByHash', [HASH], transaction],
    ['eth_getUncleByBlockHashAndIndex', [HASH, '0x0'], block],
    ['eth_feeHistory', ['0x1', 'latest', []], { ...history, reward: [['0x1']] }],
    ['eth_chainId', [], '0x1'],
    [
      'eth_simulateV1',
      [{ blockStateCalls: [], validation: false }, 'latest'],
      [{ calls: [simulatedCall] }],
    ],
  ] as const)('are taken off in answers of %s', async (method, params, right) => {
    const written = withZeros(right);
    expect(written).not.toStrictEqual(right);
    const { node } = createTestNode({ [method]: written });
    expect(await node.request(method, params as never)).toStrictEqual(right);
  });

  it('are taken off in params, which nodes are strict with', async () => {
    const { node, sent } = createTestNode({ eth_call: '0x', eth_feeHistory: history });
    await node.request('eth_call', [{ value: '0x00', gas: '0x05208' }, '0x0010']);
    await node.request('eth_feeHistory', ['0x05', 'latest', []]);
    expect(sent.map(({ params }) => params)).toStrictEqual([
      [{ value: '0x0', gas: '0x5208' }, '0x10'],
      ['0x5', 'latest', []],
    ]);
  });
});

describe('a signature', () => {
  it.each([
    ['0x1', 31],
    ['0xab', 31],
    [`0x${'ab'.repeat(31)}`, 1],
    [`0x${'0'.repeat(64)}`, 0],
  ])(
    'of a transaction has 32 bytes, however short it comes: %s',
    async (word, zeros) => {
      const eth_getTransactionByHash = { ...transaction, r: word, s: word };
      const { node } = createTestNode({ eth_getTransactionByHash });
      const found = await node.request('eth_getTransactionByHash', [HASH]);
      const digits = word.slice(2).padStart(64 - 2 * zeros, '0');
      const whole = `0x${'00'.repeat(zeros)}${digits}`;
      expect(found).toMatchObject({ r: whole, s: whole });
    },
  );

  it.each(['0x', 1, null, `0x1${'0'.repeat(64)}`])('has no value %j', (word) => {
    expect(validate({ ...transaction, r: word }, TransactionStruct)).toMatchObject({
      rejection: { path: ['r'], expected: 'a hex quantity, written as 32 bytes' },
    });
  });
});

describe('a receipt with a root', () => {
  it('may have null for a status', () => {
    const old = { ...receipt, status: null, root: HASH };
    expect(validate(old, ReceiptStruct)).toStrictEqual({ value: old });
  });

  it('has the status that it has', () => {
    const both = { ...receipt, root: HASH };
    expect(validate(both, ReceiptStruct)).toStrictEqual({ value: both });
    expect(validate({ ...receipt, root: null }, ReceiptStruct)).toHaveProperty('value');
  });

  it('is none if both are null', () => {
    const neither = { ...receipt, status: null, root: null };
    expect(validate(neither, ReceiptStruct)).toMatchObject({
      rejection: { path: ['status'] },
    });
  });
});

describe('chainID', () => {
  const read = async (answer: object): Promise<unknown> => {
    const { node } = createTestNode({ eth_getTransactionByHash: answer });
    return node.request('eth_getTransactionByHash', [HASH]);
  };
  const unnamed = without(transaction, 'chainId');

  it('is chainId', async () => {
    expect(await read({ ...unnamed, chainID: '0x01' })).toStrictEqual(transaction);
  });

  it('does not come before chainId', async () => {
    expect(await read({ ...transaction, chainID: '0x5' })).toStrictEqual(transaction);
    expect(await read({ ...transaction, chainId: null, chainID: '0x1' })).toStrictEqual(
      transaction,
    );
  });

  it('is checked like chainId', async () => {
    const { message } = await failureOf(() => read({ ...unnamed, chainID: 'one' }));
    expect(message).toContain('result.chainId must be a hex quantity.');
  });
});

describe('an array that is longer than any answer', () => {
  const many = (item: unknown): unknown[] =>
    new Proxy(Array<unknown>(1_000_000).fill(item), {
      get: (entries, key) => {
        if (/^\d+$/u.test(String(key))) throw new Error('It was walked.');
        return Reflect.get(entries, key) as unknown;
      },
    });

  it.each<[string, string, readonly unknown[], unknown, string]>([
    [
      'base fees',
      'eth_feeHistory',
      ['0x1', 'latest', []],
      { ...history, baseFeePerGas: many('0x1') },
      'baseFeePerGas must be an array of 0 to 1025 entries',
    ],
    [
      'ratios',
      'eth_feeHistory',
      ['0x1', 'latest', []],
      { ...history, gasUsedRatio: many(0.5) },
      'gasUsedRatio must be an array of 0 to 1024 entries',
    ],
    [
      'rewards',
      'eth_feeHistory',
      ['0x1', 'latest', []],
      { ...history, reward: many(['0x1']) },
      'reward must be an array of 0 to 1024 entries',
    ],
    [
      'rewards of a block',
      'eth_feeHistory',
      ['0x1', 'latest', []],
      { ...history, reward: [many('0x1')] },
      'reward[0] must be an array of 0 to 100 entries',
    ],
    [
      'logs',
      'eth_getTransactionReceipt',
      [HASH],
      { ...receipt, logs: many(receipt.logs[0]) },
      'logs must be an array of 0 to 100000 entries',
    ],
    [
      'topics',
      'eth_getTransactionReceipt',
      [HASH],
      { ...receipt, logs: [{ ...receipt.logs[0], topics: many(HASH) }] },
      'logs[0].topics must be an array of 0 to 4 entries',
    ],
    [
      'addresses that were accessed',
      'eth_getTransactionByHash',
      [HASH],
      { ...transaction, accessList: many({ address: receipt.from, storageKeys: [] }) },
      'accessList must be an array of 0 to 100000 entries',
    ],
    [
      'uncles',
      'eth_getUncleByBlockHashAndIndex',
      [HASH, '0x0'],
      { ...block, uncles: many(HASH) },
      'uncles must be an array of 0 to 100 entries',
    ],
  ])('is refused for its length: %s', async (...row) => {
    const [, method, params, answer, reason] = row;
    const { node } = createTestNode({ [method]: answer });
    const ask = (): unknown => node.request(method as never, params as never);
    expect((await failureOf(ask)).message).toContain(`result.${reason}.`);
  });

  it('takes the longest that there are', () => {
    const logs = Array(20_000).fill(receipt.logs[0]);
    expect(validate({ ...receipt, logs }, ReceiptStruct)).toHaveProperty('value');
    const uncles = Array(10).fill(HASH);
    expect(validate({ ...block, uncles }, BlockStruct)).toHaveProperty('value');
  });
});
