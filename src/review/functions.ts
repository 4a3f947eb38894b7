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
  KnownCall,
  TransferEffect,
} from './effects';

/** A call in the arguments of another. */
export type InnerCall = {
  /** Who makes it: the caller, or the contract that was called. */
  by: 'caller' | 'contract';
  to: Hex;
  value: bigint;
  data: Hex;
  isDelegate?: boolean;
};

/** Who calls which contract. */
type Place = { from: Hex; contract: Hex };

/** Arguments: as words, which contracts mind neither what follows nor, some of them, dirty padding
 * of, and as values, where they can be read. */
type Arguments = {
  words: readonly bigint[];
  values: readonly AbiValue[] | undefined;
};

/** @returns Undefined if it cannot be read. */
type ReadEffects = (
  args: Arguments,
  place: Place,
) => (TransferEffect | AllowanceEffect | ControlEffect)[] | undefined;

/** @returns Undefined if the calls cannot be read. */
type ReadCalls = (
  values: readonly AbiValue[],
  contract: Hex,
) => InnerCall[] | undefined;

/** How a function reads. */
type FunctionRow = {
  /** As in `transfer(address to,uint256 amount)`. */
  declared: string;
  /** What it does, in words. */
  meaning?: TextKey;
  effects?: ReadEffects;
  /** The calls in its arguments. */
  calls?: ReadCalls;
};

/** Bytes of a word of arguments. */
const WORD_BYTES = 32;

/** No function below has more words that matter. */
const MAX_WORDS = 12;

/** Longest call whose encoding is compared with an encoder's. */
const MAX_COMPARED = 2_000;

/** Names of arguments in a function, also within tuples. */
const NAMES = / \w+(?=[,)])/gu;

const allowing =
  (spender: number, amount: number): ReadEffects =>
  ({ words }, { contract: token }) => [
    {
      kind: 'allow',
      token,
      spender: addressAt(words, spender),
      amount: wordAt(words, amount),
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

const allowingAll =
  (spender: number, isApproved: number): ReadEffects =>
  ({ words }, { contract: token }) => [
    {
      kind: 'allow',
      token,
      spender: addressAt(words, spender),
      amount: wordAt(words, isApproved) === 0n ? 0n : undefined,
    },
  ];

/** Places of arguments. */
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

const transfer = { meaning: 'call.transfer' } as const;
const transferFrom = { meaning: 'call.transferFrom' } as const;
const approve = { meaning: 'call.approve' } as const;
const permit = { meaning: 'call.permit' } as const;

/** A call in a tuple, or in the arguments: the positions of its parts. */
type Places = { to?: number; value?: number; data: number; operation?: number };

const one =
  ({ to = 0, value, data, operation }: Places): ReadCalls =>
  (values) => {
    const how = operation === undefined ? 0n : (values[operation] as bigint);
    // Safes revert for other operations.
    return [
      {
        by: 'contract',
        to: values[to] as Hex,
        value: value === undefined ? 0n : (values[value] as bigint),
        data: bytesToHex(values[data] as Uint8Array),
        isDelegate: how !== 0n,
      },
    ];
  };

const many =
  (index: number, places: Places): ReadCalls =>
  (values, contract) =>
    (values[index] as AbiValue[][]).flatMap(
      (each) => one(places)(each, contract) ?? [],
    );

/** Lists that belong together by their positions. */
const columns =
  (...names: ('to' | 'value' | 'data')[]): ReadCalls =>
  (values) => {
    const at = (name: 'to' | 'value' | 'data'): AbiValue[] =>
      (values[names.indexOf(name)] ?? []) as AbiValue[];
    // The reference account takes no values for zeros.
    const amounts = at('value');
    return at('to').length === at('data').length
      ? at('to').map((to, index) => ({
          by: 'contract',
          to: to as Hex,
          value: (amounts[index] ?? 0n) as bigint,
          data: bytesToHex(at('data')[index] as Uint8Array),
        }))
      : undefined;
  };

/** A contract calls itself in the name of its caller. */
const ofItself =
  (index: number): ReadCalls =>
  (values, to) =>
    (values[index] as Uint8Array[]).map((data) => ({
      by: 'caller',
      to,
      value: 0n,
      data: bytesToHex(data),
    }));

// A Safe runs MultiSend's code as its own: what it calls, the Safe calls.
const multiSend: ReadCalls = ([packed]) =>
  readMultiSend(packed as Uint8Array)?.map(({ operation, data, ...call }) => ({
    ...call,
    by: 'caller',
    data: bytesToHex(data),
    isDelegate: operation !== 0,
  }));

/** Bytes before the data in ERC-7579's execution of a single call: to, value; of a delegated one,
 * to. */
const EXECUTION = { value: 20, data: 52 };

/** ERC-7579: the first byte of the mode. */
const MODES = { single: 0x00, batch: 0x01, delegate: 0xff };

const execution: ReadCalls = ([mode, content], contract) => {
  const bytes = content as Uint8Array;
  const kind = (mode as Uint8Array)[0];
  if (kind === MODES.batch) {
    const read = readArguments(['(address,uint256,bytes)[]'], bytes);
    return read && many(0, { value: 1, data: 2 })(read, contract);
  }
  const isDelegate = kind === MODES.delegate;
  const start = isDelegate ? EXECUTION.value : EXECUTION.data;
  if ((kind !== MODES.single && !isDelegate) || bytes.length < start) return undefined;
  const value = isDelegate ? 0n : bytesToBigInt(bytes.slice(EXECUTION.value, start));
  return [
    {
      by: 'contract',
      to: bytesToHex(bytes.slice(0, EXECUTION.value)),
      value,
      data: bytesToHex(bytes.slice(start)),
      isDelegate,
    },
  ];
};

// The EntryPoint calls each sender with what the operation says.
const operations: ReadCalls = ([all]) =>
  (all as AbiValue[][]).map(([sender, , , callData]) => ({
    by: 'contract',
    to: sender as Hex,
    value: 0n,
    data: bytesToHex(callData as Uint8Array),
  }));

const safeCall = one({ value: 1, data: 2, operation: 3 });
const call = one({ value: 1, data: 2 });

const controlling =
  (signature: string): ReadEffects =>
  (_args, { from: by, contract: of }) => [{ kind: 'control', by, of, signature }];

/** Functions that exchange a contract's code or who may do everything with it. */
const controls: Readonly<Record<Hex, string>> = {
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
};

/** Functions by selector. */
const functions: Readonly<Record<Hex, FunctionRow>> = {
  ...Object.fromEntries(
    Object.entries(abi).map(([signature, { selector }]) => [
      selector,
      { declared: signature },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(controls).map(([selector, declared]) => [
      selector,
      { declared, effects: controlling(withoutNames(declared)) },
    ]),
  ),
  // ERC-20, with the permits of EIP-2612 and of DAI.
  '0xa9059cbb': {
    ...transfer,
    declared: 'transfer(address to,uint256 amount)',
    effects: moving({ to: 0, amount: 1 }),
  },
  '0x095ea7b3': {
    ...approve,
    declared: 'approve(address spender,uint256 amount)',
    effects: allowing(0, 1),
  },
  '0x23b872dd': {
    ...transferFrom,
    declared: 'transferFrom(address from,address to,uint256 amount)',
    effects: moving({ to: 1, owner: 0, amount: 2 }),
  },
  '0x39509351': {
    ...approve,
    declared: 'increaseAllowance(address spender,uint256 addedAmount)',
    effects: allowing(0, 1),
  },
  '0xa457c2d7': {
    declared: 'decreaseAllowance(address spender,uint256 subtractedAmount)',
  },
  '0xd73dd623': {
    ...approve,
    declared: 'increaseApproval(address spender,uint256 addedAmount)',
    effects: allowing(0, 1),
  },
  '0xcae9ca51': {
    ...approve,
    declared: 'approveAndCall(address spender,uint256 amount,bytes data)',
    effects: allowing(0, 1),
  },
  '0x4000aea0': {
    ...transfer,
    declared: 'transferAndCall(address to,uint256 amount,bytes data)',
    effects: moving({ to: 0, amount: 1 }),
  },
  '0xd505accf': {
    ...permit,
    declared:
      'permit(address owner,address spender,uint256 amount,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
    effects: allowing(1, 2),
  },
  '0x8fcbaf0c': {
    ...permit,
    declared:
      'permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)',
    // For all or nothing.
    effects: ({ words }, { contract: token }) => [
      {
        kind: 'allow',
        token,
        spender: addressAt(words, 1),
        amount: wordAt(words, 4) === 0n ? 0n : MAX_UINT256,
      },
    ],
  },
  '0x42966c68': { declared: 'burn(uint256 amount)' },
  // Permit2.
  '0x87517c45': {
    ...approve,
    declared: 'approve(address token,address spender,uint160 amount,uint48 expiration)',
    effects: allowingOf(0, 1, 2),
  },
  '0x2b67b570': {
    ...permit,
    declared:
      'permit(address owner,((address,uint160,uint48,uint48),address,uint256) permitSingle,bytes signature)',
    effects: allowingOf(1, 5, 2),
  },
  '0x2a2d80d1': {
    ...permit,
    declared:
      'permit(address owner,((address,uint160,uint48,uint48)[],address,uint256) permitBatch,bytes signature)',
    effects: ({ values }) => {
      const [details, spender] = (values?.[1] ?? []) as [AbiValue[][], Hex];
      return details?.map(([token, amount, expiration]) => ({
        kind: 'allow',
        token: token as Hex,
        spender,
        amount: amount as bigint,
        expiration: expiration as bigint,
      }));
    },
  },
  '0x36c78516': {
    ...transferFrom,
    declared: 'transferFrom(address from,address to,uint160 amount,address token)',
    effects: moving({ to: 1, owner: 0, amount: 2, token: 3 }),
  },
  '0x0d58b1db': {
    ...transferFrom,
    declared: 'transferFrom((address,address,uint160,address)[] transfers)',
    effects: ({ values }, { from: by }) =>
      (values?.[0] as AbiValue[][] | undefined)?.map(([from, to, amount, token]) => ({
        kind: 'transfer',
        by,
        token: token as Hex,
        from: from as Hex,
        to: to as Hex,
        amount: amount as bigint,
      })),
  },
  // ERC-721 and ERC-1155.
  '0x42842e0e': {
    ...transferFrom,
    declared: 'safeTransferFrom(address from,address to,uint256 tokenId)',
    effects: moving({ to: 1, owner: 0 }),
  },
  '0xb88d4fde': {
    ...transferFrom,
    declared: 'safeTransferFrom(address from,address to,uint256 tokenId,bytes data)',
    effects: moving({ to: 1, owner: 0 }),
  },
  '0xa22cb465': {
    meaning: 'call.approveAll',
    declared: 'setApprovalForAll(address operator,bool approved)',
    effects: allowingAll(0, 1),
  },
  '0xf242432a': {
    ...transferFrom,
    declared:
      'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)',
    effects: moving({ to: 1, owner: 0 }),
  },
  '0x2eb2c2d6': {
    ...transferFrom,
    declared:
      'safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)',
    effects: moving({ to: 1, owner: 0 }),
  },
  // Wrapped coins.
  '0xd0e30db0': { declared: 'deposit()' },
  '0x2e1a7d4d': { declared: 'withdraw(uint256 amount)' },
  // Several calls in one.
  '0xac9650d8': { declared: 'multicall(bytes[] calls)', calls: ofItself(0) },
  '0x5ae401dc': {
    declared: 'multicall(uint256 deadline,bytes[] calls)',
    calls: ofItself(1),
  },
  '0x1f0464d1': {
    declared: 'multicall(bytes32 previousBlockhash,bytes[] calls)',
    calls: ofItself(1),
  },
  '0xd2423b51': {
    declared: 'batch(bytes[] calls,bool revertOnFail)',
    calls: ofItself(0),
  },
  '0x63fb0b96': {
    declared: 'multicall(address[] targets,bytes[] data)',
    calls: columns('to', 'data'),
  },
  '0xcaa5c23f': {
    declared: 'multicall((address,bytes)[] calls)',
    calls: many(0, { data: 1 }),
  },
  // The number is a gas limit.
  '0x1749e1e3': {
    declared: 'multicall((address,uint256,bytes)[] calls)',
    calls: many(0, { data: 2 }),
  },
  '0x252dba42': {
    declared: 'aggregate((address,bytes)[] calls)',
    calls: many(0, { data: 1 }),
  },
  '0xbce38bd7': {
    declared: 'tryAggregate(bool requireSuccess,(address,bytes)[] calls)',
    calls: many(1, { data: 1 }),
  },
  '0xc3077fa9': {
    declared: 'blockAndAggregate((address,bytes)[] calls)',
    calls: many(0, { data: 1 }),
  },
  '0x399542e9': {
    declared: 'tryBlockAndAggregate(bool requireSuccess,(address,bytes)[] calls)',
    calls: many(1, { data: 1 }),
  },
  '0x82ad56cb': {
    declared: 'aggregate3((address,bool,bytes)[] calls)',
    calls: many(0, { data: 2 }),
  },
  '0x174dea71': {
    declared: 'aggregate3Value((address,bool,uint256,bytes)[] calls)',
    calls: many(0, { value: 2, data: 3 }),
  },
  // Safes.
  '0x6a761202': {
    declared:
      'execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
    calls: safeCall,
  },
  '0x468721a7': {
    declared:
      'execTransactionFromModule(address to,uint256 value,bytes data,uint8 operation)',
    calls: safeCall,
  },
  '0x5229073f': {
    declared:
      'execTransactionFromModuleReturnData(address to,uint256 value,bytes data,uint8 operation)',
    calls: safeCall,
  },
  '0x7bb37428': {
    declared: 'executeUserOp(address to,uint256 value,bytes data,uint8 operation)',
    calls: safeCall,
  },
  '0x541d63c8': {
    declared:
      'executeUserOpWithErrorString(address to,uint256 value,bytes data,uint8 operation)',
    calls: safeCall,
  },
  '0x8d80ff0a': { declared: 'multiSend(bytes transactions)', calls: multiSend },
  '0xe009cfde': { declared: 'disableModule(address prevModule,address module)' },
  // Other accounts (ERC-4337, ERC-7579, ERC-7821).
  '0xb61d27f6': {
    declared: 'execute(address to,uint256 value,bytes data)',
    calls: call,
  },
  '0xe9ae5c53': {
    declared: 'execute(bytes32 mode,bytes executionCalldata)',
    calls: execution,
  },
  '0xd691c964': {
    declared: 'executeFromExecutor(bytes32 mode,bytes executionCalldata)',
    calls: execution,
  },
  '0x3f707e6b': {
    declared: 'execute((address,uint256,bytes)[] calls)',
    calls: many(0, { value: 1, data: 2 }),
  },
  '0x18dfb3c7': {
    declared: 'executeBatch(address[] to,bytes[] data)',
    calls: columns('to', 'data'),
  },
  '0x47e1da2a': {
    declared: 'executeBatch(address[] to,uint256[] values,bytes[] data)',
    calls: columns('to', 'value', 'data'),
  },
  '0x34fcd5be': {
    declared: 'executeBatch((address,uint256,bytes)[] calls)',
    calls: many(0, { value: 1, data: 2 }),
  },
  '0x4a58db19': { declared: 'addDeposit()' },
  '0x4d44560d': {
    declared: 'withdrawDepositTo(address withdrawAddress,uint256 amount)',
  },
  '0x79ba5097': { declared: 'acceptOwnership()' },
  // The EntryPoint.
  '0x1fad948c': {
    declared:
      'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[] ops,address beneficiary)',
    calls: operations,
  },
  '0x765e827f': {
    declared:
      'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[] ops,address beneficiary)',
    calls: operations,
  },
  '0xb760faf9': { declared: 'depositTo(address account)' },
  '0x205c2878': { declared: 'withdrawTo(address withdrawAddress,uint256 amount)' },
  '0x0396cb60': { declared: 'addStake(uint32 unstakeDelaySec)' },
  '0xbb9fe6bf': { declared: 'unlockStake()' },
  '0xc23a5cea': { declared: 'withdrawStake(address withdrawAddress)' },
  '0x0bd28e3b': { declared: 'incrementNonce(uint192 key)' },
};

/** Signatures by selector; the tests compare each pair. */
export const knownSignatures: Readonly<Record<Hex, string>> = Object.fromEntries(
  Object.entries(functions).map(([selector, { declared }]) => [
    selector,
    withoutNames(declared),
  ]),
);

/** Selectors, without `0x`, of functions that give something away. */
export const givingSelectors: readonly string[] = Object.entries(functions)
  .filter(([, { effects }]) => effects)
  .map(([selector]) => selector.slice(2));

/** Finds how a call of a function reads. */
export function findFunction(data: Hex): FunctionRow | undefined {
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  return Object.hasOwn(functions, selector) ? functions[selector] : undefined;
}

/** Finds the signature of a well-known function by a call's selector. */
export function findSignature(data: Hex): string | undefined {
  const found = findFunction(data);
  return found && withoutNames(found.declared);
}

/** Decodes a call, if its selector is that of a well-known function. */
export function findKnownCall(data: Hex): KnownCall | undefined {
  const found = findFunction(data);
  return found && decodeKnown(found.declared, data);
}

/**
 * Decodes a call of a function.
 *
 * @param declared - As in `swap(address token, (uint256 amount, bytes data) order)`.
 */
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
  { values }: KnownCall,
  place: Place,
): ReturnType<ReadEffects> {
  const read = findFunction(data)?.effects;
  return read ? read({ words: wordsOf(data), values }, place) : [];
}

/** Reads the calls in a call of a known function; undefined if they cannot be read. */
export function readInnerCalls(
  data: Hex,
  { values }: KnownCall,
  contract: Hex,
): InnerCall[] | undefined {
  const read = findFunction(data)?.calls;
  if (!read) return [];
  return values && read(values, contract);
}

/** Writes an argument: numbers in decimals, bytes in hex, lists in brackets. */
export function writeArgument(value: AbiValue): string {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'object') return `[${value.map(writeArgument).join(', ')}]`;
  return String(value);
}

function withoutNames(declared: string): string {
  return declared.replace(NAMES, '');
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
