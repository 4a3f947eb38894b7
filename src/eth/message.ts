// personal_sign messages (EIP-191), and sign-ins (EIP-4361), which are parsed by EIP-4361's ABNF
// with few exceptions. viem's parser accepts many more messages that the ABNF forbids.
import { hexToBytes, stringToBytes } from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { MESSAGE_PREFIX as PREFIX } from '../core/message';
import { matches } from '../schema/parse';
import { hasChecksumOf } from './checksum';
import { AddressStruct, NodeAddressStruct } from './hex';
import type { Hex } from './hex';
import { hostOf } from './host';
import { HIDDEN } from './text';

/** Maximum message size in bytes, more than any real message has. */
export const MAX_MESSAGE_BYTES = 1_000_000;

/** Reads the message of a `personal_sign` request: bytes in hex, or UTF-8 text. Throws
 * `InvalidParamsError` if it is hex with an odd number of digits, or too long. */
export function parseMessage(message: string): Uint8Array {
  const isHex = /^0x[0-9a-f]*$/iu.test(message);
  if (isHex && message.length % 2 === 1) {
    throw new InvalidParamsError('The message is hex with an odd number of digits.');
  }
  const bytes = isHex ? hexToBytes(message) : stringToBytes(message);
  if (bytes.length > MAX_MESSAGE_BYTES) {
    throw new InvalidParamsError(
      `The message has ${bytes.length} bytes; at most ${MAX_MESSAGE_BYTES} can be signed.`,
    );
  }
  return bytes;
}

const MAX_DIGITS = 7;

/** Removes EIP-191's prefix from bytes; undefined if it is missing or states a different length. */
export function findUnprefixed(bytes: Uint8Array): Uint8Array | undefined {
  const start = String.fromCharCode(...bytes.slice(0, PREFIX.length + MAX_DIGITS));
  for (let digits = 1; digits <= MAX_DIGITS; digits += 1) {
    const end = PREFIX.length + digits;
    const prefix = `${PREFIX}${bytes.length - end}`;
    if (start.slice(0, end) === prefix) return bytes.slice(end);
  }
  return undefined;
}

type SignIn<Time> = {
  scheme?: string | undefined;
  /** RFC 3986 authority without user information: host, and port if given. */
  domain: string;
  /** With a checksum, or in lower or upper case. */
  address: Hex;
  statement?: string | undefined;
  uri: string;
  version: string;
  chainId: bigint;
  nonce: string;
  issuedAt: Time;
  expirationTime?: Time | undefined;
  notBefore?: Time | undefined;
  requestId?: string | undefined;
  resources: readonly string[];
};

/** A parsed sign-in. Times are in ms since 1970. */
export type SiweMessage = SignIn<number>;

const PHRASE = /wants\s*you\s*to\s*sign\s*in\s*with\s*your\s*ethereum\s*account/iu;

const HIDDEN_CHARACTERS = new RegExp(`(?!\\s)${HIDDEN.source}`, 'gu');

/** Characters that EIP-4361 does not allow in a statement. Variation selectors are part of an
 * emoji. */
const ODD = /(?![\ufe0e\ufe0f])[^A-Za-z\d\-._~:/?#[\]@!$&'()*+,;= ]/gu;

const HEAD =
  /^(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):\/\/)?(?<domain>\S+) wants you to sign in with your Ethereum account:\n(?<address>0x[0-9a-fA-F]{40})\n\n/u;

// Many libraries write only one of the two line feeds around a missing statement.
const STATEMENT = /^(?:(?<statement>[^\n]+)\n\n|\n?)(?=URI: )/u;

// RFC 3986: unreserved characters, sub-delimiters and percent-encoded bytes.
const CHAR = String.raw`(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})`;
const PCHAR = `(?:${CHAR}|[:@])`;
const HOST = String.raw`(?:\[[0-9A-Fa-f:.]+\]|${CHAR}+)(?::[0-9]*)?`;

const AUTHORITY = new RegExp(`^${HOST}$`, 'u');

const URI = new RegExp(
  [
    '^[A-Za-z][A-Za-z0-9+.-]*:',
    `(?://(?:(?:${CHAR}|:)*@)?(?:${HOST})?(?=[/?#]|$)|(?!//))(?:${PCHAR}|/)*`,
    String.raw`(?:\?(?:${PCHAR}|[/?])*)?`,
    `(?:#(?:${PCHAR}|[/?])*)?$`,
  ].join(''),
  'u',
);

const FIELDS = new RegExp(
  [
    String.raw`^URI: (?<uri>[^\s]+)`,
    String.raw`\nVersion: (?<version>1)`,
    String.raw`\nChain ID: (?<chainId>[0-9]{1,20})`,
    String.raw`\nNonce: (?<nonce>[A-Za-z0-9]{8,})`,
    String.raw`\nIssued At: (?<issuedAt>[^\n]+)`,
    String.raw`(?:\nExpiration Time: (?<expirationTime>[^\n]+))?`,
    String.raw`(?:\nNot Before: (?<notBefore>[^\n]+))?`,
    String.raw`(?:\nRequest ID: (?<requestId>${PCHAR}*))?`,
    String.raw`(?:\nResources:(?<resources>(?:\n- [^\s]+)*))?$`,
  ].join(''),
  'u',
);

// RFC 3339, except leap seconds, which a Date cannot represent.
const TIME =
  /^(?<year>\d{4})-(?<month>0[1-9]|1[0-2])-(?<day>\d{2})T(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d)(?:\.(?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<offsetHour>[01]\d|2[0-3]):(?<offsetMinute>[0-5]\d))$/iu;

/** Returns whether a message is a sign-in, or imitates one. */
export function resemblesSiwe(text: string): boolean {
  return PHRASE.test(text.replace(HIDDEN_CHARACTERS, ''));
}

/** Lists the distinct characters of a statement that EIP-4361 does not allow, such as letters of
 * other languages. Many dapps use them. */
export function listOddCharacters({ statement = '' }: SiweMessage): string[] {
  return [...new Set(statement.match(ODD))];
}

/** Formats a sign-in (EIP-4361), with RFC 3339 times. Does not check the fields as {@link
 * parseSiwe} does. */
export function writeSiwe(fields: SignIn<string>): string {
  const { scheme, domain, address, statement, resources } = fields;
  const site = scheme === undefined ? domain : `${scheme}://${domain}`;
  const lines: [name: string, value: string | undefined][] = [
    ['URI', fields.uri],
    ['Version', fields.version],
    ['Chain ID', String(fields.chainId)],
    ['Nonce', fields.nonce],
    ['Issued At', fields.issuedAt],
    ['Expiration Time', fields.expirationTime],
    ['Not Before', fields.notBefore],
    ['Request ID', fields.requestId],
  ];
  return [
    `${site} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    ...lines.flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    ),
    ...(resources.length === 0 ? [] : ['Resources:']),
    ...resources.map((resource) => `- ${resource}`),
  ].join('\n');
}

/** Parses a sign-in; undefined if it deviates from EIP-4361. Three deviations are allowed: an
 * address in lower or upper case or with its chain's checksum (EIP-1191), any visible characters in
 * the statement, and only one line feed around a missing statement. */
export function parseSiwe(text: string): SiweMessage | undefined {
  const head = HEAD.exec(text);
  const afterHead = text.slice(head?.[0].length ?? 0);
  const statement = STATEMENT.exec(afterHead);
  const fields = FIELDS.exec(afterHead.slice(statement?.[0].length ?? 0));
  if (!head || !statement || !fields) return undefined;
  return toMessage({ ...head.groups, ...statement.groups, ...fields.groups });
}

function toMessage(parts: Record<string, string | undefined>): SiweMessage | undefined {
  const { scheme, domain = '', address = '', statement, uri = '', requestId } = parts;
  const { version = '', nonce = '' } = parts;
  const chainId = BigInt(parts.chainId ?? 0);
  const [issuedAt, expirationTime, notBefore] = [
    parts.issuedAt,
    parts.expirationTime,
    parts.notBefore,
  ].map(readTime);
  const resources = (parts.resources ?? '').split('\n- ').slice(1);
  const isValid =
    AUTHORITY.test(domain) &&
    // Dapps copy the lower-case addresses of eth_accounts, which MetaMask's parser also accepts.
    (matches(address, AddressStruct) ||
      (matches(address, NodeAddressStruct) && hasChecksumOf(chainId, address))) &&
    // Some renderers show hidden characters as line breaks or in a different order.
    !HIDDEN.test(statement ?? '') &&
    [uri, ...resources].every((each) => URI.test(each)) &&
    // The URL parser checks IPv6 addresses in brackets.
    [`https://${domain}`, uri, ...resources].every(
      (url) => !url.includes('[') || hostOf(url) !== undefined,
    ) &&
    issuedAt !== undefined &&
    ![issuedAt, expirationTime, notBefore].some(Number.isNaN);
  if (!isValid) return undefined;
  return {
    scheme,
    domain,
    address,
    statement,
    uri,
    version,
    nonce,
    requestId,
    resources,
    issuedAt,
    expirationTime,
    notBefore,
    chainId,
  };
}

/** Returns NaN for malformed text, and for a date or time that does not exist. */
function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const groups = TIME.exec(text)?.groups;
  if (!groups) return Number.NaN;
  const partOf = (name: string): number => Number(groups[name] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(partOf('year'), partOf('month') - 1, partOf('day'));
  // The Date rolls a nonexistent day over to the next month.
  if (date.getUTCDate() !== partOf('day')) return Number.NaN;
  const ms = Number(`${groups.fraction ?? ''}000`.slice(0, 3));
  date.setUTCHours(partOf('hour'), partOf('minute'), partOf('second'), ms);
  const offset = partOf('offsetHour') * 60 + partOf('offsetMinute');
  return date.getTime() + (groups.sign === '-' ? 1 : -1) * offset * 60_000;
}
