// New blocks from a live subscription, and a transaction's state. On some chains nodes return
// receipts and transactions for the newest blocks only, so null for an older one is inconclusive.
import { UnavailableError } from '../../../../src/core/errors';
import type { Hex } from '../../../../src/eth/hex';
import { validate } from '../../../../src/schema/parse';
import { InvalidResponseError, NetworkError } from '../errors';
import { HeadStruct } from './block';
import type { Head } from './block';
import { differsInPosition } from './complete';
import type { NodeClient } from './node-client';
import type { CallOptions } from './rpc-client';
import type { ServerSubscription } from './subscriptions';
import type { Receipt } from './transaction';
import type { WebSocketTransport } from './web-socket-transport';

/** Maximum age of the newest block in ms. After that, the server may have gone silent. */
const MAX_AGE_MS = 60_000;

export type Heads = {
  /** Returns the newest block; undefined if this subscription announced none in the last minute. */
  latest: () => Head | undefined;
  /** Ends the subscription. Never throws. */
  stop: () => Promise<void>;
};

/** Calls `onHead` for every valid announced block. Throws if the subscription cannot start. */
export async function watchHeads(
  transport: Pick<WebSocketTransport, 'findSubscription' | 'subscribe'>,
  onHead: (head: Head) => unknown,
): Promise<Heads> {
  const find = (): ServerSubscription | undefined =>
    transport.findSubscription('newHeads');
  // Stores the subscription too, because a head from an earlier subscription may be outdated.
  let latest: { head: Head; by: ReturnType<typeof find>; at: number } | undefined;
  const stop = await transport.subscribe('newHeads', async (value) => {
    const result = validate(value, HeadStruct);
    if (!('value' in result)) return;
    latest = { head: result.value, by: find(), at: Date.now() };
    await onHead(result.value);
  });
  return {
    stop: async () => {
      latest = undefined;
      await stop();
    },
    latest: () => {
      if (!latest || latest.by !== find()) return undefined;
      return Date.now() - latest.at < MAX_AGE_MS ? latest.head : undefined;
    },
  };
}

/** Polling interval while no subscription reports blocks, in ms. */
const POLL_MS = 4_000;

/** How long a subscription may be silent before it counts as dead, in ms. */
const QUIET_MS = 30_000;

/** Pause after a subscription was refused or not answered, in ms. */
const RETRY_MS = 60_000;

/** Calls `onHead` for new blocks, until the returned function is called. Polls for the newest one
 * while the subscription is silent, and after it was refused or not answered, until another attempt
 * succeeds. Throws without a connection. */
export async function followHeads(
  transport: Parameters<typeof watchHeads>[0],
  node: NodeClient,
  onHead: (head: Head) => unknown,
): Promise<() => Promise<void>> {
  let heardAt = -Infinity;
  let newest: Head | undefined;
  const report = async (head: Head): Promise<void> => {
    if (head.hash === newest?.hash && head.number === newest.number) return;
    newest = head;
    await onHead(head);
  };
  let heads: Heads | undefined;
  let isOver = false;
  let retryAt = Infinity;
  const subscribe = async (): Promise<void> => {
    retryAt = Infinity;
    try {
      heads = await watchHeads(transport, async (head) => {
        heardAt = Date.now();
        await report(head);
      });
      if (isOver) await heads.stop();
    } catch (error) {
      retryAt = Date.now() + RETRY_MS;
      throw error;
    }
  };
  const poll = async (): Promise<void> => {
    if (Date.now() >= retryAt) void subscribe().catch(() => undefined);
    if (Date.now() - heardAt < QUIET_MS) return;
    const block = await node.request('eth_getBlockByNumber', ['latest', false]);
    const result = validate(block, HeadStruct);
    if ('value' in result) await report(result.value);
  };
  // The next poll retries failures; listeners handle their own errors.
  const timer = setInterval(() => void poll().catch(() => undefined), POLL_MS);
  await subscribe().catch((error: unknown) => {
    const isLost = error instanceof NetworkError || error instanceof UnavailableError;
    if (!isLost) return;
    clearInterval(timer);
    throw error;
  });
  return async () => {
    isOver = true;
    clearInterval(timer);
    await heads?.stop();
  };
}

/** Number of newest blocks served by the nodes of {@link NEAR_HEAD_CHAINS}. */
const NEAR_HEAD_BLOCKS = 128n;

/**
 * Chains whose nodes serve the newest blocks only: BNB Smart Chain Testnet and opBNB. This list
 * follows MetaMask's public documentation, which offers archive requests for BNB Smart Chain (56).
 *
 * @see https://docs.metamask.io/services/reference/bnb-smart-chain/
 * @see https://docs.metamask.io/services/reference/opbnb/
 */
const NEAR_HEAD_CHAINS: readonly bigint[] = [97n, 204n];

/** Whether a transaction is included, and its receipt. */
export type Inclusion =
  | { status: 'included'; receipt: Receipt }
  /** The node knows the transaction, but has no receipt that matches it yet. */
  | { status: 'pending' }
  /** The node does not know the transaction: it was dropped, has not arrived or is not indexed. */
  | { status: 'absent' }
  /** The transaction may be in a block that is too old for the node. */
  | { status: 'unknown'; reason: 'near-head only' };

export type Tracked = {
  hash: Hex;
  chainId: bigint;
  /** Number of the newest block when the transaction was sent. Older blocks cannot contain it. */
  sentAt: bigint;
};

export function isNearHeadOnly(chainId: bigint): boolean {
  return NEAR_HEAD_CHAINS.includes(chainId);
}

export async function findInclusion(
  node: NodeClient,
  { hash, chainId, sentAt }: Tracked,
  options?: CallOptions,
): Promise<Inclusion> {
  const assertOwn = <Found>(found: Found, answered: Hex = hash): Found => {
    if (answered.toLowerCase() === hash.toLowerCase()) return found;
    const reason = `it is about the transaction ${answered}, not ${hash}.`;
    throw new InvalidResponseError({ label: node.label }, reason);
  };
  const [receipt, transaction, oldest = 0n] = await Promise.all([
    node
      .request('eth_getTransactionReceipt', [hash], options)
      .then((found) => assertOwn(found, found?.transactionHash)),
    // A failed lookup does not invalidate a good receipt.
    node
      .request('eth_getTransactionByHash', [hash], options)
      .then((found) => assertOwn(found, found?.hash))
      .catch((error: Error) => error),
    isNearHeadOnly(chainId) ? fetchOldestReceipt(node, options) : undefined,
  ]);
  if (receipt && !differsInPosition(receipt, { ...transaction })) {
    return { status: 'included', receipt };
  }
  if (transaction instanceof Error) throw transaction;
  if (transaction) return { status: 'pending' };
  return sentAt < oldest
    ? { status: 'unknown', reason: 'near-head only' }
    : { status: 'absent' };
}

// Uses the limit that the node reports, falling back to the chain's known limit.
async function fetchOldestReceipt(
  node: NodeClient,
  options?: CallOptions,
): Promise<bigint> {
  const [head, capabilities] = await Promise.all([
    node.request('eth_blockNumber', [], options),
    node.tryRequest('eth_capabilities', [], options).catch(() => undefined),
  ]);
  const { disabled = false, oldestBlock } = capabilities?.receipts ?? {};
  if (disabled) return BigInt(head) + 1n;
  if (oldestBlock !== undefined) return BigInt(oldestBlock);
  return BigInt(head) - NEAR_HEAD_BLOCKS + 1n;
}
