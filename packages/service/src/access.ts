// Checks a request's caller and chain before its body is read.
import type { IncomingHttpHeaders } from 'node:http';

import { codes, ServiceFailure } from './json-rpc';
import type { ApiKey, Keys } from './keys';
import type { Network } from './network';

export type PathParams = { chainId?: string; key?: string };

/** Checks requests. Throws a {@link ServiceFailure} (401, 403, 404) if a request is refused. */
export class Access {
  constructor(
    private readonly networks: readonly Network[],
    private readonly keys: Keys,
    private readonly allowOrigins: readonly string[] | undefined,
  ) {}

  /** Finds the chain, and the caller's key: in the path, or else in the Authorization header. */
  check(
    params: PathParams,
    { origin, authorization }: IncomingHttpHeaders,
  ): { apiKey: ApiKey; network: Network } {
    if (this.allowOrigins?.some((each) => each === origin) === false) {
      const message = 'The API key is not allowed from this origin.';
      throw new ServiceFailure(403, { code: codes.refused, message });
    }
    const apiKey = this.keys.find(params.key, authorization);
    if (apiKey) return { apiKey, network: this.findNetwork(params) };
    const message = 'The credentials are missing or wrong.';
    const headers = { 'WWW-Authenticate': 'Basic realm="gas API", charset="UTF-8"' };
    throw new ServiceFailure(401, { code: codes.refused, message }, headers);
  }

  /** Finds the chain named in a path; a path without a chain id means the only chain. */
  findNetwork({ chainId }: PathParams): Network {
    const [only, ...others] = this.networks;
    if (chainId === undefined && others.length > 0) {
      throw notFound('There are several chains: use /networks/{chainId}/v3/{key}.');
    }
    const isWanted = (each: Network): boolean => String(each.chainId) === chainId;
    const found = chainId === undefined ? only : this.networks.find(isWanted);
    if (found) return found;
    throw notFound('This chain is not served.');
  }
}

export function notFound(
  message = 'There is nothing at this address.',
): ServiceFailure {
  return new ServiceFailure(404, { code: codes.notFound, message });
}
