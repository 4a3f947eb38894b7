// Who asks, looked at closely: an origin is the one thing about a site that it cannot choose
// freely, so it is made to be misread.
import { imitatesAscii, toSkeleton } from './confusables';
import { decodeLabel } from './punycode';

/** What is remarkable about an origin. */
export type OriginAlert =
  /** Letters of several scripts in one name, or foreign ones that look like ASCII. */
  | { kind: 'originLetters'; shown: string }
  /** The name of a well-known site, misspelt or in front of another. */
  | { kind: 'originBrand'; brand: string; host: string }
  /** The name of some site in front of another. */
  | { kind: 'originSubdomain'; host: string }
  /** More than a host in it, or no host at all. */
  | { kind: 'originForm' }
  /** Not encrypted. */
  | { kind: 'originHttp' }
  | { kind: 'originAddress' }
  | { kind: 'originLong'; length: number };

/** Longer hosts do not stand on a line. */
const MAX_HOST = 64;

/** Sites that are imitated most, by the name that people know. */
const brands: Readonly<Record<string, readonly string[]>> = {
  metamask: ['metamask.io', 'metamask.github.io'],
  uniswap: ['uniswap.org', 'uniswap.eth.limo', 'uniswapfoundation.org'],
  opensea: ['opensea.io'],
  pancakeswap: ['pancakeswap.finance', 'pancakeswap.com'],
  etherscan: ['etherscan.io', 'etherscan.com'],
  coinbase: ['coinbase.com'],
  binance: ['binance.com', 'binance.org', 'binance.us'],
  walletconnect: ['walletconnect.com', 'walletconnect.org', 'walletconnect.network'],
  sushiswap: ['sushi.com', 'sushiswap.fi'],
  safeglobal: ['safe.global'],
  trezor: ['trezor.io'],
  '1inch': ['1inch.io', '1inch.com'],
};

/** Shorter names stand in other words, or are a slip away from one. */
const MIN_LONG = 7;

/** Endings of names, which stand at the end of a host and nowhere else. */
const ENDING = /^(?:com|org|net|io|eth|finance|exchange|fi)(?:-|$)/u;

/** MetaMask itself, our own page, snaps, extensions. */
const NO_SITE = /^(?:metamask$|Tollkeeper$|npm:|local:|(?:chrome|moz)-extension:\/\/)/u;

const LETTER = /\p{L}/u;

/** Scripts that are written together (UTS #39, highly restrictive). */
const scripts: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^(?:[\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*|[\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]*)$/u,
];

/** Find the host of a URL, with its port; `undefined` if there is none. */
export function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host || undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a URL's host name is this machine's own, whoever answers for names. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/u.test(hostname);
}

/** Write an origin with the letters that its Punycode stands for; itself if it has none. */
export function toUnicodeOrigin(origin: string): string {
  return origin.replace(/xn--[a-z0-9-]+/giu, (label) => decodeLabel(label) ?? label);
}

/**
 * Find what is remarkable about an origin, the worst first.
 *
 * @param origin - As the platform gives it. What is no URL, such as `metamask`, is no site's.
 */
export function findOriginAlerts(origin: string): OriginAlert[] {
  if (NO_SITE.test(origin)) return [];
  const url = findUrl(origin);
  if (!url || url.origin !== origin) return [{ kind: 'originForm' }];
  const { hostname, protocol } = url;
  if (isLoopback(hostname) || hostname.endsWith('.localhost')) return [];
  const isAddress = /^(?:\[.*\]|\d+(?:\.\d+){3})$/u.test(hostname);
  return [
    ...(isAddress ? [{ kind: 'originAddress' } as const] : findNameAlerts(hostname)),
    ...(protocol === 'http:' ? [{ kind: 'originHttp' } as const] : []),
    ...(hostname.length > MAX_HOST
      ? [{ kind: 'originLong', length: hostname.length } as const]
      : []),
  ];
}

function findNameAlerts(host: string): OriginAlert[] {
  const labels = host.replace(/\.$/u, '').split('.');
  const shown = labels.map((label) => decodeLabel(label) ?? label);
  if (shown.some(isMisread)) return [{ kind: 'originLetters', shown: shown.join('.') }];
  const brand = findImitated(host, shown);
  if (brand !== undefined) return [{ kind: 'originBrand', brand, host }];
  const inFront = labels.slice(1, -2).some((label) => ENDING.test(label));
  return inFront || labels.slice(1, -1).some((label) => /^(?:com|org|io)-/u.test(label))
    ? [{ kind: 'originSubdomain', host }]
    : [];
}

function isMisread(label: string): boolean {
  const letters = [...label].filter((letter) => LETTER.test(letter)).join('');
  return !scripts.some((script) => script.test(letters)) || imitatesAscii(label);
}

function findImitated(host: string, labels: readonly string[]): string | undefined {
  return Object.keys(brands).find((brand) => {
    const isOwn = brands[brand]?.some(
      (own) => host === own || host.endsWith(`.${own}`),
    );
    const words = labels
      .slice(0, -1)
      .flatMap((label) => [...label.split('-'), label.replaceAll('-', '')]);
    return !isOwn && words.some((word) => isTakenFor(word, brand));
  });
}

function isTakenFor(word: string, brand: string): boolean {
  const [read, meant] = [toSkeleton(word), toSkeleton(brand)];
  if (meant.length < MIN_LONG) return read === meant;
  return read.includes(meant) || isSlip(read, meant);
}

// A letter too many is found with those that have the name in them, unless it is within; a
// letter in place of another is often another word: finance, binance.
function isSlip(read: string, meant: string): boolean {
  const [short, long] = read.length < meant.length ? [read, meant] : [meant, read];
  const places = [...long].map((_letter, index) => index);
  if (long.length === short.length + 1) {
    return places.some((at) => long.slice(0, at) + long.slice(at + 1) === short);
  }
  if (long.length !== short.length) return false;
  return places.some((at) => swapAt(read, at) === meant);
}

function swapAt(word: string, at: number): string {
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
}

function findUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
