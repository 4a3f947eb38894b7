// Sign-In with Ethereum (EIP-4361), read strictly by its ABNF. Our own, since viem, which has
// a parser, is no dependency of what is shipped, and reads what the ABNF forbids.
import { matches } from '../parse';
import { AddressStruct } from './hex';
import type { Hex } from './hex';

/** What such a message says; times in ms since 1970. */
export type SiweMessage = {
  scheme: string | undefined;
  /** RFC 3986 authority without user information: host, with its port if one is named. */
  domain: string;
  address: Hex;
  statement: string | undefined;
  uri: string;
  version: string;
  chainId: bigint;
  nonce: string;
  issuedAt: number;
  expirationTime: number | undefined;
  notBefore: number | undefined;
  requestId: string | undefined;
  resources: readonly string[];
};

/** Part of every such message, and of what wants to be taken for one. */
const PHRASE = /wants\s+you\s+to\s+sign\s+in\s+with\s+your\s+ethereum\s+account/iu;

const HEAD =
  /^(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):\/\/)?(?<domain>\S+) wants you to sign in with your Ethereum account:\n(?<address>0x[0-9a-fA-F]{40})\n\n/u;

// Many libraries leave out one of the two line feeds around a statement that is not there.
const STATEMENT = /^(?:(?<statement>[^\n]+)\n)?\n?(?=URI: )/u;

const FIELDS = new RegExp(
  [
    String.raw`^URI: (?<uri>[^\s]+)`,
    String.raw`\nVersion: (?<version>1)`,
    String.raw`\nChain ID: (?<chainId>[0-9]{1,20})`,
    String.raw`\nNonce: (?<nonce>[A-Za-z0-9]{8,})`,
    String.raw`\nIssued At: (?<issuedAt>[^\n]+)`,
    String.raw`(?:\nExpiration Time: (?<expirationTime>[^\n]+))?`,
    String.raw`(?:\nNot Before: (?<notBefore>[^\n]+))?`,
    String.raw`(?:\nRequest ID: (?<requestId>[^\s/?#]*))?`,
    String.raw`(?:\nResources:(?<resources>(?:\n- [^\s]+)*))?$`,
  ].join(''),
  'u',
);

const AUTHORITY =
  /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/u;

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]*$/u;

// RFC 3339.
const TIME =
  /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/u;

/** Tell whether a text is a sign-in, or wants to be taken for one. */
export function resemblesSiwe(text: string): boolean {
  return PHRASE.test(text);
}

/**
 * Read a sign-in.
 *
 * @returns `undefined` if it is not written exactly as EIP-4361 says.
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export function parseSiwe(text: string): SiweMessage | undefined {
  const head = HEAD.exec(text);
  const afterHead = text.slice(head?.[0].length ?? 0);
  const statement = STATEMENT.exec(afterHead);
  const fields = FIELDS.exec(afterHead.slice(statement?.[0].length ?? 0));
  if (!head || !statement || !fields) return undefined;
  return toMessage({ ...head.groups, ...statement.groups, ...fields.groups });
}

function toMessage(parts: Record<string, string | undefined>): SiweMessage | undefined {
  const { scheme, domain = '', address = '', statement, uri = '' } = parts;
  const { version = '', nonce = '', requestId } = parts;
  const [issuedAt, expirationTime, notBefore] = [
    parts.issuedAt,
    parts.expirationTime,
    parts.notBefore,
  ].map(readTime);
  const resources = (parts.resources ?? '').split('\n- ').slice(1);
  const isValid =
    AUTHORITY.test(domain) &&
    matches(address, AddressStruct) &&
    [uri, ...resources].every((each) => URI.test(each)) &&
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
    chainId: BigInt(parts.chainId ?? 0),
    nonce,
    issuedAt,
    expirationTime,
    notBefore,
    requestId,
    resources,
  };
}

// NaN of what is no time.
function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return TIME.test(text) ? Date.parse(text) : Number.NaN;
}
