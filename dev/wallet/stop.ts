// The end of a wallet: after it no worker, socket or timer of it is left.
import { providerErrors } from '@metamask/rpc-errors';
import type { SnapId } from '@metamask/snaps-sdk';

import type { Assembly } from './assemble';

const SOCKET_CLOSE_MS = 1_000;

/**
 * Stop a wallet. Requests that still wait fail.
 *
 * @param parts - Its parts.
 */
export async function stopWallet(parts: Assembly): Promise<void> {
  const { snaps, execution, approvals, cronjobs, timers } = parts;
  const ids = Object.keys(snaps.state.snaps) as SnapId[];
  snaps.end();
  await Promise.all(ids.map((id) => closeSockets(parts, id)));
  await snaps.stopAllSnaps();
  // Stops what was only being installed, too.
  await execution.terminateAllSnaps();
  approvals.clear(providerErrors.userRejectedRequest());
  cronjobs.destroy();
  snaps.destroy();
  timers.clear();
}

async function closeSockets({ messenger }: Assembly, id: SnapId): Promise<void> {
  const list = (): { id: string }[] => messenger.call('WebSocketService:getAll', id);
  for (const socket of list()) messenger.call('WebSocketService:close', id, socket.id);
  const deadline = Date.now() + SOCKET_CLOSE_MS;
  while (list().length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
