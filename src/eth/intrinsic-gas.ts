// Gas rules by fork: intrinsic gas, and other constants that a fork changes. Gas limits come from
// the node if it can estimate them; these values show which estimates are exact, and which are
// impossible.
import { hexToBytes } from '@metamask/utils';

import type { AccessList } from '../core/payload';
import { isSameAddress, larger, sum, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';

/** Forks with different gas rules: `prague` stands for Osaka, Prague and all earlier forks. */
export type GasFork = 'prague' | 'amsterdam';

/** State of the recipient, or of the contract to create, before the transaction. `self` is the
 * sender; other accounts exist or not (EIP-161), or their state is unknown. */
export type Recipient = 'self' | 'exists' | 'created' | 'unknown';

export type PricedFields = {
  to: Hex | null;
  value: bigint;
  data: Hex;
  accessList?: AccessList;
  authorizationList?: readonly unknown[];
};

type GasRules = {
  /** TX_BASE_COST. */
  base: bigint;
  /** COLD_ACCOUNT_ACCESS for a recipient other than the sender. */
  recipient: bigint;
  /** TX_VALUE_COST. */
  value: bigint;
  /** For creating a contract, without the state gas of its account. */
  create: bigint;
  isCreateInFloor: boolean;
  /** Per calldata byte, in the floor price. */
  floorByte: Record<'zero' | 'other', bigint>;
  listedAddress: bigint;
  listedKey: bigint;
  /** Per access list byte, in both the regular and the floor price. */
  listedByte: bigint;
  authorization: bigint;
  newAccount: bigint;
};

const rules: Record<GasFork, GasRules> = {
  prague: {
    base: 21_000n,
    recipient: 0n,
    value: 0n,
    create: 32_000n,
    isCreateInFloor: false,
    // EIP-7623.
    floorByte: { zero: 10n, other: 40n },
    // EIP-2930.
    listedAddress: 2_400n,
    listedKey: 1_900n,
    listedByte: 0n,
    // PER_EMPTY_ACCOUNT_COST of EIP-7702.
    authorization: 25_000n,
    newAccount: 0n,
  },
  amsterdam: {
    // EIP-2780.
    base: 12_000n,
    value: 6_000n,
    // EIP-8038.
    recipient: 3_000n,
    create: 12_000n,
    isCreateInFloor: true,
    listedAddress: 2_900n,
    listedKey: 2_000n,
    // EIP-7976.
    floorByte: { zero: 64n, other: 64n },
    // EIP-7981.
    listedByte: 64n,
    // EIP-8037: EXECUTION_PER_AUTH_BASE_COST, and 120 bytes at 1,530.
    authorization: 7_816n,
    newAccount: 183_600n,
  },
};

/** Per calldata byte, in the regular price (EIP-2028). */
const BYTE_GAS = { zero: 4n, other: 16n };

/** Per word of init code (EIP-3860). */
const INIT_WORD_GAS = 2n;

const WORD_BYTES = 32n;
const ADDRESS_BYTES = 20n;

/**
 * Computes the gas of a transaction that runs no code, which is the minimum for any other
 * transaction.
 *
 * Includes the state gas of an account that the transaction creates, which EIP-2780 charges when
 * the transaction runs. Excludes the runtime gas of authorizations, which depends on their signers.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2780
 */
export function computeIntrinsicGas(
  { to, value, data, accessList = [], authorizationList = [] }: PricedFields,
  fork: GasFork,
  { recipient }: { recipient: Recipient },
): bigint {
  const rule = rules[fork];
  const bytes = hexToBytes(data);
  const zeros = BigInt(bytes.filter((byte) => byte === 0).length);
  const others = BigInt(bytes.length) - zeros;
  const priceBytes = (price: typeof BYTE_GAS): bigint =>
    zeros * price.zero + others * price.other;
  const addresses = BigInt(accessList.length);
  const keys = BigInt(accessList.flatMap(({ storageKeys }) => storageKeys).length);
  const isCreating = to === null;
  const toOther =
    isCreating || recipient === 'self'
      ? 0n
      : rule.recipient + (value > 0n ? rule.value : 0n);
  const base =
    rule.base +
    toOther +
    rule.listedByte * (addresses * ADDRESS_BYTES + keys * WORD_BYTES);
  const words = (BigInt(bytes.length) + WORD_BYTES - 1n) / WORD_BYTES;
  const floor =
    base +
    priceBytes(rule.floorByte) +
    (isCreating && rule.isCreateInFloor ? rule.create : 0n);
  const isNew = recipient === 'created' && (isCreating || value > 0n);
  const plain = sum([
    base,
    priceBytes(BYTE_GAS),
    isCreating ? rule.create + words * INIT_WORD_GAS : 0n,
    addresses * rule.listedAddress + keys * rule.listedKey,
    BigInt(authorizationList.length) * rule.authorization,
    isNew ? rule.newAccount : 0n,
  ]);
  return larger(plain, floor);
}

/** Computes the gas of a transaction that runs no code. `newAccountGas` is the part for creating
 * the recipient's account, if the estimate includes it. */
export function computePlainGas(
  fields: PricedFields & { from: Hex },
  estimate: bigint,
  fork: GasFork,
): { gas: bigint; newAccountGas?: bigint } {
  const { from, to } = fields;
  const compute = (recipient: Recipient): bigint =>
    computeIntrinsicGas(fields, fork, { recipient });
  if (to === null) return { gas: compute('unknown') };
  if (isSameAddress(from, to)) return { gas: compute('self') };
  const gas = compute('exists');
  const created = compute('created');
  return estimate === created && created > gas
    ? { gas: created, newAccountGas: created - gas }
    : { gas };
}

export function computeTransferGas(
  fork: GasFork,
  recipient: 'exists' | 'created',
): bigint {
  const transfer = { to: ZERO_ADDRESS, value: 1n, data: '0x' } as const;
  return computeIntrinsicGas(transfer, fork, { recipient });
}

/** Maximum gas limit of a transaction since Osaka (EIP-7825). From Amsterdam on, it limits only
 * execution gas; state gas comes on top (EIP-8037). */
export const MAX_TRANSACTION_GAS = 16_777_216n;

type ForkGas = {
  /** A call that cannot be estimated, without its calldata. */
  unknownCall: bigint;
  codeByte: bigint;
  calldataByte: bigint;
  /** The first delegation of an account (EIP-7702). */
  delegation: bigint;
  /** Extra gas of a smart account's call: its own code, and a value transfer to a new account. */
  innerCall: bigint;
  /** The EntryPoint's verification code, which may store the nonce in a new slot. */
  verification: bigint;
  /** Paying the prefund to the EntryPoint, which may store the deposit in a new slot. */
  prefund: bigint;
  /** A paymaster of EntryPoint 0.6, which shares the account's verification limit. */
  paymaster: bigint;
  /** Deploying and verifying an account, as a starting value for an estimate. */
  deployment: bigint;
};

/** A new storage slot costs 22,100 gas before Amsterdam, and 110,020 from Amsterdam on (EIP-8037,
 * EIP-8038). */
export const forkGas: Record<GasFork, ForkGas> = {
  prague: {
    unknownCall: 500_000n,
    codeByte: 200n,
    calldataByte: rules.prague.floorByte.other,
    delegation: 0n,
    innerCall: 40_000n,
    verification: 30_000n,
    prefund: 40_000n,
    paymaster: 150_000n,
    deployment: 1_000_000n,
  },
  amsterdam: {
    unknownCall: 1_000_000n,
    codeByte: 1_530n,
    calldataByte: rules.amsterdam.floorByte.other,
    // 23 bytes at 1,530.
    delegation: 35_190n,
    innerCall: 200_000n,
    verification: 120_000n,
    prefund: 130_000n,
    paymaster: 240_000n,
    // Deploying a Safe, with its code and eight slots, takes half of this.
    deployment: 3_000_000n,
  },
};
