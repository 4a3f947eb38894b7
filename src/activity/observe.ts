// What a chain's node says of the transactions that are pending on it; every question goes
// in one batch.
import { findInclusion } from '../client';
import type { Inclusion, NodeClient } from '../client';
import { UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SentTransaction } from '../state/sent-transaction';
import type { Observation } from './outcome';

/**
 * Observe pending transactions of a chain.
 *
 * @returns One observation each, undefined where the node gave no answer; never fails.
 */
export async function observe(
  sent: readonly SentTransaction[],
  { id, node }: { id: ChainId; node: NodeClient },
): Promise<(Observation | undefined)[]> {
  return Promise.all(
    sent.map(async (each) => observeOne(each, id, node).catch(() => undefined)),
  );
}

async function observeOne(
  { hash, from, head = '0x0' }: SentTransaction,
  chainId: ChainId,
  node: NodeClient,
): Promise<Observation> {
  const [inclusion, count] = await Promise.all([
    findInclusion(node, { hash, chainId, sentAt: BigInt(head) }),
    node.request('eth_getTransactionCount', [from, 'latest']),
  ]);
  assertSame(inclusion, hash);
  return { inclusion, count: BigInt(count) };
}

// A receipt of another transaction says nothing of this one.
function assertSame(inclusion: Inclusion, hash: Hex): void {
  if (inclusion.status !== 'included') return;
  const { transactionHash } = inclusion.receipt;
  if (transactionHash.toLowerCase() === hash.toLowerCase()) return;
  throw new UnavailableError('The node gave the receipt of another transaction.');
}
