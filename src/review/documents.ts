// Typed data, decoded once when their request comes in: what they are, and their values one by
// one, as a reader wants them, in the groups that the fields of the message make.
import { hexToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { findChainId, toCaip2 } from '../eth/chain';
import {
  findAddress,
  findQuantity,
  isSameAddress,
  NodeBytesStruct,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DOMAIN, findArray } from '../eth/typed-data';
import type { TypedData, TypedEntry, TypedField, TypeTable } from '../eth/typed-data';
import { matches } from '../schema/parse';
import { findName, findTokenUnit, isCoin } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import { addDescribed, listOwnCalls } from './effects';
import type { AllowanceEffect, CallEffect, Description, Trade } from './effects';
import { readCalls } from './read';
import { addressesAt, findShape, isRecord } from './shapes';
import type { Shape, ShapeName } from './shapes';

export type DecodedTypedData = {
  data: TypedData | readonly TypedEntry[];
  /** Undefined for version 1, a list of entries without a domain. */
  document: TypedData | undefined;
  shape: Shape | undefined;
  /** Those whose code is worth a look: the contract, and who may spend. */
  contracts: readonly Hex[];
  groups: readonly TypedGroup[];
  /** All addresses in them, the contract's first. */
  addresses: readonly Hex[];
  /** The calls that are made once they are signed. */
  calls: readonly CallEffect[];
  allowances: readonly AllowanceEffect[];
  /** What they offer to others, where the contract is known to keep to it. */
  trades: readonly Trade[];
  /** The document that they wrap for a smart account (ERC-7739). */
  wrapped?: DecodedTypedData;
  /** What they wrap as a message of a smart account. */
  message?: Uint8Array;
};

/** A value; its place is written from its group on. */
export type TypedValue = { place: readonly string[]; type: string; value: Json };

/** A field of the message with all that is in it; without a name, fields of one value. */
export type TypedGroup = { field: TypedField | undefined; values: TypedValue[] };

const IS_TIME =
  /deadline|expir|valid(?:to|until|after|before|from)|(?:start|end)time|timestamp|issuedat|notbefore|^(?:time|date|now)$/iu;

/** Plausible times in seconds: of the years 2001 to 2128. */
const SECONDS = { min: 10n ** 9n, max: 5n * 10n ** 9n };

/** The chain's coin in wei, wei for a unit of gas, or a token's. */
export type TypedUnit = 'coin' | 'fee' | TokenUnit;

/** What an amount is of: the coin, a fee, the document's contract, or the token that the
 * field of that name beside it names. */
type Source = 'coin' | 'fee' | 'contract' | { beside: string };

const beside = (name: string): Source => ({ beside: name });

/** Fields with amounts, anywhere in the document. */
const sources: Partial<Record<ShapeName, Record<string, Source>>> = {
  permit: { value: 'contract' },
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

/** Most contracts whose code is looked at. */
const MAX_CONTRACTS = 5;

/** Most assets of orders that are drawn one by one. */
const MAX_ASSETS = 20;

export function decodeDocument(data: TypedData): DecodedTypedData {
  const { types, primaryType, domain, message } = data;
  const shape = findShape(data);
  const own = findAddress(domain.verifyingContract);
  // A transfer may go to any address.
  const spenders = shape?.name === 'transfer' ? [] : shape?.spenders;
  const contracts = new Set([...(own ? [own] : []), ...addressesAt(message, spenders)]);
  const groups = listTypedValues(types, primaryType, message);
  const contents = findWrapped(data);
  const wrapped = contents && decodeDocument(contents);
  const prefixed = findMessage(data);
  const calls = shape?.calls?.(message, own ?? ZERO_ADDRESS) ?? [];
  const allowances = shape?.allows?.(message, own ?? ZERO_ADDRESS) ?? [];
  return {
    calls: [...readCalls(calls), ...(wrapped?.calls ?? [])],
    allowances: [...allowances, ...(wrapped?.allowances ?? [])],
    trades: wrapped ? wrapped.trades : listTrades(data, shape),
    ...(wrapped && { wrapped }),
    ...(prefixed && { message: prefixed }),
    data,
    document: data,
    shape,
    contracts: [...contracts]
      .filter((each) => !isSameAddress(each, ZERO_ADDRESS))
      .slice(0, MAX_CONTRACTS),
    groups,
    addresses: [
      ...listValues(types, { place: [], type: DOMAIN, value: domain }),
      ...groups.flatMap(({ values }) => values),
    ].flatMap(toAddresses),
  };
}

/** Lists the tokens that a document lets others take, or gives in an order. */
export function listGiven({
  allowances,
  trades,
}: DecodedTypedData): readonly { token: Hex }[] {
  const given = trades.flatMap(({ gives }) => gives);
  return [...allowances, ...given.filter(({ id }) => id === undefined)];
}

/** Adds the calls that a descriptor knows, so that they are judged and drawn like those that were read. */
export function withDescribed(
  typed: DecodedTypedData,
  description: Description | undefined,
): DecodedTypedData {
  const calls = listOwnCalls(addDescribed(typed.calls, description?.calls ?? []));
  return { ...typed, calls };
}

// ERC-7739: the domain is the app's, and the account's is in the message.
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

/** What a Safe's owners sign for it, and what other smart accounts do (ERC-7739), by the field. */
const messageFields: Readonly<Record<string, string>> = {
  SafeMessage: 'message',
  PersonalSign: 'prefixed',
};

/** What EIP-191 puts before a message and its length. */
const PREFIX = '\u0019Ethereum Signed Message:\n';

/** Digits of the longest message's length. */
const MAX_DIGITS = 7;

function findMessage({ primaryType, message }: TypedData): Uint8Array | undefined {
  const name = messageFields[primaryType];
  const value = name === undefined ? undefined : message[name];
  if (!matches(value, NodeBytesStruct)) return undefined;
  const bytes = hexToBytes(value);
  const start = String.fromCharCode(...bytes.slice(0, PREFIX.length + MAX_DIGITS));
  for (let digits = 1; digits <= MAX_DIGITS; digits += 1) {
    const end = PREFIX.length + digits;
    const prefix = `${PREFIX}${bytes.length - end}`;
    if (start.slice(0, end) === prefix) return bytes.slice(end);
  }
  return bytes;
}

export function decodeEntries(data: readonly TypedEntry[]): DecodedTypedData {
  // Names can be the same, so an entry is identified by its place.
  const fields = data.map((each, index) => ({
    ...each,
    name: `${index + 1}. ${each.name}`,
  }));
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const groups = listTypedValues({ '': fields }, '', values);
  return {
    calls: [],
    allowances: [],
    trades: [],
    data,
    document: undefined,
    shape: undefined,
    contracts: [],
    groups,
    addresses: groups.flatMap((group) => group.values).flatMap(toAddresses),
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
      place: [field.name],
      type: field.type,
      value: message[field.name] ?? null,
    });
    const isPlain = all.length === 1 && all[0]?.place.length === 1;
    const last = groups.at(-1);
    if (isPlain && last && !last.field) last.values.push(...all);
    else groups.push({ field: isPlain ? undefined : field, values: all });
  }
  return groups;
}

/** Finds the time that a value means, by its name and size, in ms since 1970. */
export function findTime({ place, type, value }: TypedValue): number | undefined {
  const name = place.findLast((part) => !/^\d+$/u.test(part)) ?? '';
  if (!/^u?int\d*$/u.test(type) || !IS_TIME.test(name)) return undefined;
  const number = findQuantity(value);
  if (number === undefined || number < SECONDS.min) return undefined;
  if (number <= SECONDS.max) return Number(number) * 1_000;
  const isMs = number >= SECONDS.min * 1_000n && number <= SECONDS.max * 1_000n;
  return isMs ? Number(number) : undefined;
}

/** Returns whether a value is the largest of its unsigned type, which often means no limit. */
export function isLargest({ type, value }: Omit<TypedValue, 'place'>): boolean {
  const bits = /^uint(?<bits>\d*)$/u.exec(type)?.groups?.bits;
  if (bits === undefined || Number(bits || 256) < 48) return false;
  return findQuantity(value) === (1n << BigInt(bits || 256)) - 1n;
}

/** Finds the unit in which a number of typed data is meant, where they are of a known shape and say
 * themselves of which token they speak. */
export function findTypedUnit(
  { document, shape }: DecodedTypedData,
  { place }: TypedValue,
): TypedUnit | undefined {
  if (!document || !shape) return undefined;
  const name = place.at(-1) ?? '';
  const table = sources[shape.name] ?? {};
  const source = Object.hasOwn(table, name) ? table[name] : undefined;
  if (source === undefined || source === 'coin' || source === 'fee') return source;
  const token = findAddress(
    source === 'contract'
      ? document.domain.verifyingContract
      : valueAt(document.message, [...place.slice(0, -1), source.beside]),
  );
  if (!token) return undefined;
  if (isCoin(token)) return 'coin';
  const chain = findChain(document);
  return chain === undefined ? undefined : findTokenUnit(chain, token);
}

function toAddresses({ type, value }: TypedValue): Hex[] {
  const address = type === 'address' && findAddress(value);
  return address ? [address] : [];
}

function listValues(
  types: TypeTable,
  { place, type, value }: TypedValue,
): TypedValue[] {
  const item = findArray(type)?.item;
  if (item !== undefined && Array.isArray(value) && value.length > 0) {
    return value.flatMap((each, index) =>
      listValues(types, {
        place: [...place, String(index + 1)],
        type: item,
        value: each,
      }),
    );
  }
  const fields = Object.hasOwn(types, type) ? (types[type] ?? []) : [];
  if (fields.length === 0 || typeof value !== 'object' || value === null) {
    return [{ place, type, value }];
  }
  const struct = value as Record<string, Json>;
  return fields.flatMap(({ name, type: of }) =>
    listValues(types, {
      place: [...place, name],
      type: of,
      value: struct[name] ?? null,
    }),
  );
}

// What an order gets is a promise of its contract. Orders with too many assets are read field by field.
function listTrades(document: TypedData, shape: Shape | undefined): Trade[] {
  const contract = findAddress(document.domain.verifyingContract);
  const chain = findChain(document);
  if (chain === undefined || !contract || !findName(chain, contract)) return [];
  const trades = shape?.trades?.(document.message) ?? [];
  const assets = trades.flatMap(({ gives, gets }) => [...gives, ...gets]);
  return assets.length > MAX_ASSETS ? [] : trades;
}

/** Finds the chain that a document names, in CAIP-2. */
export function findChain({ domain }: TypedData): string | undefined {
  const id = findChainId(domain.chainId);
  return id === undefined ? undefined : toCaip2(id);
}

// Places count from 1.
function valueAt(message: Json, place: readonly string[]): Json | undefined {
  return place.reduce<Json | undefined>((value, part) => {
    if (Array.isArray(value)) return value[Number(part) - 1];
    return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, message);
}
