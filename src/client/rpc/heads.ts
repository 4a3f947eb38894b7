// The newest block, as a live subscription tells it.
import { validate } from '../../parse';
import { HeadStruct } from './block';
import type { Head } from './block';
import type { ServerSubscription } from './subscriptions';
import type { WebSocketTransport } from './web-socket-transport';

/** A block older than this may not be the newest: the server may have fallen silent. */
const MAX_AGE_MS = 60_000;

/** The newest block of a chain. */
export type Heads = {
  /**
   * Find the newest block.
   *
   * @returns Undefined unless a subscription is alive and told of one in the last minute.
   */
  latest: () => Head | undefined;
  /** End the subscription; never fails. */
  stop: () => Promise<void>;
};

/**
 * Watch for new blocks.
 *
 * @param onHead - Gets every block that is well-formed, over reconnections too.
 * @param now - Gives the time in ms.
 * @throws If the server does not take the subscription.
 */
export async function watchHeads(
  transport: Pick<WebSocketTransport, 'findSubscription' | 'subscribe'>,
  onHead: (head: Head) => unknown = () => undefined,
  now: () => number = Date.now,
): Promise<Heads> {
  // With the subscription that told of it: what an earlier one told may be long past.
  let latest:
    { head: Head; by: ServerSubscription | undefined; at: number } | undefined;
  const find = (): ServerSubscription | undefined =>
    transport.findSubscription('newHeads');
  const stop = await transport.subscribe('newHeads', async (value) => {
    const result = validate(value, HeadStruct);
    if (!('value' in result)) return;
    latest = { head: result.value, by: find(), at: now() };
    await onHead(result.value);
  });
  let isStopped = false;
  return {
    stop: async () => {
      isStopped = true;
      await stop();
    },
    latest: () => {
      if (isStopped || !latest || latest.by !== find()) return undefined;
      return now() - latest.at < MAX_AGE_MS ? latest.head : undefined;
    },
  };
}
