// Asking for consent to a transaction, with what is remarkable about its cost.
import { toCaip2 } from '../eth/chain';
import { TransactionConfirmation } from '../ui/confirm/transaction';
import type { TextKey } from '../ui/i18n';
import type { MethodRequest, MethodServices } from './method';
import type { Prepared } from './transaction';

/** How a transaction is shown. */
export type Showing = {
  asked: Pick<MethodRequest, 'origin'>;
  title: TextKey;
  /** Whether the nonce is settled only when the user has approved. */
  isNonceOpen?: boolean;
};

/**
 * Obtain consent to a transaction.
 *
 * @throws {UserRejectedError} If the user refuses.
 */
export async function confirmTransaction(
  { transaction, alerts }: Prepared,
  { asked: { origin }, title, isNonceOpen = false }: Showing,
  { requireConsent }: Pick<MethodServices, 'requireConsent'>,
): Promise<void> {
  await requireConsent((translate) =>
    TransactionConfirmation({
      translate,
      title,
      origin,
      chain: toCaip2(transaction.chainId),
      transaction,
      alerts,
      isNonceOpen,
    }),
  );
}
