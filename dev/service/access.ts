// Who may ask, and which chain: checked before the body of a request is read.
import type { IncomingHttpHeaders } from 'node:http';

import { codes, ServiceFailure } from './json-rpc';
import type { ApiKey, Keys } from './keys';
import type { Network } from './network';

export type PathParams = { chainId?: string; key?: string };

const SOCKET_PATH =
  /^(?:\/networks\/(?<chainId>\d+))?(?:\/ws)?\/v3\/(?<key>[^/?]+)(?:\?.*)?$/u;

/** Checks requests; every method throws a {@link ServiceFailure} (401, 403, 404). */
export class Access {
  constructor(
    private readonly networks: readonly Network[],
    private readonly keys: Keys,
    private readonly allowOrigins: readonly string[] | undefined,
  ) {}

  checkOrigin({ origin }: IncomingHttpHeaders): void {
    if (this.allowOrigins === undefined) return;
    if (origin !== undefined && this.allowOrigins.includes(origin)) return;
    const message = 'The API key is not allowed from this origin.';
    throw new ServiceFailure(403, { code: codes.refused, message });
  }

  /** Finds the key in a path, where JSON-RPC has it. */
  checkKey(key: string | undefined, { authorization }: IncomingHttpHeaders): ApiKey {
    return requireKey(this.keys.find(key, authorization));
  }

  /** Finds the key of the gas API: in the path, or credentials in the header. */
  checkGas({ key }: PathParams, headers: IncomingHttpHeaders): ApiKey {
    return key === undefined
      ? requireKey(this.keys.findByHeader(headers.authorization))
      : this.checkKey(key, headers);
  }

  /** Finds the chain of a path; without one in it, the only chain. */
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

  /** Finds the chain, and the key in the path, which {@link Access.checkKey} accepts. */
  checkWebSocket(
    path: string,
    headers: IncomingHttpHeaders,
  ): { key: string; network: Network } {
    const { chainId, key } = SOCKET_PATH.exec(path)?.groups ?? {};
    if (key === undefined) throw notFound();
    this.checkOrigin(headers);
    this.checkKey(key, headers);
    return { key, network: this.findNetwork({ ...(chainId && { chainId }) }) };
  }
}

export function notFound(
  message = 'There is nothing at this address.',
): ServiceFailure {
  return new ServiceFailure(404, { code: codes.notFound, message });
}

function requireKey(key: ApiKey | undefined): ApiKey {
  if (key !== undefined) return key;
  const message = 'The credentials are missing or wrong.';
  const headers = { 'WWW-Authenticate': 'Basic realm="gas API", charset="UTF-8"' };
  throw new ServiceFailure(401, { code: codes.refused, message }, headers);
}
