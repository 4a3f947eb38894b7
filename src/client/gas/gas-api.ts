// The REST gas API (spec 4.1).
import type { ChainId } from '../../eth/chain';
import { describeRejection, validate } from '../../parse';
import type { StructOf } from '../../parse';
import { appendPath } from '../endpoint';
import type { Endpoint } from '../endpoint';
import { InvalidResponseError } from '../errors';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { BaseFeePercentileStruct, SuggestedGasFeesStruct } from './schema';
import type { SuggestedGasFees } from './schema';

/** Reads fees from a gas API. Both calls throw the errors of `client/errors`. */
export type GasApi = {
  /** Fetch the suggested fees of a chain, in wei. */
  suggestedGasFees: (chainId: ChainId) => Promise<SuggestedGasFees>;
  /** Fetch the base fee that half of the historical ones do not exceed, in wei. */
  baseFeePercentile: (chainId: ChainId) => Promise<bigint>;
};

/** Create a client of the gas API at an endpoint. */
export function createGasApi(endpoint: Endpoint, options: HttpOptions): GasApi {
  const get = async <Type>(
    chainId: ChainId,
    resource: string,
    struct: StructOf<Type>,
  ): Promise<Type> => {
    const url = appendPath(endpoint.url, 'networks', String(chainId), resource);
    const label = `${endpoint.label} (${resource})`;
    const answer = await fetchJson({ ...endpoint, url, label }, options);
    const result = validate(answer, struct);
    if ('value' in result) return result.value;
    throw new InvalidResponseError(
      label,
      describeRejection(result.rejection, resource),
    );
  };
  return {
    suggestedGasFees: (chainId) =>
      get(chainId, 'suggestedGasFees', SuggestedGasFeesStruct),
    baseFeePercentile: async (chainId) =>
      (await get(chainId, 'baseFeePercentile', BaseFeePercentileStruct))
        .baseFeePercentile,
  };
}
