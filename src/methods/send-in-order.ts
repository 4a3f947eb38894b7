// Calls of an ordinary account: a transaction each, all confirmed at once and sent in their
// order. Nothing holds them together.
import type { Chain } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import type { Transaction } from '../eth/transaction';
import type { AccountRecord } from '../state/account-record';
import { CallsConfirmation } from '../ui/confirm/calls';
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
    let next = await services.nonces.next(sender, chain.node);
    const senders = approved.map((transaction): Sender => {
      return async (onSigned) => {
        const nonce = await services.nonces.findFree(sender, next);
        next = nonce + 1n;
        const final = { ...transaction, nonce };
        return signAndSendNow(final, { ...place, onSigned }, services);
      };
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
  const { isEstimated, isDeserted, ...editing } = await prepareCalls(
    intents,
    place,
    services,
  );
  const notices = await findCallNotices(intents, services);
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
              alerts: ofEach[index] ?? [],
              isEstimated: isEstimated[index] ?? false,
              isDeserted: isDeserted[index] ?? false,
            })),
            alerts: ofAll,
            notices: notices(translate),
            balance: measures?.balance,
          }),
      };
    }),
  );
}
