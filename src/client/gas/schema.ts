// The gas API's answers (spec 2.1, 2.2): as they come over the wire, and in wei.
import { coerce, tuple, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { gweiToWei, GweiStruct, weiToGwei } from '../../eth/gwei';
import { matches } from '../../parse';
import { converted, named, normalized } from '../../structs';

/** A fee in wei, read from decimal gwei. */
const FeeStruct = converted<bigint>(
  'a decimal string in gwei',
  (value) => typeof value === 'bigint',
  (value) => (matches(value, GweiStruct) ? gweiToWei(value) : undefined),
);

const WaitStruct = named<number>(
  'a number of milliseconds, 0 or more',
  (value) => Number.isFinite(value) && Number(value) >= 0,
);

const CongestionStruct = named<number>(
  'a number from 0 to 1',
  (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= 1,
);

/** Two fees, which are put in order. */
const FeeRangeStruct = coerce(
  tuple([FeeStruct, FeeStruct]),
  tuple([GweiStruct, GweiStruct]),
  ([one, other]) => (gweiToWei(one) <= gweiToWei(other) ? [one, other] : [other, one]),
);

/** Spec 2.1 has two words; other words, such as "level" for fees that stay, are `down`. */
const TrendStruct = normalized<'up' | 'down'>(
  'one of "up", "down"',
  (value) => typeof value === 'string',
  (value) => (value.toLowerCase() === 'up' ? 'up' : 'down'),
);

const FeeLevelStruct = type({
  suggestedMaxPriorityFeePerGas: FeeStruct,
  suggestedMaxFeePerGas: FeeStruct,
  minWaitTimeEstimate: WaitStruct,
  maxWaitTimeEstimate: WaitStruct,
});

/** Answer of `suggestedGasFees`; extra fields are tolerated. */
export const SuggestedGasFeesStruct = type({
  low: FeeLevelStruct,
  medium: FeeLevelStruct,
  high: FeeLevelStruct,
  estimatedBaseFee: FeeStruct,
  networkCongestion: CongestionStruct,
  latestPriorityFeeRange: FeeRangeStruct,
  historicalPriorityFeeRange: FeeRangeStruct,
  historicalBaseFeeRange: FeeRangeStruct,
  priorityFeeTrend: TrendStruct,
  baseFeeTrend: TrendStruct,
});

/** Answer of `baseFeePercentile`. */
export const BaseFeePercentileStruct = type({ baseFeePercentile: FeeStruct });

/** Fees for one urgency in wei; waits in milliseconds. */
export type FeeLevel = Infer<typeof FeeLevelStruct>;

/** Suggested fees in wei, with the state of the market that they come from. */
export type SuggestedGasFees = Infer<typeof SuggestedGasFeesStruct>;

/** Lower and upper bound in wei. */
export type FeeRange = Infer<typeof FeeRangeStruct>;

/** Write suggested fees as the API does: every fee as decimal gwei. */
export function toWire(fees: SuggestedGasFees): object {
  return JSON.parse(
    JSON.stringify(fees, (_name, value: unknown) =>
      typeof value === 'bigint' ? weiToGwei(value) : value,
    ),
  ) as object;
}
