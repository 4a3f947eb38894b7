// Who may ask, and which chain: the origin, the credentials and the chain of a request are checked
// before its body is read.
import type { IncomingHttpHeaders } from 'node:http';

import { codes, ServiceFailure } from './json-rpc';
import type { ApiKey, Keys } from './keys';
import type { Network } from './network';
import type { ServiceOptions } from './options';

export type PathParams = { chainId?: string; key?: string };

/** Checks requests; every function throws a {@link ServiceFailure} (401, 403, 404). */
export type Access = {
  checkOrigin: (headers: IncomingHttpHeaders) => void;
  /** The key in a path, where JSON-RPC has it. */
  checkKey: (key: string | undefined, headers: IncomingHttpHeaders) => ApiKey;
  /** The gas API: the key in the path, or credentials in the header. */
  checkGas: (params: PathParams, headers: IncomingHttpHeaders) => ApiKey;
  /** Finds the chain of a path; without one in it, the only chain. */
  findNetwork: (params: PathParams) => Network;
  /** Finds the chain, and the key in the path, which {@link Access.checkKey} accepts. */
  checkWebSocket: (
    path: string,
    headers: IncomingHttpHeaders,
  ) => { key: string; network: Network };
};

const SOCKET_PATH =
  /^(?:\/networks\/(?<chainId>\d+))?(?:\/ws)?\/v3\/(?<key>[^/?]+)(?:\?.*)?$/u;

export function createAccess({
  allowOrigins,
  networks,
  keys,
}: Pick<ServiceOptions, 'allowOrigins'> & {
  networks: readonly Network[];
  keys: Keys;
}): Access {
  const byId = new Map(networks.map((each) => [String(each.chainId), each]));
  const checkOrigin: Access['checkOrigin'] = ({ origin }) => {
    if (allowOrigins === undefined) return;
    if (origin !== undefined && allowOrigins.includes(origin)) return;
    const message = 'The API key is not allowed from this origin.';
    throw new ServiceFailure(403, { code: codes.refused, message });
  };
  const checkKey: Access['checkKey'] = (key, { authorization }) =>
    requireKey(keys.find(key, authorization));
  const findNetwork: Access['findNetwork'] = ({ chainId }) => {
    if (chainId === undefined && networks.length > 1) {
      throw notFound('There are several chains: use /networks/{chainId}/v3/{key}.');
    }
    const found = chainId === undefined ? networks[0] : byId.get(chainId);
    if (found) return found;
    throw notFound('This chain is not served.');
  };
  return {
    checkOrigin,
    checkKey,
    findNetwork,
    checkGas: ({ key }, headers) =>
      key === undefined
        ? requireKey(keys.findByHeader(headers.authorization))
        : checkKey(key, headers),
    checkWebSocket: (path, headers) => {
      const { chainId, key } = SOCKET_PATH.exec(path)?.groups ?? {};
      if (key === undefined) throw notFound();
      checkOrigin(headers);
      checkKey(key, headers);
      return { key, network: findNetwork({ ...(chainId && { chainId }) }) };
    },
  };
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
