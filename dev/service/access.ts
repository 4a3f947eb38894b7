// Who may ask: the origin, the credentials and the chain of a request are checked before
// its body is read.
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { codes, ServiceFailure } from './json-rpc';
import type { Credentials, Limits, ServiceOptions } from './options';

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

// Whether a request brings the key (and the secret) of the service: in the Authorization
// header, or the key in the path (spec section 5). Digests are compared, since they are of
// one length whatever came: the time tells neither how much nor how long a guess fits.

/** Tells whether what a request brings is right. */
type CredentialCheck = {
  /** The key in a path. */
  isKey: (key: string | undefined) => boolean;
  /** A Basic Authorization header: `key:secret`; without a secret `key:` or `key`. */
  isAuthorization: (header: string | undefined) => boolean;
};

/** Create the check; the digests of what is right are made once. */
function createCredentialCheck({
  apiKey,
  apiKeySecret = '',
}: Credentials): CredentialCheck {
  const key = digest(apiKey);
  const both = digest(`${apiKey}:${apiKeySecret}`);
  const hasSecret = apiKeySecret !== '';
  return {
    isKey: (given) => given !== undefined && timingSafeEqual(digest(given), key),
    isAuthorization: (header) => {
      const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/iu.exec(header ?? '') ?? [];
      if (encoded === undefined) return false;
      const given = digest(Buffer.from(encoded, 'base64').toString());
      const isBoth = timingSafeEqual(given, both);
      const isKeyAlone = timingSafeEqual(given, key);
      return isBoth || (isKeyAlone && !hasSecret);
    },
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

// How much may be asked: a token bucket for the rate, a count for the day. Both belong to
// this instance and its one key; several instances limit each for itself.

/** Counts requests; throws a {@link ServiceFailure} (429, 402) if there were too many. */
export type Spend = (requests: number) => void;

const DAY_MS = 86_400_000;

/** Create the limits of one service. */
export function createSpend(
  { ratePerSecond, burst, perDay }: Pick<Limits, 'ratePerSecond' | 'burst' | 'perDay'>,
  now: () => number,
): Spend {
  const spendRate = createBucket(ratePerSecond, burst || ratePerSecond, now);
  const spendDay = createDayCount(perDay, now);
  return (requests) => {
    spendRate(requests);
    spendDay(requests);
  };
}

// What costs more than the bucket holds is let through when it is full, and owed: it could
// never be asked otherwise.
function createBucket(perSecond: number, size: number, now: () => number): Spend {
  if (perSecond === 0) return () => undefined;
  let tokens = size;
  let filledAt = now();
  return (requests) => {
    const time = now();
    // A clock can be set back.
    const seconds = Math.max(time - filledAt, 0) / 1000;
    tokens = Math.min(size, tokens + seconds * perSecond);
    filledAt = time;
    const missing = Math.min(requests, size) - tokens;
    if (missing > 0) {
      throw limitFailure(429, 'Too many requests', Math.ceil(missing / perSecond));
    }
    tokens -= requests;
  };
}

function createDayCount(limit: number, now: () => number): Spend {
  if (limit === 0) return () => undefined;
  let day = 0;
  let spent = 0;
  return (requests) => {
    const time = now();
    const today = Math.floor(time / DAY_MS);
    if (today !== day) [day, spent] = [today, 0];
    if (spent + requests > limit) {
      const seconds = Math.ceil(((today + 1) * DAY_MS - time) / 1000);
      throw limitFailure(402, 'The daily quota is used up', seconds);
    }
    spent += requests;
  };
}

function limitFailure(status: number, what: string, seconds: number): ServiceFailure {
  const error = {
    code: codes.limited,
    message: `${what}; try again in ${seconds} s.`,
    data: { rate: { backoff_seconds: seconds } },
  };
  return new ServiceFailure(status, error, { 'Retry-After': String(seconds) });
}
