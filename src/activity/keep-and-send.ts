// Sending what was signed: it is kept before it goes out, so that nothing that may have
// been sent is ever forgotten, and it goes out once.
import { TollkeeperError } from '../errors';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SentTransaction } from '../state/sent-transaction';
import type { Ledger } from './ledger';
import type { Tracker } from './tracker';

/** What is known of something when it is sent. */
export type Outgoing = Omit<SentTransaction, 'status' | 'sentAt'>;

/** What sending needs. */
export type SendServices = {
  ledger: Pick<Ledger, 'add'>;
  tracker: Pick<Tracker, 'follow' | 'watch'>;
  now: () => number;
};

/** Something on its way: its chain, what it is called, and what sends it. */
export type Sending = {
  chainId: ChainId;
  noun: 'transaction' | 'user operation';
  send: () => Promise<unknown>;
};

/**
 * Keep something, send it, and follow it.
 *
 * @returns Its hash.
 * @throws What the server says, if that is a refusal: it is not kept then. If nobody can
 * tell whether it arrived, it stays kept and is followed, and the error says so.
 */
export async function keepAndSend(
  outgoing: Outgoing,
  { chainId, noun, send }: Sending,
  { ledger, tracker, now }: SendServices,
): Promise<Hex> {
  const { hash } = outgoing;
  const undo = await tracker.follow(async () =>
    ledger.add({ ...outgoing, status: 'pending', sentAt: now() }),
  );
  try {
    await send();
  } catch (error) {
    if (!isRefusal(error)) throw withHash(error, noun, outgoing);
    // What is left behind would be sent again, though it was refused.
    await undo()
      .catch(undo)
      .catch(() => undefined);
    throw error;
  }
  await tracker.watch(chainId);
  return hash;
}

/** Tell whether it is certain after a failure that nothing was sent. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TollkeeperError && error.context.mayBeDone !== true;
}

function withHash(
  error: unknown,
  noun: Sending['noun'],
  { hash, raw, operation }: Outgoing,
): unknown {
  if (!(error instanceof TollkeeperError)) return error;
  const { code, message, context } = error;
  const canBeResent = raw !== undefined || operation !== undefined;
  const outlook = canBeResent
    ? `It is ${noun} ${hash}, which is followed, and sent again until it arrives.`
    : `If it was, it is ${noun} ${hash}, which is followed.`;
  const field = noun === 'transaction' ? 'transactionHash' : 'userOperationHash';
  return new TollkeeperError(code, `${message} ${outlook}`, {
    context: { ...context, [field]: hash },
    cause: error,
  });
}
