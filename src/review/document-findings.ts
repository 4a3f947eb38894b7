// Warnings about typed data, based on the document, the site and the account: who may do what, how
// much and until when, on which chain, and what an order gives in return. Many thefts are orders
// that sell everything for nothing.
import type { Json } from '@metamask/utils';

import type { TypedData, TypedEntry, TypedField } from '../core/typed-data';
import { findChainId, toCaip2 } from '../eth/chain';
import {
  byteLength,
  findAddress,
  findQuantity,
  hasAddress,
  isNever,
  isSameAddress,
  isUnlimited,
  larger,
  MAX_UINT256,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hostOf } from '../eth/host';
import { HIDDEN } from '../eth/text';
import { toShownName } from '../ui/format';
import { findTokenUnit, hasKnownTokens, isCoin } from '../ui/tokens';
import { danger, info, listDistinct, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { findChain } from './documents';
import type { DecodedTypedData } from './documents';
import { listAddresses, listCalls, listEffects } from './effects';
import { ifWithoutCode, NO_MISSING_CODE, warnOfSpender } from './facts';
import type { MissingCode } from './facts';
import { findLookAlikes, findWarnings } from './findings';
import {
  findDisguisedDocument,
  findDisguisedEntries,
  findMessageWarnings,
} from './messages';
import type { SigningContext } from './messages';
import {
  addressesAt,
  hidesPrice,
  isRevoking,
  listOrders,
  quantitiesIn,
  valuesAt,
  valuesIn,
} from './shapes';
import type { Shape, ShapeName } from './shapes';

type TypedContext = SigningContext & {
  missingCode?: MissingCode | undefined;
};

const FAR_MS = 366 * 86_400_000;

/** Shapes of orders, which can give the signer something in return. */
const ORDERS: readonly ShapeName[] = ['sale', 'order', 'permit2Transfer'];

/** A negligible amount of most tokens: a tenth of a cent for a dollar token with six decimals. */
const TOKEN_DUST = 1_000n;

/** A negligible amount of the native currency or of a known token is at most one unit divided by
 * this, and at most `TOKEN_DUST` if that is larger. */
const DUST_DIVISOR = 10n ** 6n;

/** Fields with the amount that an order gives in return, and fields that can name its token. */
const GAIN_FIELDS: readonly [amount: string, tokens: readonly string[]][] = [
  ['buyAmount', ['buyToken']],
  ['takingAmount', ['takerAsset']],
  ['takerAmount', ['takerToken']],
  ['takerAssetAmount', ['takerAssetData']],
  ['erc20TokenAmount', ['erc20Token']],
  ['price', ['paymentToken', 'currency']],
];

/** The item types of Seaport. Higher ones are NFTs. */
const COIN_ITEM = 0n;
const TOKEN_ITEM = 1n;

/** Fields with the root hash of many orders, which one signature covers. */
const ROOT_FIELDS = ['root', 'listingsRoot'];

/** Fields that distinguish bids from asks, with their values in bids. In a bid, the signer pays
 * the price. */
const BID_FIELDS: Readonly<Record<string, bigint>> = {
  quoteType: 0n,
  side: 0n,
  direction: 1n,
};

/** Fields with the recipient. Directly in an order, zero means the signer; in its outputs, it does
 * not. */
const RECEIVER_FIELDS = ['receiver', 'recipient'];

export function findTypedWarnings(
  typed: DecodedTypedData,
  context: TypedContext,
): Warning[] {
  const { data, document, shape, addresses } = typed;
  const ownWarnings = document
    ? listFound(
        findDisguisedDocument(document, context),
        findDomainWarnings(document, context, shape),
        shape && findShapeWarnings(typed, document, { ...context, shape }),
        findCallWarnings(typed),
        findWrappedWarnings(typed, context),
        isBlindHash(typed) && danger('message.hash'),
        ...findNameWarnings(Object.values(document.types).flat()),
      )
    : [
        ...findDisguisedEntries(data as readonly TypedEntry[], context),
        ...findCallWarnings(typed),
        // Version 1 has no domain.
        warning('typed.everyChain'),
        warning('warning.domain'),
        // Its names are texts for the user, so spaces and punctuation are not unusual.
        ...findNameWarnings(
          (data as readonly TypedEntry[]).filter(({ name }) => OBSCURE.test(name)),
        ),
      ];
  const named = [...addresses, ...listAddresses(typed.calls)];
  return listDistinct([...ownWarnings, ...findLookAlikes(named, context.known)]);
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u;

/** Matches an empty name, and characters that split or obscure a name: odd blanks, invisible
 * characters, and separators in the signed text and on the screen. */
const MISLEADING = new RegExp(
  String.raw`^$|^\s|\s$|\s{2}|[^\S ]|[(),[\]›]|${HIDDEN.source}`,
  'u',
);

/** Odd blanks, invisible characters, and the separator on the screen. */
const OBSCURE = new RegExp(String.raw`[^\S ]|›|${HIDDEN.source}`, 'u');

function findNameWarnings(fields: readonly TypedField[]): Warning[] {
  const names = [...new Set(fields.map(({ name }) => name))];
  const forged = names.filter((name) => MISLEADING.test(name));
  const odd = names.filter((name) => !MISLEADING.test(name) && !IDENTIFIER.test(name));
  const quote = (given: string[]): { text: string } => ({
    text: given.map((name) => `"${toShownName(name)}"`).join(', '),
  });
  return listFound(
    forged.length > 0 && danger('typed.forgedName', { names: quote(forged) }),
    odd.length > 0 && info('typed.oddName', { names: quote(odd) }),
  );
}

function findDomainWarnings(
  { domain }: TypedData,
  { chains, own, missingCode = NO_MISSING_CODE }: TypedContext,
  shape: Shape | undefined,
): Warning[] {
  const named = findQuantity(domain.chainId) === 0n ? undefined : domain.chainId;
  const chainId = findChainId(named);
  const address = findAddress(domain.verifyingContract);
  // Unknown documents need no contract: sites that verify signatures themselves omit it or set it
  // to zero.
  const warnOfNone = shape ? warning : info;
  const findOfContract = (): Warning | false => {
    if (!address) return warnOfNone('warning.domain');
    if (isSameAddress(address, ZERO_ADDRESS)) return warnOfNone('typed.zeroContract');
    if (hasAddress(own, address)) return danger('typed.ownContract', { address });
    return ifWithoutCode(warning('typed.noCode', { address }), address, missingCode);
  };
  return listFound(
    named === undefined && warning('typed.everyChain'),
    chainId !== undefined &&
      chains?.includes(chainId) === false &&
      danger('typed.foreignChain', { chain: { chain: toCaip2(chainId) } }),
    findOfContract(),
  );
}

function findShapeWarnings(
  typed: DecodedTypedData,
  data: TypedData,
  context: TypedContext & { shape: Shape },
): Warning[] {
  const { account, origin, now, shape, missingCode = NO_MISSING_CODE } = context;
  const { message } = data;
  const { name } = shape;
  const owner = addressesAt(message, shape.owners).find(
    (each) => !hasAddress([account, ZERO_ADDRESS], each),
  );
  const isGiven = name !== 'transfer' && !isRevoking(name, message);
  const spenders = isGiven ? addressesAt(message, shape.spenders) : [];
  return listFound(
    describeShape(name),
    findLimitWarnings(typed, message, { ...shape, now }),
    owner && warning('typed.otherOwner', { address: owner }),
    ...spenders.map((each) => warnOfSpender(each, missingCode)),
    name === 'manager' &&
      spenders.map((manager) => danger('typed.manager', { manager })),
    ORDERS.includes(name) && findOrderWarnings(data, account),
    name === 'signIn' && findSignInWarning(data, origin),
    // Unreadable limits may not limit anything.
    name === 'delegation' &&
      typed.allowances.length === 0 &&
      danger(
        valuesAt(message, 'caveats').length > 0
          ? 'typed.unknownLimits'
          : 'typed.unrestricted',
      ),
  );
}

/** Shapes that get a warning, whatever their limits. */
const POWERS: readonly ShapeName[] = [
  'delegation',
  'creditDelegation',
  'spendPermission',
];

function describeShape(name: ShapeName): Warning | undefined {
  // Other findings warn of these, except of a manager's removal.
  if (name === 'userOperation' || name === 'manager') return undefined;
  if (name === 'safeOperation') return info('shape.safeTransaction');
  if (name === 'execute') return info('shape.metaTransaction');
  if (name === 'daiPermit' || name === 'operatorPermit') return info('shape.permit');
  const warn = POWERS.includes(name) ? warning : info;
  return warn(`shape.${name}`);
}

function findLimitWarnings(
  { allowances }: DecodedTypedData,
  message: Record<string, Json>,
  { name, amounts, deadlines, now }: Shape & { now: number },
): Warning[] {
  const allowedAmounts = allowances.map(({ amount = 0n }) => amount);
  const all = [...allowedAmounts, ...quantitiesIn(message, amounts)];
  const latest = quantitiesIn(message, deadlines)
    // DAI uses zero for "never expires".
    .map((each) => (each === 0n && name === 'daiPermit' ? MAX_UINT256 : each))
    .reduce(larger, 0n);
  const time = Number(latest) * 1_000;
  return listFound(
    all.some((each) => isUnlimited(each)) && warning('typed.unlimited'),
    isNever(latest)
      ? warning('typed.noDeadline')
      : time > now + FAR_MS && warning('typed.farDeadline', { time: { time } }),
  );
}

// Warns about a document's calls as about a transaction's, but more strictly: anyone with the
// signature can execute them without asking again.
function findCallWarnings(typed: DecodedTypedData): Warning[] {
  const { calls, hasUnreadCalls, allowances, isRelayed, shape, document } = typed;
  const effects = listEffects(calls);
  const wholeCollections = allowances.filter(({ amount }) => amount === undefined);
  const { gasPrice = '0', gasToken, refundReceiver, baseGas } = document?.message ?? {};
  const isRefunded =
    shape?.name === 'safeTransaction' && (findQuantity(gasPrice) ?? 1n) > 0n;
  const token = findAddress(gasToken) ?? ZERO_ADDRESS;
  const to = findAddress(refundReceiver) ?? ZERO_ADDRESS;
  return listFound(
    findWarnings([...calls, ...wholeCollections]).filter(
      ({ key }) => key !== 'alert.control',
    ),
    ...effects.map(
      (each) =>
        each.kind === 'control' &&
        danger('typed.control', { signature: each.signature }),
    ),
    hasUnreadCalls &&
      danger('alert.unread', {
        function: `"${toShownName(document?.primaryType ?? '')}"`,
      }),
    // `isRelayed` excludes Safe transactions, which are meant for others to execute.
    ...listCalls(isRelayed ? calls : []).map(
      ({ known, inside }) =>
        known &&
        inside.some(({ kind }) => kind === 'allow' || kind === 'transfer') &&
        danger('typed.innerCall', { signature: known.signature }),
    ),
    isRefunded &&
      findWarnings([
        {
          kind: 'refund',
          token,
          to,
          baseGas: findQuantity(baseGas),
          size: byteLength(calls[0]?.data ?? '0x'),
        },
      ]),
  );
}

// A document for a smart account can wrap another document (ERC-7739) or a message (ERC-7739,
// Safe).
function findWrappedWarnings(
  { wrapped, message, document }: DecodedTypedData,
  context: TypedContext,
): Warning[] {
  if (wrapped) {
    const account = findAddress(document?.message.verifyingContract) ?? context.account;
    return findTypedWarnings(wrapped, { ...context, account });
  }
  if (!message) return [];
  const account = findAddress(document?.domain.verifyingContract) ?? context.account;
  const isOwn = message.isPrefixed || document?.primaryType !== 'PersonalSign';
  return [
    ...(isOwn ? [] : [danger('message.notPrefixed')]),
    ...findMessageWarnings(message, { ...context, account }),
  ];
}

// Returns whether a document's only value, apart from addresses, is a hash, which can stand for
// anything.
function isBlindHash({ document, shape }: DecodedTypedData): boolean {
  if (!document || (shape && shape.name !== 'safeMessage')) return false;
  const fields = document.types[document.primaryType] ?? [];
  const [hash, ...more] = fields.filter(({ type }) => type !== 'address');
  // A sign-in may consist of an address and a 32-byte nonce.
  const isOnly = fields.length === 1 || /hash|digest/iu.test(hash?.name ?? '');
  return hash?.type === 'bytes32' && more.length === 0 && isOnly;
}

function findOrderWarnings(document: TypedData, account: Hex): Warning[] {
  const { message } = document;
  const sales = Object.hasOwn(message, 'tree') ? listOrders(message) : [message];
  const chain = findChain(document) ?? '';
  const found = listFound(
    ...sales.map((each) => findOrderWarning(each, account, chain)),
  );
  return listFound(
    sales.some(hidesPrice) && danger('typed.hiddenPrice'),
    found.find(({ severity }) => severity === 'danger') ?? found[0],
  );
}

function findOrderWarning(
  order: Record<string, Json>,
  account: Hex,
  chain: string,
): Warning | undefined {
  if (ROOT_FIELDS.some((name) => Object.hasOwn(order, name))) {
    return warning('typed.hiddenOrders');
  }
  const isForSeaport = Object.hasOwn(order, 'consideration');
  const items = isForSeaport
    ? valuesAt(order, 'consideration')
    : valuesIn(order, ['witness.outputs', 'witness.baseOutputs']);
  if (isForSeaport || items.length > 0) {
    const gains = items.filter((each) => isGain(each, account, chain));
    if (gains.length > 0) {
      return warnOfUnknownGain(gains.map(readItemToken), account, chain);
    }
    const other = (isForSeaport ? [] : items)
      .flatMap((each) => addressesAt(each, RECEIVER_FIELDS))
      .find((each) => !isSameAddress(each, account));
    return other
      ? danger('typed.otherReceiver', { address: other })
      : danger('typed.nothingInReturn');
  }
  const found = GAIN_FIELDS.find(([name]) => valuesAt(order, name).length > 0);
  if (!found) return undefined;
  const [amounts, tokens] = [valuesAt(order, found[0]), valuesIn(order, found[1])];
  const isBought = isBid(order);
  const token = findAddress(tokens[0]);
  if (!isBought && !amounts.every((each) => exceeds(each, dustOf(token, chain)))) {
    return danger('typed.nothingInReturn');
  }
  const other = addressesAt(order, RECEIVER_FIELDS).find(
    (each) => !hasAddress([account, ZERO_ADDRESS], each),
  );
  if (other) return danger('typed.otherReceiver', { address: other });
  // A price may be in a currency that the contract defines.
  return isBought || tokens.length === 0
    ? undefined
    : warnOfUnknownGain([token], account, chain);
}

// Anyone can create tokens. NFTs do not count as unknown: bids for them say so, and there is no
// list of known collections.
function warnOfUnknownGain(
  tokens: readonly (Hex | 'nft' | undefined)[],
  account: Hex,
  chain: string,
): Warning | undefined {
  const isUnknown = (each: Hex | 'nft' | undefined): boolean =>
    each !== undefined && each !== 'nft' && findDecimals(each, chain) === undefined;
  // On a chain without known tokens, every token would cause the warning.
  return hasKnownTokens(chain) && tokens.every(isUnknown)
    ? warning('alert.leavesForUnknown', { account })
    : undefined;
}

function isGain(item: Json, account: Hex, chain: string): boolean {
  const token = readItemToken(item);
  const dust = token === 'nft' ? 0n : dustOf(token, chain);
  const amounts = valuesIn(item, ['startAmount', 'endAmount', 'minAmount', 'amount']);
  return (
    hasAddress(addressesAt(item, RECEIVER_FIELDS), account) &&
    amounts.length > 0 &&
    amounts.every((each) => exceeds(each, dust))
  );
}

// Only the items of Seaport have a type.
function readItemToken(item: Json): Hex | 'nft' | undefined {
  const type = findQuantity(valuesAt(item, 'itemType')[0]) ?? TOKEN_ITEM;
  if (type > TOKEN_ITEM) return 'nft';
  return type === COIN_ITEM ? ZERO_ADDRESS : addressesAt(item, ['token'])[0];
}

function findDecimals(token: Hex, chain: string): number | undefined {
  return isCoin(token) ? 18 : findTokenUnit(chain, token)?.decimals;
}

function dustOf(token: Hex | undefined, chain: string): bigint {
  const decimals = token && findDecimals(token, chain);
  const dust = 10n ** BigInt(decimals ?? 0) / DUST_DIVISOR;
  return larger(dust, TOKEN_DUST);
}

function exceeds(amount: Json, bound: bigint): boolean {
  const read = findQuantity(amount);
  return read !== undefined && read > bound;
}

function isBid(order: Record<string, Json>): boolean {
  const { isOrderAsk, ...others } = order;
  return (
    isOrderAsk === false ||
    Object.entries(BID_FIELDS).some(([name, bid]) => findQuantity(others[name]) === bid)
  );
}

function findSignInWarning(
  { message }: TypedData,
  origin: string,
): Warning | undefined {
  const siteHost = /^https?:/u.test(origin) ? hostOf(origin) : undefined;
  const named = valuesIn(message, ['domain', 'website', 'host', 'uri'])
    .filter((each) => typeof each === 'string')
    .find((each) => /^(?:https?:\/\/)?[^\s/]+\.[^\s/]+/u.test(each));
  if (siteHost === undefined || named === undefined) return undefined;
  const host = hostOf(named.includes('://') ? named : `https://${named}`);
  return host === undefined || host === siteHost
    ? undefined
    : danger('typed.signInDomain', { domain: named });
}
