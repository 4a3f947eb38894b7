// Sending a signed transaction: it is kept before it goes out, so that nothing that may
// have been sent is ever forgotten, and it goes out once.
import { isNearHeadOnly, RpcError } from '../client';
import type { NodeClient } from '../client';
import { TollkeeperError } from '../errors';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SentTransaction } from '../state/sent-transaction';
import type { Ledger } from './ledger';
import type { Tracker } from './tracker';

/** The chain that a transaction is sent to. */
export type Target = { id: ChainId; node: NodeClient };

/** What is known of a transaction when it is sent. */
export type Outgoing = Omit<SentTransaction, 'status' | 'sentAt' | 'head'>;

/** What sending needs. */
export type BroadcastServices = {
  ledger: Pick<Ledger, 'add'>;
  tracker: Pick<Tracker, 'follow' | 'watch'>;
  now: () => number;
};

/** Sends a signed transaction; answers its hash. */
export type Broadcast = (target: Target, outgoing: Outgoing, raw: Hex) => Promise<Hex>;

/**
 * Create the one who sends.
 *
 * It throws what the node says if that is a refusal: the transaction is not kept then. If
 * nobody can tell whether it arrived, it stays kept and is followed, and the error says so.
 */
export function createBroadcast(services: BroadcastServices): Broadcast {
  const { ledger, tracker, now } = services;
  return async (target, outgoing, raw) => {
    const { hash } = outgoing;
    const head = await fetchHead(target);
    const sent = { ...outgoing, ...head, status: 'pending', sentAt: now() } as const;
    const undo = await ledger.add(sent);
    await tracker.follow();
    try {
      await sendRaw(target.node, { raw, hash });
    } catch (error) {
      if (!isRefusal(error)) throw withHash(error, hash);
      // If it cannot be undone, it is dropped in time; why it was refused counts.
      await undo().catch(() => undefined);
      throw error;
    }
    await tracker.watch(target.id);
    return hash;
  };
}

/**
 * Send a signed transaction that is none of ours to follow.
 *
 * @returns Its hash.
 */
export async function sendRaw(
  node: NodeClient,
  { raw, hash }: { raw: Hex; hash: Hex },
): Promise<Hex> {
  try {
    await node.request('eth_sendRawTransaction', [raw]);
  } catch (error) {
    // It may have arrived, or have been there before: then all is well.
    if (!isKnownAlready(error) && !(await isKnown(node, hash))) throw error;
  }
  return hash;
}

// Nodes have no code for it: geth's and Nethermind's words, and Besu's and Erigon's.
function isKnownAlready(error: unknown): boolean {
  return (
    error instanceof RpcError &&
    /already ?known|known transaction/iu.test(error.message)
  );
}

async function isKnown(node: NodeClient, hash: Hex): Promise<boolean> {
  try {
    return (await node.request('eth_getTransactionByHash', [hash])) !== null;
  } catch {
    // The first failure is the one to tell.
    return false;
  }
}

// A block in which it cannot be yet: where nodes forget, its age must be known.
async function fetchHead({ id, node }: Target): Promise<{ head?: Hex }> {
  return isNearHeadOnly(id) ? { head: await node.request('eth_blockNumber', []) } : {};
}

// Then it is certain that nothing was sent.
function isRefusal(error: unknown): boolean {
  return error instanceof TollkeeperError && error.context.mayBeDone !== true;
}

function withHash(error: unknown, hash: Hex): unknown {
  if (!(error instanceof TollkeeperError)) return error;
  const { code, message, context } = error;
  return new TollkeeperError(
    code,
    `${message} If it was, it is transaction ${hash}, which is followed.`,
    { context: { ...context, transactionHash: hash }, cause: error },
  );
}
