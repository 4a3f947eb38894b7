// How long a chain takes for a block, by which waits for inclusion are told.
import type { BlockParameter, NodeClient } from '../client';
import { withTimeLimit } from '../client/abort';
import { larger, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';

/** A block's number and timestamp in hex, as nodes tell them. */
type Header = { number: Hex | null; timestamp: Hex };

/** Blocks that are measured over where a chain tells of no finalized one. */
export const MEASURED_BLOCKS = 20n;

/** A chain that pauses while nobody sends says nothing of how long a sender waits. */
const MAX_BLOCK_MS = 60_000;

/** Nobody waits longer for fees because of it. */
const TIME_LIMIT_MS = 2_000;

/** Compute the mean time of the blocks between two, in ms; undefined if they do not tell. */
export function computeBlockMs(
  newer: Header | null | undefined,
  older: Header | null | undefined,
): number | undefined {
  if (!newer?.number || !older?.number) return undefined;
  const blocks = BigInt(newer.number) - BigInt(older.number);
  const seconds = BigInt(newer.timestamp) - BigInt(older.timestamp);
  if (blocks <= 0n || seconds <= 0n) return undefined;
  return Math.min(Number((seconds * 1_000n) / blocks), MAX_BLOCK_MS);
}

/** Measure a chain's block time, in ms; undefined if its node does not tell in time. Never
 * fails: fees are told without it as well. */
export async function findBlockMs(node: NodeClient): Promise<number | undefined> {
  try {
    return await withTimeLimit(async (signal) => measure(node, signal), TIME_LIMIT_MS);
  } catch {
    return undefined;
  }
}

async function measure(
  node: NodeClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  const fetch = async (block: BlockParameter): Promise<Header | null> =>
    node.request('eth_getBlockByNumber', [block, false], { signal });
  // Not every chain has finalized blocks. Those that do tell in the same request.
  const [newest, finalized] = await Promise.all([
    fetch('latest'),
    fetch('finalized').catch(() => null),
  ]);
  const blockMs = computeBlockMs(newest, finalized);
  if (blockMs !== undefined || !newest?.number) return blockMs;
  const earlier = larger(0n, BigInt(newest.number) - MEASURED_BLOCKS);
  return computeBlockMs(newest, await fetch(toQuantity(earlier)));
}
