// What must not be signed as a message or as typed data: a user operation, the hash of one, or
// an EIP-7702 authorization. Whoever gets such a signature can move an account's assets, and
// need not ask again.
import { bytesToHex, hexToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { matches } from '../schema/parse';
import {
  findQuantity,
  isSameAddress,
  keccak256,
  NodeAddressStruct,
  NodeBytesStruct,
} from './hex';
import type { Hex } from './hex';
import { decodeRlp } from './rlp';
import type { TypedData } from './typed-data';
import type { TypedEntry } from './typed-data-v1';
import { entryPoints } from './user-operation';

/** What a message or typed data are in disguise. */
export type DisguiseAlert =
  /** A user operation, and its sender if that is an account of the user's. */
  | { kind: 'operation'; account: Hex | undefined }
  /** The hash of a user operation of the user's account. */
  | { kind: 'operationHash'; account: Hex }
  /** A permission for the code at an address to run as the account (EIP-7702). */
  | { kind: 'authorization'; address: Hex };

/** What is looked for. */
export type DisguiseContext = {
  /** The account that is asked to sign. */
  account: Hex;
  /** The user's own accounts. */
  own: readonly Hex[];
  /** User operations of these accounts that the snap knows. */
  operations: readonly { hash: Hex; sender: Hex }[];
};

const kinds = ['operation', 'operationHash', 'authorization'] as const;

/** Most alerts of one kind that are shown. */
const MAX_ALERTS = 3;

/** Bytes of a word of the ABI. */
const WORD = 32;

/** EIP-7702's first byte of what an authorization's signer signs. */
const AUTHORIZATION_MAGIC = 0x05;

/** Bytes that EntryPoints 0.6 and 0.7 hash an operation's fields from. */
const PACKED_LENGTHS = [10 * WORD, 8 * WORD];

/** Bytes that they hash then, with the EntryPoint and the chain. */
const PLACED_LENGTH = 3 * WORD;

/** Bytes that EntryPoint 0.8 hashes, by EIP-712: 0x1901, domain, operation. */
const DIGEST_LENGTH = 2 + 2 * WORD;

/** Longest bytes that are searched. */
const MAX_BYTES = 10 * WORD;

/** Names of an authorization's address, and of what else may stand beside it. */
const DELEGATE =
  /^(?:address|contract|implementation|code|delegat(?:e|ion))(?:address)?$/u;
const AUTHORIZATION_FIELDS = /^(?:chainid|nonce|signer|authority|yparity|[vrs])$/u;

/** The context, indexed for look-ups. */
type Search = {
  own: ReadonlyMap<string, Hex>;
  /** Senders of operations by their hashes. */
  senders: ReadonlyMap<string, Hex>;
  account: string;
};

/**
 * Find what a message is in disguise.
 *
 * @param written - The bytes that the message is the hex of, if it is hex as text.
 */
export function findDisguisedMessage(
  message: { bytes: Uint8Array; written: Uint8Array; text: string | undefined },
  context: DisguiseContext,
): DisguiseAlert[] {
  const { bytes, written, text } = message;
  const search = toSearch(context);
  return select([
    ...findInBytes(bytes, search),
    ...findInBytes(written, search),
    ...findInJson(text === undefined ? null : findJson(text), search),
  ]);
}

/** Find what a typed-data document is in disguise. */
export function findDisguisedDocument(
  { domain, message, types }: TypedData,
  context: DisguiseContext,
): DisguiseAlert[] {
  const { name, verifyingContract } = domain;
  const isForEntryPoint =
    name === 'ERC4337' ||
    Object.keys(types).some((type) => /^(?:Packed)?UserOperation/u.test(type)) ||
    (matches(verifyingContract, NodeAddressStruct) && isEntryPoint(verifyingContract));
  const found = findInJson([domain, message], toSearch(context));
  const operation: DisguiseAlert = { kind: 'operation', account: undefined };
  return select(isForEntryPoint ? [...found, operation] : found);
}

/** Find what typed data of version 1 are in disguise. */
export function findDisguisedEntries(
  entries: readonly TypedEntry[],
  context: DisguiseContext,
): DisguiseAlert[] {
  const struct = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
  // Entries can have the same name.
  const values = entries.map(({ value }) => value);
  return select(findInJson([struct, ...values], toSearch(context)));
}

/** Tell whether an alert is of a disguise. */
export function isDisguise(alert: { kind: string }): alert is DisguiseAlert {
  return kinds.some((kind) => kind === alert.kind);
}

function toSearch({ account, own, operations }: DisguiseContext): Search {
  return {
    account: account.toLowerCase(),
    own: new Map(own.map((each) => [each.toLowerCase(), each])),
    senders: new Map(
      operations.map(({ hash, sender }) => [hash.toLowerCase(), sender]),
    ),
  };
}

// Not recursive: what comes from a site can lie deep.
function findInJson(value: Json, search: Search): DisguiseAlert[] {
  const alerts: DisguiseAlert[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') alerts.push(...findInText(next, search));
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) alerts.push(...findInStruct(next, search));
    for (const inside of Object.values(next)) open.push(inside);
  }
  return alerts;
}

function findInStruct(
  struct: Record<string, Json>,
  { own, account }: Search,
): DisguiseAlert[] {
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
    return [{ kind: 'operation', account: known }];
  }
  const names = [...fields.keys()];
  const delegates = names.filter((name) => DELEGATE.test(name));
  const address = fields.get(delegates[0] ?? '');
  const isAuthorization =
    fields.has('chainid') &&
    findQuantity(fields.get('nonce')) !== undefined &&
    delegates.length === 1 &&
    names.every((name) => AUTHORIZATION_FIELDS.test(name) || DELEGATE.test(name));
  if (!isAuthorization || !matches(address, NodeAddressStruct)) return [];
  // Sign-ins name the account that signs in, a chain and a nonce.
  const lower = address.toLowerCase();
  return lower === account || own.has(lower)
    ? []
    : [{ kind: 'authorization', address }];
}

function findInText(text: string, search: Search): DisguiseAlert[] {
  return text.length <= 2 + 2 * MAX_BYTES && matches(text, NodeBytesStruct)
    ? findInBytes(hexToBytes(text), search)
    : [];
}

function findInBytes(bytes: Uint8Array, { own, senders }: Search): DisguiseAlert[] {
  const { length } = bytes;
  const hashed = length === WORD ? senders.get(bytesToHex(bytes)) : undefined;
  if (hashed !== undefined) return [{ kind: 'operationHash', account: hashed }];
  const isPlaced = length === PLACED_LENGTH && isEntryPoint(addressAt(bytes, 1));
  if (isPlaced || length === DIGEST_LENGTH) {
    const account = senders.get(bytesToHex(keccak256(bytes)));
    if (isPlaced || account !== undefined) return [{ kind: 'operation', account }];
  }
  const sender = PACKED_LENGTHS.includes(length)
    ? own.get(addressAt(bytes, 0))
    : undefined;
  if (sender !== undefined) return [{ kind: 'operation', account: sender }];
  const address = length > MAX_BYTES ? undefined : findDelegate(bytes);
  return address === undefined ? [] : [{ kind: 'authorization', address }];
}

// What is signed: 0x05 and the RLP of chain id, address and nonce.
function findDelegate(bytes: Uint8Array): Hex | undefined {
  if (bytes[0] !== AUTHORIZATION_MAGIC) return undefined;
  try {
    const items = decodeRlp(bytes.subarray(1));
    const [, address] = items;
    const isTuple = Array.isArray(items) && items.length === 3;
    return isTuple && address instanceof Uint8Array && address.length === 20
      ? bytesToHex(address)
      : undefined;
  } catch {
    return undefined;
  }
}

// Returns the whole word, which equals no address, if it holds more than an address.
function addressAt(bytes: Uint8Array, place: number): Hex {
  const word = bytesToHex(bytes.subarray(place * WORD, (place + 1) * WORD));
  return word.startsWith(`0x${'00'.repeat(12)}`) ? `0x${word.slice(-40)}` : word;
}

function isEntryPoint(address: Hex): boolean {
  return Object.values(entryPoints).some(({ entryPoint }) =>
    isSameAddress(entryPoint, address),
  );
}

// The JSON can have text before and after it.
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

// An operation that names the user's account makes one without an account redundant.
function select(alerts: readonly DisguiseAlert[]): DisguiseAlert[] {
  const all = [...new Map(alerts.map((each) => [JSON.stringify(each), each])).values()];
  const isOwn = (alert: DisguiseAlert): boolean =>
    alert.kind === 'operation' && alert.account !== undefined;
  const told = all.some(isOwn)
    ? all.filter((alert) => alert.kind !== 'operation' || isOwn(alert))
    : all;
  // Limited by kind, so that many alerts of one kind cannot push out another.
  const ofKind = (wanted: DisguiseAlert['kind']): DisguiseAlert[] =>
    told.filter(({ kind }) => kind === wanted).slice(0, MAX_ALERTS);
  return kinds.flatMap(ofKind);
}
