// What is remarkable about what a transaction or a call does: pure, and the same for every
// way by which one comes, so that no way goes around it.
import { bytesToHex } from '@metamask/utils';

import type { CallAlert, NumberedAlert } from './alerts';
import { isNever, isUnlimited } from './allowances';
import type { Allowance } from './allowances';
import type { Authorization } from './authorization';
import { isSameAddress, MAX_UINT256, toPaddedHex } from './hex';
import type { Hex } from './hex';
import { knownSignatures, readKnownCall } from './known-calls';
import { ZERO_ADDRESS } from './operation-cost';

/** What a transaction or a call does; wei. */
export type CallContent = {
  /** The account that does it. */
  from: Hex;
  /** Null creates a contract. */
  to: Hex | null;
  value: bigint;
  data: Hex;
  /** Given by transactions of type 0x4. */
  authorizationList?: readonly Pick<Authorization, 'address'>[];
};

type Place = { from: Hex; contract: Hex };

type Reader = (words: readonly bigint[], place: Place) => CallAlert[];

/** Reads what a function lets somebody take. */
type AllowanceReader = (words: readonly bigint[], place: Place) => Allowance;

/** A call of a known function, out of several in one as well. */
type Part = { signature: string; words: readonly bigint[]; isUnread: boolean };

/** A call in a call in a call is as deep as anyone looks. */
const MAX_DEPTH = 3;

const WORD_BYTES = 32;

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
        ? [{ kind: 'tokensToNobody' } as const]
        : []),
      ...(isSameAddress(recipient, contract)
        ? [{ kind: 'tokensToContract' } as const]
        : []),
      ...(isSameAddress(of, from)
        ? []
        : [{ kind: 'othersTokens', owner: of } as const]),
    ];
  };
};

/** Functions that let somebody take tokens, by signature. */
const allowances: Readonly<Record<string, AllowanceReader>> = {
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

/** Contracts call themselves with these, as whoever called them: by signature, which
 * argument holds the calls. */
const multicalls: Readonly<Record<string, number>> = {
  'multicall(bytes[])': 0,
  'multicall(uint256,bytes[])': 1,
  'multicall(bytes32,bytes[])': 1,
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
];

/**
 * Find what a transaction or a call does that its signer should know.
 *
 * What its cost is like is another matter: see `fees/guard-rails`.
 */
export function findCallAlerts(content: CallContent): CallAlert[] {
  const { from, to, value, data, authorizationList } = content;
  const delegation = authorizationList ? findDelegation(authorizationList) : [];
  if (to === null) {
    return [
      ...delegation,
      ...(value > 0n ? [{ kind: 'creationValue', value } as const] : []),
    ];
  }
  if (isSameAddress(to, ZERO_ADDRESS)) {
    const isEmpty = value === 0n && data === '0x';
    return [...delegation, ...(isEmpty ? [] : [{ kind: 'nobody', value } as const])];
  }
  if (isSameAddress(to, from)) {
    return [...delegation, ...(data === '0x' ? [] : [{ kind: 'ownData' } as const])];
  }
  const place = { from, contract: to };
  return [...delegation, ...listParts(data).flatMap((part) => readPart(part, place))];
}

/** List what a transaction or a call lets others take: nothing is no allowance. */
export function listAllowances({ from, to, data }: CallContent): Allowance[] {
  if (to === null || isSameAddress(to, from)) return [];
  return listParts(data)
    .flatMap(
      ({ signature, words }) =>
        allowances[signature]?.(words, { from, contract: to }) ?? [],
    )
    .filter(({ amount }) => amount !== 0n);
}

/** Lists what {@link findCallAlerts} finds, and whether there is no contract to call. */
export function listCallAlerts(content: CallContent, isDeserted = false): CallAlert[] {
  const { to } = content;
  return [
    ...findCallAlerts(content),
    ...(isDeserted && to !== null
      ? [{ kind: 'noContract', address: to } as const]
      : []),
  ];
}

/** Find what calls do that one signature makes, and which of them. */
export function findNumberedAlerts(contents: readonly CallContent[]): NumberedAlert[] {
  return contents.flatMap((content, index) =>
    findCallAlerts(content).map((alert) => ({ alert, number: index + 1 })),
  );
}

function findDelegation(
  authorizations: readonly Pick<Authorization, 'address'>[],
): CallAlert[] {
  const addresses = authorizations.map(({ address }) => address);
  const delegates = addresses.filter((each) => !isSameAddress(each, ZERO_ADDRESS));
  const isRevoking = delegates.length < addresses.length;
  return [
    ...(delegates.length > 0 ? [{ kind: 'delegation', delegates } as const] : []),
    ...(isRevoking ? [{ kind: 'revocation' } as const] : []),
  ];
}

function readPart({ signature, words, isUnread }: Part, place: Place): CallAlert[] {
  if (isUnread) return [{ kind: 'unread', signature }];
  if (controls.includes(signature)) return [{ kind: 'control', signature }];
  const allowance = allowances[signature]?.(words, place);
  if (allowance) return findAllowanceAlerts(allowance);
  return readers[signature]?.(words, place) ?? [];
}

function findAllowanceAlerts(allowance: Allowance): CallAlert[] {
  const { token, spender, amount, expiration = 0n } = allowance;
  if (amount === undefined) return [{ kind: 'operator', operator: spender }];
  return [
    ...(isUnlimited(amount) ? [{ kind: 'unlimited', spender, token } as const] : []),
    ...(amount > 0n && isNever(expiration) ? [{ kind: 'noExpiry' } as const] : []),
  ];
}

// Calls of functions that are known, those that are made in one of them in its place.
function listParts(data: Hex, depth = 1): Part[] {
  const signature = findSignature(data);
  if (signature === undefined) return [];
  const inner = multicalls[signature];
  const part = { signature, words: wordsOf(data), isUnread: inner !== undefined };
  if (inner === undefined) return [part];
  const calls = readKnownCall(data)?.values?.[inner] as Uint8Array[] | undefined;
  if (!calls || depth === MAX_DEPTH) return [part];
  return calls.flatMap((each) => listParts(bytesToHex(each), depth + 1));
}

function findSignature(data: Hex): string | undefined {
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  return Object.hasOwn(knownSignatures, selector)
    ? knownSignatures[selector]
    : undefined;
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
