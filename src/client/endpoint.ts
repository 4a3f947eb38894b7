// A server's address with its credentials, and a label for it that may be shown.
import { bytesToBase64, stringToBytes } from '@metamask/utils';

/** Where to send requests. `url` and `headers` are secret; `label` is what may be shown. */
export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
};

/** Address and credentials of a gas API (spec section 5). */
export type GasEndpointOptions = {
  gasBaseUrl: string;
  /** `basic`: in the Authorization header (default); `path`: the key in the address. */
  gasAuth?: 'basic' | 'path' | undefined;
  apiKey?: string | undefined;
  apiKeySecret?: string | undefined;
};

/** Longest path segment that is shown: keys are longer, words are not. */
const MAX_SHOWN_SEGMENT = 15;

/**
 * Create the endpoint of a gas API.
 *
 * @returns An endpoint whose `url` still lacks `networks/{chainId}/…`, see {@link appendPath}.
 */
export function createGasEndpoint(options: GasEndpointOptions): Endpoint {
  const { gasAuth = 'basic', apiKey, apiKeySecret = '' } = options;
  const url = options.gasBaseUrl;
  const label = toLabel(url);
  if (apiKey === undefined) return { url, headers: {}, label };
  if (gasAuth === 'path') {
    return { url: appendPath(url, 'v3', apiKey), headers: {}, label };
  }
  const credentials = bytesToBase64(stringToBytes(`${apiKey}:${apiKeySecret}`));
  return { url, headers: { Authorization: `Basic ${credentials}` }, label };
}

/** Create the endpoint of a node: `{rpcUrl}/v3/{apiKey}`, or `rpcUrl` as it is. */
export function createRpcEndpoint(rpcUrl: string, apiKey?: string): Endpoint {
  if (apiKey === undefined) return { url: rpcUrl, headers: {}, label: toLabel(rpcUrl) };
  return { url: appendPath(rpcUrl, 'v3', apiKey), headers: {}, label: toLabel(rpcUrl) };
}

/** Create the endpoint of a bundler, whose key is the last segment of its path. */
export function createBundlerEndpoint(bundlerUrl: string, apiKey?: string): Endpoint {
  const label = toLabel(bundlerUrl);
  if (apiKey === undefined) return { url: bundlerUrl, headers: {}, label };
  return { url: appendPath(bundlerUrl, apiKey), headers: {}, label };
}

/**
 * Write a URL so that it may be shown: people paste addresses with the key inside, so
 * userinfo, query, fragment and long path segments are left out.
 */
export function toLabel(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const path = pathname
    .split('/')
    .map((segment) => (segment.length > MAX_SHOWN_SEGMENT ? '[redacted]' : segment))
    .join('/');
  return `${protocol}//${host}${path === '/' ? '' : path}${search ? '?[redacted]' : ''}`;
}

/** Append segments to the path of an address; a query that it has stays behind them. */
export function appendPath(address: string, ...segments: readonly string[]): string {
  const url = new URL(address);
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}/${path}`;
  return url.href;
}
