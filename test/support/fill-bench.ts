// Filling transactions from a node in memory and from given fee levels.
import { createWalletTransport } from '../../src/chains/wallet-transport';
import { createNodeClient } from '../../src/client';
import type { Transaction } from '../../src/eth/transaction';
import { parseTransactionRequest } from '../../src/eth/transaction-request';
import { fillTransaction } from '../../src/fees/fill-transaction';
import type { FillSources } from '../../src/fees/fill-transaction';
import type { FeeLevels } from '../../src/fees/level';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { SUGGESTED_LEVELS } from './fees';
import { TO } from './transactions';

/** Sender of what is filled. */
export const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Levels of a chain with base fees. */
export const MARKET: FeeLevels = { ...SUGGESTED_LEVELS, at: 0 };

/** Where transactions are filled. */
export type FillBench = {
  node: FakeNode;
  /** Fill a transaction of which `from`, `to` and `value` are there. */
  fill: (fields: Record<string, unknown>) => Promise<Transaction>;
  /** How often levels were asked for. */
  asked: { levels: number };
};

/** Set up a node at which the sender's nonce is 5 and any gas estimate 100,000. */
export function createFillBench(
  levels: FeeLevels = MARKET,
  answers: NodeAnswers = {},
  {
    chainId = 1n,
    level = 'medium',
  }: Partial<Pick<FillSources, 'chainId' | 'level'>> = {},
): FillBench {
  const node = createFakeNode({
    eth_getTransactionCount: '0x5',
    eth_estimateGas: '0x186a0',
    ...answers,
  });
  const client = createNodeClient(createWalletTransport(node.request), chainId);
  const asked = { levels: 0 };
  const sources = {
    chainId,
    node: client,
    level,
    nextNonce: async () =>
      BigInt(await client.request('eth_getTransactionCount', [FROM, 'pending'])),
    levels: () => {
      asked.levels += 1;
      return Promise.resolve(levels);
    },
  };
  const fill: FillBench['fill'] = async (fields) => {
    const transaction = { from: FROM, to: TO, value: '0x1', ...fields };
    const request = parseTransactionRequest(transaction, 'tx');
    return (await fillTransaction(request, sources)).transaction;
  };
  return { node, fill, asked };
}
