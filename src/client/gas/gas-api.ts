// The REST gas API (spec 4.1).
import { ChainIdStruct } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { describeRejection, parse, validate } from '../../parse';
import type { StructOf } from '../../parse';
import { appendPath } from '../endpoint';
import type { Endpoint } from '../endpoint';
import { InvalidResponseError, tellAt } from '../errors';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { completeOptions } from '../http-options';
import type { CompleteOptions } from '../http-options';
import { withRetry } from '../retry';
import { BaseFeePercentileStruct, SuggestedGasFeesStruct } from './schema';
import type { SuggestedGasFees } from './schema';

/** What may be said about one call. */
export type GasCallOptions = {
  /** Gives the call up: it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** Reads fees from a gas API. Both calls throw the errors of `client/errors`. */
export type GasApi = {
  /** Fetch the suggested fees of a chain, in wei. */
  suggestedGasFees: (
    chainId: ChainId,
    options?: GasCallOptions,
  ) => Promise<SuggestedGasFees>;
  /** Fetch the base fee that half of the historical ones do not exceed, in wei. */
  baseFeePercentile: (chainId: ChainId, options?: GasCallOptions) => Promise<bigint>;
};

/**
 * Create a client of the gas API at an endpoint.
 *
 * @throws {InvalidParamsError} If an option is out of its bounds.
 */
export function createGasApi(endpoint: Endpoint, options: HttpOptions): GasApi {
  const api: Api = { endpoint, options: completeOptions(options) };
  return {
    suggestedGasFees: async (chainId, { signal } = {}) =>
      fetchResource(api, SUGGESTED, { chainId, signal }),
    baseFeePercentile: async (chainId, { signal } = {}) =>
      (await fetchResource(api, PERCENTILE, { chainId, signal })).baseFeePercentile,
  };
}

type Api = { endpoint: Endpoint; options: CompleteOptions };

type Resource<Type> = { name: string; struct: StructOf<Type> };

const SUGGESTED: Resource<SuggestedGasFees> = {
  name: 'suggestedGasFees',
  struct: SuggestedGasFeesStruct,
};

const PERCENTILE: Resource<{ baseFeePercentile: bigint }> = {
  name: 'baseFeePercentile',
  struct: BaseFeePercentileStruct,
};

async function fetchResource<Type>(
  { endpoint, options }: Api,
  { name, struct }: Resource<Type>,
  asked: { chainId: ChainId; signal: AbortSignal | undefined },
): Promise<Type> {
  const chainId = parse(asked.chainId, ChainIdStruct, 'chainId');
  const url = appendPath(endpoint.url, 'networks', String(chainId), name);
  const label = `${name} at ${endpoint.label}`;
  const { timeoutMs, retry } = options;
  const fetchOnce = async (attempts: number, leftMs: number): Promise<Type> => {
    try {
      const answer = await fetchJson(
        { endpoint: { ...endpoint, url } },
        { ...options, timeoutMs: Math.min(timeoutMs, leftMs), signal: asked.signal },
      );
      return check(answer, struct, name);
    } catch (error) {
      throw tellAt(error, { label, attempts });
    }
  };
  return withRetry(fetchOnce, retry, asked.signal);
}

function check<Type>(answer: unknown, struct: StructOf<Type>, name: string): Type {
  const result = validate(answer, struct);
  if ('value' in result) return result.value;
  const reason = describeRejection(result.rejection, name);
  throw new InvalidResponseError({ label: name }, reason);
}
