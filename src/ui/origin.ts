// Who asks, looked at closely: an origin is the one thing about a site that it cannot choose
// freely, so it is made to be misread. Domain labels are read as Punycode (RFC 3492; the
// platform's URL only encodes), and checked for letters that look like those of ASCII.
import { findUrl, isLoopback } from '../eth/host';
import { danger, listFound, warning } from './warnings';
import type { Warning } from './warnings';

/** Longer hosts do not fit on a line. */
const MAX_HOST = 64;

/** Endings of names, which are at the end of a host and nowhere else. */
const ENDING = /^(?:com|org|net|io|eth|finance|exchange|fi)(?:-|$)/u;

/** MetaMask itself, our own page, snaps, extensions. */
const NO_SITE = /^(?:metamask$|Tollkeeper$|npm:|local:|(?:chrome|moz)-extension:\/\/)/u;

/** Scripts that are written together (UTS #39, highly restrictive). */
const scripts: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^(?:[\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*|[\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]*)$/u,
];

// Letters that look alike: a choice of Unicode's list (UTS #39), the letters that resemble those of
// ASCII in hosts.

/** Letters of ASCII, each with the letters of other scripts, and rare Latin ones, that look like it. */
const looks = `
  aаɑαａ bЬьƅ cсϲⅽ dԁⅾ eеҽ℮ fſϝ gɡցǥ
  hһհ iіıɩιӏɪ jјϳ kκкҡ lӏⅼ|ǀ mмⅿ nпոη
  oоοσօ०௦ഠ pрρ qԛգ rгᴦ sѕꜱ tтτ uυսцᴜ
  vνѵⅴ wԝшѡω xхχⅹ yуγү zᴢ
`;

const byLetter: ReadonlyMap<string, string> = new Map(
  looks
    .trim()
    .split(/\s+/u)
    .flatMap(([plain = '', ...others]) =>
      others.map((other) => [other, plain] as const),
    ),
);

// Parameters of Punycode.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;

/** A label of a domain has no more letters. */
const MAX_LENGTH = 63;

/** Writes an origin with the letters of its Punycode; itself if it has none. */
export function toUnicodeOrigin(origin: string): string {
  return origin.replace(/xn--[a-z0-9-]+/giu, (label) => decodeLabel(label) ?? label);
}

/** Finds what a user should know about an origin, as the platform gives it. `metamask` and others that
 * are no URL belong to no site. */
export function findOriginWarnings(origin: string): Warning[] {
  if (NO_SITE.test(origin)) return [];
  const url = findUrl(origin);
  // More than a host in it, or no host at all.
  if (!url || url.origin !== origin) return [danger('origin.form')];
  const { hostname, protocol } = url;
  if (isLoopback(hostname) || hostname.endsWith('.localhost')) return [];
  const isAddress = /^(?:\[.*\]|\d+(?:\.\d+){3})$/u.test(hostname);
  const { length } = hostname;
  return listFound(
    isAddress ? warning('origin.address') : findNameWarnings(hostname),
    protocol === 'http:' && warning('origin.http'),
    length > MAX_HOST && warning('origin.long', { length }),
  );
}

function findNameWarnings(host: string): Warning[] {
  const labels = host.replace(/\.$/u, '').split('.');
  const shown = labels.map((label) => decodeLabel(label) ?? label);
  if (shown.some(isMisread)) {
    return [danger('origin.letters', { shown: shown.join('.') })];
  }
  const inFront = labels.slice(1, -2).some((label) => ENDING.test(label));
  return inFront || labels.slice(1, -1).some((label) => /^(?:com|org|io)-/u.test(label))
    ? [warning('origin.subdomain', { host })]
    : [];
}

function isMisread(label: string): boolean {
  const letters = [...label].filter((letter) => /\p{L}/u.test(letter)).join('');
  return !scripts.some((script) => script.test(letters)) || imitatesAscii(label);
}

// Returns whether other letters than those of ASCII make a text look like one of ASCII. A letter
// with an accent is taken for no other.
function imitatesAscii(text: string): boolean {
  const look = [...text.normalize('NFKD').replace(/\p{M}/gu, '')].map(
    (letter) => byLetter.get(letter) ?? letter,
  );
  const isForeign = [...text].some(
    (letter) => letter > '\u007f' && byLetter.has(letter),
  );
  return isForeign && !/[^\u0020-\u007e]/u.test(look.join(''));
}

/** Decode a label: `xn--bcher-kva` → `bücher`; `undefined` if it is not Punycode. */
export function decodeLabel(label: string): string | undefined {
  const encoded = /^xn--(?<rest>[a-z0-9-]+)$/iu.exec(label)?.groups?.rest;
  if (encoded === undefined || encoded.length > MAX_LENGTH) return undefined;
  const border = encoded.lastIndexOf('-');
  const letters = [...encoded.slice(0, Math.max(0, border))];
  try {
    return insertAll(letters, encoded.slice(border + 1)).join('');
  } catch {
    return undefined;
  }
}

function insertAll(letters: string[], deltas: string): string[] {
  let code = 128;
  let bias = 72;
  let index = 0;
  let next = 0;
  while (next < deltas.length) {
    const start = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = Number.parseInt(deltas.charAt(next), BASE);
      if (Number.isNaN(digit)) throw new RangeError('It ends within a number.');
      next += 1;
      // Digits of Punycode begin with the letters: a = 0, 0 = 26.
      const value = (digit + 26) % BASE;
      index += value * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (value < threshold) break;
      weight *= BASE - threshold;
    }
    const length = letters.length + 1;
    bias = adapt(index - start, length, start === 0);
    code += Math.floor(index / length);
    index %= length;
    letters.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return letters;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) {
    rest = Math.floor(rest / (BASE - T_MIN));
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
