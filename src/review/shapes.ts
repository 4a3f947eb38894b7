// A table of common typed data: how to recognize each kind by its name and fields, where its
// amounts, deadlines and beneficiaries are, and which calls it makes. Paths include all items of
// arrays.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { TypedData } from '../core/typed-data';
import { findCap } from '../eth/caveats';
import {
  findAddress,
  findQuantity,
  isSameAddress,
  larger,
  MAX_UINT256,
  NodeBytesStruct,
  smaller,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { matches } from '../schema/parse';
import { COIN } from '../ui/tokens';
import type { AllowanceEffect, Asset, InnerCall, Trade } from './effects';

type ShapeRow = {
  /** Name of the kind, such as `permit`. */
  name: string;
  primaryType: RegExp;
  /** Fields that the message must have. */
  fields: readonly string[];
  amounts?: readonly string[];
  /** Expiration times in seconds. */
  deadlines?: readonly string[];
  /** Paths of the addresses that may take something. */
  spenders?: readonly string[];
  /** Paths of the owners. An owner other than the account or zero causes a warning. */
  owners?: readonly string[];
  /** `contract` is the domain's verifyingContract, or zero if there is none. */
  allows?: (message: Message, contract: Hex) => AllowanceEffect[];
  trades?: (message: Message) => Trade[];
  /** Undefined for calls that cannot be read. */
  calls?: (message: Message, contract: Hex) => (InnerCall | undefined)[];
};

type Message = Record<string, Json>;

const ORDER = /Order$/u;

/** Creates a reader of an allowance of the contract's own tokens. */
const allowing =
  (
    spender: string,
    amount: (message: Message) => bigint | undefined,
  ): NonNullable<ShapeRow['allows']> =>
  (message, token) => [
    {
      kind: 'allow',
      token,
      spender: addressOf(message[spender]),
      amount: amount(message),
    },
  ];

/** Creates a reader of Permit2 allowances, each of which names its token. */
const allowingEach =
  (field: string): NonNullable<ShapeRow['allows']> =>
  (message) =>
    flatten(message[field] ?? null).map((each) => {
      const { token, amount, expiration } = isRecord(each) ? each : {};
      const end = findQuantity(expiration);
      return {
        kind: 'allow',
        token: addressOf(token),
        spender: addressOf(message.spender),
        amount: findQuantity(amount) ?? 0n,
        ...(end === undefined ? {} : { expiration: end }),
      };
    });

/** Creates the row of a permission that names its spender, and possibly its owner and deadline. */
const spending = <Name extends string>(
  name: Name,
  primaryType: RegExp,
  [spender, owner, ...others]: readonly [string, string, ...string[]],
) => ({
  name,
  primaryType,
  fields: [spender.replace(/\..*/u, ''), ...others],
  deadlines: ['deadline', 'expiry', 'end'],
  spenders: [spender],
  owners: [owner],
});

/** Creates the row of an ERC-20 permit, by the name of its amount. */
const permitting = (amount: string) => ({
  ...spending('permit', /^Permit$/u, ['spender', 'owner', amount]),
  allows: allowing('spender', ({ [amount]: value }) => findQuantity(value) ?? 0n),
});

type TokenFields = readonly [token: string, amount: string, fee?: string];

/** The bit of 1inch's `makerTraits` for orders with an extension, which can compute the amounts. */
const HAS_EXTENSION = 1n << 249n;

/** Returns whether an order can leave its price to contracts that it names by a hash or in
 * bytes. */
export function hidesPrice({ makerTraits = 0, interactions = '0x' }: Message): boolean {
  const traits = findQuantity(makerTraits) ?? HAS_EXTENSION;
  return (traits & HAS_EXTENSION) !== 0n || interactions !== '0x';
}

/** Creates the row of an order that swaps one token for another. `coin` is the address that stands
 * for the native currency. */
const swapping = (
  sold: TokenFields,
  bought: TokenFields,
  { coin, ...others }: Pick<ShapeRow, 'deadlines' | 'owners'> & { coin?: Hex },
) => ({
  name: 'order' as const,
  primaryType: ORDER,
  fields: [sold[0], bought[0], sold[1], bought[1]],
  amounts: [sold[1]],
  ...others,
  trades: (message: Message): Trade[] => {
    const [given, got] = [readSide(message, sold), readSide(message, bought)];
    if (!given || !got || hidesPrice(message)) return [];
    const token = coin && isSameAddress(got.token, coin) ? ZERO_ADDRESS : got.token;
    const to = addressOf(message.receiver);
    const receiver = isSameAddress(to, ZERO_ADDRESS) ? {} : { to };
    return [{ gives: [given], gets: [{ ...got, token, ...receiver }] }];
  },
});

// Returns undefined if any part is unreadable, so that the order is not shown as a trade.
function readSide(
  message: Message,
  [tokenField, amountField, feeField = '']: TokenFields,
): Asset | undefined {
  const { [feeField]: onTop = '0' } = message;
  const token = addressOf(message[tokenField]);
  const [amount, fee] = [findQuantity(message[amountField]), findQuantity(onTop)];
  return isSameAddress(token, ZERO_ADDRESS) || amount === undefined || fee === undefined
    ? undefined
    : { token, amount: amount + fee };
}

const tradeSeaport = (order: Message): Trade => ({
  gives: listStructs(order, 'offer').map((each) => toItem(each, larger)),
  gets: listStructs(order, 'consideration').map((each) => ({
    ...toItem(each, smaller),
    to: addressOf(each.recipient),
  })),
});

// Item types 0 to 5: native currency, ERC-20, ERC-721, ERC-1155, and ERC-721 and ERC-1155 by
// criteria.
const toItem = (
  { itemType, token, identifierOrCriteria, startAmount, endAmount }: Message,
  bound: (one: bigint, other: bigint) => bigint,
): Asset => {
  const type = findQuantity(itemType) ?? 0n;
  const amounts = [startAmount, endAmount].map((each) => findQuantity(each) ?? 0n);
  const number = type < 4n ? (findQuantity(identifierOrCriteria) ?? 0n) : 'any';
  return {
    token: type === 0n ? ZERO_ADDRESS : addressOf(token),
    amount: amounts.reduce(bound),
    ...(type > 1n && { id: number }),
  };
};

function listStructs(message: Message, path: string): Message[] {
  return valuesAt(message, path).filter(isRecord);
}

function callIn(call: Json | undefined, from: Hex): InnerCall | undefined {
  const {
    to,
    target = to,
    value = '0',
    callData,
    data = callData,
  } = isRecord(call) ? call : {};
  const [address, amount] = [findAddress(target), findQuantity(value)];
  return address && amount !== undefined && matches(data, NodeBytesStruct)
    ? { from, to: address, value: amount, data }
    : undefined;
}

// The EntryPoint calls the account.
const operationOf =
  (sender: string): NonNullable<ShapeRow['calls']> =>
  (message, contract) => {
    const { [sender]: to = '', callData = '', entryPoint = contract } = message;
    return [callIn({ to, callData }, addressOf(entryPoint))];
  };

/** The first match wins. */
export const shapes = [
  permitting('value'),
  spending('nftPermit', /^Permit$/u, ['spender', 'owner', 'tokenId']),
  spending('nftPermit', /^Permit$/u, ['spender', 'owner', 'id']),
  // Maple's MPL.
  permitting('amount'),
  {
    name: 'daiPermit',
    primaryType: /^Permit$/u,
    fields: ['holder', 'spender', 'expiry', 'allowed'],
    deadlines: ['expiry'],
    spenders: ['spender'],
    owners: ['holder'],
    // An allowance for everything or nothing.
    allows: allowing('spender', ({ allowed }) => (allowed === true ? MAX_UINT256 : 0n)),
  },
  // ERC-4494, and other non-ERC-20 permits.
  spending('nftPermit', /^Permit$/u, ['spender', 'owner']),
  spending('nftPermit', /^Permit$/u, ['operator', 'owner', 'tokenId']),
  // Uniswap V4's positions (ERC721PermitHash of v4-periphery), and ERC-1155 tokens.
  {
    ...spending('operatorPermit', /^Permit(?:ForAll|Operator)?$/u, [
      'operator',
      'owner',
    ]),
    allows: (message, token) =>
      isRevoking('operatorPermit', message)
        ? []
        : allowing('operator', () => undefined)(message, token),
  },
  // Full control over an account's assets in Compound III (CometExt), Morpho Blue (ConstantsLib)
  // and Aave V4 (EIP712Hash of its spokes).
  spending('manager', /^Authorization$/u, ['manager', 'owner']),
  spending('manager', /^Authorization$/u, ['authorized', 'authorizer']),
  spending('manager', /^Authorization$/u, ['authorizee', 'authorizer']),
  spending('manager', /^SetUserPositionManagers$/u, [
    'updates.positionManager',
    'onBehalfOf',
  ]),
  // Aave (DebtTokenBase of aave-v3-core).
  {
    ...spending('creditDelegation', /^DelegationWithSig$/u, ['delegatee', '', 'value']),
    allows: allowing('delegatee', ({ value }) => findQuantity(value) ?? 0n),
  },
  // Coinbase's SpendPermissionManager: the amount renews in every period.
  {
    ...spending('spendPermission', /^SpendPermission$/u, [
      'spender',
      'account',
      'period',
    ]),
    amounts: ['allowance'],
  },
  {
    name: 'permit2Allowance',
    primaryType: /^Permit(?:Single|Batch)$/u,
    fields: ['details', 'spender', 'sigDeadline'],
    deadlines: ['details.expiration', 'sigDeadline'],
    spenders: ['spender'],
    allows: allowingEach('details'),
  },
  {
    name: 'permit2Transfer',
    primaryType: /^Permit(?:Batch)?(?:Witness)?TransferFrom$/u,
    fields: ['permitted', 'spender', 'deadline'],
    deadlines: ['deadline'],
    spenders: ['spender'],
    allows: allowingEach('permitted'),
  },
  // Orders of markets and exchanges: the signature is an offer that others can accept.
  {
    name: 'sale',
    primaryType: /^OrderComponents$/u,
    fields: ['offerer', 'offer', 'consideration'],
    deadlines: ['endTime'],
    owners: ['offerer'],
    trades: (order) => [tradeSeaport(order)],
  },
  {
    name: 'sale',
    primaryType: /^(?:Bulk|Batch)Order$/u,
    fields: ['tree'],
    trades: (message) => listOrders(message).map(tradeSeaport),
    deadlines: ['tree.endTime'],
    owners: ['tree.offerer', 'tree.signer'],
  },
  swapping(['sellToken', 'sellAmount', 'feeAmount'], ['buyToken', 'buyAmount'], {
    deadlines: ['validTo'],
    coin: COIN,
  }),
  swapping(['makerAsset', 'makingAmount'], ['takerAsset', 'takingAmount'], {
    owners: ['maker'],
  }),
  swapping(['makerToken', 'makerAmount'], ['takerToken', 'takerAmount'], {
    deadlines: ['expiry'],
    owners: ['maker'],
  }),
  {
    name: 'order',
    primaryType: ORDER,
    fields: ['makerAddress', 'makerAssetAmount', 'takerAssetAmount'],
    amounts: ['makerAssetAmount'],
    deadlines: ['expirationTimeSeconds'],
    owners: ['makerAddress'],
  },
  {
    name: 'sale',
    primaryType: /^(?:Order|Maker|MakerOrder)$/u,
    fields: ['price', 'collection'],
    deadlines: ['endTime', 'expirationTime'],
    owners: ['signer', 'trader'],
  },
  {
    name: 'sale',
    primaryType: ORDER,
    fields: ['direction', 'maker', 'erc20TokenAmount'],
    deadlines: ['expiry'],
    owners: ['maker'],
  },
  {
    name: 'sale',
    primaryType: ORDER,
    fields: ['trader', 'listingsRoot'],
    deadlines: ['expirationTime'],
    owners: ['trader'],
  },
  { name: 'sale', primaryType: /^Root$/u, fields: ['root'] },
  {
    name: 'transfer',
    primaryType: /^(?:Transfer|Receive)WithAuthorization$/u,
    fields: ['from', 'to', 'value', 'validBefore'],
    deadlines: ['validBefore'],
    spenders: ['to'],
    owners: ['from'],
    allows: allowing('to', ({ value }) => findQuantity(value) ?? 0n),
  },
  {
    name: 'safeTransaction',
    primaryType: /^SafeTx$/u,
    fields: ['to', 'value', 'data', 'operation'],
    calls: (message, safe) => {
      const call = callIn(message, safe);
      return [call && { ...call, isDelegate: findQuantity(message.operation) !== 0n }];
    },
  },
  { name: 'safeMessage', primaryType: /^SafeMessage$/u, fields: ['message'] },
  {
    name: 'delegation',
    primaryType: /^Delegation$/u,
    fields: ['delegate', 'caveats'],
    owners: ['delegator'],
    allows: (message, manager) =>
      listStructs(message, 'caveats').flatMap(({ enforcer, terms }) => {
        const cap = findCap(manager, enforcer, terms);
        const spender = addressOf(message.delegate);
        return cap ? [{ kind: 'allow', spender, ...cap }] : [];
      }),
  },
  {
    name: 'voteDelegation',
    primaryType: /^Delegation$/u,
    fields: ['delegatee', 'nonce', 'expiry'],
  },
  {
    name: 'userOperation',
    primaryType: /^(?:Packed)?UserOperation$/u,
    fields: ['sender', 'callData'],
    calls: operationOf('sender'),
  },
  {
    name: 'safeOperation',
    primaryType: /^SafeOp$/u,
    fields: ['safe', 'callData'],
    calls: operationOf('safe'),
  },
  {
    name: 'metaTransaction',
    primaryType: /^ForwardRequest/u,
    fields: ['from', 'to', 'data'],
    owners: ['from'],
    calls: (message) => [callIn(message, addressOf(message.from))],
  },
  {
    name: 'metaTransaction',
    primaryType: /^MetaTransaction$/u,
    fields: ['from', 'functionSignature'],
    owners: ['from'],
    calls: ({ from, functionSignature: data = '' }, to) => [
      callIn({ to, data }, addressOf(from)),
    ],
  },
  {
    name: 'execute',
    primaryType: /^Execute/u,
    fields: ['calls'],
    calls: (message, account) =>
      valuesAt(message, 'calls').map((each) => callIn(each, account)),
  },
  {
    name: 'signIn',
    primaryType: /^(?:SignIn|Login|Auth|Authentication)(?:Message|Request)?$/u,
    fields: [],
  },
] as const satisfies readonly ShapeRow[];

export type ShapeName = (typeof shapes)[number]['name'];

export type Shape = ShapeRow & { name: ShapeName };

/** Flags that grant a permission or revoke it, in the shapes that have one. */
const FLAGS: Partial<Record<string, readonly string[]>> = {
  operatorPermit: ['approved'],
  manager: ['approved', 'isAllowed', 'isAuthorized', 'updates.approve'],
};

export function isRevoking(name: string, message: Message): boolean {
  const flags = valuesIn(message, FLAGS[name] ?? []);
  return flags.length > 0 && flags.every((each) => each === false);
}

/** Lists the orders in a tree, without its empty leaves. */
export function listOrders(message: Message): Message[] {
  return listStructs(message, 'tree').filter((order) => {
    const [owner] = addressesAt(order, ['offerer', 'signer']);
    return owner === undefined || !isSameAddress(owner, ZERO_ADDRESS);
  });
}

export function findShape({ primaryType, message }: TypedData): Shape | undefined {
  return shapes.find(
    (shape: Shape) =>
      shape.primaryType.test(primaryType) &&
      shape.fields.every((field) => Object.hasOwn(message, field)),
  );
}

/** Lists the values at a path such as `details.amount`, including each array item. */
export function valuesAt(value: Json | undefined, path: string): Json[] {
  return path
    .split('.')
    .reduce<Json[]>(
      (values, name) =>
        values.flatMap((each) =>
          isRecord(each) && Object.hasOwn(each, name)
            ? flatten(each[name] ?? null)
            : [],
        ),
      flatten(value ?? null),
    );
}

export function valuesIn(value: Json | undefined, paths: readonly string[]): Json[] {
  return paths.flatMap((path) => valuesAt(value, path));
}

/** Lists the numbers at any of the paths; 0 for other values. */
export function quantitiesIn(
  value: Json | undefined,
  paths: readonly string[] = [],
): bigint[] {
  return valuesIn(value, paths).map((each) => findQuantity(each) ?? 0n);
}

export function addressesAt(value: Json, paths: readonly string[] = []): Hex[] {
  return valuesIn(value, paths).flatMap((each) => findAddress(each) ?? []);
}

function addressOf(value: Json | undefined): Hex {
  return findAddress(value) ?? ZERO_ADDRESS;
}

function flatten(value: Json): Json[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value];
}

export function isRecord(value: Json | undefined): value is Record<string, Json> {
  return isObject(value);
}
