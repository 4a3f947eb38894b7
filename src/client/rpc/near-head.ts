// What became of a transaction. On some chains nodes answer receipts and transactions for
// the newest blocks only (spec section 8): there an old null says nothing.
import type { Hex } from '../../eth/hex';
import type { CallOptions, NodeClient } from './rpc-client';
import type { Receipt } from './transaction';

/** Blocks for which such a chain's nodes answer. */
const NEAR_HEAD_BLOCKS = 128n;

/**
 * Chains whose nodes answer for the newest blocks only, by name. The specification (section 8)
 * speaks of one smart-chain network without naming it; the table follows the public documentation
 * of the services, by which BNB Smart Chain itself (56) has archive requests.
 *
 * @see https://docs.metamask.io/services/reference/bnb-smart-chain/
 * @see https://docs.metamask.io/services/reference/opbnb/
 */
const NEAR_HEAD_CHAINS: ReadonlyMap<bigint, string> = new Map([
  [97n, 'BNB Smart Chain Testnet'],
  [204n, 'opBNB'],
]);

/** What became of a transaction. */
export type Inclusion =
  | { status: 'included'; receipt: Receipt }
  /** The node knows it, and no block has it yet, or its receipt is not there yet. */
  | { status: 'pending' }
  /** The node does not know it: it was dropped, or has not arrived. */
  | { status: 'absent' }
  /** It may have been included in a block that the node does not answer for. */
  | { status: 'unknown'; reason: 'near-head only' };

/** A transaction that is tracked. */
export type Tracked = {
  hash: Hex;
  chainId: bigint;
  /** Newest block when the transaction was sent; it can be in none before. */
  sentAt: bigint;
};

/** Tell whether a chain's nodes answer receipts for the newest blocks only. */
export function isNearHeadOnly(chainId: bigint): boolean {
  return NEAR_HEAD_CHAINS.has(chainId);
}

/**
 * Find what became of a transaction; all questions go in one batch.
 *
 * @throws What {@link NodeClient.request} throws.
 */
export async function findInclusion(
  node: NodeClient,
  { hash, chainId, sentAt }: Tracked,
  options?: CallOptions,
): Promise<Inclusion> {
  const [receipt, transaction, head] = await Promise.all([
    node.request('eth_getTransactionReceipt', [hash], options),
    node.request('eth_getTransactionByHash', [hash], options),
    isNearHeadOnly(chainId) ? node.request('eth_blockNumber', [], options) : undefined,
  ]);
  if (receipt) return { status: 'included', receipt };
  if (transaction) return { status: 'pending' };
  const isOld = head !== undefined && BigInt(head) - sentAt >= NEAR_HEAD_BLOCKS;
  return isOld ? { status: 'unknown', reason: 'near-head only' } : { status: 'absent' };
}
