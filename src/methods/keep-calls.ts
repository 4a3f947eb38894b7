// Sending a batch of calls that is kept first: what went out of it stays known, however
// sending ends.
import { isRefusal } from '../activity/broadcast';
import type { SendingBatch } from '../activity/call-batches';
import { TollkeeperError } from '../errors';
import type { Intent } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';
import type { MethodServices } from './method';

/** Calls to send, under an id. */
export type Batch = { id: string; intents: readonly Intent[] };

/** Whose calls they are, who asked for them, and whether they are one user operation. */
export type Keeping = {
  account: AccountRecord;
  origin: string;
  chainId: ChainId;
  atomic: boolean;
};

/** Does something that sends; told before it does, with the hash. */
export type Sender = (beforeSending: (hash: Hex) => Promise<void>) => Promise<Hex>;

/**
 * Send the parts of a batch one after another. It ends at the first failure: if something
 * may have gone out before, the batch tells of it.
 *
 * @throws What the first failure was if nothing went out: the batch is not kept then.
 */
export async function sendKept(
  { id, intents }: Batch,
  { account, origin, chainId, atomic }: Keeping,
  {
    senders,
    callBatches,
    now,
  }: Pick<MethodServices, 'callBatches' | 'now'> & { senders: Iterable<Sender> },
): Promise<void> {
  const sending = await callBatches.add({
    id,
    origin,
    chain: toCaip2(chainId),
    account: account.id,
    atomic,
    size: intents.length,
    sentAt: now(),
  });
  try {
    for (const send of senders) await sendNoted(send, sending);
    await sending.end();
  } catch (error) {
    const isSent = await sending.end(toReason(error));
    if (!isSent) throw error;
  }
}

async function sendNoted(send: Sender, sending: SendingBatch): Promise<void> {
  let noted: Hex | undefined;
  try {
    await send(async (hash) => {
      await sending.note(hash);
      noted = hash;
    });
  } catch (error) {
    // If nobody can tell whether it arrived, it is followed, and so it stays noted.
    if (noted !== undefined && isRefusal(error)) {
      await sending.strike(noted).catch(() => undefined);
    }
    throw error;
  }
}

// A fault of ours says nothing to sites.
function toReason(error: unknown): string {
  return error instanceof TollkeeperError
    ? error.message
    : 'Tollkeeper met an internal error.';
}
