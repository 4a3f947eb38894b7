// A server's address with its credentials, and what of it may be shown.
import { optional, type } from '@metamask/superstruct';
import { bytesToBase64, stringToBytes } from '@metamask/utils';

import { parse } from '../parse';
import { named, oneOf } from '../structs';
import { decode, findSecrets, toLabel } from './label';
import { createRedact } from './redact';
import type { Redact } from './redact';
import { UrlStruct } from './url';

/** Where to send requests. `url` and `headers` are secret; `label` is what may be shown. */
export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** Take the endpoint's secrets out of a text: servers quote what they were sent. */
  readonly redact: Redact;
};

/** Address and credentials of a gas API (spec section 5). */
export type GasEndpointOptions = {
  gasBaseUrl: string;
  /** `basic`: in the Authorization header (default); `path`: the key in the address. */
  gasAuth?: 'basic' | 'path' | undefined;
  apiKey?: string | undefined;
  apiKeySecret?: string | undefined;
};

// As a segment of a path, dots alone would lead elsewhere; half a character has no form.
const KeyStruct = named<string>(
  'a key of 1 to 256 characters',
  (value) =>
    typeof value === 'string' && /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,256}$/u.test(value),
);

const SecretStruct = named<string>(
  'a string of at most 256 characters',
  (value) => typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{0,256}$/u.test(value),
);

const OptionalKeyStruct = optional(KeyStruct);

const GasEndpointStruct = type({
  gasBaseUrl: UrlStruct,
  gasAuth: optional(oneOf(['basic', 'path'])),
  apiKey: OptionalKeyStruct,
  apiKeySecret: optional(SecretStruct),
});

/**
 * Create the endpoint of a gas API.
 *
 * @returns An endpoint whose `url` still lacks `networks/{chainId}/…`, see
 * {@link appendPath}.
 * @throws {InvalidParamsError} If the address or the credentials cannot be used.
 */
export function createGasEndpoint(options: GasEndpointOptions): Endpoint {
  const given = parse(options, GasEndpointStruct, 'options');
  const { gasBaseUrl, gasAuth = 'basic', apiKey, apiKeySecret = '' } = given;
  if (apiKey === undefined) return createEndpoint(gasBaseUrl);
  return gasAuth === 'path'
    ? createEndpoint(gasBaseUrl, { path: ['v3', apiKey] })
    : createEndpoint(gasBaseUrl, { basic: { name: apiKey, secret: apiKeySecret } });
}

/**
 * Create the endpoint of a node: `{rpcUrl}/v3/{apiKey}`, or `rpcUrl` as it is.
 *
 * @throws {InvalidParamsError} If the address or the key cannot be used.
 */
export function createRpcEndpoint(rpcUrl: string, apiKey?: string): Endpoint {
  const base = parse(rpcUrl, UrlStruct, 'rpcUrl');
  const key = parse(apiKey, OptionalKeyStruct, 'apiKey');
  return createEndpoint(base, { path: key === undefined ? [] : ['v3', key] });
}

/**
 * Create the endpoint of a bundler, whose key is the last segment of its path.
 *
 * @throws {InvalidParamsError} If the address or the key cannot be used.
 */
export function createBundlerEndpoint(bundlerUrl: string, apiKey?: string): Endpoint {
  const base = parse(bundlerUrl, UrlStruct, 'bundlerUrl');
  const key = parse(apiKey, OptionalKeyStruct, 'apiKey');
  return createEndpoint(base, { path: key === undefined ? [] : [key] });
}

/**
 * Create the endpoint of a paymaster's service: the address as it is, key and all.
 *
 * @throws {InvalidParamsError} If the address cannot be used.
 */
export function createPaymasterEndpoint(paymasterUrl: string): Endpoint {
  return createEndpoint(parse(paymasterUrl, UrlStruct, 'paymasterUrl'));
}

/** Append segments to the path of an address; a query that it has stays behind them. */
export function appendPath(address: string, ...segments: readonly string[]): string {
  const url = new URL(address);
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}/${path}`;
  return url.href;
}

/** What is sent in an Authorization header (RFC 7617). */
type Basic = { name: string; secret: string };

type Parts = { path?: readonly string[]; basic?: Basic };

function createEndpoint(base: string, { path = [], basic }: Parts = {}): Endpoint {
  const { address, userinfo } = splitUserinfo(base);
  const { headers, secrets } = toHeaders(basic ?? userinfo);
  return {
    url: path.length === 0 ? address : appendPath(address, ...path),
    headers,
    label: toLabel(base),
    redact: createRedact([...secrets, ...path, ...findSecrets(base)]),
  };
}

function toHeaders(basic: Basic | undefined): {
  headers: Record<string, string>;
  secrets: string[];
} {
  if (!basic) return { headers: {}, secrets: [] };
  const { name, secret } = basic;
  const encoded = bytesToBase64(stringToBytes(`${name}:${secret}`));
  return {
    headers: { Authorization: `Basic ${encoded}` },
    secrets: [encoded, ...toBase64Forms(encoded), name, secret],
  };
}

// Without padding, and as it stands in addresses (RFC 4648, section 5).
function toBase64Forms(encoded: string): string[] {
  const bare = encoded.replace(/=+$/u, '');
  return [bare, bare.replaceAll('+', '-').replaceAll('/', '_')];
}

// Neither fetch nor a page's WebSocket takes an address with userinfo; fetch quotes it.
function splitUserinfo(base: string): { address: string; userinfo?: Basic } {
  const url = new URL(base);
  const { username, password } = url;
  if (username === '' && password === '') return { address: base };
  url.username = '';
  url.password = '';
  const userinfo = { name: decode(username), secret: decode(password) };
  return { address: url.href, userinfo };
}
