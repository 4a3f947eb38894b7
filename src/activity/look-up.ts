// Looking up transactions and receipts. Nodes tell of a receipt seconds after they tell of
// the inclusion, so a null is asked again while the transaction is in a block.
import type { NodeClient, NodeTransaction, Receipt } from '../client';
import type { Hex } from '../eth/hex';

const ATTEMPTS = 4;

const DELAY_MS = 500;

/** What looking up needs. */
export type LookUpServices = {
  node: NodeClient;
  sleep: (ms: number) => Promise<void>;
};

/**
 * Find the receipt of a transaction.
 *
 * @returns Null if the transaction is unknown or pending.
 */
export async function findReceipt(
  hash: Hex,
  { node, sleep }: LookUpServices,
): Promise<Receipt | null> {
  for (let attempt = 1; ; attempt += 1) {
    const receipt = await node.request('eth_getTransactionReceipt', [hash]);
    if (receipt !== null || attempt === ATTEMPTS) return receipt;
    const transaction = await node.request('eth_getTransactionByHash', [hash]);
    const isIncluded = (transaction?.blockHash ?? null) !== null;
    if (!isIncluded) return null;
    await sleep(DELAY_MS);
  }
}

/** Find a transaction; null if the node does not know it. */
export async function findTransaction(
  hash: Hex,
  { node }: Pick<LookUpServices, 'node'>,
): Promise<NodeTransaction | null> {
  return node.request('eth_getTransactionByHash', [hash]);
}
