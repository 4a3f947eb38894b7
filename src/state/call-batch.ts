// Calls that a site asked for by wallet_sendCalls (EIP-5792), so that it can ask later what
// became of them.
import { boolean, exactOptional, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { Bytes32Struct } from '../eth/hex';
import { integerBetween, list, text } from '../structs';
import { ScopeStruct } from './account-record';

/** Most batches that are kept; beyond, the oldest go. */
export const MAX_BATCHES = 100;

/** Most calls in a batch. */
export const MAX_CALLS = 100;

/** Longest reason why sending broke off. */
export const MAX_FAILURE_LENGTH = 1_000;

/** Longest id of a batch: 4,096 bytes in hex (EIP-5792). */
export const MAX_ID_LENGTH = 8_194;

/** Calls that were sent together. */
export const CallBatchStruct = object({
  /** Chosen by the site or by us; unique for an origin. */
  id: text(MAX_ID_LENGTH),
  origin: text(2_048),
  chain: ScopeStruct,
  /** Id of the account. */
  account: text(36),
  /** Whether they are one user operation: all of them or none. */
  atomic: boolean(),
  /** How many calls there are. */
  size: integerBetween(1, MAX_CALLS),
  /** What was sent: one user operation, or a transaction a call, in the order of the calls.
   * Fewer than there are calls if sending broke off. */
  hashes: list(Bytes32Struct, { max: MAX_CALLS }),
  /** In ms since 1970. */
  sentAt: integerBetween(0, Number.MAX_SAFE_INTEGER),
  /** Why sending broke off. */
  failure: exactOptional(text(MAX_FAILURE_LENGTH)),
});

/** Calls that were sent together. */
export type CallBatch = Infer<typeof CallBatchStruct>;
