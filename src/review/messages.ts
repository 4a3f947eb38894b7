// Decodes a site's message once and finds warnings: a sign-in for another site, or bytes that are
// not a message. Messages and typed data can be a user operation, its hash, or an EIP-7702
// authorization in disguise: such a signature can move an account's assets without asking again.
import { bytesToHex, hexToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../core/entry-points';
import { InvalidParamsError } from '../core/errors';
import type { TypedData, TypedEntry } from '../core/typed-data';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  findAddress,
  findQuantity,
  hasAddress,
  isSameAddress,
  keccak256,
  isBytes,
  WORD_BYTES,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hostOf } from '../eth/host';
import { listOddCharacters, parseSiwe, resemblesSiwe } from '../eth/message';
import type { SiweMessage } from '../eth/message';
import { decodeRlp } from '../eth/rlp';
import { findText } from '../ui/format';
import { danger, info, listDistinct, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { findLookAlikes } from './findings';
import { findFunction } from './functions';

export type SigningContext = {
  /** The origin that the platform reports. It is MetaMask's if MetaMask relays the request. */
  origin: string;
  account: Hex;
  own: readonly Hex[];
  /** Addresses that attackers imitate: the user's own, recent recipients, well-known contracts. */
  known: readonly Hex[];
  operations: readonly { hash: Hex; sender: Hex }[];
  /** Chains with a node; undefined if unknown. */
  chains: readonly ChainId[] | undefined;
  /** In ms since 1970. */
  now: number;
};

export type DecodedMessage = {
  bytes: Uint8Array;
  /** Undefined if the bytes are not displayable text and do not imitate a sign-in. */
  text: string | undefined;
  /** The parsed sign-in (EIP-4361), if it is one. */
  signIn: SiweMessage | undefined;
};

/** How far a site's clock may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Number of RLP items of a transaction: from an unsigned legacy one to a signed blob
 * transaction. */
const TRANSACTION_ITEMS = { min: 6, max: 14 };

export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const text = findText(bytes);
  if (text !== undefined) return { bytes, text, signIn: parseSiwe(text) };
  // Users could mistake the bytes for a sign-in, whatever else they contain.
  const decoded = new TextDecoder().decode(bytes);
  return {
    bytes,
    text: resemblesSiwe(decoded) ? decoded : undefined,
    signIn: undefined,
  };
}

export function findMessageWarnings(
  message: DecodedMessage,
  context: SigningContext,
): Warning[] {
  const named = message.text?.match(/\b0x[0-9a-f]{40}\b/giu) ?? [];
  return [
    ...findContentWarnings(message, context),
    ...findLookAlikes(named as Hex[], context.known),
  ];
}

function findContentWarnings(
  message: DecodedMessage,
  context: SigningContext,
): Warning[] {
  const { bytes, text, signIn } = message;
  const written = findBytes(bytes, text);
  const search = toSearch(context);
  const disguises = selectDisguises([
    ...findInBytes(bytes, search),
    ...findInBytes(written, search),
    ...findInJson(text === undefined ? null : findJson(text), search),
  ]);
  if (signIn) return [...disguises, ...findSiweWarnings(signIn, context)];
  if (text !== undefined && resemblesSiwe(text)) {
    return [...disguises, danger('siwe.malformed')];
  }
  if (disguises.length > 0) return disguises;
  if (written.length === 32) {
    return [text === undefined ? danger('message.hash') : warning('message.hash')];
  }
  if (text !== undefined && bytes.length === 32) return [info('message.mayBeHash')];
  // The bytes that are hashed to sign typed data (EIP-712).
  if (written.length === 66 && written[0] === 0x19 && written[1] === 1) {
    return [danger('message.digest')];
  }
  if (isTransaction(written)) return [danger('message.transaction')];
  const called = findFunction(bytesToHex(written));
  if (called) return [danger('message.call', { function: called.signature })];
  return text === undefined ? [warning('message.binary')] : [];
}

function findSiweWarnings(message: SiweMessage, context: SigningContext): Warning[] {
  const { address, chainId, issuedAt, expirationTime, notBefore, resources } = message;
  const { account, chains, now } = context;
  const latest = now + CLOCK_SKEW_MS;
  const isExpired = expirationTime !== undefined && expirationTime <= now;
  const odd = listOddCharacters(message);
  return listFound(
    ...findSiteWarnings(message, context.origin),
    !isSameAddress(address, account) && danger('siwe.otherAddress', { address }),
    chains?.includes(chainId) === false &&
      warning('siwe.otherChain', { chain: { chain: toCaip2(chainId) } }),
    issuedAt > latest && warning('siwe.future', { time: { time: issuedAt } }),
    isExpired && warning('siwe.expired', { time: { time: expirationTime } }),
    notBefore !== undefined &&
      notBefore > latest &&
      warning('siwe.notYet', { time: { time: notBefore } }),
    resources.some((each) => /^urn:recap:/iu.test(each)) && warning('siwe.recap'),
    odd.length > 0 &&
      info('siwe.characters', { characters: odd.map(toSeen).join(' ') }),
  );
}

// Replaces characters that are invisible on their own, such as spaces and combining marks.
function toSeen(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase() ?? '';
  return /[\s\p{M}]/u.test(character) ? `U+${code.padStart(4, '0')}` : character;
}

function findSiteWarnings(
  { scheme, domain, uri }: SiweMessage,
  origin: string,
): Warning[] {
  const site = /^(?<protocol>https?):/u.exec(origin)?.groups?.protocol;
  const host = hostOf(origin);
  if (site === undefined || host === undefined) return [];
  const isOwn = hostOf(`${site}://${domain}`) === host;
  const uriHost = hostOf(uri);
  return listFound(
    !isOwn && danger('siwe.otherDomain', { domain, origin }),
    scheme !== undefined &&
      scheme.toLowerCase() !== site &&
      danger('siwe.otherScheme', { scheme }),
    // If the domain differs, its warning covers this.
    isOwn &&
      uriHost !== undefined &&
      uriHost !== host &&
      warning('siwe.otherUri', { uri }),
  );
}

// Returns the bytes that hex text encodes, none for other text, and the message's own bytes if it
// is not text.
function findBytes(bytes: Uint8Array, text: string | undefined): Uint8Array {
  const digits = text?.trim().replace(/^0x/iu, '') ?? '';
  const isHex = digits.length >= 12 && /^(?:[0-9a-f]{2})+$/iu.test(digits);
  if (isHex) return hexToBytes(digits);
  // A text of 32 letters is not a hash.
  return text === undefined ? bytes : new Uint8Array();
}

function isTransaction(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const isTyped = first >= 1 && first <= 4;
  const { length } = listItems(isTyped ? bytes.subarray(1) : bytes);
  return length >= TRANSACTION_ITEMS.min && length <= TRANSACTION_ITEMS.max;
}

/** Lists the items of an RLP list; empty for other bytes. */
function listItems(bytes: Uint8Array): readonly unknown[] {
  try {
    const items = decodeRlp(bytes);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

/** The keys of warnings about disguises, in the order of the warnings. */
const disguiseKeys = [
  'disguise.ownOperation',
  'disguise.operation',
  'disguise.operationHash',
  'disguise.authorization',
] as const;

export const MAX_WARNINGS = 3;

/** First byte of the signed data of an EIP-7702 authorization. */
const AUTHORIZATION_MAGIC = 0x05;

/** Length of the packed fields that EntryPoints 0.6 and 0.7 hash first. */
const PACKED_LENGTHS = [10 * WORD_BYTES, 8 * WORD_BYTES];

/** Length of the data that EntryPoints 0.6 and 0.7 hash next: the first hash, the EntryPoint and
 * the chain id. */
const BOUND_LENGTH = 3 * WORD_BYTES;

/** Length of the data that later EntryPoints hash (EIP-712): 0x1901, domain, operation. */
const DIGEST_LENGTH = 2 + 2 * WORD_BYTES;

const MAX_BYTES = 10 * WORD_BYTES;

/** Field names of an authorization: its address, and all others. */
const DELEGATE =
  /^(?:address|contract|implementation|code|delegat(?:e|ion))(?:address)?$/u;
const AUTHORIZATION_FIELDS = /^(?:chainid|nonce|signer|authority|yparity|[vrs])$/u;

type Search = {
  /** The user's accounts, by their addresses in lower case. */
  own: ReadonlyMap<string, Hex>;
  /** Senders of operations by their hashes. */
  senders: ReadonlyMap<string, Hex>;
  account: string;
};

export function findDisguisedDocument(
  { domain, message, types }: TypedData,
  context: SigningContext,
): Warning[] {
  const { name, verifyingContract } = domain;
  const isForEntryPoint =
    name === 'ERC4337' ||
    Object.keys(types).some((type) => /^(?:Packed)?UserOperation/u.test(type)) ||
    (typeof verifyingContract === 'string' && isEntryPoint(verifyingContract));
  const found = findInJson([domain, message], toSearch(context));
  return selectDisguises(isForEntryPoint ? [...found, warnOfOperation()] : found);
}

export function findDisguisedEntries(
  entries: readonly TypedEntry[],
  context: SigningContext,
): Warning[] {
  const struct = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
  // Entries can share a name.
  const values = entries.map(({ value }) => value);
  return selectDisguises(findInJson([struct, ...values], toSearch(context)));
}

/** Throws `InvalidParamsError` if the warnings include a disguised EIP-7702 authorization; no
 * honest site requests one this way. */
export function refuseAuthorizations(warnings: readonly Warning[]): void {
  const found = warnings.find(({ key }) => key === 'disguise.authorization');
  if (!found) return;
  throw new InvalidParamsError(
    `This is an EIP-7702 authorization in disguise that would let the code at ${found.values?.address as string} ` +
      'act as the account. Tollkeeper signs authorizations only for known contracts, ' +
      'together with the transaction that carries them.',
  );
}

function toSearch({ account, own, operations }: SigningContext): Search {
  return {
    account: account.toLowerCase(),
    own: new Map(own.map((each) => [each.toLowerCase(), each])),
    senders: new Map(
      operations.map(({ hash, sender }) => [hash.toLowerCase(), sender]),
    ),
  };
}

// Iterative: a site's values may be deeply nested.
function findInJson(value: Json, search: Search): Warning[] {
  const warnings: Warning[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && next.length <= 2 + 2 * MAX_BYTES && isBytes(next)) {
      warnings.push(...findInBytes(hexToBytes(next), search));
    }
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) warnings.push(...findInStruct(next, search));
    for (const inside of Object.values(next)) pending.push(inside);
  }
  return warnings;
}

function findInStruct(
  struct: Record<string, Json>,
  { own, account }: Search,
): Warning[] {
  const fields = new Map(
    Object.entries(struct).map(([name, value]) => [
      name.toLowerCase().replace(/[^a-z\d]/gu, ''),
      value,
    ]),
  );
  const sender = fields.get('sender');
  if (sender !== undefined && fields.has('nonce') && fields.has('calldata')) {
    const known =
      typeof sender === 'string' ? own.get(sender.toLowerCase()) : undefined;
    return [warnOfOperation(known)];
  }
  const names = [...fields.keys()];
  const delegates = names.filter((name) => DELEGATE.test(name));
  const address = findAddress(fields.get(delegates[0] ?? ''));
  const isAuthorization =
    fields.has('chainid') &&
    findQuantity(fields.get('nonce')) !== undefined &&
    delegates.length === 1 &&
    names.every((name) => AUTHORIZATION_FIELDS.test(name) || DELEGATE.test(name));
  if (!isAuthorization || !address) return [];
  // A sign-in has the same fields, with the address of the account that signs in.
  const lower = address.toLowerCase();
  const isOwn = lower === account || own.has(lower);
  return isOwn ? [] : [danger('disguise.authorization', { address })];
}

function findInBytes(bytes: Uint8Array, { own, senders }: Search): Warning[] {
  const { length } = bytes;
  const hashed = length === WORD_BYTES ? senders.get(bytesToHex(bytes)) : undefined;
  if (hashed !== undefined) {
    return [danger('disguise.operationHash', { account: hashed })];
  }
  const isBound = length === BOUND_LENGTH && isEntryPoint(addressAt(bytes, 1));
  if (isBound || length === DIGEST_LENGTH) {
    const account = senders.get(bytesToHex(keccak256(bytes)));
    if (isBound || account !== undefined) return [warnOfOperation(account)];
  }
  const sender = PACKED_LENGTHS.includes(length)
    ? own.get(addressAt(bytes, 0))
    : undefined;
  if (sender !== undefined) return [warnOfOperation(sender)];
  const address = length > MAX_BYTES ? undefined : findDelegate(bytes);
  return address === undefined ? [] : [danger('disguise.authorization', { address })];
}

// The signed bytes: 0x05 and the RLP of chain id, address and nonce.
function findDelegate(bytes: Uint8Array): Hex | undefined {
  if (bytes[0] !== AUTHORIZATION_MAGIC) return undefined;
  const items = listItems(bytes.subarray(1));
  const [, address] = items;
  return items.length === 3 && address instanceof Uint8Array && address.length === 20
    ? bytesToHex(address)
    : undefined;
}

// If a word holds more than an address, returns the whole word, which equals no address.
function addressAt(bytes: Uint8Array, index: number): Hex {
  const word = bytesToHex(bytes.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES));
  return word.startsWith(`0x${'00'.repeat(12)}`) ? `0x${word.slice(-40)}` : word;
}

function isEntryPoint(address: string): boolean {
  const known = Object.values(entryPoints).map(({ entryPoint }) => entryPoint);
  return hasAddress(known, address);
}

// The JSON may be surrounded by text without brackets.
function findJson(text: string): Json {
  const start = text.search(/[[{]/u);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  if (start < 0 || end < start) return null;
  try {
    return JSON.parse(text.slice(start, end + 1)) as Json;
  } catch {
    return null;
  }
}

function warnOfOperation(account?: Hex): Warning {
  return account === undefined
    ? danger('disguise.operation')
    : danger('disguise.ownOperation', { account });
}

// Limits warnings per kind, so that many of one kind cannot displace another. A warning about an
// operation of the user's account makes one without an account redundant.
function selectDisguises(warnings: readonly Warning[]): Warning[] {
  const all = listDistinct(warnings);
  const isOwn = all.some(({ key }) => key === 'disguise.ownOperation');
  return disguiseKeys
    .filter((key) => !isOwn || key !== 'disguise.operation')
    .flatMap((wanted) =>
      all.filter(({ key }) => key === wanted).slice(0, MAX_WARNINGS),
    );
}
