// onCronjob: the wallet wakes the snap to see what became of what was sent, and to draw the
// home page anew.
import { POLL } from '../activity/tracker';
import type { Tracker } from '../activity/tracker';
import type { ChainId } from '../eth/chain';
import { HOME } from '../home/page';
import type { HomePage } from '../home/page';

/** Look at once, when a new block comes of a chain that something was sent to; never fails. */
export async function pollOnHead(
  chainId: ChainId,
  { isWatched, poll }: Pick<Tracker, 'isWatched' | 'poll'>,
): Promise<void> {
  // The next event asks again.
  if (isWatched(chainId)) await poll(chainId).catch(() => undefined);
}

/** What handling a background event needs. */
export type BackgroundServices = {
  tracker: Pick<Tracker, 'poll'>;
  home: Pick<HomePage, 'refresh'>;
};

/** Handle a background event; what is none of ours (of an earlier version, say) is let be. */
export async function handleCronjob(
  { request }: { request: { method: string; params?: unknown } },
  { tracker, home }: BackgroundServices,
): Promise<void> {
  if (request.method === POLL) await tracker.poll();
  else if (request.method === HOME) await home.refresh(request.params);
}
