// What became of a transaction or user operation, told from what servers say of it: pure.
import type { SentTransaction } from '../state/sent-transaction';
import type { Included } from './included';

/** Another took its nonce, it seems; but nodes tell of a receipt seconds after the block. */
const LATE_MS = 30_000;

/** A node can lose sight of what it still knows, and what is not told on is lost. */
const DROP_MS = 120_000;

/** Then nobody follows it any more. */
const GIVE_UP_MS = 7 * 24 * 60 * 60 * 1000;

/** Longest receipt that is kept, as JSON. */
const MAX_RECEIPT_LENGTH = 16_000;

/** What servers say of what is pending. */
export type Observation = {
  found: Included | { status: 'pending' | 'absent' | 'unknown' };
  /** The sender's next nonce, by what is in blocks. */
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
  { found, count }: Observation,
  now: number,
): SentTransaction {
  if (found.status === 'included') return include(sent, found, now);
  if (found.status === 'pending') return withoutAbsence(sent);
  // A clock can be set back: what lies ahead of now begins now.
  const absentSince = Math.min(sent.absentSince ?? now, now);
  const isUsed = count > BigInt(sent.nonce);
  if (now - absentSince < (isUsed ? LATE_MS : DROP_MS)) {
    return sent.absentSince === absentSince ? sent : { ...sent, absentSince };
  }
  if (!isUsed) return settle(sent, 'dropped', now);
  // Where nodes forget, it may be the one itself that used its nonce.
  return settle(sent, found.status === 'unknown' ? 'unknown' : 'replaced', now);
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
  { inclusion, receipt }: Included,
  settledAt: number,
): SentTransaction {
  const isKept = JSON.stringify(receipt).length <= MAX_RECEIPT_LENGTH;
  return {
    ...settle(sent, 'included', settledAt),
    inclusion,
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
  delete settled.operation;
  return settled;
}

function withoutAbsence(sent: SentTransaction): SentTransaction {
  if (sent.absentSince === undefined) return sent;
  const kept = { ...sent };
  delete kept.absentSince;
  return kept;
}
