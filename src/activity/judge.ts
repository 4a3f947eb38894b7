// Computes the states of sent transactions and user operations from the chain's answers
// (docs/internals/what-was-sent.md). Neither silence nor age makes a state final, because a
// transaction that no server knows can still be included.
import type { OperationReceipt, Receipt } from '../../packages/client/src';
import { WholeReceiptStruct } from '../../packages/client/src/rpc/transaction';
import { findQuantity, MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { readDataFee } from '../fees/data-fee';
import { matches } from '../schema/parse';
import type { Inclusion, SentTransaction } from '../state/sent-transaction';
import { cannotChange, isSentBy } from './ledger';

/** Delay before a transaction whose nonce is used counts as replaced, and before a block that the
 * node lacks counts as undone, because nodes behind one address are seconds apart. */
const LATE_MS = 30_000;

/** Delay before a pending transaction that no server knows counts as dropped, because nodes may
 * lack it temporarily. */
const DROP_MS = 120_000;

/** Maximum length of a stored receipt, as JSON. */
const MAX_RECEIPT_LENGTH = 16_000;

/** Maximum length of a signed transaction (in hex) or user operation (as JSON) that stays stored
 * once it is final. */
const MAX_SIGNED_LENGTH = 8_000;

export type Included = { status: 'included'; inclusion: Inclusion; receipt?: object };

export type Observation = {
  found:
    | Included
    /** The block that included the transaction still exists, or is from an earlier run of a
     * development chain. */
    | { status: 'standing' }
    /** The nonce is used, but the transaction that used it is unknown. */
    | { status: 'untold'; doubt: NonNullable<SentTransaction['doubt']> }
    | { status: 'pending' | 'absent' };
  /** Whether the sender's nonce is used as of the latest block. */
  isUsed: boolean;
  /** Whether the finding can no longer change. */
  isFinal?: boolean;
  /** Whether another block replaced the including block. */
  isUndone?: boolean;
  searched?: Hex | undefined;
};

/** Computes an entry's next state; returns the same object if nothing changed. */
export function judge(
  sent: SentTransaction,
  { found, isUsed, isFinal = false, isUndone = false, searched }: Observation,
  now: number,
): SentTransaction {
  if (found.status === 'standing') {
    return isFinal ? toFinal(sent) : withoutAbsence(sent);
  }
  if (found.status === 'included') return include(sent, found, now);
  // The user's clock can be set back: a future time counts as now.
  const absentSince = Math.min(sent.absentSince ?? now, now);
  const isLate = now - absentSince >= LATE_MS;
  const absent = sent.absentSince === absentSince ? sent : { ...sent, absentSince };
  const isIncluded = sent.status === 'included';
  if (isIncluded && !isUndone && !isLate) return absent;
  if (found.status === 'pending') return toPending(sent);
  if (isIncluded) return { ...toPending(sent), absentSince: now };
  if (!isUsed) {
    if (sent.status === 'dropped') return withoutAbsence(sent);
    if (sent.doubt) return { ...toPending(sent), absentSince: now };
    const isWaiting = sent.status === 'pending' && now - absentSince < DROP_MS;
    return isWaiting ? absent : settle(sent, 'dropped', now);
  }
  // An unsuccessful lookup does not undo an earlier finding.
  if (sent.status === 'replaced') return isFinal ? toFinal(sent) : sent;
  const progress = searched && { searched };
  if (found.status === 'untold') {
    const { doubt } = found;
    if (sent.refused) return sent;
    const isKnown = sent.doubt === doubt && sent.searched === searched;
    return isKnown ? sent : { ...toPending(sent), doubt, ...progress };
  }
  return isLate ? { ...settle(sent, 'replaced', now), ...progress } : absent;
}

function include(
  sent: SentTransaction,
  { inclusion, receipt }: Included,
  now: number,
): SentTransaction {
  const settled = { ...settle(sent, 'included', now), inclusion, isFinal: false };
  // Incomplete receipts are not stored, because sites would get them.
  const isWhole = sent.entryPoint !== undefined || matches(receipt, WholeReceiptStruct);
  const isKept =
    receipt && isWhole && JSON.stringify(receipt).length <= MAX_RECEIPT_LENGTH;
  return isKept ? { ...settled, receipt: receipt as never } : settled;
}

/** Marks entries as replaced if an included one has their nonce. */
export function judgeSiblings(
  judged: readonly SentTransaction[],
  all: readonly SentTransaction[],
  now: number,
): SentTransaction[] {
  const isJudged = (sent: SentTransaction): boolean =>
    judged.some(({ hash }) => hash === sent.hash);
  const latest = [...all.filter((each) => !isJudged(each)), ...judged];
  const included = latest.filter(({ status }) => status === 'included');
  return judged.map((each) => {
    const sibling = included.find((other) => isSettledBy(each, other));
    if (!sibling) return each;
    const isKnown = each.status === 'replaced' && each.replacedBy === sibling.hash;
    const replaced = isKnown
      ? each
      : { ...settle(each, 'replaced', now), replacedBy: sibling.hash };
    return cannotChange(sibling) ? toFinal(replaced) : replaced;
  });
}

/** Finds why the outcome of an entry is unknown; undefined if it is known, or simply pending. */
export function findDoubt({
  status,
  refused,
  doubt,
}: SentTransaction): 'dropped' | 'searching' | 'untold' | undefined {
  if (status === 'unknown') return 'untold';
  return status === 'dropped' && !refused ? 'dropped' : doubt;
}

export function isSibling(one: SentTransaction, other: SentTransaction): boolean {
  return (
    one.hash !== other.hash &&
    isSentBy(one, other) &&
    // Transactions and user operations have separate nonces.
    one.entryPoint === other.entryPoint &&
    BigInt(one.nonce) === BigInt(other.nonce)
  );
}

// Only one of two entries with the same nonce can be included. An entry that was included before
// the other was sent belongs to an earlier run of a development chain.
function isSettledBy(sent: SentTransaction, included: SentTransaction): boolean {
  return (
    sent.status !== 'included' &&
    isSibling(sent, included) &&
    (included.settledAt ?? 0) >= sent.sentAt
  );
}

function settle(
  sent: SentTransaction,
  status: SentTransaction['status'],
  settledAt: number,
): SentTransaction {
  const { refused: _refused, ...open } = toPending(sent);
  return { ...open, status, settledAt };
}

// Resets a transaction that a server has again after losing or refusing it, or whose block is gone.
function toPending(sent: SentTransaction): SentTransaction {
  const { absentSince, settledAt, doubt, searched, replacedBy, refused, ...rest } =
    sent;
  const { inclusion, receipt, isFinal: _isFinal, ...known } = rest;
  const lost = [absentSince, settledAt, doubt, searched, replacedBy, refused];
  const isAlreadyPending =
    sent.status === 'pending' &&
    [...lost, inclusion, receipt].every((each) => each === undefined);
  return isAlreadyPending ? sent : { ...known, status: 'pending' };
}

function toFinal(sent: SentTransaction): SentTransaction {
  const final = { ...withoutAbsence(sent), isFinal: true };
  delete final.searched;
  // The Activity tab shows the signed bytes, but long ones take too much storage.
  if ((final.raw?.length ?? 0) > MAX_SIGNED_LENGTH) delete final.raw;
  const { operation } = final;
  if (operation && JSON.stringify(operation).length > MAX_SIGNED_LENGTH) {
    delete final.operation;
  }
  return final;
}

function withoutAbsence(sent: SentTransaction): SentTransaction {
  const { absentSince, ...kept } = sent;
  return absentSince === undefined ? sent : kept;
}

export function toIncluded(receipt: Receipt): Included {
  const { blockNumber, blockHash, gasUsed, effectiveGasPrice, status } = receipt;
  const gasCost = BigInt(gasUsed) * BigInt(effectiveGasPrice);
  const cost = toAmount(gasCost + readDataFee(receipt) + readBlobFee(receipt));
  const success = status ? { success: status === '0x1' } : {};
  return {
    status: 'included',
    inclusion: { blockNumber, blockHash, gasUsed, effectiveGasPrice, cost, ...success },
    receipt,
  };
}

// Computes the fee for blobs in wei (EIP-4844); zero for transactions without blobs.
function readBlobFee({ blobGasUsed, blobGasPrice }: Record<string, unknown>): bigint {
  return (findQuantity(blobGasUsed) ?? 0n) * (findQuantity(blobGasPrice) ?? 0n);
}

/** `effectiveGasPrice` is the actual cost per unit of gas. */
export function toIncludedOperation(receipt: OperationReceipt): Included {
  const { blockNumber, blockHash, transactionHash, success, raw } = receipt;
  const { actualGasUsed, actualGasCost } = receipt;
  const price = actualGasUsed === 0n ? 0n : actualGasCost / actualGasUsed;
  return {
    status: 'included',
    inclusion: {
      blockNumber,
      blockHash,
      transactionHash,
      gasUsed: toAmount(actualGasUsed),
      effectiveGasPrice: toAmount(price),
      cost: toAmount(actualGasCost),
      success,
    },
    ...(raw !== null && { receipt: raw as object }),
  };
}

// Caps impossible amounts, because they must not prevent storing the receipt.
function toAmount(amount: bigint): Inclusion['cost'] {
  return toQuantity(smaller(amount, MAX_UINT256));
}
