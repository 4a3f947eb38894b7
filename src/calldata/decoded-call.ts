// A call, decoded once when its request comes in: the function that it calls, what it lets
// others take, whom it names, and what its signer should know about it. Pure, and the same for
// every way by which a call comes, so that no way goes around it.
import { bigIntToUnpaddedBytes, generateAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { computeDeployment } from '../eth/account-calls';
import { isOwnAuthorization } from '../eth/delegation';
import {
  byteLength,
  isSameAddress,
  isUnlimited,
  MAX_UINT256,
  toPaddedHex,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { danger, info, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import type { Allowance, CallContent, DecodedCall } from './call';
import { hasInnerCalls, readInnerCalls } from './inner-calls';
import { findKnownCall } from './known-functions';

/** Bytes of a function's selector, and of each word of its arguments. */
const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;

/** Later is no time that a Date can hold, and none that anybody means. */
const NEVER_SECONDS = 10n ** 11n;

/** Below lies what nodes do themselves, without code, and where people burn: zero, 0xdead. */
const FIRST_ORDINARY = 2n ** 16n;

type Place = { from: Hex; contract: Hex };

type Reader = (words: readonly bigint[], place: Place) => Warning[];

/** Reads what a function lets somebody take. */
type AllowanceReader = (words: readonly bigint[], place: Place) => Allowance;

/** A call of a known function. */
type Part = { signature: string; words: readonly bigint[]; isUnread: boolean };

/** A Safe's transaction with a batch of multicalls is as deep as anyone looks. */
const MAX_DEPTH = 4;

/** Most calls in one, at all depths. */
const MAX_INNER = 100;

/** No function below has more arguments that matter. */
const MAX_WORDS = 8;

const allowing = (spender: number, amount: number): AllowanceReader => {
  return (words, { contract: token }) => ({
    token,
    spender: addressAt(words, spender),
    amount: wordAt(words, amount),
  });
};

const transfer = (to: number, owner?: number): Reader => {
  return (words, { from, contract }) => {
    // A contract refuses a call without its arguments.
    if (words.length <= to) return [];
    const recipient = addressAt(words, to);
    const of = owner === undefined ? from : addressAt(words, owner);
    return [
      ...(isSameAddress(recipient, ZERO_ADDRESS)
        ? [danger('alert.tokensToNobody')]
        : []),
      ...(isSameAddress(recipient, contract) ? [danger('alert.tokensToContract')] : []),
      ...(isSameAddress(of, from)
        ? []
        : [warning('alert.othersTokens', { owner: of })]),
    ];
  };
};

/** Functions that let somebody take tokens, by signature. */
const allowanceReaders: Readonly<Record<string, AllowanceReader>> = {
  'approve(address,uint256)': allowing(0, 1),
  'increaseAllowance(address,uint256)': allowing(0, 1),
  'increaseApproval(address,uint256)': allowing(0, 1),
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': allowing(1, 2),
  // DAI's permit is for all or nothing.
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': (
    words,
    { contract: token },
  ) => ({
    token,
    spender: addressAt(words, 1),
    amount: wordAt(words, 4) === 0n ? 0n : MAX_UINT256,
  }),
  // Permit2's.
  'approve(address,address,uint160,uint48)': (words) => ({
    token: addressAt(words, 0),
    spender: addressAt(words, 1),
    amount: BigInt.asUintN(160, wordAt(words, 2)),
    expiration: BigInt.asUintN(48, wordAt(words, 3)),
  }),
  'setApprovalForAll(address,bool)': (words, { contract: token }) => ({
    token,
    spender: addressAt(words, 0),
    amount: wordAt(words, 1) === 0n ? 0n : undefined,
  }),
};

/** What other functions do that their caller should know, by signature. They read words where
 * contracts do, which mind neither what follows them nor, some of them, dirty padding. */
const readers: Readonly<Record<string, Reader>> = {
  'transfer(address,uint256)': transfer(0),
  'transferFrom(address,address,uint256)': transfer(1, 0),
  'safeTransferFrom(address,address,uint256)': transfer(1, 0),
  'safeTransferFrom(address,address,uint256,bytes)': transfer(1, 0),
  'safeTransferFrom(address,address,uint256,uint256,bytes)': transfer(1, 0),
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': transfer(1, 0),
};

/** Functions that exchange a contract's code or who may do everything with it. */
const controls: readonly string[] = [
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'upgrade(address,address)',
  'upgradeAndCall(address,address,bytes)',
  'transferOwnership(address)',
  'renounceOwnership()',
  'setOwner(address)',
  'changeAdmin(address)',
  'changeProxyAdmin(address,address)',
  'grantRole(bytes32,address)',
  'enableModule(address)',
  'addOwnerWithThreshold(address,uint256)',
  'removeOwner(address,address,uint256)',
  'swapOwner(address,address,address)',
  'changeThreshold(uint256)',
  'setGuard(address)',
  'setFallbackHandler(address)',
];

/** Decodes a call, and the calls in it. */
export function decodeContent(content: CallContent): DecodedCall {
  return decode(content, 1, { left: MAX_INNER });
}

function decode(
  content: CallContent,
  depth: number,
  budget: { left: number },
): DecodedCall {
  const { from, to, data } = content;
  const known = findKnownCall(data);
  const place =
    to === null || isSameAddress(to, from) ? undefined : { from, contract: to };
  const contained =
    known && to !== null && depth < MAX_DEPTH
      ? readInnerCalls(known, { from, contract: to })
      : undefined;
  budget.left -= contained?.length ?? 0;
  const isRead = contained !== undefined && budget.left >= 0;
  const inner = isRead ? contained.map((each) => decode(each, depth + 1, budget)) : [];
  const isUnread = known !== undefined && hasInnerCalls(known) && !isRead;
  const part = known && {
    signature: known.signature,
    words: wordsOf(data),
    isUnread,
  };
  const allowance =
    part && place && allowanceReaders[part.signature]?.(part.words, place);
  return {
    ...content,
    known,
    allowances: [
      ...(allowance && allowance.amount !== 0n ? [allowance] : []),
      ...inner.flatMap(({ allowances }) => allowances),
    ],
    addresses: [
      ...(to === null ? [] : [to]),
      ...((known?.values ?? []).filter(
        (_value, index) => known?.types[index] === 'address',
      ) as Hex[]),
      ...inner.flatMap(({ addresses }) => addresses),
    ],
    warnings: [
      ...(depth === 1
        ? findWarnings(content, part)
        : part && to !== null
          ? warnOfPart(part, { from, contract: to })
          : []),
      ...inner.flatMap(({ warnings }) => warnings),
    ],
    inner,
  };
}

/** Decodes the calls that an account makes. */
export function decodeContents(
  calls: readonly Omit<CallContent, 'from'>[],
  from: Hex,
): DecodedCall[] {
  return calls.map((call) => decodeContent({ ...call, from }));
}

/** Tells whether a time, in s since 1970, never comes. */
export function isNever(seconds: bigint): boolean {
  return seconds >= NEVER_SECONDS;
}

/** Tells whether an address can be somebody's: no number that nodes and people have given a
 * meaning, such as zero. */
export function isOrdinary(address: Hex): boolean {
  return BigInt(address) >= FIRST_ORDINARY;
}

/**
 * Lists the addresses at which calls of an account need a contract. Other data than a call's
 * are a note to whoever holds the address.
 */
export function listCalled(calls: readonly CallContent[]): Hex[] {
  const called = calls.flatMap(({ from, to, data }): Hex[] => {
    if (to === null || isSameAddress(to, from)) return [];
    return isForContract({ to, data }) ? [to.toLowerCase() as Hex] : [];
  });
  return [...new Set(called)];
}

/**
 * Warns of those of some calls, made one after another, that reach no contract.
 *
 * @param calls - Those of an ordinary account have its nonces, on which the addresses of the
 * contracts depend that it creates.
 * @param withoutCode - Addresses that have no code yet.
 * @returns Warnings of each call.
 */
export function warnOfMissingContracts(
  calls: readonly (CallContent & { nonce?: bigint })[],
  withoutCode: readonly Hex[],
): Warning[][] {
  const empty = new Set(withoutCode);
  return calls.map((call) => {
    const isMissing = listCalled([call]).some((address) => empty.has(address));
    const created = findCreated(call);
    if (created !== undefined) empty.delete(created);
    return isMissing && call.to !== null
      ? [warning('alert.noContract', { address: call.to })]
      : [];
  });
}

function findCreated({
  from,
  to,
  data,
  nonce,
}: CallContent & { nonce?: bigint }): Hex | undefined {
  if (to !== null) return computeDeployment({ to, data })?.address;
  if (nonce === undefined) return undefined;
  const address = generateAddress(hexToBytes(from), bigIntToUnpaddedBytes(nonce));
  return bytesToHex(address);
}

function isForContract({ to, data }: { to: Hex; data: Hex }): boolean {
  const length = byteLength(data);
  const isCall =
    length >= SELECTOR_BYTES && (length - SELECTOR_BYTES) % WORD_BYTES === 0;
  return isCall && isOrdinary(to);
}

// What its cost is like is another matter: see `fees/guard-rails`.
function findWarnings(content: CallContent, part: Part | undefined): Warning[] {
  const { from, to, value, data, authorizationList = [] } = content;
  const delegation = warnOfDelegation(authorizationList);
  if (to === null) {
    return [
      ...delegation,
      ...(value > 0n
        ? [warning('alert.creationValue', { value: { coins: value } })]
        : []),
    ];
  }
  if (isSameAddress(to, ZERO_ADDRESS)) {
    if (value > 0n) {
      return [...delegation, danger('alert.nobody', { value: { coins: value } })];
    }
    return [...delegation, ...(data === '0x' ? [] : [warning('alert.dataToNobody')])];
  }
  if (isSameAddress(to, from)) {
    return [...delegation, ...(data === '0x' ? [] : [warning('alert.ownData')])];
  }
  const place = { from, contract: to };
  return [...delegation, ...(part ? warnOfPart(part, place) : [])];
}

// Other code will run as the accounts that signed for it; zero takes such a permission back.
function warnOfDelegation(
  authorizations: NonNullable<CallContent['authorizationList']>,
): Warning[] {
  const isOwn = authorizations.some(isOwnAuthorization);
  const isRevoking = authorizations.map(({ address }) =>
    isSameAddress(address, ZERO_ADDRESS),
  );
  // What the user asked us for is of our table.
  if (isOwn) {
    return [
      isRevoking.includes(true)
        ? info('delegation.revokes')
        : warning('delegation.allows'),
    ];
  }
  return [
    ...(isRevoking.includes(false) ? [danger('warning.authorizations')] : []),
    ...(isRevoking.includes(true) ? [info('alert.revocation')] : []),
  ];
}

function warnOfPart({ signature, words, isUnread }: Part, place: Place): Warning[] {
  if (isUnread) return [warning('alert.unread', { function: signature })];
  if (controls.includes(signature)) {
    return [warning('alert.control', { function: signature })];
  }
  const allowance = allowanceReaders[signature]?.(words, place);
  if (allowance) return warnOfAllowance(allowance);
  return readers[signature]?.(words, place) ?? [];
}

function warnOfAllowance(allowance: Allowance): Warning[] {
  const { token, spender, amount, expiration = 0n } = allowance;
  if (amount === undefined) return [danger('alert.operator', { operator: spender })];
  return [
    ...(isUnlimited(amount)
      ? [warning('alert.unlimited', { spender, token: { token } })]
      : []),
    ...(amount > 0n && isNever(expiration) ? [warning('typed.noDeadline')] : []),
  ];
}

// What is missing of a word is zero, as contracts of old read it; others revert.
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
