// Checks a requesting origin for deception. A site cannot choose its origin freely, so attackers
// register names that are easily misread. Decodes Punycode labels, and finds letters that look like
// ASCII letters.
import punycode from 'punycode/punycode.js';

import { findUrl, isLoopback } from '../eth/host';
import { danger, listFound, warning } from './warnings';
import type { Warning } from './warnings';

/** Maximum length of a host that fits on a line. */
const MAX_HOST = 64;

/** Labels that look like the end of a host: common endings, alone or before a hyphen. */
const TOP_LEVEL_DOMAIN = /^(?:com|org|net|io|eth|finance|exchange|fi)(?:-|$)/u;

/** Origins that are not sites: MetaMask itself, our own page, snaps, extensions. */
const NOT_A_SITE =
  /^(?:metamask$|Tollkeeper$|npm:|local:|(?:chrome|moz)-extension:\/\/)/u;

/** Other scripts that UAX #31 recommends for identifiers. */
const OTHER_SCRIPTS =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew ' +
  'Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';

/** Scripts that may occur in one label: those that UTS #39 allows to be mixed (highly restrictive),
 * and any other recommended one alone. */
const scripts: readonly RegExp[] = [
  'Latin Han Hiragana Katakana',
  'Latin Han Hangul',
  'Latin Han Bopomofo',
  ...OTHER_SCRIPTS.split(' '),
].map((names) => {
  const all = ['Common', 'Inherited', ...names.split(' ')];
  return new RegExp(`^[${all.map((name) => `\\p{Script=${name}}`).join('')}]*$`, 'u');
});

/** ASCII letters, each followed by letters that resemble it in hosts: a selection from Unicode's
 * list of confusables (UTS #39). */
const lookAlikes = `
  aаɑαａ bЬьƅ cсϲⅽ dԁⅾ eеҽ℮ fſϝ gɡցǥ
  hһհ iіıɩιӏɪ jјϳ kκкҡ lӏⅼ|ǀ mмⅿ nпոη
  oоοσօ०௦ഠ pрρ qԛգ rгᴦ sѕꜱ tтτ uυսцᴜ
  vνѵⅴ wԝшѡω xхχⅹ yуγү zᴢ
`;

const byLetter: ReadonlyMap<string, string> = new Map(
  lookAlikes
    .trim()
    .split(/\s+/u)
    .flatMap(([plain = '', ...others]) =>
      others.map((other) => [other, plain] as const),
    ),
);

/** Letters that only roughly resemble ASCII letters, from Chromium's policy for IDNs: Armenian,
 * Ethiopic, Georgian, Hebrew, Indic scripts, Myanmar, Thai. */
const ROUGH =
  'ագզէլյւ' +
  'ሀሠሰስበነተከዐዕዘጠፐꬅ' +
  'იოყძხჽჿ' +
  'דוחיןסװײ' +
  '০৭ऽॱડટ૦૧੦੧ಽ೦೧ടധനറ൦ଠ୦୮டப౦౧' +
  'ခဂငထပဝ၀၂' +
  'บพเแ๐';

/** Labels made only of such letters and ASCII, and top-level domains where such words are common. */
const ROUGHLY_ASCII = new RegExp(
  `^[!-~${[...byLetter.keys(), ROUGH].join('')}]+$`,
  'u',
);
const NATIVE_ENDING = /[^!-~]|^(?:am|er|et|ge|il|mm|th)$/u;

/** Decodes an origin's Punycode; returns it unchanged if it has none. */
export function toUnicodeOrigin(origin: string): string {
  return origin.replace(/xn--[a-z0-9-]+/giu, (label) => decodeLabel(label) ?? label);
}

/** Finds warnings about an origin that the platform reports. Finds none for `metamask` and other
 * origins that are not sites. */
export function findOriginWarnings(origin: string): Warning[] {
  if (NOT_A_SITE.test(origin)) return [];
  const url = findUrl(origin);
  // The origin contains more than a scheme, host and port, or is not a web origin.
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
  if (shown.some(isDeceptive)) {
    return [danger('origin.letters', { shown: shown.join('.') })];
  }
  const isRoughlyAscii =
    !NATIVE_ENDING.test(shown.at(-1) ?? '') &&
    shown.some((label) => /[^!-~]/u.test(label) && ROUGHLY_ASCII.test(label));
  const hasEndingInside =
    labels.slice(1, -2).some((label) => TOP_LEVEL_DOMAIN.test(label)) ||
    labels.slice(1, -1).some((label) => /^(?:com|org|io)-/u.test(label));
  return listFound(
    isRoughlyAscii && warning('origin.letters', { shown: shown.join('.') }),
    hasEndingInside && warning('origin.subdomain', { host }),
  );
}

function isDeceptive(label: string): boolean {
  const letters = [...label].filter((letter) => /\p{L}/u.test(letter)).join('');
  return !scripts.some((script) => script.test(letters)) || imitatesAscii(label);
}

// Returns whether text passes for ASCII although it has non-ASCII letters. Accented letters do not
// count.
function imitatesAscii(text: string): boolean {
  const look = [...text.normalize('NFKD').replace(/\p{M}/gu, '')].map(
    (letter) => byLetter.get(letter) ?? letter,
  );
  const isForeign = [...text].some(
    (letter) => letter > '\u007f' && byLetter.has(letter),
  );
  return isForeign && !/[^\u0020-\u007e]/u.test(look.join(''));
}

/** Decodes a label: `xn--bcher-kva` → `bücher`; `undefined` if it is not Punycode. */
export function decodeLabel(label: string): string | undefined {
  if (!/^xn--[a-z0-9-]+$/iu.test(label)) return undefined;
  try {
    return punycode.decode(label.slice('xn--'.length));
  } catch {
    return undefined;
  }
}
