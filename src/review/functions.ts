// A table of common functions, with the meaning of a call to each for its signer. A name proves
// nothing: a call contains only the first four bytes of the signature's hash, and the contract
// decides what they mean.
import { bytesToBigInt, bytesToHex } from '@metamask/utils';

import { abi, decodeFunction, listTypes, readArguments } from '../eth/abi';
import type { AbiValue } from '../eth/abi';
import { readMultiSend } from '../eth/account-calls';
import {
  byteLength,
  hasAddress,
  isSameAddress,
  MAX_UINT256,
  toPaddedHex,
  WORD_BYTES,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { selfCallingMultiSends } from '../eth/smart-account';
import type { TextKey } from '../ui/i18n';
import { SELECTOR_BYTES, SELECTOR_END } from './effects';
import type { AllowanceEffect, Effect, InnerCall, KnownCall } from './effects';

/** `code` is the contract whose code runs: in a delegatecall, another one than `contract`. */
export type CallContext = { from: Hex; contract: Hex; code?: Hex };

/** A call's arguments. If they cannot be decoded, `values` are undefined, but `words` exist: some
 * contracts execute such calls, and read missing bytes as zero. */
type Arguments = {
  signature: string;
  values: KnownCall['values'];
  words: readonly bigint[];
};

/** @returns Undefined if the effects cannot be decoded. */
type ReadEffects = (args: Arguments, context: CallContext) => Effect[] | undefined;

/** @returns Undefined if the calls cannot be decoded. */
type ReadCalls = (
  values: readonly AbiValue[],
  context: CallContext,
) => InnerCall[] | undefined;

type Reading = {
  meaning?: TextKey;
  effects?: ReadEffects;
  calls?: ReadCalls;
};

/** A function, such as `transfer(address to,uint256 amount)`, and its meaning. */
type FunctionRow = Reading & { declared: string; signature: string };

/** No function below has more relevant words. */
const MAX_WORDS = 12;

/** Maximum bytes of a call whose encoding is compared with the canonical one. */
const MAX_COMPARED = 2_000;

/** Maximum bytes to read of an embedded call, whose end is unknown. */
const MAX_EMBEDDED_BYTES = 20_000;

const unlessZero =
  (amount: bigint | undefined) =>
  (word: bigint): bigint | undefined =>
    word === 0n ? 0n : amount;

const allowance = (
  words: readonly bigint[],
  spender: number,
  others: Omit<AllowanceEffect, 'kind' | 'spender'>,
): Effect[] => [{ kind: 'allow', spender: addressAt(words, spender), ...others }];

const allowing =
  (
    spender: number,
    amount: number,
    toAmount = (word: bigint): bigint | undefined => word,
  ): ReadEffects =>
  ({ words }, { contract: token }) =>
    allowance(words, spender, { token, amount: toAmount(wordAt(words, amount)) });

const allowingNft: ReadEffects = ({ words }, { contract: token }) =>
  allowance(words, 0, { token, amount: 1n, id: wordAt(words, 1) });

// For ERC-20, the number is an amount, and zero revokes; for ERC-721, it is an NFT's id.
const approving: ReadEffects = (args, context) => {
  if (wordAt(args.words, 1) > 0n) return allowing(0, 1)(args, context);
  const given = allowingNft(args, context);
  return given?.map((each) => ({ ...each, mayRevoke: true }) as Effect);
};

/** In Permit2, the token is an argument, and the expiration follows the amount. */
const allowingOf =
  (token: number, spender: number, amount: number): ReadEffects =>
  ({ words }) =>
    allowance(words, spender, {
      token: addressAt(words, token),
      amount: BigInt.asUintN(160, wordAt(words, amount)),
      expiration: BigInt.asUintN(48, wordAt(words, amount + 1)),
    });

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

type TransferPositions = {
  to: number;
  owner?: number;
  amount?: number;
  token?: number;
};

// If the recipient is missing, new contracts revert, and old ones read zero for it and for the
// amount after it.
const moving =
  ({ to, owner, amount, token }: TransferPositions): ReadEffects =>
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

/** Positions of a call's parts in a tuple or in the arguments. */
type CallPositions = { to?: number; value?: number; data: number; operation?: number };

// Any operation other than a call counts as a delegatecall, the most dangerous one. Safes revert
// for unknown operations; other accounts use them to create contracts.
const one =
  ({ to = 0, value, data, operation }: CallPositions): ReadCalls =>
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
  (index: number, positions: CallPositions): ReadCalls =>
  (values, context) =>
    (values[index] as AbiValue[][]).flatMap(
      (each) => one(positions)(each, context) ?? [],
    );

/** Reads calls from parallel lists. The reference account, SimpleAccount, takes an empty value list
 * for zeros. */
const columns =
  (positions: CallPositions): ReadCalls =>
  (values, context) => {
    const lists = values as AbiValue[][];
    const [to = [], data = []] = [lists[0], lists[positions.data]];
    if (to.length !== data.length) return undefined;
    const rows = to.map((_to, row) => lists.map((list) => list[row] ?? 0n));
    return many(0, positions)([rows], context);
  };

/** Calls of a contract to itself, with its caller or itself as the sender. */
const ofItself =
  (index: number, isOwn = false): ReadCalls =>
  (values, { from, contract: to }) =>
    (values[index] as Uint8Array[]).map((data) => ({
      from: isOwn ? to : from,
      to,
      value: 0n,
      data: bytesToHex(data),
    }));

// Safes call MultiSend with a delegatecall, so its calls are the Safe's.
const multiSend: ReadCalls = ([packed], { from, code = '0x' }) =>
  readMultiSend(packed as Uint8Array)?.map(({ operation, to, data, ...call }) => ({
    ...call,
    from,
    to:
      isSameAddress(to, ZERO_ADDRESS) && hasAddress(selfCallingMultiSends, code)
        ? from
        : to,
    data: bytesToHex(data),
    isDelegate: operation !== 0,
  }));

/** Byte offsets in ERC-7579's single execution, which starts with the recipient. A delegatecall has
 * no value. */
const EXECUTION = { value: 20, data: 52 };

/** ERC-7579: the first byte of the mode. */
const MODES = { single: 0x00, batch: 0x01, delegate: 0xff };

/** ERC-7821: bytes of the mode that mark several batches. */
const BATCHES = '0x78210002';

// In ERC-7821, a call to the zero address is a call to the account itself.
function readBatch(bytes: Uint8Array, context: CallContext): InnerCall[] | undefined {
  const read = readArguments(['(address,uint256,bytes)[]'], bytes);
  const calls = read && many(0, { value: 1, data: 2 })(read, context);
  return calls?.map((call) =>
    isSameAddress(call.to ?? '', ZERO_ADDRESS) && call.data !== '0x'
      ? { ...call, to: context.contract }
      : call,
  );
}

function readBatches(bytes: Uint8Array, context: CallContext): InnerCall[] | undefined {
  const [batches] = (readArguments(['bytes[]'], bytes) ?? []) as Uint8Array[][];
  const read = batches?.map((batch) => readBatch(batch, context));
  return read?.every((calls) => calls !== undefined) ? read.flat() : undefined;
}

const execution: ReadCalls = ([given, content], context) => {
  const mode = given as Uint8Array;
  const bytes = content as Uint8Array;
  if (mode[0] === MODES.batch) {
    const isNested = bytesToHex(mode.slice(6, 10)) === BATCHES;
    return isNested ? readBatches(bytes, context) : readBatch(bytes, context);
  }
  const isDelegate = mode[0] === MODES.delegate;
  const start = isDelegate ? EXECUTION.value : EXECUTION.data;
  const isKnown = isDelegate || mode[0] === MODES.single;
  if (!isKnown || bytes.length < start) return undefined;
  return [
    {
      from: context.contract,
      to: bytesToHex(bytes.slice(0, EXECUTION.value)),
      value: isDelegate ? 0n : bytesToBigInt(bytes.slice(EXECUTION.value, start)),
      data: bytesToHex(bytes.slice(start)),
      isDelegate,
    },
  ];
};

/** The delegations of a redemption, the one to the redeemer first. */
const DELEGATIONS = '(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)[]';

// Each execution is made by the account at the root of its delegations, or by the redeemer if there
// are none.
const redemption: ReadCalls = ([contexts, modes, contents], { from, contract }) => {
  const all = contexts as Uint8Array[];
  const read = all.map((context, index) => {
    const given = context.length === 0 ? [[]] : readArguments([DELEGATIONS], context);
    const root = (given?.[0] as AbiValue[][] | undefined)?.at(-1);
    const account = (root?.[1] ?? from) as Hex;
    const [mode, content] = [modes, contents].map(
      (each) => (each as AbiValue[])[index],
    );
    if (!given || mode === undefined || content === undefined) return undefined;
    return execution([mode, content], { from: contract, contract: account });
  });
  return read.every((calls) => calls !== undefined) ? read.flat() : undefined;
};

/** @param to - Index of the argument with the new controller.
 * @param bits - Number of bits that follow the address in its word. */
const controlling =
  (to?: number, bits = 0n): ReadEffects =>
  ({ signature, words }, { from: by, contract: of }) => [
    {
      kind: 'control',
      by,
      of,
      signature,
      ...(to !== undefined && { to: toAddress(wordAt(words, to) >> bits) }),
    },
  ];

/** Permission to act for the account at the contract.
 * @param flag - Index of an argument. If it is zero, the call revokes. */
const managing =
  (to: number, flag?: number): ReadEffects =>
  (args, context) =>
    flag !== undefined && wordAt(args.words, flag) === 0n
      ? []
      : controlling(to)(args, context)?.map(
          (each) => ({ ...each, isOfAccount: true }) as Effect,
        );

/** Reads a Safe's refund: words 5 to 8 are its additional gas, price, token and recipient. */
const refunding: ReadEffects = ({ words, values }) =>
  wordAt(words, 6) === 0n
    ? []
    : [
        {
          kind: 'refund',
          token: addressAt(words, 7),
          to: addressAt(words, 8),
          baseGas: wordAt(words, 5),
          size: (values?.[2] as Uint8Array | undefined)?.length ?? 0,
        },
      ];

const hashing: ReadEffects = ({ signature }) => [
  { kind: 'opaque', why: 'hash', signature },
];

type Rows = Record<string, FunctionRow>;

const named = (all: Readonly<Record<Hex, string>>, reading: Reading = {}): Rows =>
  Object.fromEntries(
    Object.entries(all).map(([selector, declared]) => [
      selector,
      { ...reading, declared, signature: withoutNames(declared) },
    ]),
  );

/** Functions with effects beyond their inner calls; `meaning` is the key of the text that explains
 * them. */
const giving = (
  effects: ReadEffects,
  meaning: TextKey | undefined,
  all: Readonly<Record<Hex, string>>,
): Rows => named(all, { effects, ...(meaning && { meaning }) });

const calling = (calls: ReadCalls, all: Readonly<Record<Hex, string>>): Rows =>
  named(all, { calls });

/** The functions by selector, grouped by meaning; the tests compare each selector with its
 * signature. */
export const functions: Readonly<Rows> = {
  ...named(
    Object.fromEntries(
      Object.entries(abi).map(([signature, { selector }]) => [selector, signature]),
    ),
  ),
  // Functions of OpenZeppelin, Solady, Safe, ERC-6900, Coinbase and Kernel that replace a
  // contract's code or its controller.
  ...giving(controlling(0), undefined, {
    '0x3659cfe6': 'upgradeTo(address newImplementation)',
    '0x4f1ef286': 'upgradeToAndCall(address newImplementation,bytes data)',
    '0xf2fde38b': 'transferOwnership(address newOwner)',
    '0x13af4035': 'setOwner(address owner)',
    '0xc42069ec': 'setPendingOwner(address owner)',
    '0x634e93da': 'beginDefaultAdminTransfer(address newAdmin)',
    '0x8f283970': 'changeAdmin(address newAdmin)',
    '0x1c10893f': 'grantRoles(address user,uint256 roles)',
    '0x7de7edef': 'changeMasterCopy(address masterCopy)',
    '0x0d582f13': 'addOwnerWithThreshold(address owner,uint256 threshold)',
    '0x610b5925': 'enableModule(address module)',
    '0xe19a9dd9': 'setGuard(address guard)',
    '0xe068df37': 'setModuleGuard(address moduleGuard)',
    '0xf08a0323': 'setFallbackHandler(address handler)',
    '0x0f0f3f24': 'addOwnerAddress(address owner)',
    '0xc5f0e8d1':
      'installPlugin(address plugin,bytes32 manifestHash,bytes installData,bytes21[] dependencies)',
    '0x001a63e9':
      'installExecution(address module,((bytes4,bool,bool)[],(bytes4,uint32,bool,bool)[],bytes4[]) manifest,bytes installData)',
  }),
  ...giving(controlling(1), undefined, {
    '0x7eff275e': 'changeProxyAdmin(address proxy,address newAdmin)',
    '0x99a88ec4': 'upgrade(address proxy,address implementation)',
    '0x9623609d': 'upgradeAndCall(address proxy,address implementation,bytes data)',
    '0x2f2ff15d': 'grantRole(bytes32 role,address account)',
    // ERC-7579.
    '0x9517e29f': 'installModule(uint256 moduleTypeId,address module,bytes initData)',
  }),
  ...giving(controlling(2), undefined, {
    '0xe318b52b': 'swapOwner(address prevOwner,address oldOwner,address newOwner)',
  }),
  // The 21 bytes are the validator's type and its address.
  ...giving(controlling(0, 88n), undefined, {
    '0x52141cd9':
      'changeRootValidator(bytes21 rootValidator,address hook,bytes validatorData,bytes hookData)',
    '0xb9b82941': 'grantAccess(bytes21 validator,bytes4 selector,bool allow)',
  }),
  ...giving(controlling(0, 96n), undefined, {
    '0x1bbf564c':
      'installValidation(bytes25 validationConfig,bytes4[] selectors,bytes installData,bytes[] hooks)',
  }),
  ...giving(controlling(), undefined, {
    '0x715018a6': 'renounceOwnership()',
    '0x8d0dc49f': 'enableModules(address[] modules)',
    '0xf8dc5dd9': 'removeOwner(address prevOwner,address owner,uint256 threshold)',
    '0x694e80c3': 'changeThreshold(uint256 threshold)',
    '0x29565e3b': 'addOwnerPublicKey(bytes32 x,bytes32 y)',
    '0x9198bdf5':
      'installValidations(bytes21[] validators,(uint32,address)[] configs,bytes[] validationData,bytes[] hookData)',
    // EIP-2535.
    '0x1f931c1c':
      'diamondCut((address,uint8,bytes4[])[] cut,address init,bytes initData)',
  }),
  // Managers of an account's assets at a contract: Compound III, Morpho, Euler's EVC, Balancer,
  // Maker's Vat and GMX.
  ...giving(managing(0), undefined, {
    '0xa3b22fc4': 'hope(address user)',
    '0x38c74dd9': 'approvePlugin(address plugin)',
  }),
  ...giving(managing(0, 1), undefined, {
    '0x110496e5': 'allow(address manager,bool isAllowed)',
    '0xeecea000': 'setAuthorization(address authorized,bool isAuthorized)',
  }),
  ...giving(managing(1, 2), undefined, {
    '0xbb24d994':
      'allowBySig(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry,uint8 v,bytes32 r,bytes32 s)',
    '0x8069218f':
      'setAuthorizationWithSig((address,address,bool,uint256,uint256) authorization,(uint8,bytes32,bytes32) signature)',
    '0x9f5c462a':
      'setAccountOperator(address account,address operator,bool authorized)',
    '0xc14c11bf': 'setOperator(bytes19 prefix,address operator,uint256 bits)',
    '0xfa6e671d': 'setRelayerApproval(address sender,address relayer,bool approved)',
  }),
  ...giving(moving({ to: 0, amount: 1 }), 'call.transfer', {
    '0xa9059cbb': 'transfer(address to,uint256 amount)',
    // ERC-677, ERC-1363 and ERC-777.
    '0x4000aea0': 'transferAndCall(address to,uint256 amount,bytes data)',
    '0x1296ee62': 'transferAndCall(address to,uint256 amount)',
    '0x9bd9bbc6': 'send(address to,uint256 amount,bytes data)',
  }),
  // ERC-6909.
  ...giving(moving({ to: 0 }), 'call.transfer', {
    '0x095bcdb6': 'transfer(address to,uint256 id,uint256 amount)',
  }),
  ...giving(moving({ to: 1, owner: 0, amount: 2 }), 'call.transferFrom', {
    '0x23b872dd': 'transferFrom(address from,address to,uint256 amount)',
    '0xd8fbe994': 'transferFromAndCall(address from,address to,uint256 amount)',
    '0xc1d34b89':
      'transferFromAndCall(address from,address to,uint256 amount,bytes data)',
    '0x62ad1b83':
      'operatorSend(address from,address to,uint256 amount,bytes data,bytes operatorData)',
  }),
  // ERC-721, ERC-1155 and ERC-6909.
  ...giving(moving({ to: 1, owner: 0 }), 'call.transferFrom', {
    '0x42842e0e': 'safeTransferFrom(address from,address to,uint256 tokenId)',
    '0xb88d4fde':
      'safeTransferFrom(address from,address to,uint256 tokenId,bytes data)',
    '0xf242432a':
      'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)',
    '0x2eb2c2d6':
      'safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)',
    '0xfe99049a': 'transferFrom(address from,address to,uint256 id,uint256 amount)',
  }),
  ...giving(approving, 'call.approve', {
    '0x095ea7b3': 'approve(address spender,uint256 amount)',
  }),
  ...giving(allowing(0, 1), 'call.approve', {
    '0x39509351': 'increaseAllowance(address spender,uint256 addedAmount)',
    '0xd73dd623': 'increaseApproval(address spender,uint256 addedAmount)',
    '0xcae9ca51': 'approveAndCall(address spender,uint256 amount,bytes data)',
    '0x3177029f': 'approveAndCall(address spender,uint256 amount)',
    // Aave: allows others to borrow on the account's behalf.
    '0xc04a8a10': 'approveDelegation(address delegatee,uint256 amount)',
  }),
  // ERC-6909.
  ...giving(allowing(0, 2), 'call.approve', {
    '0x426a8493': 'approve(address spender,uint256 id,uint256 amount)',
  }),
  // ERC-777.
  ...giving(
    allowing(0, 0, () => MAX_UINT256),
    'call.approve',
    {
      '0x959b8c3f': 'authorizeOperator(address operator)',
    },
  ),
  ...giving(allowing(0, 1, unlessZero(undefined)), 'call.approveAll', {
    '0xa22cb465': 'setApprovalForAll(address operator,bool approved)',
    // ERC-6909.
    '0x558a7297': 'setOperator(address operator,bool approved)',
  }),
  // Uniswap 4.
  ...giving(allowing(1, 2, unlessZero(undefined)), 'call.approveAll', {
    '0x3aea60f0':
      'permitForAll(address owner,address operator,bool approved,uint256 deadline,uint256 nonce,bytes signature)',
  }),
  // ERC-4494, and Uniswap 3 and 4.
  ...giving(allowingNft, 'call.permit', {
    '0x745a41bc':
      'permit(address spender,uint256 tokenId,uint256 deadline,bytes signature)',
    '0x7ac2ff7b':
      'permit(address spender,uint256 tokenId,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
    '0x0f5730f1':
      'permit(address spender,uint256 tokenId,uint256 deadline,uint256 nonce,bytes signature)',
  }),
  // EIP-2612.
  ...giving(allowing(1, 2), 'call.permit', {
    '0xd505accf':
      'permit(address owner,address spender,uint256 amount,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
    '0x9fd5a6cf':
      'permit(address owner,address spender,uint256 amount,uint256 deadline,bytes signature)',
    // Aave.
    '0x0b52d558':
      'delegationWithSig(address delegator,address delegatee,uint256 amount,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
  }),
  // DAI: an allowance for everything or nothing.
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
  ...calling(ofItself(0), {
    '0xac9650d8': 'multicall(bytes[] calls)',
    '0xd2423b51': 'batch(bytes[] calls,bool revertOnFail)',
  }),
  ...calling(ofItself(1), {
    '0x5ae401dc': 'multicall(uint256 deadline,bytes[] calls)',
    '0x1f0464d1': 'multicall(bytes32 previousBlockhash,bytes[] calls)',
  }),
  ...calling(columns({ data: 1 }), {
    '0x63fb0b96': 'multicall(address[] targets,bytes[] data)',
    '0x18dfb3c7': 'executeBatch(address[] to,bytes[] data)',
  }),
  ...calling(columns({ value: 1, data: 2 }), {
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
  ...named(
    {
      '0x6a761202':
        'execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
    },
    { calls: one({ value: 1, data: 2, operation: 3 }), effects: refunding },
  ),
  ...giving(hashing, undefined, { '0xd4d9bdcd': 'approveHash(bytes32 hash)' }),
  ...calling(one({ value: 1, data: 2, operation: 3 }), {
    '0x468721a7':
      'execTransactionFromModule(address to,uint256 value,bytes data,uint8 operation)',
    '0x5229073f':
      'execTransactionFromModuleReturnData(address to,uint256 value,bytes data,uint8 operation)',
    '0x7bb37428': 'executeUserOp(address to,uint256 value,bytes data,uint8 operation)',
    '0x541d63c8':
      'executeUserOpWithErrorString(address to,uint256 value,bytes data,uint8 operation)',
    // ERC-6551 and Kernel.
    '0x51945447': 'execute(address to,uint256 value,bytes data,uint8 operation)',
  }),
  ...calling(multiSend, { '0x8d80ff0a': 'multiSend(bytes transactions)' }),
  // Other accounts (ERC-4337, ERC-6551, ERC-7579, ERC-7821, Coinbase's, MetaMask's).
  ...calling(one({ value: 1, data: 2 }), {
    '0xb61d27f6': 'execute(address to,uint256 value,bytes data)',
    '0x9e5d4c49': 'executeCall(address to,uint256 value,bytes data)',
  }),
  ...calling(ofItself(0, true), {
    '0x2c2abd1e': 'executeWithoutChainIdValidation(bytes[] calls)',
  }),
  ...calling(redemption, {
    '0xcef6d209':
      'redeemDelegations(bytes[] permissionContexts,bytes32[] modes,bytes[] executions)',
  }),
  ...calling(execution, {
    '0xe9ae5c53': 'execute(bytes32 mode,bytes executionCalldata)',
    '0xd691c964': 'executeFromExecutor(bytes32 mode,bytes executionCalldata)',
  }),
  // The EntryPoint calls each sender with its operation's data.
  ...calling(many(0, { data: 3 }), {
    '0x1fad948c':
      'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[] ops,address beneficiary)',
    '0x765e827f':
      'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[] ops,address beneficiary)',
  }),
  // Functions of tokens, accounts and the EntryPoint. Only their names are used.
  ...named({
    '0xa457c2d7': 'decreaseAllowance(address spender,uint256 subtractedAmount)',
    '0x42966c68': 'burn(uint256 amount)',
    '0xd0e30db0': 'deposit()',
    '0x2e1a7d4d': 'withdraw(uint256 amount)',
    '0xe009cfde': 'disableModule(address prevModule,address module)',
    '0xa71763a8':
      'uninstallModule(uint256 moduleTypeId,address module,bytes deInitData)',
    '0x89625b57': 'removeOwnerAtIndex(uint256 index,bytes owner)',
    '0xfad8b32a': 'revokeOperator(address operator)',
    '0xdc4d20fa': 'nope(address user)',
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

/** Matches calls that give something away, at any position in hex. The pattern includes the
 * arguments up to a tuple, because other data can contain the same four bytes as a selector. It is
 * created on first use, since few requests need it. */
let givingPattern: RegExp | undefined;

function makeGivingPattern(): RegExp {
  const patterns = Object.entries(functions).flatMap(
    ([selector, { effects, signature }]) =>
      effects ? [`${selector.slice(2)}${toPattern(listTypes(signature))}`] : [],
  );
  return new RegExp(patterns.join('|'), 'gu');
}

function toPattern(types: readonly string[]): string {
  const tuple = types.findIndex((type) => type.endsWith(')'));
  const plain = types.slice(0, tuple < 0 ? types.length : tuple);
  return plain
    .map((type, index) => {
      if (type === 'address') return String.raw`0{24}(?!0{40})[\da-f]{40}`;
      // Old contracts read missing bytes at the end as zero.
      return String.raw`[\da-f]{${index === types.length - 1 ? 2 : 64}}`;
    })
    .join('');
}

/** Lists up to `most` calls that give something away in the bytes of an unknown call. They can
 * begin at any byte: packed bytes are not aligned to words. */
export function listEmbedded(
  data: Hex,
  most: number,
): { data: Hex; known: KnownCall }[] {
  const digits = data.slice(2).toLowerCase();
  const found: { data: Hex; known: KnownCall }[] = [];
  givingPattern ??= makeGivingPattern();
  givingPattern.lastIndex = 2 * SELECTOR_BYTES;
  for (;;) {
    const at = givingPattern.exec(digits)?.index;
    if (at === undefined || found.length === most) return found;
    givingPattern.lastIndex = at + 1;
    const call: Hex = `0x${digits.slice(at, at + 2 * MAX_EMBEDDED_BYTES)}`;
    const known = at % 2 === 0 ? decodeKnownCall(call) : undefined;
    if (known) found.push({ data: call, known });
  }
}

export function findFunction(data: Hex): FunctionRow | undefined {
  const selector = data.slice(0, SELECTOR_END).toLowerCase();
  return Object.hasOwn(functions, selector) ? functions[selector] : undefined;
}

export function decodeKnownCall(data: Hex): KnownCall | undefined {
  const found = findFunction(data);
  return found && decodeKnown(found.declared, data);
}

/** Decodes a call of a function: `swap(address token, (uint256 amount, bytes data) order)`. */
export function decodeKnown(declared: string, data: Hex): KnownCall {
  const named = declared.replace(/,\s+/gu, ',');
  const signature = withoutNames(named);
  const selector = data.slice(0, SELECTOR_END).toLowerCase() as Hex;
  const types = listTypes(signature);
  const isLong = byteLength(data) > MAX_COMPARED;
  const decoded = decodeFunction({ selector, types }, data, { isCompared: !isLong });
  const { values, isCanonical = false } = decoded ?? {};
  const names = listTypes(named).map(
    (each, index) => / (\w+)$/u.exec(each)?.[1] ?? types[index] ?? '',
  );
  return { signature, types, names, values, isCanonical };
}

/** Decodes the effects of a known function's call, without its inner calls; undefined if
 * malformed. */
export function readOwnEffects(
  data: Hex,
  { signature, values }: KnownCall,
  context: CallContext,
): ReturnType<ReadEffects> {
  const read = findFunction(data)?.effects;
  return read ? read({ words: wordsOf(data), signature, values }, context) : [];
}

/** Decodes the inner calls of a known function's call; undefined if malformed. */
export function readInnerCalls(
  data: Hex,
  { values }: KnownCall,
  context: CallContext,
): InnerCall[] | undefined {
  const read = findFunction(data)?.calls;
  if (!read) return [];
  return values && read(values, context);
}

export function writeArgument(value: AbiValue): string {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'object') return `[${value.map(writeArgument).join(', ')}]`;
  return String(value);
}

function withoutNames(declared: string): string {
  return declared.replace(/ \w+(?=[,)])/gu, '');
}

// Missing bytes count as zero, as in old contracts; newer contracts revert.
function wordsOf(data: Hex): bigint[] {
  const digits = data.slice(SELECTOR_END, SELECTOR_END + MAX_WORDS * 2 * WORD_BYTES);
  const words = digits.match(/.{1,64}/gu) ?? [];
  return words.map((word) => BigInt(`0x${word.padEnd(2 * WORD_BYTES, '0')}`));
}

function wordAt(words: readonly bigint[], index: number): bigint {
  return words[index] ?? 0n;
}

function addressAt(words: readonly bigint[], index: number): Hex {
  return toAddress(wordAt(words, index));
}

/** Gets the address in a word, whatever precedes it. */
export function toAddress(word: bigint): Hex {
  return toPaddedHex(BigInt.asUintN(160, word), 20);
}
