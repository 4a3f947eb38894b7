// The REST gas API and its answers (docs/reference/service.md#gas-api, #suggested-gas-fees,
// #base-fee-percentile). Fees are in gwei on the wire, and in wei here.
import { coerce, define, tuple, type } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';

import { ChainIdStruct } from '../../../src/eth/chain';
import type { ChainId } from '../../../src/eth/chain';
import { GweiStruct, gweiToWei, weiToGwei } from '../../../src/eth/units';
import { matches, parse } from '../../../src/schema/parse';
import type { StructOf } from '../../../src/schema/parse';
import { converted, normalized } from '../../../src/schema/structs';
import { appendPath } from './endpoint';
import type { Endpoint } from './endpoint';
import { readAnswer, withPlace } from './errors';
import { assertJson, completeOptions, fetchReply } from './http';
import type { HttpOptions } from './http';
import { withRetry } from './retry';

const FeeStruct = converted<bigint>(
  'a decimal string in gwei',
  (value) => typeof value === 'bigint',
  (value) => (matches(value, GweiStruct) ? gweiToWei(value) : undefined),
);

const upTo = (name: string, max: number): Struct<number, null> =>
  define<number>(
    name,
    (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= max,
  );

const WaitStruct = upTo('a number of milliseconds, 0 or more', Infinity);

const FeeRangeStruct = coerce(
  tuple([FeeStruct, FeeStruct]),
  tuple([GweiStruct, GweiStruct]),
  ([one, other]) => (gweiToWei(one) <= gweiToWei(other) ? [one, other] : [other, one]),
);

/** A trend: `up` or `down` (docs/reference/service.md#suggested-gas-fees). Other words, such as
 * "level" for steady fees, count as `down`. */
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

export const SuggestedGasFeesStruct = type({
  low: FeeLevelStruct,
  medium: FeeLevelStruct,
  high: FeeLevelStruct,
  estimatedBaseFee: FeeStruct,
  networkCongestion: upTo('a number from 0 to 1', 1),
  latestPriorityFeeRange: FeeRangeStruct,
  historicalPriorityFeeRange: FeeRangeStruct,
  historicalBaseFeeRange: FeeRangeStruct,
  priorityFeeTrend: TrendStruct,
  baseFeeTrend: TrendStruct,
});

export const BaseFeePercentileStruct = type({ baseFeePercentile: FeeStruct });

/** Fees of one level in wei, and expected waits in milliseconds. @interface */
export type FeeLevel = Infer<typeof FeeLevelStruct>;

/** Suggested fees in wei, and the state of the market. @interface */
export type SuggestedGasFees = Infer<typeof SuggestedGasFeesStruct>;

/** Lower and upper bound in wei. */
export type FeeRange = [lowest: bigint, highest: bigint];

/** Converts suggested fees to the gas API's JSON, with every fee in decimal gwei. */
export function toWire(fees: SuggestedGasFees): object {
  return JSON.parse(
    JSON.stringify(fees, (_name, value: unknown) =>
      typeof value === 'bigint' ? weiToGwei(value) : value,
    ),
  ) as object;
}

export type GasCallOptions = {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

export type GasApi = {
  /** Fetches the suggested fees of a chain, in wei. */
  suggestedGasFees: (
    chainId: ChainId,
    options?: GasCallOptions,
  ) => Promise<SuggestedGasFees>;
  /** Fetches the median of past base fees of a chain, in wei. */
  baseFeePercentile: (chainId: ChainId, options?: GasCallOptions) => Promise<bigint>;
};

/** Creates a client for the gas API at an endpoint.
 * @throws {InvalidParamsError} If an option is invalid. */
export function createGasApi(endpoint: Endpoint, options: HttpOptions): GasApi {
  const complete = completeOptions(options);
  const fetchResource = async <Type>(
    name: string,
    struct: StructOf<Type>,
    { signal, ...given }: GasCallOptions & { chainId: ChainId },
  ): Promise<Type> => {
    const chainId = parse(given.chainId, ChainIdStruct, 'chainId');
    const url = appendPath(endpoint.url, 'networks', String(chainId), name);
    const exchange = { ...complete, endpoint: { ...endpoint, url }, signal };
    const fetchOnce = async (attempts: number, leftMs: number): Promise<Type> => {
      try {
        const timeoutMs = Math.min(complete.timeoutMs, leftMs);
        const reply = await fetchReply({ ...exchange, timeoutMs });
        assertJson(reply);
        return readAnswer(reply.value, struct, name);
      } catch (error) {
        throw withPlace(error, { label: `${name} at ${endpoint.label}`, attempts });
      }
    };
    return withRetry(fetchOnce, complete.retry, signal);
  };
  return {
    suggestedGasFees: async (chainId, call) =>
      fetchResource('suggestedGasFees', SuggestedGasFeesStruct, { ...call, chainId }),
    baseFeePercentile: async (chainId, call) => {
      const name = 'baseFeePercentile';
      const chain = { ...call, chainId };
      return (await fetchResource(name, BaseFeePercentileStruct, chain))[name];
    },
  };
}
