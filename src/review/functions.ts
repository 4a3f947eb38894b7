// The functions that people meet often, as one table: how a call of each reads, for the person who is to
// sign it. A name proves nothing about the contract: four bytes are all that a call has of it.
import { bytesToBigInt, bytesToHex } from '@metamask/utils';

import { abi, decodeFunction, listTypes, readArguments } from '../eth/abi';
import type { AbiValue } from '../eth/abi';
import { readMultiSend } from '../eth/account-calls';
import { byteLength, MAX_UINT256, toPaddedHex } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { TextKey } from '../ui/i18n';
import type {
  AllowanceEffect,
  ControlEffect,
  InnerCall,
  KnownCall,
  TransferEffect,
} from './effects';

export type Place = { from: Hex; contract: Hex };

/** Arguments: as words, which contracts mind neither what follows nor, some of them, dirty padding
 * of, and as values, where they can be read. */
type Arguments = {
  signature: string;
  values: KnownCall['values'];
  words: readonly bigint[];
};

/** @returns Undefined if it cannot be read. */
type ReadEffects = (
  args: Arguments,
  place: Place,
) => (TransferEffect | AllowanceEffect | ControlEffect)[] | undefined;

/** @returns Undefined if the calls cannot be read. */
type ReadCalls = (values: readonly AbiValue[], place: Place) => InnerCall[] | undefined;

type Reading = {
  meaning?: TextKey;
  effects?: ReadEffects;
  calls?: ReadCalls;
};

/** A function, as in `transfer(address to,uint256 amount)`, and how it reads. */
type FunctionRow = Reading & { declared: string; signature: string };

const WORD_BYTES = 32;

/** No function below has more words that matter. */
const MAX_WORDS = 12;

/** Longest call whose encoding is compared with an encoder's. */
const MAX_COMPARED = 2_000;

/** Of a flag: nothing, or an amount. */
const unlessZero =
  (amount: bigint | undefined) =>
  (word: bigint): bigint | undefined =>
    word === 0n ? 0n : amount;

const allowing =
  (
    spender: number,
    amount: number,
    toAmount = (word: bigint): bigint | undefined => word,
  ): ReadEffects =>
  ({ words }, { contract: token }) => [
    {
      kind: 'allow',
      token,
      spender: addressAt(words, spender),
      amount: toAmount(wordAt(words, amount)),
    },
  ];

/** Permit2's: the token is an argument; the amount and the end follow each other. */
const allowingOf =
  (token: number, spender: number, amount: number): ReadEffects =>
  ({ words }) => [
    {
      kind: 'allow',
      token: addressAt(words, token),
      spender: addressAt(words, spender),
      amount: BigInt.asUintN(160, wordAt(words, amount)),
      expiration: BigInt.asUintN(48, wordAt(words, amount + 1)),
    },
  ];

const allowingEach: ReadEffects = ({ values }) => {
  const [details, spender] = (values?.[1] ?? []) as [AbiValue[][], Hex];
  return details?.map(([token, amount, expiration]) => ({
    kind: 'allow',
    token: token as Hex,
    spender,
    amount: amount as bigint,
    expiration: expiration as bigint,
  }));
};

type TransferPlaces = { to: number; owner?: number; amount?: number; token?: number };

// A contract refuses a call without its arguments.
const moving =
  ({ to, owner, amount, token }: TransferPlaces): ReadEffects =>
  ({ words }, { from, contract }) =>
    words.length <= to
      ? []
      : [
          {
            kind: 'transfer',
            by: from,
            token: token === undefined ? contract : addressAt(words, token),
            from: owner === undefined ? from : addressAt(words, owner),
            to: addressAt(words, to),
            amount: amount === undefined ? undefined : wordAt(words, amount),
          },
        ];

const movingEach: ReadEffects = ({ values }, { from: by }) =>
  (values?.[0] as AbiValue[][] | undefined)?.map(([from, to, amount, token]) => ({
    kind: 'transfer',
    by,
    token: token as Hex,
    from: from as Hex,
    to: to as Hex,
    amount: amount as bigint,
  }));

/** A call in a tuple, or in the arguments: the positions of its parts. */
type Places = { to?: number; value?: number; data: number; operation?: number };

// Safes revert for other operations than a call and a delegated one.
const one =
  ({ to = 0, value, data, operation }: Places): ReadCalls =>
  (values, { contract: from }) => [
    {
      from,
      to: values[to] as Hex,
      value: value === undefined ? 0n : (values[value] as bigint),
      data: bytesToHex(values[data] as Uint8Array),
      isDelegate: operation !== undefined && values[operation] !== 0n,
    },
  ];

const many =
  (index: number, places: Places): ReadCalls =>
  (values, place) =>
    (values[index] as AbiValue[][]).flatMap((each) => one(places)(each, place) ?? []);

/** Lists that belong together by their positions. The reference account takes no values for zeros. */
const columns =
  (...names: ('to' | 'value' | 'data')[]): ReadCalls =>
  (values, { contract: from }) => {
    const [to = [], amounts = [], data = []] = (['to', 'value', 'data'] as const).map(
      (name) => values[names.indexOf(name)] as AbiValue[] | undefined,
    );
    if (to.length !== data.length) return undefined;
    return to.map((each, index) => ({
      from,
      to: each as Hex,
      value: (amounts[index] ?? 0n) as bigint,
      data: bytesToHex(data[index] as Uint8Array),
    }));
  };

/** A contract calls itself in the name of its caller. */
const ofItself =
  (index: number): ReadCalls =>
  (values, { from, contract: to }) =>
    (values[index] as Uint8Array[]).map((data) => ({
      from,
      to,
      value: 0n,
      data: bytesToHex(data),
    }));

// A Safe runs MultiSend's code as its own: what it calls, the Safe calls.
const multiSend: ReadCalls = ([packed], { from }) =>
  readMultiSend(packed as Uint8Array)?.map(({ operation, data, ...call }) => ({
    ...call,
    from,
    data: bytesToHex(data),
    isDelegate: operation !== 0,
  }));

/** Bytes before the data in ERC-7579's execution of a single call: to, value; of a delegated one,
 * to. */
const EXECUTION = { value: 20, data: 52 };

/** ERC-7579: the first byte of the mode. */
const MODES = { single: 0x00, batch: 0x01, delegate: 0xff };

const execution: ReadCalls = ([mode, content], place) => {
  const bytes = content as Uint8Array;
  const kind = (mode as Uint8Array)[0];
  if (kind === MODES.batch) {
    const read = readArguments(['(address,uint256,bytes)[]'], bytes);
    return read && many(0, { value: 1, data: 2 })(read, place);
  }
  const isDelegate = kind === MODES.delegate;
  const start = isDelegate ? EXECUTION.value : EXECUTION.data;
  if ((kind !== MODES.single && !isDelegate) || bytes.length < start) return undefined;
  return [
    {
      from: place.contract,
      to: bytesToHex(bytes.slice(0, EXECUTION.value)),
      value: isDelegate ? 0n : bytesToBigInt(bytes.slice(EXECUTION.value, start)),
      data: bytesToHex(bytes.slice(start)),
      isDelegate,
    },
  ];
};

// The EntryPoint calls each sender with what the operation says.
const operations: ReadCalls = ([all], { contract: from }) =>
  (all as AbiValue[][]).map(([sender, , , callData]) => ({
    from,
    to: sender as Hex,
    value: 0n,
    data: bytesToHex(callData as Uint8Array),
  }));

const controlling: ReadEffects = ({ signature }, { from: by, contract: of }) => [
  { kind: 'control', by, of, signature },
];

type Rows = Record<string, FunctionRow>;

/** Functions by selector that are known by their names alone. */
const named = (all: Readonly<Record<Hex, string>>, reading: Reading = {}): Rows =>
  Object.fromEntries(
    Object.entries(all).map(([selector, declared]) => [
      selector,
      { ...reading, declared, signature: withoutNames(declared) },
    ]),
  );

/** Functions that do something beside the calls in them; `meaning` puts it in words. */
const giving = (
  effects: ReadEffects,
  meaning: TextKey | undefined,
  all: Readonly<Record<Hex, string>>,
): Rows => named(all, { effects, ...(meaning && { meaning }) });

/** Functions that make calls. */
const calling = (calls: ReadCalls, all: Readonly<Record<Hex, string>>): Rows =>
  named(all, { calls });

/** The functions by selector, with those that read alike together; the tests compare each with its
 * signature. */
export const functions: Readonly<Rows> = {
  ...named(
    Object.fromEntries(
      Object.entries(abi).map(([signature, { selector }]) => [selector, signature]),
    ),
  ),
  // Those that exchange a contract's code or who may do everything with it.
  ...giving(controlling, undefined, {
    '0x3659cfe6': 'upgradeTo(address newImplementation)',
    '0x4f1ef286': 'upgradeToAndCall(address newImplementation,bytes data)',
    '0xf2fde38b': 'transferOwnership(address newOwner)',
    '0x715018a6': 'renounceOwnership()',
    '0x13af4035': 'setOwner(address owner)',
    '0x8f283970': 'changeAdmin(address newAdmin)',
    '0x7eff275e': 'changeProxyAdmin(address proxy,address newAdmin)',
    '0x99a88ec4': 'upgrade(address proxy,address implementation)',
    '0x9623609d': 'upgradeAndCall(address proxy,address implementation,bytes data)',
    '0x2f2ff15d': 'grantRole(bytes32 role,address account)',
    // Those of a Safe.
    '0x0d582f13': 'addOwnerWithThreshold(address owner,uint256 threshold)',
    '0xf8dc5dd9': 'removeOwner(address prevOwner,address owner,uint256 threshold)',
    '0xe318b52b': 'swapOwner(address prevOwner,address oldOwner,address newOwner)',
    '0x694e80c3': 'changeThreshold(uint256 threshold)',
    '0x610b5925': 'enableModule(address module)',
    '0xe19a9dd9': 'setGuard(address guard)',
    '0xf08a0323': 'setFallbackHandler(address handler)',
  }),
  ...giving(moving({ to: 0, amount: 1 }), 'call.transfer', {
    '0xa9059cbb': 'transfer(address to,uint256 amount)',
    '0x4000aea0': 'transferAndCall(address to,uint256 amount,bytes data)',
  }),
  ...giving(moving({ to: 1, owner: 0, amount: 2 }), 'call.transferFrom', {
    '0x23b872dd': 'transferFrom(address from,address to,uint256 amount)',
  }),
  // ERC-721 and ERC-1155.
  ...giving(moving({ to: 1, owner: 0 }), 'call.transferFrom', {
    '0x42842e0e': 'safeTransferFrom(address from,address to,uint256 tokenId)',
    '0xb88d4fde':
      'safeTransferFrom(address from,address to,uint256 tokenId,bytes data)',
    '0xf242432a':
      'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)',
    '0x2eb2c2d6':
      'safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)',
  }),
  ...giving(allowing(0, 1), 'call.approve', {
    '0x095ea7b3': 'approve(address spender,uint256 amount)',
    '0x39509351': 'increaseAllowance(address spender,uint256 addedAmount)',
    '0xd73dd623': 'increaseApproval(address spender,uint256 addedAmount)',
    '0xcae9ca51': 'approveAndCall(address spender,uint256 amount,bytes data)',
  }),
  ...giving(allowing(0, 1, unlessZero(undefined)), 'call.approveAll', {
    '0xa22cb465': 'setApprovalForAll(address operator,bool approved)',
  }),
  // EIP-2612.
  ...giving(allowing(1, 2), 'call.permit', {
    '0xd505accf':
      'permit(address owner,address spender,uint256 amount,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
  }),
  // DAI: for all or nothing.
  ...giving(allowing(1, 4, unlessZero(MAX_UINT256)), 'call.permit', {
    '0x8fcbaf0c':
      'permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)',
  }),
  // Permit2.
  ...giving(allowingOf(0, 1, 2), 'call.approve', {
    '0x87517c45':
      'approve(address token,address spender,uint160 amount,uint48 expiration)',
  }),
  ...giving(allowingOf(1, 5, 2), 'call.permit', {
    '0x2b67b570':
      'permit(address owner,((address,uint160,uint48,uint48),address,uint256) permitSingle,bytes signature)',
  }),
  ...giving(allowingEach, 'call.permit', {
    '0x2a2d80d1':
      'permit(address owner,((address,uint160,uint48,uint48)[],address,uint256) permitBatch,bytes signature)',
  }),
  ...giving(moving({ to: 1, owner: 0, amount: 2, token: 3 }), 'call.transferFrom', {
    '0x36c78516': 'transferFrom(address from,address to,uint160 amount,address token)',
  }),
  ...giving(movingEach, 'call.transferFrom', {
    '0x0d58b1db': 'transferFrom((address,address,uint160,address)[] transfers)',
  }),
  // Several calls in one.
  ...calling(ofItself(0), {
    '0xac9650d8': 'multicall(bytes[] calls)',
    '0xd2423b51': 'batch(bytes[] calls,bool revertOnFail)',
  }),
  ...calling(ofItself(1), {
    '0x5ae401dc': 'multicall(uint256 deadline,bytes[] calls)',
    '0x1f0464d1': 'multicall(bytes32 previousBlockhash,bytes[] calls)',
  }),
  ...calling(columns('to', 'data'), {
    '0x63fb0b96': 'multicall(address[] targets,bytes[] data)',
    '0x18dfb3c7': 'executeBatch(address[] to,bytes[] data)',
  }),
  ...calling(columns('to', 'value', 'data'), {
    '0x47e1da2a': 'executeBatch(address[] to,uint256[] values,bytes[] data)',
  }),
  ...calling(many(0, { data: 1 }), {
    '0xcaa5c23f': 'multicall((address,bytes)[] calls)',
    '0x252dba42': 'aggregate((address,bytes)[] calls)',
    '0xc3077fa9': 'blockAndAggregate((address,bytes)[] calls)',
  }),
  ...calling(many(1, { data: 1 }), {
    '0xbce38bd7': 'tryAggregate(bool requireSuccess,(address,bytes)[] calls)',
    '0x399542e9': 'tryBlockAndAggregate(bool requireSuccess,(address,bytes)[] calls)',
  }),
  ...calling(many(0, { data: 2 }), {
    // The number is a gas limit.
    '0x1749e1e3': 'multicall((address,uint256,bytes)[] calls)',
    '0x82ad56cb': 'aggregate3((address,bool,bytes)[] calls)',
  }),
  ...calling(many(0, { value: 1, data: 2 }), {
    '0x3f707e6b': 'execute((address,uint256,bytes)[] calls)',
    '0x34fcd5be': 'executeBatch((address,uint256,bytes)[] calls)',
  }),
  ...calling(many(0, { value: 2, data: 3 }), {
    '0x174dea71': 'aggregate3Value((address,bool,uint256,bytes)[] calls)',
  }),
  // Safes.
  ...calling(one({ value: 1, data: 2, operation: 3 }), {
    '0x6a761202':
      'execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
    '0x468721a7':
      'execTransactionFromModule(address to,uint256 value,bytes data,uint8 operation)',
    '0x5229073f':
      'execTransactionFromModuleReturnData(address to,uint256 value,bytes data,uint8 operation)',
    '0x7bb37428': 'executeUserOp(address to,uint256 value,bytes data,uint8 operation)',
    '0x541d63c8':
      'executeUserOpWithErrorString(address to,uint256 value,bytes data,uint8 operation)',
  }),
  ...calling(multiSend, { '0x8d80ff0a': 'multiSend(bytes transactions)' }),
  // Other accounts (ERC-4337, ERC-7579).
  ...calling(one({ value: 1, data: 2 }), {
    '0xb61d27f6': 'execute(address to,uint256 value,bytes data)',
  }),
  ...calling(execution, {
    '0xe9ae5c53': 'execute(bytes32 mode,bytes executionCalldata)',
    '0xd691c964': 'executeFromExecutor(bytes32 mode,bytes executionCalldata)',
  }),
  // The EntryPoint.
  ...calling(operations, {
    '0x1fad948c':
      'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[] ops,address beneficiary)',
    '0x765e827f':
      'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[] ops,address beneficiary)',
  }),
  // Known by their names alone: those of tokens, of accounts and of the EntryPoint.
  ...named({
    '0xa457c2d7': 'decreaseAllowance(address spender,uint256 subtractedAmount)',
    '0x42966c68': 'burn(uint256 amount)',
    '0xd0e30db0': 'deposit()',
    '0x2e1a7d4d': 'withdraw(uint256 amount)',
    '0xe009cfde': 'disableModule(address prevModule,address module)',
    '0x4a58db19': 'addDeposit()',
    '0x4d44560d': 'withdrawDepositTo(address withdrawAddress,uint256 amount)',
    '0x79ba5097': 'acceptOwnership()',
    '0xb760faf9': 'depositTo(address account)',
    '0x205c2878': 'withdrawTo(address withdrawAddress,uint256 amount)',
    '0x0396cb60': 'addStake(uint32 unstakeDelaySec)',
    '0xbb9fe6bf': 'unlockStake()',
    '0xc23a5cea': 'withdrawStake(address withdrawAddress)',
    '0x0bd28e3b': 'incrementNonce(uint192 key)',
  }),
};

/** Selectors, without `0x`, of functions that give something away. */
export const givingSelectors: readonly string[] = Object.entries(functions)
  .filter(([, { effects }]) => effects)
  .map(([selector]) => selector.slice(2));

export function findFunction(data: Hex): FunctionRow | undefined {
  const selector = data.slice(0, 10).toLowerCase();
  return Object.hasOwn(functions, selector) ? functions[selector] : undefined;
}

export function findKnownCall(data: Hex): KnownCall | undefined {
  const found = findFunction(data);
  return found && decodeKnown(found.declared, data);
}

/** Decodes a call of a function: `swap(address token, (uint256 amount, bytes data) order)`. */
export function decodeKnown(declared: string, data: Hex): KnownCall {
  const named = declared.replace(/,\s+/gu, ',');
  const signature = withoutNames(named);
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  const types = listTypes(signature);
  const isLong = byteLength(data) > MAX_COMPARED;
  const decoded = decodeFunction({ selector, types }, data, { isCompared: !isLong });
  const { values, isCanonical = false } = decoded ?? {};
  const names = listTypes(named).map(
    (each, index) => / (\w+)$/u.exec(each)?.[1] ?? types[index] ?? '',
  );
  return { signature, types, names, values, isCanonical };
}

/** Reads what a call of a known function does beside the calls in it; undefined if that cannot be
 * read. */
export function readOwnEffects(
  data: Hex,
  { signature, values }: KnownCall,
  place: Place,
): ReturnType<ReadEffects> {
  const read = findFunction(data)?.effects;
  return read ? read({ words: wordsOf(data), signature, values }, place) : [];
}

/** Reads the calls in a call of a known function; undefined if they cannot be read. */
export function readInnerCalls(
  data: Hex,
  { values }: KnownCall,
  place: Place,
): InnerCall[] | undefined {
  const read = findFunction(data)?.calls;
  if (!read) return [];
  return values && read(values, place);
}

/** Writes an argument: numbers in decimals, bytes in hex, lists in brackets. */
export function writeArgument(value: AbiValue): string {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'object') return `[${value.map(writeArgument).join(', ')}]`;
  return String(value);
}

/** Removes the names of arguments, also those within tuples. */
function withoutNames(declared: string): string {
  return declared.replace(/ \w+(?=[,)])/gu, '');
}

// Missing bytes of a word are zero, as old contracts read them; others revert.
function wordsOf(data: Hex): bigint[] {
  const digits = data.slice(10, 10 + MAX_WORDS * 2 * WORD_BYTES);
  const words = digits.match(/.{1,64}/gu) ?? [];
  return words.map((word) => BigInt(`0x${word.padEnd(2 * WORD_BYTES, '0')}`));
}

function wordAt(words: readonly bigint[], index: number): bigint {
  return words[index] ?? 0n;
}

function addressAt(words: readonly bigint[], index: number): Hex {
  return toPaddedHex(wordAt(words, index) % 2n ** 160n, 20);
}
