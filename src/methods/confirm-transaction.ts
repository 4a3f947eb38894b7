// Asking for consent to a transaction. Its fees can be chosen where they are ours to fill; what
// was on the screen when it was approved is what is signed.
import { toCaip2 } from '../eth/chain';
import { sum } from '../eth/hex';
import type { Transaction } from '../eth/transaction';
import { findCostAlerts } from '../fees/guard-rails';
import { writeAlert } from '../ui/confirm/alerts';
import { writeCallAlert } from '../ui/confirm/call-alerts';
import { noticeRival } from '../ui/confirm/replacement';
import type { Replacement } from '../ui/confirm/replacement';
import { TransactionConfirmation } from '../ui/confirm/transaction';
import type { TextKey, Translate } from '../ui/i18n';
import type { Notice } from '../ui/notice';
import { toFeeConfirmation } from './fee-editor';
import { findCallNotices } from './look-alikes';
import type { MethodRequest, MethodServices } from './method';
import type { Prepared } from './transaction';

/** How a transaction is shown. */
export type Showing = {
  asked: Pick<MethodRequest, 'origin'>;
  title: TextKey;
  /** Whether the nonce is settled only when the user has approved. */
  isNonceOpen?: boolean;
  /** What it takes the place of. */
  replacement?: Replacement;
};

/**
 * Obtain consent to a transaction.
 *
 * @returns The transaction that was approved, with the fees that were chosen.
 * @throws {UserRejectedError} If the user refuses.
 */
export async function confirmTransaction(
  {
    subject,
    isDeserted,
    allowances,
    nonceGap,
    failure,
    isGasAssumed,
    ...editing
  }: Prepared,
  showing: Showing,
  services: Pick<
    MethodServices,
    'requireConsent' | 'confirmsItself' | 'knownAddresses' | 'findRival'
  >,
): Promise<Transaction> {
  const { asked, title, isNonceOpen = false, replacement } = showing;
  const notices = await findCallNotices([subject.transaction], services);
  // One that is to replace another says so by itself.
  const rivals = replacement
    ? () => []
    : await findRivalNotices([subject.transaction], services);
  const confirmation = toFeeConfirmation(
    { ...editing, subjects: [subject] },
    ({ transactions, measures, ...priced }) => {
      const [transaction = subject.transaction] = transactions;
      const alerts = [...nonceGap, ...findCostAlerts(transaction, measures)];
      return {
        warnings: alerts.map(({ kind }) => kind),
        draw: (translate) =>
          TransactionConfirmation({
            ...priced,
            translate,
            title,
            origin: asked.origin,
            chain: toCaip2(transaction.chainId),
            transaction,
            alerts,
            balance: measures?.balance,
            dataFee: sum(measures?.dataFees ?? []),
            isNonceOpen,
            isGasAssumed,
            replacement,
            isDeserted,
            notices: [
              ...(failure ? [writeAlert(failure, translate)] : []),
              ...allowances.map(({ alert }) =>
                writeCallAlert(alert, translate, toCaip2(transaction.chainId)),
              ),
              ...notices(translate),
              ...rivals(translate),
            ],
          }),
      };
    },
  );
  const [approved = subject.transaction] = await services.requireConsent(confirmation);
  return approved;
}

/**
 * Find what is to be said of pending transactions with the nonces of these, whichever site
 * sent them.
 *
 * @returns Nothing where no dialog is shown.
 */
export async function findRivalNotices(
  transactions: readonly Pick<Transaction, 'chainId' | 'from' | 'nonce'>[],
  { confirmsItself, findRival }: Pick<MethodServices, 'confirmsItself' | 'findRival'>,
): Promise<(translate: Translate) => Notice[]> {
  if (!confirmsItself) return () => [];
  const found = await Promise.all(
    transactions.map(async ({ chainId, from, nonce }) =>
      findRival({ chain: toCaip2(chainId), from }, nonce),
    ),
  );
  return (translate) =>
    found.flatMap((rival) => (rival ? [noticeRival(rival, translate)] : []));
}
