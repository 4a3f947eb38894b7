// Waiting for what was sent, for those who answer only when it is in a block.
import { withTimeLimit } from '../client/abort';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SentTransaction } from '../state/sent-transaction';
import type { Ledger } from './ledger';
import type { Tracker } from './tracker';

/** MetaMask ends a request that has run for 60 s; time in which servers are asked does not
 * count. */
const PAUSES = 22;

const PAUSE_MS = 2_000;

/** How long servers are waited for between two pauses. */
const POLL_MS = 5_000;

/** Waits until what was sent is settled; answers what is known of it in the end. */
export type AwaitSettled = (
  hash: Hex,
  chainId: ChainId,
) => Promise<SentTransaction | undefined>;

/** Create what waits. */
export function createAwaitSettled({
  ledger,
  tracker,
  sleep,
}: {
  ledger: Pick<Ledger, 'find'>;
  tracker: Pick<Tracker, 'poll'>;
  sleep: (ms: number) => Promise<void>;
}): AwaitSettled {
  return async (hash, chainId) => {
    for (let pauses = 0; ; pauses += 1) {
      const sent = await ledger.find(hash);
      if (sent?.status !== 'pending' || pauses === PAUSES) return sent;
      await sleep(PAUSE_MS);
      // Whatever goes wrong, it is asked for again.
      await withTimeLimit(async () => tracker.poll(chainId), POLL_MS).catch(
        () => undefined,
      );
    }
  };
}
