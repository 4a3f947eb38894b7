// Fees as a gas API and a node return them.
import { toQuantity } from '../../src/eth/hex';
import type { FeeLevels } from '../../src/fees/level';
import { gasAnswer } from '../fixtures/client/gas-answer';
import type { NodeAnswers } from './fake-node';

/** Implausible fees: the high level's maximum fee is 100,000 gwei. */
export const EXCESSIVE_FEES = {
  ...gasAnswer,
  high: { ...gasAnswer.high, suggestedMaxFeePerGas: '100000' },
};

/** The fee levels in {@link gasAnswer}. */
export const SUGGESTED_LEVELS: Omit<FeeLevels, 'at'> = {
  source: 'gas-api',
  estimatedBaseFee: 16_284_026_964n,
  low: { maxFeePerGas: 16_334_026_964n, maxPriorityFeePerGas: 50_000_000n },
  medium: { maxFeePerGas: 22_083_436_402n, maxPriorityFeePerGas: 100_000_000n },
  high: { maxFeePerGas: 27_982_845_839n, maxPriorityFeePerGas: 300_000_000n },
  market: {
    congestion: 0.5125,
    baseFeeTrend: 'up',
    priorityFeeTrend: 'down',
    waits: {
      low: { min: 15_000, max: 60_000 },
      medium: { min: 15_000, max: 45_000 },
      high: { min: 15_000, max: 30_000 },
    },
  },
};

export const FETCHED_LEVELS: FeeLevels = { ...SUGGESTED_LEVELS, at: 0 };

export const FEE_ANSWERS = {
  eth_feeHistory: {
    oldestBlock: '0x10',
    baseFeePerGas: ['0x3b9aca00', '0x3b9aca00', '0x3b9aca00'],
    gasUsedRatio: [0.5, 0.5],
    reward: [
      ['0x1', '0x1', '0x2', '0x3', '0x3'],
      ['0x1', '0x1', '0x2', '0x3', '0x3'],
    ],
  },
  eth_gasPrice: '0x77359400',
} satisfies NodeAnswers;

/** A node's fee answers, close to those of {@link gasAnswer}. */
export const NODE_FEE_ANSWERS = {
  eth_feeHistory: {
    ...FEE_ANSWERS.eth_feeHistory,
    // 16 gwei.
    baseFeePerGas: ['0x3b9aca000', '0x3b9aca000', '0x3b9aca000'],
  },
  eth_gasPrice: '0x3b9aca000',
} satisfies NodeAnswers;

/** Answers `eth_getBlockByNumber` on a chain with a block every `seconds` seconds. */
export function blocksOf(seconds: number): NodeAnswers[string] {
  const numbers: Record<string, number> = { latest: 1_000, finalized: 936 };
  return ([block]) => {
    const number = numbers[block as string] ?? Number(block);
    return {
      number: toQuantity(number),
      timestamp: toQuantity(1_700_000_000 + number * seconds),
    };
  };
}
