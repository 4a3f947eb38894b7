// The person at the screen in a case: tries what a dialog has, then approves, refuses or
// closes it.
import type { HandlerType } from '@metamask/snaps-utils';

import type { Dialog } from '../wallet/user';
import type { Wallet } from '../wallet/wallet';
import type { Random } from './random';
import type { FuzzRequest } from './route';
import { makeInput } from './routes/user-input';

/** Sends a request as it is. */
export type Send = (request: FuzzRequest) => Promise<unknown>;

/** Send requests to the snap of a wallet. */
export function createSend({ controller, snapId }: Wallet): Send {
  return async ({ handler, origin, request }) =>
    controller.handleRequest({
      snapId: snapId,
      origin,
      handler: handler as HandlerType,
      request,
    });
}

/** Have the person of a wallet decide by chance; what they saw is written down. */
export function decideByChance(wallet: Wallet, random: Random, shown: string[]): void {
  const send = createSend(wallet);
  wallet.user.confirmAccounts = () => random.chance(0.8);
  wallet.user.onDialog = async (dialog) => {
    shown.push(dialog.text);
    for (let time = random.below(4) - 1; time > 0; time -= 1) {
      const content = (): Dialog['content'] => dialog.content;
      await send(makeInput(random, dialog.interfaceId, content)).catch(() => undefined);
      shown.push(dialog.text);
    }
    const decision = random.next();
    if (dialog.isOpen && decision < 0.75) await dialog.approve();
    else if (dialog.isOpen && decision < 0.9) await dialog.refuse();
    if (dialog.isOpen) await dialog.close();
  };
}
