// A server's address with its credentials, and what of it may be shown.
import { bytesToBase64, stringToBytes } from '@metamask/utils';

/** Where to send requests. `url` and `headers` are secret; `label` is what may be shown. */
export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** Take the endpoint's secrets out of a text: servers quote what they were sent. */
  readonly redact: (text: string) => string;
};

/** Address and credentials of a gas API (spec section 5). */
export type GasEndpointOptions = {
  gasBaseUrl: string;
  /** `basic`: in the Authorization header (default); `path`: the key in the address. */
  gasAuth?: 'basic' | 'path' | undefined;
  apiKey?: string | undefined;
  apiKeySecret?: string | undefined;
};

const REDACTED = '[redacted]';

/** Longest path segment that is shown: keys are longer, words are not. */
const MAX_SHOWN_SEGMENT = 15;

/** Shorter texts stand in any message by chance, and are nobody's secret. */
const MIN_SECRET = 4;

/**
 * Create the endpoint of a gas API.
 *
 * @returns An endpoint whose `url` still lacks `networks/{chainId}/…`, see
 * {@link appendPath}.
 */
export function createGasEndpoint(options: GasEndpointOptions): Endpoint {
  const { gasBaseUrl, gasAuth = 'basic', apiKey, apiKeySecret = '' } = options;
  if (apiKey === undefined) return createEndpoint(gasBaseUrl);
  if (gasAuth === 'path') {
    return createEndpoint(gasBaseUrl, { path: ['v3', apiKey], secrets: [apiKey] });
  }
  const credentials = bytesToBase64(stringToBytes(`${apiKey}:${apiKeySecret}`));
  return createEndpoint(gasBaseUrl, {
    headers: { Authorization: `Basic ${credentials}` },
    secrets: [credentials, apiKey, apiKeySecret],
  });
}

/** Create the endpoint of a node: `{rpcUrl}/v3/{apiKey}`, or `rpcUrl` as it is. */
export function createRpcEndpoint(rpcUrl: string, apiKey?: string): Endpoint {
  if (apiKey === undefined) return createEndpoint(rpcUrl);
  return createEndpoint(rpcUrl, { path: ['v3', apiKey], secrets: [apiKey] });
}

/** Create the endpoint of a bundler, whose key is the last segment of its path. */
export function createBundlerEndpoint(bundlerUrl: string, apiKey?: string): Endpoint {
  if (apiKey === undefined) return createEndpoint(bundlerUrl);
  return createEndpoint(bundlerUrl, { path: [apiKey], secrets: [apiKey] });
}

/**
 * Write a URL so that it may be shown: people paste addresses with the key inside, so
 * userinfo, query, fragment, long path segments and what follows `v3` are left out.
 */
export function toLabel(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const path = pathname
    .split('/')
    .map((segment, index, all) =>
      isSecret(segment, all[index - 1]) ? REDACTED : segment,
    )
    .join('/');
  const query = search === '' ? '' : `?${REDACTED}`;
  return `${protocol}//${host}${path === '/' ? '' : path}${query}`;
}

/** Append segments to the path of an address; a query that it has stays behind them. */
export function appendPath(address: string, ...segments: readonly string[]): string {
  const url = new URL(address);
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}/${path}`;
  return url.href;
}

type Parts = { path?: string[]; headers?: Record<string, string>; secrets?: string[] };

function createEndpoint(base: string, parts: Parts = {}): Endpoint {
  const { path = [], headers = {}, secrets = [] } = parts;
  return {
    url: path.length === 0 ? base : appendPath(base, ...path),
    headers,
    label: toLabel(base),
    redact: createRedact([...secrets, ...findSecrets(base)]),
  };
}

function createRedact(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter(({ length }) => length >= MIN_SECRET);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
}

function findSecrets(url: string): string[] {
  const { pathname, searchParams } = new URL(url);
  const segments = pathname
    .split('/')
    .filter((segment, index, all) => isSecret(segment, all[index - 1]));
  return [...segments, ...segments.map(decode), ...searchParams.values()];
}

function isSecret(segment: string, before: string | undefined): boolean {
  return segment.length > MAX_SHOWN_SEGMENT || (before === 'v3' && segment !== '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
