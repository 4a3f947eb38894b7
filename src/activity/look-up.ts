// Receipts: waiting for those that nodes tell late, and what is kept of one – where something
// was included, whether it succeeded, what it cost.
import type { NodeClient, NodeTransaction, OperationReceipt, Receipt } from '../client';
import { MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { Inclusion } from '../state/sent-transaction';

const ATTEMPTS = 4;

const DELAY_MS = 500;

/**
 * Finds the receipt of a transaction. Nodes tell of a receipt seconds after they tell of the
 * inclusion, so a null is asked again while the transaction is in a block.
 *
 * @returns Null if the transaction is unknown or pending.
 */
export async function findReceipt(
  hash: Hex,
  { node, sleep }: { node: NodeClient; sleep: (ms: number) => Promise<void> },
): Promise<Receipt | null> {
  for (let attempt = 1; ; attempt += 1) {
    const receipt = await node.request('eth_getTransactionReceipt', [hash]);
    if (receipt !== null || attempt === ATTEMPTS) return receipt;
    const transaction = await findTransaction(hash, { node });
    const isIncluded = (transaction?.blockHash ?? null) !== null;
    if (!isIncluded) return null;
    await sleep(DELAY_MS);
  }
}

/** Finds a transaction; null if the node does not know it. */
export async function findTransaction(
  hash: Hex,
  { node }: { node: NodeClient },
): Promise<NodeTransaction | null> {
  return node.request('eth_getTransactionByHash', [hash]);
}

/** Something that was included, with its receipt as it was told. */
export type Included = { status: 'included'; inclusion: Inclusion; receipt: object };

/** Takes what is kept of a transaction's receipt. */
export function toIncluded(receipt: Receipt): Included {
  const { blockNumber, blockHash, gasUsed, effectiveGasPrice, status } = receipt;
  const cost = toAmount(BigInt(gasUsed) * BigInt(effectiveGasPrice));
  const success = status ? { success: status === '0x1' } : {};
  return {
    status: 'included',
    inclusion: { blockNumber, blockHash, gasUsed, effectiveGasPrice, cost, ...success },
    receipt,
  };
}

/** Takes what is kept of a user operation's receipt; the price is what its gas cost. */
export function toIncludedOperation(receipt: OperationReceipt): Included {
  const { blockNumber, blockHash, transactionHash, success, raw } = receipt;
  const { actualGasUsed, actualGasCost } = receipt;
  const price = actualGasUsed === 0n ? 0n : actualGasCost / actualGasUsed;
  return {
    status: 'included',
    inclusion: {
      blockNumber,
      blockHash,
      transactionHash,
      gasUsed: toAmount(actualGasUsed),
      effectiveGasPrice: toAmount(price),
      cost: toAmount(actualGasCost),
      success,
    },
    receipt: raw as object,
  };
}

// A figure that no chain can have must not keep the others from being stored.
function toAmount(amount: bigint): Inclusion['cost'] {
  return toQuantity(smaller(amount, MAX_UINT256));
}
