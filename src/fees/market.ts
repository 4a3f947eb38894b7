// How the market of fees is, as far as a source tells: how full blocks are, where fees are
// heading, and how long each level waits.
import type { FeeLevel, SuggestedGasFees } from '../client';
import type { Market } from '../state/public-state';

export type { Market } from '../state/public-state';

/** Take what suggested fees say of the market. */
export function toMarket(fees: SuggestedGasFees): Market {
  const { low, medium, high } = fees;
  return {
    congestion: fees.networkCongestion,
    baseFeeTrend: fees.baseFeeTrend,
    priorityFeeTrend: fees.priorityFeeTrend,
    waits: { low: toWait(low), medium: toWait(medium), high: toWait(high) },
  };
}

function toWait(level: FeeLevel): { min: number; max: number } {
  const { minWaitTimeEstimate: min, maxWaitTimeEstimate: max } = level;
  return { min: toMs(Math.min(min, max)), max: toMs(Math.max(min, max)) };
}

function toMs(wait: number): number {
  return Math.min(wait, Number.MAX_SAFE_INTEGER);
}
