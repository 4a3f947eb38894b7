// Asking for consent to a transaction. Its fees can be chosen where they are ours to fill; what
// was on the screen when it was approved is what is signed.
import { toCaip2 } from '../eth/chain';
import type { Transaction } from '../eth/transaction';
import { findCostAlerts } from '../fees/guard-rails';
import type { Replacement } from '../ui/confirm/replacement';
import { TransactionConfirmation } from '../ui/confirm/transaction';
import type { TextKey } from '../ui/i18n';
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
  { subject, isDeserted, ...editing }: Prepared,
  showing: Showing,
  services: Pick<
    MethodServices,
    'requireConsent' | 'confirmsItself' | 'knownAddresses'
  >,
): Promise<Transaction> {
  const { asked, title, isNonceOpen = false, replacement } = showing;
  const notices = await findCallNotices([subject.transaction], services);
  const confirmation = toFeeConfirmation(
    { ...editing, subjects: [subject] },
    ({ transactions, measures, ...priced }) => {
      const [transaction = subject.transaction] = transactions;
      const alerts = findCostAlerts(transaction, measures);
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
            isNonceOpen,
            replacement,
            isDeserted,
            notices: notices(translate),
          }),
      };
    },
  );
  const [approved = subject.transaction] = await services.requireConsent(confirmation);
  return approved;
}
