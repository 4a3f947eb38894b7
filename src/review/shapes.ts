// Typed data that people meet often, as a table: how each is recognized by its name and its fields,
// where in it amounts, deadlines and beneficiaries are, and which calls it makes. A path
// goes through arrays.
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

/** How typed data of a kind are recognized, and where they contain allowances. */
type ShapeRow = {
  /** What they are, by what they allow. */
  name: string;
  primaryType: RegExp;
  /** Fields that the message has, at least. */
  fields: readonly string[];
  amounts?: readonly string[];
  /** Times until when it can be used, in seconds. */
  deadlines?: readonly string[];
  /** Who may take something. */
  spenders?: readonly string[];
  /** Whose the thing is; must be the account. */
  owners?: readonly string[];
  /** `contract` is that of the domain. */
  allows?: (message: Message, contract: Hex) => AllowanceEffect[];
  /** Lists the trades that others can take up. */
  trades?: (message: Message) => Trade[];
  /** Lists the calls that are made once it is signed. `contract` is that of the domain. */
  calls?: (message: Message, contract: Hex) => InnerCall[];
};

type Message = Record<string, Json>;

const ORDER = /Order$/u;

/** An allowance of a contract's own tokens. */
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

/** Allowances of Permit2: each names its token. */
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

/** A permission that names who gets it, maybe its owner, and until when it can be used. */
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

/** The fields of a token, of its amount and of the fee on top of it. */
type TokenFields = readonly [token: string, amount: string, fee?: string];

/** The bit of 1inch's `makerTraits` that says that an extension computes the amounts. */
const HAS_EXTENSION = 1n << 249n;

/** Returns whether an order leaves its price to contracts that it names by a hash or in bytes. */
export function hidesPrice({ makerTraits = 0, interactions = '0x' }: Message): boolean {
  const traits = findQuantity(makerTraits) ?? HAS_EXTENSION;
  return (traits & HAS_EXTENSION) !== 0n || interactions !== '0x';
}

/** An order that swaps one token for another. `coin` is the address that means the coin. */
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

// An order that cannot be read whole is none.
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

// Types of items: coin, token, NFT, semi-fungible NFT, and both of these by criteria.
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

/** Paths of the parts of a call in a struct. */
const callIn = (
  { to, target = to, value = '0', data = '0x' }: Message,
  from: Hex,
): InnerCall => ({
  from,
  to: addressOf(target),
  value: findQuantity(value) ?? 0n,
  data: matches(data, NodeBytesStruct) ? data : '0x',
});

// The EntryPoint calls the account.
const operationOf =
  (sender: string): NonNullable<ShapeRow['calls']> =>
  (message, contract) => {
    const { [sender]: to = '', callData: data = '0x', entryPoint = contract } = message;
    return [callIn({ to, data }, addressOf(entryPoint))];
  };

/** The first that fits counts. */
export const shapes = [
  {
    name: 'permit',
    primaryType: /^Permit$/u,
    fields: ['owner', 'spender', 'value', 'deadline'],
    deadlines: ['deadline'],
    spenders: ['spender'],
    owners: ['owner'],
    allows: allowing('spender', ({ value }) => findQuantity(value) ?? 0n),
  },
  {
    name: 'daiPermit',
    primaryType: /^Permit$/u,
    fields: ['holder', 'spender', 'expiry', 'allowed'],
    deadlines: ['expiry'],
    spenders: ['spender'],
    owners: ['holder'],
    // For all or nothing.
    allows: allowing('spender', ({ allowed }) => (allowed === true ? MAX_UINT256 : 0n)),
  },
  // ERC-4494, and other permits of a token that is not one of ERC-20.
  spending('nftPermit', /^Permit$/u, ['spender', 'owner']),
  spending('nftPermit', /^Permit$/u, ['operator', 'owner', 'tokenId']),
  // Uniswap V4's positions (ERC721PermitHash of v4-periphery), and ERC-1155 tokens.
  {
    ...spending('operatorPermit', /^Permit(?:ForAll|Operator)?$/u, [
      'operator',
      'owner',
    ]),
    allows: (message, token) =>
      isRevoking(message) ? [] : allowing('operator', () => undefined)(message, token),
  },
  // Who may do everything with what the account has in Compound III (CometExt), Morpho Blue
  // (ConstantsLib) and Aave V4 (EIP712Hash of its spokes).
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
  // Coinbase's SpendPermissionManager: the amount comes back in every period.
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
  // Orders of markets and exchanges: the signature is an offer that others take up.
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
    calls: (message, safe) => [
      { ...callIn(message, safe), isDelegate: findQuantity(message.operation) !== 0n },
    ],
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
    calls: ({ from, functionSignature: data = '0x' }, to) => [
      callIn({ to, data }, addressOf(from)),
    ],
  },
  {
    name: 'execute',
    primaryType: /^Execute/u,
    fields: ['calls'],
    calls: (message, account) =>
      listStructs(message, 'calls').map((each) => callIn(each, account)),
  },
  {
    name: 'signIn',
    primaryType: /^(?:SignIn|Login|Auth|Authentication)(?:Message|Request)?$/u,
    fields: [],
  },
] as const satisfies readonly ShapeRow[];

export type ShapeName = (typeof shapes)[number]['name'];

export type Shape = ShapeRow & { name: ShapeName };

/** Flags that give a permission, or take it back. */
const FLAGS = ['approved', 'isAllowed', 'isAuthorized', 'updates.approve'];

/** Returns whether a document only takes permissions back. */
export function isRevoking(message: Message): boolean {
  const flags = valuesIn(message, FLAGS);
  return flags.length > 0 && flags.every((each) => each === false);
}

/** Lists the orders of a tree; the rest of its leaves are empty. */
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

/** Lists the values at a path such as `details.amount`, those in arrays one by one. */
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

/** Lists the numbers at any of some paths; 0 for what is no number. */
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
