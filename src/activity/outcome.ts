// What became of a transaction, told from what a node says of it: pure.
import type { Inclusion, Receipt } from '../client';
import { MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { SentTransaction } from '../state/sent-transaction';

/** Another took its nonce, it seems; but nodes tell of a receipt seconds after the block. */
const LATE_MS = 30_000;

/** A node can lose sight of what it still knows, and what is not told on is lost. */
const DROP_MS = 120_000;

/** Then nobody follows it any more. */
const GIVE_UP_MS = 7 * 24 * 60 * 60 * 1000;

/** Longest receipt that is kept, as JSON. */
const MAX_RECEIPT_LENGTH = 16_000;

/** What a node says of a pending transaction. */
export type Observation = {
  inclusion: Inclusion;
  /** How many transactions of the sender are in blocks. */
  count: bigint;
};

/**
 * Find the next state of a pending transaction.
 *
 * @param observation - Undefined if no node answered.
 * @returns The same object if nothing changed.
 */
export function findOutcome(
  sent: SentTransaction,
  observation: Observation | undefined,
  now: number,
): SentTransaction {
  const next = observation ? judge(sent, observation, now) : sent;
  const isOver = next.status === 'pending' && now - sent.sentAt >= GIVE_UP_MS;
  return isOver ? settle(sent, 'unknown', now) : next;
}

function judge(
  sent: SentTransaction,
  { inclusion, count }: Observation,
  now: number,
): SentTransaction {
  if (inclusion.status === 'included') return include(sent, inclusion.receipt, now);
  if (inclusion.status === 'pending') return withoutAbsence(sent);
  // A clock can be set back: what lies ahead of now begins now.
  const absentSince = Math.min(sent.absentSince ?? now, now);
  const isUsed = count > BigInt(sent.nonce);
  if (now - absentSince < (isUsed ? LATE_MS : DROP_MS)) {
    return sent.absentSince === absentSince ? sent : { ...sent, absentSince };
  }
  if (!isUsed) return settle(sent, 'dropped', now);
  // Where nodes forget, it may be the one itself that used its nonce.
  return settle(sent, inclusion.status === 'unknown' ? 'unknown' : 'replaced', now);
}

/** Note that a sibling of ours with the same nonce was included. */
export function toReplaced(
  sent: SentTransaction,
  by: SentTransaction,
  now: number,
): SentTransaction {
  return { ...settle(sent, 'replaced', now), replacedBy: by.hash };
}

function include(
  sent: SentTransaction,
  receipt: Receipt,
  settledAt: number,
): SentTransaction {
  const { blockNumber, blockHash, gasUsed, effectiveGasPrice, status } = receipt;
  // A figure that no chain can have must not keep the others from being stored.
  const cost = smaller(BigInt(gasUsed) * BigInt(effectiveGasPrice), MAX_UINT256);
  const success = status === undefined ? {} : { success: status === '0x1' };
  const where = { blockNumber, blockHash, gasUsed, effectiveGasPrice };
  const isKept = JSON.stringify(receipt).length <= MAX_RECEIPT_LENGTH;
  return {
    ...settle(sent, 'included', settledAt),
    inclusion: { ...where, cost: toQuantity(cost), ...success },
    ...(isKept ? { receipt: receipt as never } : {}),
  };
}

function settle(
  sent: SentTransaction,
  status: SentTransaction['status'],
  settledAt: number,
): SentTransaction {
  const settled = { ...withoutAbsence(sent), status, settledAt };
  // Nothing is made of it any more, and it can be long.
  delete settled.raw;
  return settled;
}

function withoutAbsence(sent: SentTransaction): SentTransaction {
  if (sent.absentSince === undefined) return sent;
  const kept = { ...sent };
  delete kept.absentSince;
  return kept;
}
