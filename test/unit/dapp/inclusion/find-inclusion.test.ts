import { findInclusion } from '../../../../dev/dapp/inclusion/find-inclusion';
import type { Sent } from '../../../../dev/dapp/inclusion/find-inclusion';

const transaction: Sent = { kind: 'transaction', hash: '0xaa', chainId: '0x7a69' };
const operation: Sent = { ...transaction, kind: 'operation' };
const calls: Sent = { kind: 'calls', id: 'x' };
const receipt = { status: '0x1', blockNumber: '0x7', transactionHash: '0xaa' };
const included = { state: 'included', block: 7n, hash: '0xaa' };

async function find(sent: Sent, answers: Record<string, unknown>): Promise<unknown> {
  return findInclusion(sent, ({ method }) =>
    method in answers
      ? Promise.resolve(answers[method])
      : Promise.reject(new Error('Not allowed.')),
  );
}

const ofTransaction = (answer: unknown): Record<string, unknown> => ({
  eth_getTransactionReceipt: answer,
});

const ofCalls = (status: number, receipts?: unknown[]): Record<string, unknown> => ({
  wallet_getCallsStatus: { status, receipts },
});

it.each<[string, Sent, Record<string, unknown>, unknown]>([
  ['a transaction', transaction, ofTransaction(receipt), included],
  [
    'a transaction that failed',
    transaction,
    ofTransaction({ ...receipt, status: '0x0' }),
    { ...included, state: 'failed' },
  ],
  [
    'a transaction without a receipt',
    transaction,
    ofTransaction(null),
    { state: 'pending' },
  ],
  [
    'a user operation',
    operation,
    { eth_getUserOperationReceipt: { success: true, receipt } },
    included,
  ],
  [
    'a user operation that failed',
    operation,
    { eth_getUserOperationReceipt: { success: false, receipt } },
    { ...included, state: 'failed' },
  ],
  ['calls on their way', calls, ofCalls(100), { state: 'pending' }],
  ['calls', calls, ofCalls(200, [{}, receipt]), included],
  ['calls that failed', calls, ofCalls(400), { state: 'failed' }],
])('finds what became of %s', async (...[, sent, answers, expected]) => {
  expect(await find(sent, answers)).toStrictEqual(expected);
});

it.each(['replaced', 'dropped'])(
  'learns from the snap that it was %s',
  async (status) => {
    const answers = {
      ...ofTransaction(null),
      tollkeeper_getActivity: [
        { hash: '0xbb', status: 'included' },
        { hash: '0xaa', status },
      ],
    };
    expect(await find(transaction, answers)).toStrictEqual({ state: status });
  },
);
