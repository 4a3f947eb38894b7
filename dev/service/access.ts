// Who may ask: the origin, the credentials and the chain of a request are checked before its body
// is read.
import type { IncomingHttpHeaders } from 'node:http';

import { codes, ServiceFailure } from './json-rpc';
import type { ApiKey, Keys } from './keys';
import type { ServiceOptions } from './options';

/** Checks requests; every function throws a {@link ServiceFailure} (401, 403, 404). */
export type Access = {
  checkOrigin: (headers: IncomingHttpHeaders) => void;
  /** The key in a path, where JSON-RPC has it. */
  checkKey: (key: string | undefined, headers: IncomingHttpHeaders) => ApiKey;
  /** The gas API: the key in the path, or credentials in the header. */
  checkGas: (
    params: { chainId?: string; key?: string },
    headers: IncomingHttpHeaders,
  ) => ApiKey;
  /** Returns the key in the path, which {@link Access.checkKey} accepts. */
  checkWebSocket: (path: string, headers: IncomingHttpHeaders) => string;
};

/** Create the checks of one service. */
export function createAccess({
  allowOrigins,
  chainId,
  keys,
}: Pick<ServiceOptions, 'allowOrigins'> & { chainId: number; keys: Keys }): Access {
  const checkOrigin: Access['checkOrigin'] = ({ origin }) => {
    if (allowOrigins === undefined) return;
    if (origin === undefined || !allowOrigins.includes(origin)) throw forbidden();
  };
  const checkKey: Access['checkKey'] = (key, { authorization }) =>
    requireKey(keys.find(key, authorization));
  return {
    checkOrigin,
    checkKey,
    checkGas: (params, { authorization }) => {
      const key = requireKey(
        params.key === undefined
          ? keys.findByHeader(authorization)
          : keys.find(params.key, authorization),
      );
      if (params.chainId !== String(chainId)) {
        throw notFound('This chain is not served.');
      }
      return key;
    },
    checkWebSocket: (path, headers) => {
      const [, key] = /^(?:\/ws)?\/v3\/([^/?]+)(?:\?.*)?$/u.exec(path) ?? [];
      if (key === undefined) throw notFound();
      checkOrigin(headers);
      checkKey(key, headers);
      return key;
    },
  };
}

/** There is nothing at an address. */
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

function forbidden(): ServiceFailure {
  const message = 'The API key is not allowed from this origin.';
  return new ServiceFailure(403, { code: codes.refused, message });
}
