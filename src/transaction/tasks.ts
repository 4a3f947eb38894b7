// Signing tasks for transactions and for their senders' own authorizations.
import type { Link } from '../activity/broadcast';
import type { Approval, HeldTask } from '../core/approval';
import type { Core } from '../core/core';
import type { SigningTask, Transaction } from '../core/payload';
import type { SignedTransaction } from '../core/sign';
import { findOwnAuthorization } from '../eth/delegation';
import { toAccountRef } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';

/** Creates a task for each transaction, in order, and then one for each of the account's own
 * authorizations. With `isNonceOpen`, the nonces are chosen after the approval. */
export function toTransactionTasks(
  transactions: readonly Transaction[],
  record: AccountRecord,
  isNonceOpen: boolean,
): SigningTask[] {
  const account = toAccountRef(record);
  const place = { account, open: isNonceOpen ? (['nonce'] as const) : [] };
  const own = transactions.flatMap((each) => {
    const authorization = findOwnAuthorization(each);
    return authorization && authorization.authority === undefined
      ? [authorization]
      : [];
  });
  return [
    ...transactions.map((transaction): SigningTask => ({
      ...place,
      payload: { kind: 'transaction', transaction },
    })),
    ...own.map((authorization): SigningTask => ({
      ...place,
      payload: { kind: 'authorization', authorization },
    })),
  ];
}

/** Signs the sender's own authorization, if there is one, and then the transaction. */
export async function signTransactionTask(
  approval: Approval,
  { index = 0, nonce }: { index?: number; nonce: bigint | undefined },
  core: Core,
): Promise<SignedTransaction & Pick<Link, 'usesNextNonce'>> {
  const own = core
    .tasksOf(approval)
    .findIndex(
      ({ payload }) =>
        payload.kind === 'authorization' &&
        payload.authorization.authority === undefined,
    );
  if (own >= 0) {
    const next = nonce === undefined ? undefined : nonce + 1n;
    await core.signAuthorization(approval, own, { nonce: next });
  }
  const signed = await core.signTransaction(approval, index, { nonce });
  return own >= 0 ? { ...signed, usesNextNonce: true } : signed;
}

export function transactionsOf(tasks: readonly HeldTask[]): Transaction[] {
  return tasks.flatMap(({ payload }) =>
    payload.kind === 'transaction' ? [payload.transaction] : [],
  );
}
