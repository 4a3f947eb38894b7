// What a user should know before signing, as data: found where the figures are, written by
// the views.
import type { Hex } from './hex';
import type { GasField } from './operation-cost';

/** What is remarkable about a cost; amounts in wei. */
export type CostAlert =
  | { kind: 'fee'; fee: bigint; high: bigint }
  | { kind: 'balance'; cost: bigint; balance: bigint }
  /** No server could be asked. */
  | { kind: 'unchecked' };

/** What is remarkable about what a user operation says; calls are counted from 1. */
export type ContentAlert =
  /** Calls that exchange the account's own code. */
  | { kind: 'upgrade'; calls: readonly number[] }
  /** Other calls to the account itself: it lets itself do what its owner may. */
  | { kind: 'ownCall'; calls: readonly number[] }
  /** Calls that send value to the zero address. */
  | { kind: 'burn'; calls: readonly number[]; value: bigint }
  /** `paymasterAndData` that the EntryPoint refuses. */
  | { kind: 'paymaster' }
  /** The EntryPoint takes the lower of both. */
  | { kind: 'priority'; priority: bigint; fee: bigint };

/** What is remarkable about a user operation. */
export type OperationAlert =
  | ContentAlert
  | CostAlert
  /** More gas than anything sensible takes. */
  | { kind: 'gasLimit'; field: GasField; gas: bigint; bound: bigint }
  /** Likewise; and this is paid in full. */
  | { kind: 'preVerificationGas'; gas: bigint; bound: bigint }
  /** Other content was signed with the same nonce. */
  | { kind: 'replay'; hash: Hex }
  /** The paymaster refused, with what it said; the account pays. */
  | { kind: 'sponsor'; reason: string }
  /** It deploys an account that is there. */
  | { kind: 'deployed' }
  /** It does not deploy an account that is not there. */
  | { kind: 'undeployed' }
  /** It deploys by another call than that of the account's factory. */
  | { kind: 'factory' };
