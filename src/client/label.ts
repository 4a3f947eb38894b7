// What may be shown of a server's address: people paste addresses with the key inside.
import { parse } from '../parse';
import { REDACTED } from './redact';
import { UrlStruct } from './url';

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
