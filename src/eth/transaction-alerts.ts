// What is remarkable about what a transaction or a call does: pure, and the same for every
// way by which one comes, so that no way goes around it.
import { bytesToHex } from '@metamask/utils';

import type { CallAlert, NumberedAlert } from './alerts';
import type { Authorization } from './authorization';
import { isSameAddress, toPaddedHex } from './hex';
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

/** Contracts that count in smaller numbers mean the largest of them by no limit: Permit2's
 * uint160, and the uint96 of some tokens. */
const OTHER_UNLIMITED = [2n ** 160n - 1n, 2n ** 96n - 1n];

/** A call in a call in a call is as deep as anyone looks. */
const MAX_DEPTH = 3;

const WORD_BYTES = 32;

/** No function below has more arguments that matter. */
const MAX_WORDS = 8;

const approval = (spender: number, amount: number, bits = 256n): Reader => {
  return (words) =>
    isUnlimited(wordAt(words, amount) % 2n ** bits, bits)
      ? [{ kind: 'unlimited', spender: addressAt(words, spender) }]
      : [];
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

/** What functions do that their caller should know, by signature. They read words where
 * contracts do, which mind neither what follows them nor, some of them, dirty padding. */
const readers: Readonly<Record<string, Reader>> = {
  'approve(address,uint256)': approval(0, 1),
  'increaseAllowance(address,uint256)': approval(0, 1),
  'increaseApproval(address,uint256)': approval(0, 1),
  'approve(address,address,uint160,uint48)': approval(1, 2, 160n),
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': approval(1, 2),
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': (words) =>
    wordAt(words, 4) === 0n
      ? []
      : [{ kind: 'unlimited', spender: addressAt(words, 1) }],
  'setApprovalForAll(address,bool)': (words) =>
    wordAt(words, 1) === 0n
      ? []
      : [{ kind: 'operator', operator: addressAt(words, 0) }],
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
  return [...delegation, ...readData(data, { from, contract: to }, 1)];
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

function readData(data: Hex, place: Place, depth: number): CallAlert[] {
  const signature = findSignature(data);
  if (signature === undefined) return [];
  if (controls.includes(signature)) return [{ kind: 'control', signature }];
  const inner = multicalls[signature];
  if (inner === undefined) return readers[signature]?.(wordsOf(data), place) ?? [];
  const calls = readKnownCall(data)?.values?.[inner] as Uint8Array[] | undefined;
  if (!calls || depth === MAX_DEPTH) return [{ kind: 'unread', signature }];
  return calls.flatMap((each) => readData(bytesToHex(each), place, depth + 1));
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

function isUnlimited(amount: bigint, bits: bigint): boolean {
  return amount >= 2n ** (bits - 1n) || OTHER_UNLIMITED.includes(amount);
}
