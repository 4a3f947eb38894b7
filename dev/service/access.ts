// Who may ask: the origin, the credentials and the chain of a request are checked before
// its body is read.
import type { IncomingHttpHeaders } from 'node:http';

import { createCredentialCheck } from './credentials';
import { codes, ServiceFailure } from './failure';
import type { ServiceOptions } from './options';

/** Checks requests; every function throws a {@link ServiceFailure} (401, 403, 404). */
export type Access = {
  checkOrigin: (headers: IncomingHttpHeaders) => void;
  /** The key in a path, where JSON-RPC has it. */
  checkKey: (key: string | undefined) => void;
  /** The gas API: the key in the path, or credentials in the header. */
  checkGas: (
    params: { chainId?: string; key?: string },
    headers: IncomingHttpHeaders,
  ) => void;
  checkWebSocket: (path: string, headers: IncomingHttpHeaders) => void;
};

/** Create the checks of one service. */
export function createAccess(options: ServiceOptions): Access {
  const { isKey, isAuthorization } = createCredentialCheck(options);
  const { allowOrigins } = options;
  const chainId = String(options.chainId);

  const checkOrigin: Access['checkOrigin'] = ({ origin }) => {
    if (allowOrigins === undefined) return;
    if (origin === undefined || !allowOrigins.includes(origin)) throw forbidden();
  };
  const checkKey: Access['checkKey'] = (key) => {
    if (!isKey(key)) throw unauthorized();
  };
  return {
    checkOrigin,
    checkKey,
    checkGas: (params, { authorization }) => {
      const isKnown =
        params.key === undefined ? isAuthorization(authorization) : isKey(params.key);
      if (!isKnown) throw unauthorized();
      if (params.chainId !== chainId) throw notFound('This chain is not served.');
    },
    checkWebSocket: (path, headers) => {
      const [, key] = /^(?:\/ws)?\/v3\/([^/?]+)(?:\?.*)?$/u.exec(path) ?? [];
      if (key === undefined) throw notFound();
      checkOrigin(headers);
      checkKey(key);
    },
  };
}

/** There is nothing at an address. */
export function notFound(
  message = 'There is nothing at this address.',
): ServiceFailure {
  return new ServiceFailure(404, { code: codes.notFound, message });
}

function unauthorized(): ServiceFailure {
  const message = 'The credentials are missing or wrong.';
  const headers = { 'WWW-Authenticate': 'Basic realm="gas API", charset="UTF-8"' };
  return new ServiceFailure(401, { code: codes.refused, message }, headers);
}

function forbidden(): ServiceFailure {
  const message = 'The API key is not allowed from this origin.';
  return new ServiceFailure(403, { code: codes.refused, message });
}
