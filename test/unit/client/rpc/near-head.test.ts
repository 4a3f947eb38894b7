// What became of a transaction, on chains whose nodes answer for the newest blocks only too.
import { findInclusion, isNearHeadOnly } from '../../../../src/client/rpc/near-head';
import { receipt, transaction } from '../../../fixtures/client/node-answers';
import { createTestNode } from '../../../support/test-node';

const HASH = `0x${'ab'.repeat(32)}` as const;

describe('what became of a transaction', () => {
  const known = { eth_getTransactionByHash: transaction };
  const pending = {
    ...transaction,
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
  };
  const unknown = { eth_getTransactionByHash: null, eth_getTransactionReceipt: null };
  const tracked = { hash: HASH, sentAt: 0x1000n };
  const nearHead = { status: 'unknown', reason: 'near-head only' };

  it.each<[string, bigint, Record<string, unknown>, object]>([
    [
      'a receipt',
      1n,
      { ...known, eth_getTransactionReceipt: receipt },
      { status: 'included', receipt },
    ],
    [
      'no receipt yet',
      1n,
      { ...known, eth_getTransactionReceipt: null },
      { status: 'pending' },
    ],
    [
      'no block yet',
      1n,
      { ...unknown, eth_getTransactionByHash: pending },
      { status: 'pending' },
    ],
    ['nothing', 1n, unknown, { status: 'absent' }],
    [
      'nothing so far',
      97n,
      { ...unknown, eth_blockNumber: '0x107f' },
      { status: 'absent' },
    ],
    ['nothing of old', 97n, { ...unknown, eth_blockNumber: '0x1080' }, nearHead],
    ['nothing of old', 204n, { ...unknown, eth_blockNumber: '0x2000' }, nearHead],
    // Its nodes have archives.
    ['nothing of old', 56n, unknown, { status: 'absent' }],
    [
      'a receipt of old',
      97n,
      { ...known, eth_getTransactionReceipt: receipt, eth_blockNumber: '0x2000' },
      { status: 'included', receipt },
    ],
  ])('is told of %s on chain %s', async (...row) => {
    const [, chainId, results, inclusion] = row;
    const { node, sent } = createTestNode(results);
    expect(await findInclusion(node, { ...tracked, chainId })).toStrictEqual(inclusion);
    expect(sent).toHaveLength(isNearHeadOnly(chainId) ? 3 : 2);
  });

  it('can be given up', async () => {
    const { node, sent } = createTestNode(unknown);
    const { signal } = new AbortController();
    await findInclusion(node, { ...tracked, chainId: 1n }, { signal });
    expect(sent.map((call) => call.signal)).toStrictEqual([signal, signal]);
  });
});
