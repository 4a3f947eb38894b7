// Decodes typed data once, when its request arrives: its kind, and its values in reading order,
// grouped by the message's fields.
import { hexToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { DOMAIN } from '../core/typed-data';
import type { TypedData, TypedEntry, TypedField } from '../core/typed-data';
import { findChainId, toCaip2 } from '../eth/chain';
import {
  findAddress,
  findQuantity,
  isSameAddress,
  NodeBytesStruct,
  toLower,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findUnprefixed } from '../eth/message';
import { findArray } from '../eth/typed-data';
import type { TypeTable } from '../eth/typed-data';
import { matches } from '../schema/parse';
import { findName, findTokenUnit, isCoin } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import { addDescribed, listOwnCalls } from './effects';
import type { AllowanceEffect, CallEffect, Description, Trade } from './effects';
import { findFunction } from './functions';
import { decodeMessage } from './messages';
import type { DecodedMessage } from './messages';
import { readCalls } from './read';
import { addressesAt, findShape, isRecord } from './shapes';
import type { Shape, ShapeName } from './shapes';

export type DecodedTypedData = {
  data: TypedData | readonly TypedEntry[];
  /** Undefined for version 1, which is a list of entries without a domain. */
  document: TypedData | undefined;
  shape: Shape | undefined;
  /** Addresses whose code is worth checking: the contract and the spenders. */
  contracts: readonly Hex[];
  groups: readonly TypedGroup[];
  /** The addresses found in the document, the domain's first. */
  addresses: readonly Hex[];
  /** The calls that the signature allows. */
  calls: readonly CallEffect[];
  /** Whether there are more calls, in an unknown form. */
  hasUnreadCalls: boolean;
  /** Whether anyone with the signature may be able to execute the calls. Calls of Safe transactions
   * and user operations do not count. */
  isRelayed: boolean;
  allowances: readonly AllowanceEffect[];
  /** Offers to others. Empty unless the contract is well known and the assets are few. */
  trades: readonly Trade[];
  /** The document that this one wraps for a smart account (ERC-7739). */
  wrapped?: DecodedTypedData;
  /** The message that this document wraps for a smart account. */
  message?: WrappedMessage;
};

type WrappedMessage = DecodedMessage & {
  /** Whether the bytes had the EIP-191 prefix. */
  isPrefixed: boolean;
  /** The message's field with the bytes as text; empty if they are not text. */
  fields: Record<string, string>;
};

export type TypedValue = { path: readonly string[]; type: string; value: Json };

/** The values of a message field. Consecutive fields without inner values share a group, whose
 * `field` is undefined. */
export type TypedGroup = { field: TypedField | undefined; values: TypedValue[] };

const IS_TIME =
  /deadline|expir|valid(?:to|until|after|before|from)|(?:start|end)time|timestamp|issuedat|notbefore|^(?:time|date|now)$/iu;

/** Plausible times in seconds: the years 2001 to 2128. */
const SECONDS = { min: 10n ** 9n, max: 5n * 10n ** 9n };

/** The native currency in wei, wei per gas, or a token's unit. */
export type TypedUnit = 'coin' | 'fee' | TokenUnit;

/** An amount's unit: the currency, a fee, the document's contract, or the token named by a sibling
 * field. */
type Source = 'coin' | 'fee' | 'contract' | { beside: string };

const beside = (name: string): Source => ({ beside: name });

/** The units of amount fields, at any depth of the document, by shape. */
const sources: Partial<Record<ShapeName, Record<string, Source>>> = {
  permit: { value: 'contract', amount: 'contract' },
  transfer: { value: 'contract' },
  permit2Allowance: { amount: beside('token') },
  permit2Transfer: {
    amount: beside('token'),
    inputStartAmount: beside('inputToken'),
    inputEndAmount: beside('inputToken'),
    startAmount: beside('token'),
    endAmount: beside('token'),
  },
  sale: {
    startAmount: beside('token'),
    endAmount: beside('token'),
    price: beside('paymentToken'),
  },
  order: {
    sellAmount: beside('sellToken'),
    buyAmount: beside('buyToken'),
    makingAmount: beside('makerAsset'),
    takingAmount: beside('takerAsset'),
    makerAmount: beside('makerToken'),
    takerAmount: beside('takerToken'),
  },
  safeTransaction: { value: 'coin' },
  metaTransaction: { value: 'coin' },
  userOperation: { maxFeePerGas: 'fee', maxPriorityFeePerGas: 'fee' },
};

/** Maximum number of assets in a document's orders to show as trades. */
export const MAX_ASSETS = 20;

export function decodeDocument(data: TypedData): DecodedTypedData {
  const { types, primaryType, domain, message } = data;
  const shape = findShape(data);
  const own = findAddress(domain.verifyingContract);
  const contract = own ?? ZERO_ADDRESS;
  // A transfer may go to any address.
  const spenders = shape?.name === 'transfer' ? [] : shape?.spenders;
  const signedMessage = findMessage(data);
  const shown = { ...message, ...signedMessage?.fields };
  const groups = listTypedValues(types, primaryType, shown);
  const values = groups.flatMap((group) => group.values);
  const contents = findWrapped(data);
  const wrapped = contents && decodeDocument(contents);
  const asked = shape?.calls?.(message, contract) ?? [];
  const read = readCalls(asked.filter((each) => each !== undefined));
  const isRead = ({ path, value }: TypedValue): boolean =>
    (wrapped && path[0] === 'contents') ||
    (CALL_DATA_PATHS.test(path.join()) && read.some((each) => each.data === value));
  const unread = values.filter((each) => !isRead(each));
  const found = signedMessage ? [] : findCalls(unread, contract);
  const allowances = shape?.allows?.(message, contract) ?? [];
  const contracts = new Set([
    ...(own ? [own] : []),
    ...addressesAt(message, spenders),
    ...(wrapped?.contracts ?? []),
  ]);
  return {
    calls: [...read, ...(wrapped?.calls ?? []), ...found],
    hasUnreadCalls: asked.includes(undefined),
    isRelayed: found.length > 0 || RELAYED.includes(shape?.name),
    allowances: [...allowances, ...(wrapped?.allowances ?? [])],
    trades: wrapped ? wrapped.trades : listTrades(data, shape),
    ...(wrapped && { wrapped }),
    ...(signedMessage && { message: signedMessage }),
    data,
    document: data,
    shape,
    contracts: [...contracts].filter((each) => !isSameAddress(each, ZERO_ADDRESS)),
    groups,
    addresses: [
      ...listValues(types, { path: [], type: DOMAIN, value: domain }),
      ...values,
    ].flatMap(toAddresses),
  };
}

const RELAYED: readonly (ShapeName | undefined)[] = ['metaTransaction', 'execute'];

/** Paths of the call data that shapes read. */
const CALL_DATA_PATHS =
  /^(?:data|callData|functionSignature|calls,\d+,(?:data|callData))$/u;

const ADDRESS = /\b0x[\da-f]{40}\b/giu;

/** Fields with a call's sender and recipient, likeliest first. */
const CALLERS = ['from', 'signer', 'owner', 'user', 'account', 'wallet', 'sender'];
const TARGETS = ['to', 'target', 'contract', 'callee', 'dest', 'destination'];

/** Finds calls in bytes that no shape reads: known functions, and bytes that contain a known call.
 * Takes the sender and the recipient from sibling or outer fields; the default is `contract` for
 * both, but if neither is found, the sender is zero. */
function findCalls(values: readonly TypedValue[], contract: Hex): CallEffect[] {
  const byPath = new Map(values.map(({ path, value }) => [keyOf(path), value]));
  const calls = values.flatMap(({ path, type, value }) => {
    if (type !== 'bytes' || !matches(value, NodeBytesStruct)) return [];
    const find = (names: readonly string[]): Json[] =>
      [...new Set([1, 2, 3, path.length])].flatMap((levels) =>
        names.flatMap((name) => {
          const around = [...path.slice(0, -levels), name];
          return [around, [...around, path.at(-1) ?? '']].flatMap(
            (each) => byPath.get(keyOf(each)) ?? [],
          );
        }),
      );
    const to = find(TARGETS).map(findAddress).find(Boolean);
    const from = find(CALLERS).map(findAddress).find(Boolean);
    const amount = find(['value']).map(findQuantity).find(Boolean) ?? 0n;
    const isDelegate = find(['operation']).some((each) => findQuantity(each) === 1n);
    const parties = {
      from: from ?? (to ? contract : ZERO_ADDRESS),
      to: to ?? contract,
    };
    return [{ ...parties, value: amount, data: value, isDelegate }];
  });
  return readCalls(calls).filter(
    ({ data, inside }) => findFunction(data) !== undefined || inside.length > 0,
  );
}

// Treats `targets` like `target`, and `senderAddress` like `sender`.
function keyOf(path: readonly string[]): string {
  const parts = path.map((part) => {
    const name = part.toLowerCase().replace(/^\d+\. |[^a-z\d]/gu, '');
    return name.replace(/(?<=.)(?:address(?:es)?|s)$/u, '');
  });
  return parts.join(' ');
}

export function listOfferedTokens({
  allowances,
  trades,
}: DecodedTypedData): readonly { token: Hex }[] {
  const offered = trades.flatMap(({ gives }) => gives);
  return [...allowances, ...offered.filter(({ id }) => id === undefined)];
}

/** Adds the calls that a descriptor decodes, so that they are checked and shown like the others.
 * They replace calls with the same data for which no sender and recipient were found. */
export function withDescribed(
  typed: DecodedTypedData,
  description: Description | undefined,
): DecodedTypedData {
  const described = description?.calls ?? [];
  const read = typed.calls.filter(
    ({ from, data }) =>
      from !== ZERO_ADDRESS ||
      !described.some((each) => toLower(each.data) === toLower(data)),
  );
  return { ...typed, calls: listOwnCalls(addDescribed(read, described)) };
}

// In ERC-7739, the domain is the app's; the account's domain is in the message.
function findWrapped({ types, primaryType, domain, message }: TypedData) {
  const field = types[primaryType]?.find(({ name }) => name === 'contents');
  const { contents } = message;
  const isWrapped =
    primaryType === 'TypedDataSign' &&
    field !== undefined &&
    field.type !== primaryType &&
    Object.hasOwn(types, field.type) &&
    isRecord(contents);
  return isWrapped
    ? { types, primaryType: field.type, domain, message: contents }
    : undefined;
}

/** Fields that contain the message to sign, by primary type: Safe's, and ERC-7739's for other smart
 * accounts. */
const messageFields: Readonly<Record<string, string>> = {
  SafeMessage: 'message',
  PersonalSign: 'prefixed',
};

function findMessage({ primaryType, message }: TypedData): WrappedMessage | undefined {
  const field = messageFields[primaryType];
  const value = field === undefined ? undefined : message[field];
  if (field === undefined || !matches(value, NodeBytesStruct)) return undefined;
  const bytes = hexToBytes(value);
  const unprefixed = findUnprefixed(bytes);
  const decoded = decodeMessage(unprefixed ?? bytes);
  const fields = decoded.text === undefined ? {} : { [field]: decoded.text };
  return { ...decoded, fields, isPrefixed: unprefixed !== undefined };
}

export function decodeEntries(data: readonly TypedEntry[]): DecodedTypedData {
  // Names can repeat, so an entry is identified by its position.
  const fields = data.map((each, index) => ({
    ...each,
    name: `${index + 1}. ${each.name}`,
  }));
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const groups = listTypedValues({ '': fields }, '', values);
  const all = groups.flatMap((group) => group.values);
  const calls = findCalls(all, ZERO_ADDRESS);
  return {
    calls,
    hasUnreadCalls: false,
    isRelayed: calls.length > 0,
    allowances: [],
    trades: [],
    data,
    document: undefined,
    shape: undefined,
    contracts: [],
    groups,
    addresses: all.flatMap(toAddresses),
  };
}

export function listTypedValues(
  types: TypeTable,
  primaryType: string,
  message: Record<string, Json>,
): TypedGroup[] {
  const groups: TypedGroup[] = [];
  for (const field of types[primaryType] ?? []) {
    const all = listValues(types, {
      path: [field.name],
      type: field.type,
      value: message[field.name] ?? null,
    });
    const isPlain = all.length === 1 && all[0]?.path.length === 1;
    const last = groups.at(-1);
    if (isPlain && last && !last.field) last.values.push(...all);
    else groups.push({ field: isPlain ? undefined : field, values: all });
  }
  return groups;
}

/** Recognizes a time by its field name and size, and returns it in ms since 1970. */
export function findTime({ path, type, value }: TypedValue): number | undefined {
  const name = path.findLast((part) => !/^\d+$/u.test(part)) ?? '';
  if (!/^u?int\d*$/u.test(type) || !IS_TIME.test(name)) return undefined;
  const number = findQuantity(value);
  if (number === undefined || number < SECONDS.min) return undefined;
  if (number <= SECONDS.max) return Number(number) * 1_000;
  const isMs = number >= SECONDS.min * 1_000n && number <= SECONDS.max * 1_000n;
  return isMs ? Number(number) : undefined;
}

/** Returns whether a value is the maximum of its unsigned type, which often means no limit. False
 * for types below 48 bits. */
export function isTypeMaximum({ type, value }: Omit<TypedValue, 'path'>): boolean {
  const bits = /^uint(?<bits>\d*)$/u.exec(type)?.groups?.bits;
  if (bits === undefined || Number(bits || 256) < 48) return false;
  return findQuantity(value) === (1n << BigInt(bits || 256)) - 1n;
}

export function findTypedUnit(
  { document, shape }: DecodedTypedData,
  { path }: TypedValue,
): TypedUnit | undefined {
  if (!document || !shape) return undefined;
  const name = path.at(-1) ?? '';
  const table = sources[shape.name] ?? {};
  const source = Object.hasOwn(table, name) ? table[name] : undefined;
  if (source === undefined || source === 'coin' || source === 'fee') return source;
  const token = findAddress(
    source === 'contract'
      ? document.domain.verifyingContract
      : valueAt(document.message, [...path.slice(0, -1), source.beside]),
  );
  if (!token) return undefined;
  if (isCoin(token)) return 'coin';
  const chain = findChain(document);
  return chain === undefined ? undefined : findTokenUnit(chain, token);
}

// Some protocols write addresses as 32-byte words or within text.
function toAddresses({ type, value }: TypedValue): Hex[] {
  if (typeof value !== 'string') return [];
  if (type === 'string') return (value.match(ADDRESS) ?? []) as Hex[];
  const word = /^0x0{24}(?<address>[\da-f]{40})$/iu.exec(value)?.groups?.address;
  const address = findAddress(word === undefined ? value : `0x${word}`);
  return address ? [address] : [];
}

function listValues(types: TypeTable, { path, type, value }: TypedValue): TypedValue[] {
  const listAt = (part: string, of: string, inner: Json = null): TypedValue[] =>
    listValues(types, { path: [...path, part], type: of, value: inner });
  const item = findArray(type)?.item;
  if (item !== undefined && Array.isArray(value) && value.length > 0) {
    return value.flatMap((each, index) => listAt(String(index + 1), item, each));
  }
  const fields = Object.hasOwn(types, type) ? (types[type] ?? []) : [];
  if (fields.length === 0 || typeof value !== 'object' || value === null) {
    return [{ path, type, value }];
  }
  const struct = value as Record<string, Json>;
  return fields.flatMap(({ name, type: of }) => listAt(name, of, struct[name]));
}

// An order's contract must enforce what the account gets, so only well-known contracts count.
// Orders with too many assets are shown field by field.
function listTrades(document: TypedData, shape: Shape | undefined): Trade[] {
  const contract = findAddress(document.domain.verifyingContract);
  const chain = findChain(document);
  if (chain === undefined || !contract || !findName(chain, contract)) return [];
  const trades = shape?.trades?.(document.message) ?? [];
  const assets = trades.flatMap(({ gives, gets }) => [...gives, ...gets]);
  return assets.length > MAX_ASSETS ? [] : trades;
}

export function findChain({ domain }: TypedData): string | undefined {
  const id = findChainId(domain.chainId);
  return id === undefined ? undefined : toCaip2(id);
}

// Paths count list items from 1.
function valueAt(message: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, part) => {
    if (Array.isArray(value)) return value[Number(part) - 1];
    return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, message);
}
