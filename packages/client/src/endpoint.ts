// A server's address, credentials and label, and the redaction of its secrets: servers quote
// requests in their errors, and platforms quote addresses.
import { define, optional, type } from '@metamask/superstruct';
import type { Struct } from '@metamask/superstruct';
import { bytesToBase64, isObject, stringToBytes } from '@metamask/utils';

import { findUrl } from '../../../src/eth/host';
import { parse } from '../../../src/schema/parse';
import { oneOf } from '../../../src/schema/structs';

/** Where to send requests. `url` and `headers` are secret; `label` may be shown. */
export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** Removes the endpoint's secrets from text. */
  readonly redact: (text: string) => string;
};

/** Address and credentials of a gas API (docs/reference/service.md#gas-api). */
export type GasEndpointOptions = {
  gasBaseUrl: string;
  /** `basic`: key in the Authorization header (default); `path`: key in the address. */
  gasAuth?: 'basic' | 'path' | undefined;
  apiKey?: string | undefined;
  apiKeySecret?: string | undefined;
};

type Basic = { name: string; secret: string };

const REDACTED = '[redacted]';

/** Longest path or host segment to show: keys are usually longer, and words shorter. */
const MAX_SHOWN_SEGMENT = 15;

/** Shortest redacted secret: shorter strings may occur in any message by chance. */
const MIN_SECRET = 4;

/** Shortest redacted prefix of a longer secret. */
const MIN_PREFIX = 8;

const MAX_CAUSES = 5;

// Only fetch can send credentials, in a header.
const UrlStruct = define<string>(
  'an absolute URL with https or http, or with wss or ws and no credentials',
  (value) => /^(?:https?:|wss?:\/\/(?![^/]*@))/u.test(findUrl(value)?.href ?? ''),
);

const textOf = (name: string, form: RegExp): Struct<string, null> =>
  define<string>(name, (value) => typeof value === 'string' && form.test(value));

// Dots alone would navigate within the path; lone surrogates cannot be encoded.
const KeyStruct = optional(
  textOf('a key of 1 to 256 characters', /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,256}$/u),
);

const GasEndpointStruct = type({
  gasBaseUrl: UrlStruct,
  gasAuth: optional(oneOf(['basic', 'path'])),
  apiKey: KeyStruct,
  apiKeySecret: optional(
    textOf('a string of at most 256 characters', /^[^\p{Cc}\p{Cs}]{0,256}$/u),
  ),
});

/** Creates the endpoint of a gas API; its `url` does not include `networks/{chainId}/…` yet.
 * @throws {InvalidParamsError} If the address or the credentials are invalid. */
export function createGasEndpoint(options: GasEndpointOptions): Endpoint {
  const given = parse(options, GasEndpointStruct, 'options');
  const { gasBaseUrl, gasAuth = 'basic', apiKey, apiKeySecret = '' } = given;
  if (apiKey === undefined) return createEndpoint(gasBaseUrl);
  return gasAuth === 'path'
    ? createEndpoint(gasBaseUrl, { path: ['v3', apiKey] })
    : createEndpoint(gasBaseUrl, { basic: { name: apiKey, secret: apiKeySecret } });
}

/** Creates the endpoint of a node: `{rpcUrl}/v3/{apiKey}`, or `rpcUrl` without a key.
 * @throws {InvalidParamsError} If the address or the key is invalid. */
export function createRpcEndpoint(rpcUrl: string, apiKey?: string): Endpoint {
  const base = parse(rpcUrl, UrlStruct, 'rpcUrl');
  const key = parse(apiKey, KeyStruct, 'apiKey');
  return createEndpoint(base, { path: key === undefined ? [] : ['v3', key] });
}

/** Creates the endpoint of a bundler. The key becomes the last segment of the path.
 * @throws {InvalidParamsError} If the address or the key is invalid. */
export function createBundlerEndpoint(bundlerUrl: string, apiKey?: string): Endpoint {
  const base = parse(bundlerUrl, UrlStruct, 'bundlerUrl');
  const key = parse(apiKey, KeyStruct, 'apiKey');
  return createEndpoint(base, { path: key === undefined ? [] : [key] });
}

/** Creates the endpoint of an ERC-7677 paymaster service. Nothing is added to its address.
 * @throws {InvalidParamsError} If the address is invalid. */
export function createPaymasterEndpoint(paymasterUrl: string): Endpoint {
  return createEndpoint(parse(paymasterUrl, UrlStruct, 'paymasterUrl'));
}

/** Hides an endpoint's host and path from callers that may use it without knowing its location. */
export function hideHost(endpoint: Endpoint, label: string): Endpoint {
  const { host, hostname, pathname } = new URL(endpoint.url);
  // One-word host names, as in local networks, may occur in any message by chance.
  const names = [host, hostname].filter((name) => /[.:]/u.test(name));
  const segments = pathname
    .split('/')
    .filter(({ length }) => length >= MIN_SECRET)
    .flatMap((segment) => [segment, decode(segment)]);
  // Any segment can be a key. Short ones occur in data by chance, so only whole words are removed.
  const words = segments
    .flatMap(toForms)
    .map((word) => `(?<=^|[\\W_]|%[\\da-f]{2})${escape(word)}(?![^\\W_])`);
  // Long segments with a digit are not words, so they are removed everywhere.
  const redactKeys = createRedact(
    segments.filter((each) => each.length >= MIN_PREFIX && /\d/u.test(each)),
  );
  const pattern = new RegExp(
    [...names.map(escape), ...words].join('|') || '(?!)',
    'giu',
  );
  const redact = (text: string): string =>
    redactKeys(endpoint.redact(text)).replace(pattern, REDACTED);
  return { ...endpoint, label, redact };
}

/** Appends segments to an address's path and keeps its query. */
export function appendPath(address: string, ...segments: readonly string[]): string {
  const url = new URL(address);
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}/${path}`;
  return url.href;
}

/** Formats a URL for display. People paste addresses with the key inside, so this omits userinfo
 * and fragment, and redacts query, long path segments, the segment after `v3`, and keys in the
 * host. Throws `InvalidParamsError` if the text is not an absolute HTTP or WebSocket URL. */
export function toLabel(url: string): string {
  const address = parse(url, UrlStruct, 'url');
  const { protocol, host, pathname, search } = new URL(address);
  const path = pathname === '/' ? '' : hideParts(pathname, '/', isSecret);
  const query = search === '' ? '' : `?${REDACTED}`;
  return `${protocol}//${hideParts(host, '.', isHostSecret)}${path}${query}`;
}

function hideParts(text: string, mark: string, isHidden: typeof isSecret): string {
  const parts = text.split(mark);
  return parts.map((...part) => (isHidden(...part) ? REDACTED : part[0])).join(mark);
}

function findSecrets(base: string): string[] {
  const { hostname, pathname, search, hash, username, password } = new URL(base);
  const segments = pathname.split('/').filter(isSecret);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const hostParts = hostname.split('.').filter(isHostSecret);
  const raw = [...hostParts, ...segments, ...values, hash.slice(1), username, password];
  return [...raw, ...raw.map(decode)];
}

function isSecret(segment: string, index: number, all: readonly string[]): boolean {
  const isKey = all[index - 1] === 'v3' && segment !== '';
  return isKey || segment.length > MAX_SHOWN_SEGMENT;
}

// Some services put the key in a subdomain. Parts without a digit are words, `xn--` parts are
// internationalized names, and the last two parts are the registered domain.
function isHostSecret(part: string, index: number, all: readonly string[]): boolean {
  const isLong = part.length > MAX_SHOWN_SEGMENT && index < all.length - 2;
  return isLong && /^(?!xn--).*\d/u.test(part);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Copies an error without the secrets in message, code and causes; undefined for non-errors. */
export function redactError(
  thrown: unknown,
  redact: Endpoint['redact'],
  depth = MAX_CAUSES,
): Error | undefined {
  if (!isObject(thrown) || depth === 0) return undefined;
  const { message, code } = thrown;
  if (typeof message !== 'string') return undefined;
  const cause = redactError(thrown.cause, redact, depth - 1);
  const copy = new Error(redact(message), cause && { cause });
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
}

function createEndpoint(
  base: string,
  { path = [], basic }: { path?: readonly string[]; basic?: Basic } = {},
): Endpoint {
  // fetch does not accept userinfo in a URL, and its error quotes it.
  const bare = new URL(base);
  const { username, password } = bare;
  const userinfo = { name: decode(username), secret: decode(password) };
  const hasUserinfo = username !== '' || password !== '';
  bare.username = '';
  bare.password = '';
  const address = hasUserinfo ? bare.href : base;
  const { name, secret } = basic ?? userinfo;
  const pair = `${name}:${secret}`;
  const token = bytesToBase64(stringToBytes(pair));
  const secrets = [pair, name, secret, ...path, ...findSecrets(base)];
  return {
    url: path.length === 0 ? address : appendPath(address, ...path),
    headers: basic || hasUserinfo ? { Authorization: `Basic ${token}` } : {},
    label: toLabel(base),
    redact: createRedact(secrets),
  };
}

// Removes secrets from text, ignoring case: plain, in Base64, encoded for URLs, JSON or HTML, and
// truncated at the end, because some servers quote only the beginning of an unknown key.
function createRedact(secrets: readonly string[]): Endpoint['redact'] {
  let passes: RegExp[] | undefined;
  return (text) => {
    // Compiled lazily: most endpoints never redact.
    passes ??= toPasses(secrets.filter(({ length }) => length >= MIN_SECRET));
    return passes.reduce((rest, pass) => rest.replace(pass, REDACTED), text);
  };
}

// Removes the longest secrets first and prefixes last, so that no part of a longer secret remains.
function toPasses(secrets: readonly string[]): RegExp[] {
  const encoded = secrets.flatMap(toBase64Forms);
  const all = [...new Set([...secrets, ...encoded].flatMap(toForms))].sort(
    (one, other) => other.length - one.length,
  );
  return [all.map(escape), all.flatMap(toPrefixPattern)]
    .filter(({ length }) => length > 0)
    .map((patterns) => new RegExp(patterns.join('|'), 'giu'));
}

// With padding, without padding, and URL-safe (RFC 4648, section 5).
function toBase64Forms(secret: string): string[] {
  const whole = bytesToBase64(stringToBytes(secret));
  const bare = whole.replace(/=+$/u, '');
  return [whole, bare, bare.replaceAll('+', '-').replaceAll('/', '_')];
}

// Lists the encodings that servers and platforms use to quote a secret.
function toForms(secret: string): string[] {
  const component = encodeURIComponent(secret);
  const strict = component.replace(/[!'()*]/gu, (sign) => `%${toHex(sign, 2)}`);
  const json = toJsonForm(secret);
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${toHex(unit, 4)}`);
  const html = secret.replace(/[&<>"']/gu, (sign) => String(HTML_ENTITIES[sign]));
  const forms = [secret, component, strict, strict.replaceAll('%20', '+'), json, ascii];
  return [...forms, ascii.replaceAll('/', '\\/'), toJsonForm(json), html];
}

function toJsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const HTML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toHex(unit: string, digits: number): string {
  return unit.charCodeAt(0).toString(16).padStart(digits, '0');
}

// Matches a truncated secret and any characters attached to it. Words share prefixes, so secrets
// without a digit only match as a whole.
function toPrefixPattern(secret: string): string[] {
  const least = Math.max(secret.search(/\d/u) + 1, MIN_PREFIX);
  if (!/\d/u.test(secret) || secret.length <= least) return [];
  return [`${escape(secret.slice(0, least))}[\\w%.~+=-]*`];
}

function escape(text: string): string {
  return text.replace(/[$(-+./?[-^{|}]/gu, '\\$&');
}
