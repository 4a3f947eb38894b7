import { observe } from '../../../src/activity/observe';
import type { NodeAnswers } from '../../support/fake-node';
import { refuses } from '../../support/fake-node';
import { RECEIPT } from '../../support/receipts';
import {
  countOf,
  createServers,
  foundOperation,
  operationReceipt,
  pendingOperation,
} from '../../support/sent-operations';
import { pendingOf } from '../../support/sent-transactions';

type Answers = { node?: NodeAnswers; bundler?: NodeAnswers };

async function look(
  answers: Answers = {},
  sent = pendingOperation(1),
): Promise<unknown> {
  const [observation] = await observe([sent], { id: 1n, ...createServers(answers) });
  return observation;
}

/** Its nonce is used, and the bundler has a receipt. */
const included = (fields = {}): Answers => ({
  node: { eth_call: countOf(8) },
  bundler: { eth_getUserOperationReceipt: operationReceipt(1, fields) as never },
});

describe('observing a user operation', () => {
  it('finds it absent where nobody knows it', async () => {
    expect(await look()).toStrictEqual({ found: { status: 'absent' }, count: 7n });
  });

  it('finds it pending while the bundler knows it', async () => {
    const bundler = { eth_getUserOperationByHash: foundOperation(1) as never };
    expect(await look({ bundler })).toStrictEqual({
      found: { status: 'pending' },
      count: 7n,
    });
  });

  it('finds what it cost, and the transaction that carried it', async () => {
    expect(await look(included())).toStrictEqual({
      found: {
        status: 'included',
        inclusion: {
          blockNumber: RECEIPT.blockNumber,
          blockHash: RECEIPT.blockHash,
          transactionHash: RECEIPT.transactionHash,
          gasUsed: '0x64',
          effectiveGasPrice: '0x5',
          cost: '0x1f5',
          success: true,
        },
        receipt: operationReceipt(1),
      },
      count: 8n,
    });
  });

  it.each([
    ['failed', { success: false }, { success: false }],
    [
      'used no gas',
      { actualGasUsed: '0x0' },
      { gasUsed: '0x0', effectiveGasPrice: '0x0' },
    ],
  ])('finds one that %s', async (_what, told, kept) => {
    expect(await look(included(told))).toHaveProperty(
      'found.inclusion',
      expect.objectContaining(kept),
    );
  });

  it('waits for the chain to have used its nonce, whatever the bundler says', async () => {
    const { bundler = {} } = included();
    expect(await look({ bundler })).toStrictEqual({
      found: { status: 'pending' },
      count: 7n,
    });
  });

  it('asks for the count of the nonce’s own key', async () => {
    const servers = createServers();
    const nonce = `0x${((5n << 64n) + 7n).toString(16)}` as const;
    await observe([pendingOperation(1, { nonce })], { id: 1n, ...servers });
    const [{ params = [] } = {}] = servers.nodeSide.calls;
    expect(JSON.stringify(params)).toContain(`${'5'.padStart(64, '0')}"`);
  });

  it('asks node and bundler once each for many', async () => {
    const servers = createServers();
    const all = [1, 2, 3].map((n) => pendingOperation(n));
    await observe(all, { id: 1n, ...servers });
    expect(servers.network.sent).toHaveLength(2);
  });

  it.each<[string, Answers]>([
    ['of another sender', included({ sender: `0x${'12'.repeat(20)}` })],
    ['of another nonce', included({ nonce: '0x8' })],
    ['of another hash', included({ userOpHash: `0x${'12'.repeat(32)}` })],
  ])('does not believe a receipt %s', async (_what, answers) => {
    expect(await look(answers)).toBeUndefined();
  });

  it.each<[string, Answers]>([
    ['there is no EntryPoint', { node: { eth_call: '0x' } }],
    [
      'the bundler fails',
      {
        bundler: {
          eth_getUserOperationByHash: refuses({ code: -32000, message: 'no' }),
        },
      },
    ],
  ])('tells nothing where %s', async (_where, answers) => {
    expect(await look(answers)).toBeUndefined();
  });

  it('tells nothing where no bundler is configured any more', async () => {
    const { node } = createServers();
    expect(await observe([pendingOperation(1)], { id: 1n, node })).toStrictEqual([
      undefined,
    ]);
  });

  it('observes transactions beside it', async () => {
    const node = {
      eth_getTransactionReceipt: null,
      eth_getTransactionByHash: null,
      eth_getTransactionCount: '0x7',
    };
    const chain = { id: 1n, ...createServers({ node }) };
    expect(await observe([pendingOf(2), pendingOperation(1)], chain)).toStrictEqual([
      { found: { status: 'absent' }, count: 7n },
      { found: { status: 'absent' }, count: 7n },
    ]);
  });
});
