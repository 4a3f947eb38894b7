// Calls of an ordinary account: a transaction each, all confirmed at once and sent in their
// order. Nothing holds them together.
import type { Chain } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import { sum } from '../eth/hex';
import type { Transaction } from '../eth/transaction';
import type { AccountRecord } from '../state/account-record';
import { CallsConfirmation } from '../ui/confirm/calls';
import { findRivalNotices } from './confirm-transaction';
import { toFeeConfirmation } from './fee-editor';
import { sendKept } from './keep-calls';
import type { Batch, Sender } from './keep-calls';
import { findCallNotices } from './look-alikes';
import type { MethodServices } from './method';
import { findCallsAlerts, prepareCalls } from './prepare-calls';
import { signAndSendNow } from './sign-and-send';

/** Whose calls they are, and who asked for them. */
export type OrderPlace = { account: AccountRecord; origin: string; chain: Chain };

/**
 * Fill, confirm, sign and send calls, a transaction each.
 *
 * @throws What the node says if the first would fail, or if it refuses it.
 */
export async function sendInOrder(
  batch: Batch,
  place: OrderPlace,
  services: MethodServices,
): Promise<void> {
  const { account, origin, chain } = place;
  const approved = await confirmCalls(batch, place, services);
  const keeping = { account, origin, chainId: chain.id, atomic: false };
  const sender = { chain: toCaip2(chain.id), from: account.address };
  await services.nonces.alone(sender, async () => {
    const free = await services.nonces.list(sender, chain.node, approved.length);
    const senders = approved.map((transaction, index): Sender => {
      const final = { ...transaction, nonce: free[index] ?? transaction.nonce };
      return async (onSigned) =>
        signAndSendNow(final, { ...place, onSigned }, services);
    });
    await sendKept(batch, keeping, { ...services, senders });
  });
}

/** Obtain consent to all of them; gives them with the fees that were chosen. */
async function confirmCalls(
  { intents }: Batch,
  place: OrderPlace,
  services: MethodServices,
): Promise<readonly Transaction[]> {
  const { account, origin, chain } = place;
  const prepared = await prepareCalls(intents, place, services);
  const { gas, isDeserted, allowances, ...editing } = prepared;
  const notices = await findCallNotices(intents, services);
  const rivals = await findRivalNotices(
    editing.subjects.map(({ transaction }) => transaction),
    services,
  );
  return services.requireConsent(
    toFeeConfirmation(editing, ({ transactions, measures, ...priced }) => {
      const { ofEach, ofAll } = findCallsAlerts(transactions, measures);
      const warnings = [ofAll, ...ofEach].flatMap((alerts, number) =>
        alerts.map(({ kind }) => `${number}: ${kind}`),
      );
      return {
        warnings,
        draw: (translate) =>
          CallsConfirmation({
            ...priced,
            translate,
            origin,
            account: account.address,
            chain: toCaip2(chain.id),
            calls: transactions.map((transaction, index) => ({
              transaction,
              allowances: allowances
                .filter(({ number }) => number === index + 1)
                .map(({ alert }) => alert),
              alerts: ofEach[index] ?? [],
              isEstimated: false,
              ...gas[index],
              isDeserted: isDeserted[index] ?? false,
            })),
            alerts: ofAll,
            notices: [...notices(translate), ...rivals(translate)],
            balance: measures?.balance,
            dataFee: sum(measures?.dataFees ?? []),
          }),
      };
    }),
  );
}
