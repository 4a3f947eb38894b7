// Calls of an ordinary account: a transaction each, all confirmed at once and sent in their
// order. Nothing holds them together.
import type { Chain } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import type { AccountRecord } from '../state/account-record';
import { CallsConfirmation } from '../ui/confirm/calls';
import type { CallView } from '../ui/confirm/calls';
import { sendKept } from './keep-calls';
import type { Batch, Sender } from './keep-calls';
import type { MethodServices } from './method';
import { prepareCalls } from './prepare-calls';
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
  const { calls, alerts } = await prepareCalls(batch.intents, place, services);
  const view = { origin, account: account.address, chain: toCaip2(chain.id) };
  await services.requireConsent((translate) =>
    CallsConfirmation({ ...view, translate, calls, alerts }),
  );
  const keeping = { account, origin, chainId: chain.id, atomic: false };
  const sender = { chain: view.chain, from: account.address };
  await services.nonces.alone(sender, async () => {
    let next = await services.nonces.next(sender, chain.node);
    const senders = calls.map(({ transaction }: CallView): Sender => {
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
