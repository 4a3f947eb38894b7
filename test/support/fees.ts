// Fees as a gas API and a node tell them.
import type { Json } from '@metamask/utils';

import type { FeeLevels } from '../../src/fees/level';
import type { NodeAnswers } from './fake-node';

/** An answer of suggestedGasFees, with the service's sample figures. */
export const SUGGESTED_FEES = {
  low: toLevel('0.05', '16.334026964'),
  medium: toLevel('0.1', '22.083436402'),
  high: toLevel('0.3', '27.982845839'),
  estimatedBaseFee: '16.284026964',
  networkCongestion: 0.5125,
  latestPriorityFeeRange: ['0', '3'],
  historicalPriorityFeeRange: ['0.000000001', '80'],
  historicalBaseFeeRange: ['13.773088584', '29.912845463'],
  priorityFeeTrend: 'down',
  baseFeeTrend: 'up',
} satisfies Json;

/** Figures that no market ever had: a whole coin for a unit of gas. */
export const DEAR_FEES = { ...SUGGESTED_FEES, high: toLevel('0.3', '1000000000') };

/** The levels that {@link SUGGESTED_FEES} stand for. */
export const SUGGESTED_LEVELS: Omit<FeeLevels, 'at'> = {
  source: 'gas-api',
  estimatedBaseFee: 16_284_026_964n,
  low: { maxFeePerGas: 16_334_026_964n, maxPriorityFeePerGas: 50_000_000n },
  medium: { maxFeePerGas: 22_083_436_402n, maxPriorityFeePerGas: 100_000_000n },
  high: { maxFeePerGas: 27_982_845_839n, maxPriorityFeePerGas: 300_000_000n },
};

/** What a node of a chain with base fees answers about them. */
export const FEE_ANSWERS = {
  eth_feeHistory: {
    oldestBlock: '0x10',
    baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x3b9aca00'],
    gasUsedRatio: [0.5, 0.5],
    reward: [
      ['0x1', '0x2', '0x3'],
      ['0x1', '0x2', '0x3'],
    ],
  },
  eth_gasPrice: '0x77359400',
} satisfies NodeAnswers;

/** The levels of a chain without a base fee, whose gas price is 7 wei. */
export const PRICE_LEVELS: FeeLevels = {
  source: 'gas-price',
  at: 0,
  estimatedBaseFee: 0n,
  low: { maxFeePerGas: 7n, maxPriorityFeePerGas: 7n },
  medium: { maxFeePerGas: 7n, maxPriorityFeePerGas: 7n },
  high: { maxFeePerGas: 7n, maxPriorityFeePerGas: 7n },
};

function toLevel(priority: string, maximum: string): Record<string, Json> {
  return {
    suggestedMaxPriorityFeePerGas: priority,
    suggestedMaxFeePerGas: maximum,
    minWaitTimeEstimate: 15_000,
    maxWaitTimeEstimate: 60_000,
  };
}
