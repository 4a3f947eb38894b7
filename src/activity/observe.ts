// What a chain's servers say of what is pending on it: of transactions its node, of user
// operations its bundler. Every question to one of them goes in one batch.
import { findInclusion } from '../client';
import type { BundlerClient, Inclusion, NodeClient, OperationReceipt } from '../client';
import { UnavailableError } from '../errors';
import { findWord } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import type { EntryPointVersion } from '../eth/entry-point';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { keyOf, toNonceCall } from '../eth/operation-nonce';
import type { SentTransaction } from '../state/sent-transaction';
import { toIncluded, toIncludedOperation } from './included';
import type { Observation } from './outcome';

/** Where something is pending. */
export type Observed = {
  id: ChainId;
  node: NodeClient;
  bundler?: { client: BundlerClient };
};

/**
 * Observe what is pending on a chain.
 *
 * @returns One observation each, undefined where there was no answer; never fails.
 */
export async function observe(
  sent: readonly SentTransaction[],
  chain: Observed,
): Promise<(Observation | undefined)[]> {
  return Promise.all(
    sent.map(async (each) => {
      const { entryPoint } = each;
      const looking =
        entryPoint === undefined
          ? observeTransaction(each, chain)
          : observeOperation({ ...each, entryPoint }, chain);
      return looking.catch(() => undefined);
    }),
  );
}

async function observeTransaction(
  { hash, from, head = '0x0' }: SentTransaction,
  { id: chainId, node }: Observed,
): Promise<Observation> {
  const [inclusion, count] = await Promise.all([
    findInclusion(node, { hash, chainId, sentAt: BigInt(head) }),
    node.request('eth_getTransactionCount', [from, 'latest']),
  ]);
  assertSame(inclusion, hash);
  const found =
    inclusion.status === 'included' ? toIncluded(inclusion.receipt) : inclusion;
  return { found, count: BigInt(count) };
}

// A receipt of another transaction says nothing of this one.
function assertSame(inclusion: Inclusion, hash: Hex): void {
  if (inclusion.status !== 'included') return;
  const { transactionHash } = inclusion.receipt;
  if (transactionHash.toLowerCase() === hash.toLowerCase()) return;
  throw new UnavailableError('The node gave the receipt of another transaction.');
}

async function observeOperation(
  sent: SentTransaction & { entryPoint: EntryPointVersion },
  { node, bundler }: Observed,
): Promise<Observation> {
  if (!bundler) throw new UnavailableError('There is no bundler any more.');
  const { client } = bundler;
  const { hash, entryPoint, from, nonce } = sent;
  const place = { entryPoint, sender: from, key: keyOf(BigInt(nonce)) };
  const [receipt, operation, answer] = await Promise.all([
    client.findReceipt(hash),
    client.findOperation(hash),
    node.request('eth_call', [toNonceCall(place), 'latest']),
  ]);
  const count = findWord(answer);
  if (count === undefined) throw new UnavailableError('The EntryPoint is not there.');
  const told = { receipt, isKnown: operation !== null, count };
  return { found: judgeOperation(sent, told), count };
}

/** What bundler and chain tell of an operation. */
type Told = { receipt: OperationReceipt | null; isKnown: boolean; count: bigint };

// The chain has the last word: what is included has used its nonce there. Its node may be
// some blocks behind the bundler's.
function judgeOperation(
  { from, nonce }: SentTransaction,
  { receipt, isKnown, count }: Told,
): Observation['found'] {
  if (!receipt) return { status: isKnown ? 'pending' : 'absent' };
  const isOurs = isSameAddress(receipt.sender, from) && receipt.nonce === BigInt(nonce);
  if (!isOurs) throw new UnavailableError('The bundler gave the receipt of another.');
  return count > BigInt(nonce) ? toIncludedOperation(receipt) : { status: 'pending' };
}
