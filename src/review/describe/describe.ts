// Describes calls and typed data with the ERC-7730 descriptors in the bundle. micro-eth-signer's
// engine renders a descriptor and asks this module for token units, chain names and descriptions of
// inner calls. Describing never fails or waits long: calls may remain without a description.
import { TypedDataUtils } from '@metamask/eth-sig-util';
import { bytesToBigInt, bytesToHex, hexToBytes } from '@metamask/utils';
import type {
  ClearSigField,
  ClearSigOpt,
  ClearSigResult,
  ClearSigTypedInput,
  Ctx,
} from 'micro-eth-signer/clearsig.js';

import type { NodeClient } from '../../../packages/client/src';
import type { TypedData } from '../../core/typed-data';
import { encodeBySignature, readArguments } from '../../eth/abi';
import type { AbiValue } from '../../eth/abi';
import { findChainId, findKnownChain, toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import {
  findAddress,
  hasAddress,
  findQuantity,
  isOrdinary,
  isSameAddress,
  isUnlimited,
  WORD_BYTES,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import type { Log } from '../../platform/boundary';
import type { Edges } from '../../platform/edges';
import {
  toRoundedDecimal,
  toShortHex,
  toShownDecimal,
  toShownRelativeTime,
  toShownLine,
  toShownTime,
  toShownWord,
} from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import {
  findTokenUnit,
  isCoin,
  isDoubtful,
  isReservedSymbol,
  PERMIT2,
} from '../../ui/tokens';
import type { TokenUnit } from '../../ui/tokens';
import { tryBriefly } from '../ask';
import { addDescribed, SELECTOR_END } from '../effects';
import type {
  CallContent,
  CallEffect,
  DescribedField,
  DescribedValue,
  Description,
  StatedToken,
} from '../effects';
import { decodeKnown } from '../functions';
import { readCall } from '../read';
import { createDescriptors } from './descriptors';
import type { Descriptor } from './descriptors';

/** Maximum calls of a request to describe, including inner ones. */
export const MAX_DESCRIBED_CALLS = 50;

export type Describer = {
  /** Token units from the tokens' own contracts, for views that show amounts. */
  units: StatedUnits;
  /** Returns calls, and their inner calls, with the available descriptions. */
  calls: (calls: readonly CallEffect[], chainId: ChainId) => Promise<CallEffect[]>;
  document: (document: TypedData, from: Hex) => Promise<Description | undefined>;
};

type DescriberParts = Pick<Edges, 'readFile' | 'now'> & {
  loadTranslate: () => Promise<Translate>;
  log: Log;
  connect: (chainId: ChainId) => Promise<{ node: NodeClient }>;
};

export function createDescriber({
  readFile,
  now,
  loadTranslate,
  log,
  connect,
}: DescriberParts): Describer {
  const descriptors = createDescriptors(readFile, log);
  const units = createStatedUnits();

  // If the first attempt misses token data, fetches it for a second attempt.
  const describe = async <Described>(
    chainId: ChainId,
    run: (tools: Tools) => Promise<Described>,
  ): Promise<Described> => {
    const translate = await loadTranslate();
    const missing = new Set<Hex>();
    const tools = (): Tools => {
      let left = MAX_DESCRIBED_CALLS;
      const own: Tools = {
        translate,
        now: now(),
        findStated: (on, token) => {
          const found = units.find(on, token);
          if (!found && on === chainId) missing.add(token);
          return found;
        },
        describeInner: async (call, on) => {
          left -= 1;
          return left < 0 ? call : describeCall(call, on, own);
        },
      };
      return own;
    };
    const first = await run(tools());
    if (missing.size === 0) return first;
    const isKnown = await tryBriefly(async (signal) => {
      const tokens = [...missing];
      const { node } = await connect(chainId);
      await units.fetch(tokens, { id: chainId, node, signal });
      return tokens.some((token) => {
        const { unit, name } = units.find(chainId, token) ?? {};
        return unit ?? name;
      });
    });
    return isKnown ? run(tools()) : first;
  };

  const describeCall = async (
    call: CallEffect,
    chainId: ChainId,
    tools: Tools,
  ): Promise<CallEffect> => {
    const inside = await Promise.all(
      call.inside.map(async (each) =>
        each.kind === 'call' ? tools.describeInner(each, chainId) : each,
      ),
    );
    const { to, data } = call;
    if (to === null || data.length < SELECTOR_END) return { ...call, inside };
    const described = await quietly(async () => {
      const selector = data.slice(0, SELECTOR_END) as Hex;
      const found = await descriptors.ofCall({
        chainId: Number(chainId),
        to,
        selector,
      });
      if (!found) return undefined;
      const subject = { ...call, to, chainId };
      const description = await describeByDescriptor(found, subject, tools);
      const [declared = ''] = Object.keys(found.display.formats);
      // Decodes an unknown call with the descriptor's signature, so that the call's details also
      // show the values that have no field.
      const known = call.known ?? decodeKnown(declared, data);
      return description && { description, known };
    });
    const calls = described?.description.calls ?? [];
    return { ...call, inside: addDescribed(inside, calls), ...described };
  };

  const quietly = async <Result>(
    run: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      return await run();
    } catch {
      log('debug', { event: 'a descriptor does not fit' });
      return undefined;
    }
  };

  return {
    units,
    calls: async (calls, chainId) => {
      const described = await quietly(async () =>
        describe(chainId, async (tools) =>
          Promise.all(calls.map(async (call) => tools.describeInner(call, chainId))),
        ),
      );
      return described ?? [...calls];
    },
    document: async (document, from) =>
      quietly(async () => {
        const contract = findAddress(document.domain.verifyingContract);
        const chainId = findChainId(document.domain.chainId);
        if (chainId === undefined || !contract) return undefined;
        const { types, primaryType } = document;
        const found = await descriptors.ofTyped({
          typeHash: bytesToHex(TypedDataUtils.hashType(primaryType, types)),
          chainId: Number(chainId),
          contract,
        });
        return describe(chainId, async (tools) => {
          for (const each of found) {
            const description = await quietly(async () =>
              describeDocument(each, { document, from, chainId }, tools),
            );
            if (description) return description;
          }
          return undefined;
        });
      }),
  };
}

// The engine is loaded on first use: most requests have no descriptor.
const loadEngine = async () =>
  import(/* webpackMode: "eager" */ 'micro-eth-signer/clearsig.js');

type Tools = {
  translate: Translate;
  /** In ms since 1970. */
  now: number;
  /** Finds a token's own metadata. Records the token if its metadata was not fetched yet, unless it
   * is on another chain. */
  findStated: StatedUnits['find'];
  describeInner: (call: CallEffect, chainId: ChainId) => Promise<CallEffect>;
};

/** Maximum fields to show. The call's details contain the other values. */
export const MAX_FIELDS = 40;

const MAX_LENGTH = { label: 60, value: 5_000, intent: 60, sentence: 300 };

type FieldForm = { format?: string; params?: { types?: string[] } };

/** ERC-7730 types of addresses that can be a recipient. */
const PEOPLE: readonly string[] = ['wallet', 'eoa'];

/** Marks an inner call in a rendered value. The call's index follows. */
const INNER = '\u0000';

/** Undocumented options of the engine. */
type Options = ClearSigOpt & {
  renderCalldata: (
    descriptors: unknown,
    call: Ctx,
  ) => Promise<ClearSigResult | undefined>;
};

async function describeByDescriptor(
  descriptor: Descriptor,
  { from, to, value, data, chainId }: CallContent & { to: Hex; chainId: ChainId },
  tools: Tools,
): Promise<Description | undefined> {
  const { repository } = await loadEngine();
  const { contracts } = repository({ own: descriptor });
  const [render] = Object.values(contracts[String(chainId)] ?? {})[0] ?? [];
  const engine = prepareEngine(descriptor, { from, chainId }, tools);
  const result = await render?.(
    { to, from, value, chainId, data: hexToBytes(data) },
    engine.options,
  );
  return result && engine.toDescription(result);
}

async function describeDocument(
  descriptor: Descriptor,
  { document, from, chainId }: Subject & { document: TypedData },
  tools: Tools,
): Promise<Description | undefined> {
  const zeroTime = isForSameBlock(document) && tools.translate('value.sameBlock');
  const subject = { from, chainId, ...(zeroTime && { zeroTime }) };
  const engine = prepareEngine(descriptor, subject, tools);
  const { eip712 } = await loadEngine();
  const result = await eip712(document as unknown as ClearSigTypedInput, {
    ...engine.options,
    clearSig: [descriptor],
  });
  return result && engine.toDescription(result);
}

// In Permit2, an expiration of zero means the time of the block. A signature deadline of zero has
// always passed.
function isForSameBlock({ domain, primaryType, message }: TypedData): boolean {
  const isPermit2 = isSameAddress(findAddress(domain.verifyingContract) ?? '', PERMIT2);
  const isAllowance = primaryType === 'PermitSingle' || primaryType === 'PermitBatch';
  return isPermit2 && isAllowance && findQuantity(message.sigDeadline) !== 0n;
}

type Subject = {
  from: Hex;
  chainId: ChainId;
  /** The text for a time of zero. */
  zeroTime?: string;
};

function prepareEngine(
  { metadata }: Descriptor,
  { from, chainId, zeroTime = '0' }: Subject,
  tools: Tools,
): {
  options: Options;
  toDescription: (result: ClearSigResult) => Description;
} {
  const inner: CallEffect[] = [];
  const stated: StatedToken[] = [];
  const people: Hex[] = [];
  const options: Options = {
    allowUnreadBytes: true,
    resolveToken: promised(({ address, chainId: on = chainId, field, context }) => {
      const token = address as Hex;
      const { format, params } = field as FieldForm;
      // Only tokens are resolved to names.
      if (format === 'addressName' && !params?.types?.includes('token')) {
        const { types = PEOPLE } = params ?? {};
        const isPerson = types.some((each) => PEOPLE.includes(each));
        if (isPerson && isOrdinary(token)) people.push(token);
        return undefined;
      }
      const chain = toCaip2(on);
      if (isCoin(token)) {
        return toNamed({ symbol: findKnownChain(chain)?.unit ?? 'ETH', decimals: 18 });
      }
      const known = findTokenUnit(chain, token);
      if (known) return toNamed(known);
      // The descriptor of a token defines its unit on this chain.
      const isOwn =
        on === chainId && context.to !== undefined && isSameAddress(context.to, token);
      if (isOwn && metadata.token) return undefined;
      const unit = tools.findStated(on, token)?.unit;
      // A token without a descriptor may imitate the native currency's symbol. The empty symbol
      // keeps the engine from using the descriptor's unit, which it selects by the address alone.
      if (!unit || (!isOwn && isReservedSymbol(unit.symbol, chain))) {
        return toNamed({ symbol: '', decimals: 0 });
      }
      stated.push({ address: token, symbol: unit.symbol });
      return toNamed(unit);
    }),
    resolveNft: promised(({ collection, chainId: on = chainId }) => {
      const token = collection as Hex;
      const name = tools.findStated(on, token)?.name;
      if (name === undefined || isReservedSymbol(name, toCaip2(on))) return undefined;
      stated.push({ address: token, symbol: name });
      return { collectionName: name };
    }),
    resolveChain: promised(({ chainId: id }) => {
      const known = findKnownChain(id);
      return known && { name: known.name, ticker: known.unit };
    }),
    renderCalldata: async (_descriptors, call) => {
      const content: CallContent = {
        from: (call.from ?? from) as Hex,
        to: call.to as Hex,
        value: call.value ?? 0n,
        data: bytesToHex(call.data ?? new Uint8Array()),
      };
      const described = await tools.describeInner(
        readCall(content),
        call.chainId ?? chainId,
      );
      inner.push(described);
      return {
        intent: '',
        interpolatedIntent: `${INNER}${inner.length - 1}`,
        fields: {},
      };
    },
  };
  const toValue = (field: ClearSigField): DescribedValue => {
    const [, number] = field.value.split(INNER);
    const call = number === undefined ? undefined : inner[Number(number)];
    return call ? { call } : writeValue(field, tools, { from, zeroTime, people });
  };
  return {
    options,
    toDescription: ({ intent, structuredIntent, fields }) => {
      const all = Object.entries(fields);
      const owner = metadata.owner ?? metadata.contractName;
      return {
        intent: toShownLine(intent, MAX_LENGTH.intent),
        // A sentence must not contain an unverified name that could be mistaken for another.
        ...(structuredIntent &&
          !stated.some(({ symbol }) => isDoubtful(symbol)) && {
            sentence: toShownLine(
              structuredIntent
                .map((part) =>
                  typeof part === 'string' ? part : toPlain(toValue(part)),
                )
                .join('')
                // Some descriptors repeat the unit after an amount that already has it.
                .replace(/(?<=\d )(\S+) \1(?!\S)/gu, '$1'),
              MAX_LENGTH.sentence,
            ),
          }),
        ...(typeof owner === 'string' && {
          owner: toShownLine(owner, MAX_LENGTH.label),
        }),
        fields: all.slice(0, MAX_FIELDS).map(([label, field]): DescribedField => ({
          label: toShownLine(label, MAX_LENGTH.label),
          value: toValue(field),
        })),
        omitted: Math.max(0, all.length - MAX_FIELDS),
        calls: inner,
        stated: stated.filter(
          ({ address }, index) =>
            stated.findIndex((other) => isSameAddress(other.address, address)) ===
            index,
        ),
      };
    },
  };
}

function writeValue(
  field: ClearSigField,
  { translate, now }: Tools,
  { from, zeroTime, people }: { from: Hex; zeroTime: string; people: readonly Hex[] },
): DescribedValue {
  const { value, format, rawValue } = field;
  const address =
    findAddress(rawValue) ?? findAddress(format === 'addressName' && value);
  if (address && ['addressName', 'raw', 'tokenTicker'].includes(format)) {
    // If a descriptor declares that a value means the sender, the engine writes the sender's
    // address instead. This is accepted only for special values such as zero, not for another
    // account's address.
    const isSender = isSameAddress(address, from) || !isOrdinary(address);
    if (isSameAddress(value, from)) {
      return isSender ? { address: from, name: translate('self') } : { address };
    }
    const isNamed = value.toLowerCase() !== address.toLowerCase();
    if (!isNamed && hasAddress(people, address)) {
      return { address, note: translate('notSelf') };
    }
    return { address, ...(isNamed && { name: toShownLine(value, MAX_LENGTH.label) }) };
  }
  if (format === 'date' && value !== String(rawValue)) {
    // In documents, numbers are strings.
    const time = Number(rawValue) * 1_000;
    // Zero is not a date: it means none, any, or something specific to the contract.
    if (time === 0) return { text: zeroTime };
    // A Date cannot represent later times.
    if (time > 8.64e15) return writeText(String(rawValue), 'unit', translate);
    const shown = toShownTime(time, translate);
    return { text: `${shown} (${toShownRelativeTime(time, now, translate)})` };
  }
  if (format === 'nftName') {
    const isNamed = value !== String(rawValue);
    return { text: toShownLine(isNamed ? value : `#${value}`, MAX_LENGTH.label) };
  }
  const unlimited = writeUnlimited(field, translate);
  return unlimited ? { text: unlimited } : writeText(value, format, translate);
}

// Writes an unlimited amount of a token with a known unit, since not every descriptor has a text
// for it.
function writeUnlimited(
  { value, format, rawValue }: ClearSigField,
  translate: Translate,
): string | undefined {
  const [, symbol] = /^\d[\d.]* (\S+)$/u.exec(value) ?? [];
  const amount = format === 'tokenAmount' ? findQuantity(String(rawValue)) : undefined;
  if (amount === undefined || !isUnlimited(amount)) return undefined;
  if (symbol === undefined || symbol === '???') return undefined;
  return `${translate('changes.unlimited')} ${toShownLine(symbol, MAX_LENGTH.label)}`;
}

function writeText(
  value: string,
  format: string,
  translate: Translate,
): DescribedValue {
  const [, amount, unit = ''] = /^(-?\d+(?:\.\d+)?)( .+)?$/u.exec(value) ?? [];
  if (amount === undefined || format === 'raw') {
    return { text: toShownLine(toShownWord(value), MAX_LENGTH.value) };
  }
  const number = toShownDecimal(amount, translate);
  // The engine writes ??? for an unknown unit.
  if (unit === ' ???') {
    return { text: translate('value.smallest', { amount: number }), isBare: true };
  }
  const shownUnit = toShownLine(unit, MAX_LENGTH.value);
  const exact = `${number}${shownUnit}`;
  if (unit === '') return { text: exact };
  const text = `${toRoundedDecimal(amount, translate)}${shownUnit}`;
  return { text, ...(text !== exact && { exact }) };
}

const promised =
  <Request, Answer>(answer: (request: Request) => Answer) =>
  async (request: Request): Promise<Answer> =>
    Promise.resolve(answer(request));

const toNamed = (unit: TokenUnit): TokenUnit & { name: string } => ({
  ...unit,
  name: unit.symbol,
});

function toPlain(value: DescribedValue): string {
  if ('text' in value) return value.text;
  if ('call' in value) return value.call.description?.intent ?? '…';
  return value.name ?? toShortHex(value.address);
}

// Symbols, decimals and names from the tokens' own contracts, which can state anything.

/** @see https://www.multicall3.com */
const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Selectors of symbol(), decimals() and name(). */
const METADATA_SELECTORS: readonly Hex[] = ['0x95d89b41', '0x313ce567', '0x06fdde03'];

/** Only ASCII and the ₮ of USD₮, so that letters of other scripts cannot imitate them, and no
 * spaces, so that a symbol cannot be a sentence. */
const SYMBOL_FORM = /^[\w$₮][\w.$₮+-]{0,15}$/u;

/** Names of collections may also contain spaces. */
const NAME_FORM = /^[\w$][\w .$+-]{0,31}$/u;

/** No token in use has more decimals. */
const MAX_DECIMALS = 36n;

const MAX = { asked: 50, kept: 500 };

/** A field is undefined if it is not stated, or unsuitable next to an amount (`unit`) or an id
 * (`name`). */
type Stated = { unit: TokenUnit | undefined; name: string | undefined };

export type StatedUnits = {
  find: (chainId: ChainId, token: Hex) => Stated | undefined;
  /** Asks a node about at most 50 new tokens, in one request. Rejects if the request fails. */
  fetch: (
    tokens: Iterable<Hex>,
    chain: { id: ChainId; node: NodeClient; signal: AbortSignal },
  ) => Promise<void>;
};

export function createStatedUnits(): StatedUnits {
  const stated = new Map<string, Stated>();
  const toKey = (chainId: ChainId, token: Hex): string =>
    `${chainId}:${token.toLowerCase()}`;
  return {
    find: (chainId, token) => stated.get(toKey(chainId, token)),
    fetch: async (tokens, { id, node, signal }) => {
      const newTokens = [...tokens]
        .filter((each) => !stated.has(toKey(id, each)))
        .slice(0, MAX.asked);
      if (newTokens.length === 0) return;
      const calls = newTokens.flatMap((token) =>
        METADATA_SELECTORS.map((selector) => [token, true, hexToBytes(selector)]),
      );
      const data = encodeBySignature('aggregate3((address,bool,bytes)[])', calls);
      const call = { to: MULTICALL, data };
      const answer = await node.request('eth_call', [call, 'latest'], { signal });
      const [answers = []] = (readArguments(['(bool,bytes)[]'], hexToBytes(answer)) ??
        []) as [[boolean, Uint8Array][]?];
      if (stated.size > MAX.kept) stated.clear();
      for (const [index, token] of newTokens.entries()) {
        const [symbol, decimals, named] = answers
          .slice(3 * index, 3 * index + 3)
          .map(([isDone, bytes]) => (isDone ? bytes : undefined));
        const unit = readUnit(symbol, decimals);
        stated.set(toKey(id, token), { unit, name: readName(named) });
      }
    },
  };
}

function readUnit(
  symbolBytes: Uint8Array | undefined,
  decimalBytes: Uint8Array | undefined,
): TokenUnit | undefined {
  if (!symbolBytes || decimalBytes?.length !== WORD_BYTES) return undefined;
  const decimals = bytesToBigInt(decimalBytes);
  const symbol = readText(symbolBytes);
  const isUnit = decimals <= MAX_DECIMALS && SYMBOL_FORM.test(symbol);
  return isUnit ? { symbol: quote(symbol), decimals: Number(decimals) } : undefined;
}

function readName(bytes: Uint8Array | undefined): string | undefined {
  const name = bytes && readText(bytes);
  return name !== undefined && NAME_FORM.test(name) ? quote(name) : undefined;
}

function quote(symbol: string): string {
  return isDoubtful(symbol) ? `“${symbol}”` : symbol;
}

// Old tokens return their symbol as bytes32.
function readText(bytes: Uint8Array): string {
  if (bytes.length === WORD_BYTES) {
    return new TextDecoder().decode(bytes).replace(/\0+$/u, '');
  }
  const [text = ''] = readArguments(['string'], bytes) ?? ([] as AbiValue[]);
  return text as string;
}
