// What a user should know before signing, as data: found where the figures are, written by
// the views.
import type { Hex } from './hex';
import type { GasField } from './operation-cost';

/** What is remarkable about a cost; amounts in wei. */
export type CostAlert =
  | { kind: 'fee'; fee: bigint; high: bigint }
  | { kind: 'balance'; cost: bigint; balance: bigint }
  /** Below the base fee of now: it waits until that falls. */
  | { kind: 'lowFee'; fee: bigint; base: bigint }
  /** Other nonces have to be used before it: it waits until they are. */
  | { kind: 'nonceGap'; nonce: bigint; next: bigint }
  /** No server could be asked. */
  | { kind: 'unchecked' };

/** That something fails when it is carried out, or that nobody could try it, and why, in the
 * words of a contract or of a server. */
export type FailureAlert = { kind: 'willFail' | 'mayFail'; reason: string };

/** What is remarkable about what a call does, whoever makes it; amounts in wei. */
export type CallAlert =
  /** Somebody may take as many tokens as there are. */
  | { kind: 'unlimited'; spender: Hex; token: Hex }
  /** What somebody may take, they may take for ever. */
  | { kind: 'noExpiry' }
  /** Somebody who may take tokens is no contract. */
  | { kind: 'spenderNoCode'; spender: Hex }
  /** Somebody may take every token of a collection. */
  | { kind: 'operator'; operator: Hex }
  /** The contract to be is given value. */
  | { kind: 'creationValue'; value: bigint }
  /** Value or data for the zero address. */
  | { kind: 'nobody'; value: bigint }
  /** A call where no contract is. */
  | { kind: 'noContract'; address: Hex }
  /** Tokens for the zero address. */
  | { kind: 'tokensToNobody' }
  /** Tokens for the contract of these tokens. */
  | { kind: 'tokensToContract' }
  /** Tokens of another account. */
  | { kind: 'othersTokens'; owner: Hex }
  /** Contracts whose code will run as the accounts that signed for it. */
  | { kind: 'delegation'; delegates: readonly Hex[] }
  /** Accounts that take such a permission back. */
  | { kind: 'revocation' }
  /** Who may do everything with a contract, or its code, is changed. */
  | { kind: 'control'; signature: string }
  /** Several calls in one that cannot be read. */
  | { kind: 'unread'; signature: string }
  /** Data for the account itself, which only code of its own reads. */
  | { kind: 'ownData' };

/** What is remarkable about the calls that one signature makes. */
export type NumberedAlert = {
  alert: CallAlert;
  /** Which of the calls, counted from 1. */
  number: number;
};

/** What is remarkable about what a user operation says; calls are counted from 1. */
export type ContentAlert =
  /** Calls that exchange the account's own code. */
  | { kind: 'upgrade'; calls: readonly number[] }
  /** Other calls to the account itself: it lets itself do what its owner may. */
  | { kind: 'ownCall'; calls: readonly number[] }
  /** Call data that can be read, but hold bytes that are no part of a call. */
  | { kind: 'hiddenBytes' }
  /** Call data that are none of the account's own calls, or cannot be read. */
  | { kind: 'opaque' }
  /** Calls that send value to the zero address. */
  | { kind: 'burn'; calls: readonly number[]; value: bigint }
  /** What one of the calls does. */
  | ({ kind: 'call' } & NumberedAlert)
  /** `paymasterAndData` that the EntryPoint refuses. */
  | { kind: 'paymaster' }
  /** The EntryPoint takes the lower of both. */
  | { kind: 'priority'; priority: bigint; fee: bigint };

/** What is remarkable about a user operation. */
export type OperationAlert =
  | ContentAlert
  | CostAlert
  | FailureAlert
  /** More gas than anything sensible takes. */
  | { kind: 'gasLimit'; field: GasField; gas: bigint; bound: bigint }
  /** More than twice what the node estimates. */
  | { kind: 'gasEstimate'; field: GasField; gas: bigint; estimate: bigint }
  /** More than twice what it should be; and this is paid in full. */
  | { kind: 'preVerificationGas'; gas: bigint; estimate: bigint }
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
