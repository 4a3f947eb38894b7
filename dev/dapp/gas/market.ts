// A network's gas market as the page shows it, and its figures in words.
import type { SuggestedGasFees } from '../../../src/client';

/** A block's base fee, in wei. */
export type Point = { block: number; fee: bigint };

/** What a source told. Fees in wei, times in ms. */
export type Market = {
  fees: SuggestedGasFees;
  /** Base fees, oldest first; the last one is the newest block's. */
  points: readonly Point[];
  /** When it was told. */
  at: number;
  /** Whom the levels are from, as it is shown. */
  from: string;
};

/** The three levels, as they are shown. */
export const levelNames = ['low', 'medium', 'high'] as const;

/** Most blocks that are drawn. */
export const MAX_POINTS = 60;

/** Add blocks to those that are known: each once, in order, the oldest given up. */
export function mergePoints(
  known: readonly Point[],
  added: readonly Point[],
): readonly Point[] {
  const newest = added.at(-1)?.block ?? 0;
  // A block number that was reached before is another block now.
  const kept = known.filter(({ block }) => block < (added[0]?.block ?? Infinity));
  return [...kept, ...added]
    .filter(({ block }) => block > newest - MAX_POINTS)
    .slice(-MAX_POINTS);
}

/** Read the answer of `eth_feeHistory`; it tells the next block's base fee too. */
export function readHistory({
  oldestBlock,
  baseFeePerGas,
}: {
  oldestBlock: string;
  baseFeePerGas: readonly string[];
}): readonly Point[] {
  const oldest = Number(oldestBlock);
  return baseFeePerGas
    .slice(0, -1)
    .map((fee, index) => ({ block: oldest + index, fee: BigInt(fee) }))
    .slice(-MAX_POINTS);
}

/** Say how full the blocks are, of a number from 0 to 1. */
export function describeCongestion(congestion: number): string {
  if (congestion < 0.34) return 'quiet';
  return congestion < 0.67 ? 'normal' : 'busy';
}

/** Say where a fee goes. */
export function describeTrend(trend: 'up' | 'down'): string {
  return trend === 'up' ? 'rising' : 'falling';
}

/** Say how long a level takes, from its two waits in ms. */
export function describeWait(min: number, max: number): string {
  const [from, to] = [min, max].map((ms) => Math.round(ms / 1_000)) as [number, number];
  if (to === 0) return 'at once';
  return from === to || from === 0 ? `up to ${to} s` : `${from} to ${to} s`;
}

/** Say how long ago something was, in ms. */
export function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 2) return 'just now';
  return seconds < 120 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
}
