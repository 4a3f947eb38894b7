// A server's address with its credentials, and what of it may be shown.
import { optional, type } from '@metamask/superstruct';
import { bytesToBase64, stringToBytes } from '@metamask/utils';

import { parse } from '../schema/parse';
import { named, oneOf } from '../schema/structs';
import { createRedact, REDACTED } from './redact';
import type { Redact } from './redact';

// The address of a server as callers give it.

/** An absolute URL of a scheme that a transport has. */
export const UrlStruct = named<string>(
  'an absolute URL with https, http, wss or ws',
  (value) => typeof value === 'string' && isUrl(value),
);

function isUrl(value: string): boolean {
  try {
    return /^(?:https?|wss?):$/u.test(new URL(value).protocol);
  } catch {
    return false;
  }
}

// What may be shown of a server's address: people paste addresses with the key inside.

/** Longest segment of a path or host that is shown: keys are longer, words are not. */
const MAX_SHOWN_SEGMENT = 15;

/**
 * Write a URL so that it may be shown: people paste addresses with the key inside, so
 * userinfo, query, fragment, long path segments, what follows `v3` and keys that are a part of
 * the host are left out.
 *
 * @throws {InvalidParamsError} If it is no absolute URL.
 */
export function toLabel(url: string): string {
  const address = parse(url, UrlStruct, 'url');
  const { protocol, host, pathname, search } = new URL(address);
  const path = pathname
    .split('/')
    .map((segment, index, all) =>
      isSecret(segment, all[index - 1]) ? REDACTED : segment,
    )
    .join('/');
  const query = search === '' ? '' : `?${REDACTED}`;
  const shownHost = host
    .split('.')
    .map((part, index, all) => (isHostSecret(part, index, all) ? REDACTED : part))
    .join('.');
  return `${protocol}//${shownHost}${path === '/' ? '' : path}${query}`;
}

/** Find what may not be shown of an address, as it stands there and decoded. */
export function findSecrets(base: string): string[] {
  const { hostname, pathname, search, hash, username, password } = new URL(base);
  const segments = pathname
    .split('/')
    .filter((segment, index, all) => isSecret(segment, all[index - 1]));
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const hostParts = hostname.split('.').filter(isHostSecret);
  const raw = [...hostParts, ...segments, ...values, hash.slice(1), username, password];
  return [...raw, ...raw.map(decode)];
}

function isSecret(segment: string, before: string | undefined): boolean {
  return segment.length > MAX_SHOWN_SEGMENT || (before === 'v3' && segment !== '');
}

// Some services have the key before their name. What has no digit is a word, what begins with
// xn-- a name in other letters, and the last two parts say whose the host is.
function isHostSecret(part: string, index: number, all: readonly string[]): boolean {
  const isLong = part.length > MAX_SHOWN_SEGMENT && index < all.length - 2;
  return isLong && /^(?!xn--).*\d/u.test(part);
}

/** Decode a part of an address; what cannot be decoded stays as it is. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

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
