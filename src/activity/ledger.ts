// What was sent, kept in the encrypted document: every read and write of it goes here.
import { LimitExceededError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { PrivateStore } from '../state/private-state';
import type { Activity, SentTransaction } from '../state/sent-transaction';

/** Most transactions that are kept; beyond, the settled ones go, oldest first. */
const MAX_KEPT = 100;

/** Of which account on which chain. */
export type Sender = Pick<SentTransaction, 'chain' | 'from'>;

/** Access to what was sent. */
export type Ledger = {
  /** List what was sent, newest first. */
  list: () => Promise<SentTransaction[]>;
  /** List what is pending, oldest first. */
  listPending: () => Promise<SentTransaction[]>;
  find: (hash: Hex) => Promise<SentTransaction | undefined>;
  /** Find a user operation by the transaction that carried it. */
  findCarried: (hash: Hex) => Promise<SentTransaction | undefined>;
  /** Find the newest transaction with a sender's nonce that can still be included. */
  findRival: (sender: Sender, nonce: bigint) => Promise<SentTransaction | undefined>;
  /**
   * Keep what is about to be sent; what is pending already stays as it is.
   *
   * @returns Undoes it, for what turned out never to be sent.
   * @throws {LimitExceededError} If too many are pending.
   */
  add: (sent: SentTransaction) => Promise<() => Promise<void>>;
  /**
   * Store new states of pending transactions, all at once.
   *
   * @returns Those that were pending until now: another poll can have been quicker.
   */
  update: (changed: readonly SentTransaction[]) => Promise<SentTransaction[]>;
};

/** Create access to what was sent. */
export function createLedger(store: PrivateStore): Ledger {
  const list = async (): Promise<SentTransaction[]> =>
    Object.values((await store.read()).activity).sort(byAge);
  const listPending = async (): Promise<SentTransaction[]> =>
    (await list()).filter(isPending);
  const change: Change = async (next) => {
    await store.update((state) => {
      const activity = next(state.activity);
      return activity === state.activity ? state : { ...state, activity };
    });
  };
  return {
    list: async () => (await list()).reverse(),
    listPending,
    find: async (hash) => (await store.read()).activity[toKey(hash)],
    findCarried: async (hash) =>
      (await list()).find(
        ({ inclusion }) => inclusion?.transactionHash?.toLowerCase() === toKey(hash),
      ),
    findRival: async (sender, nonce) => {
      const all = (await list()).filter(
        (each) =>
          each.entryPoint === undefined &&
          isOf(each, sender) &&
          BigInt(each.nonce) === nonce,
      );
      // The nonce is used then.
      if (all.some(({ status }) => status === 'included')) return undefined;
      return all.findLast(isPending) ?? all.findLast(isLost);
    },
    add: async (sent) => add(sent, change),
    update: async (changed) => {
      let taken: SentTransaction[] = [];
      await change((activity) => {
        taken = changed.filter(({ hash }) => isPending(activity[hash]));
        return taken.length === 0 ? activity : { ...activity, ...toActivity(taken) };
      });
      return taken;
    },
  };
}

type Change = (next: (activity: Activity) => Activity) => Promise<void>;

async function add(
  sent: SentTransaction,
  change: Change,
): Promise<() => Promise<void>> {
  let before: SentTransaction | undefined;
  let isAdded = false;
  const undo = async (): Promise<void> => {
    if (isAdded) await change((activity) => withoutAdded(activity, sent, before));
  };
  try {
    await change((activity) => {
      const next = withAdded(activity, sent);
      before = activity[sent.hash];
      isAdded = next !== activity;
      return next;
    });
  } catch (error) {
    // It is not sent now. If it is stored all the same, it would keep its nonce.
    await undo().catch(() => undefined);
    throw error;
  }
  return undo;
}

/** Tell whether a transaction was sent by a sender. */
export function isOf(sent: SentTransaction, { chain, from }: Sender): boolean {
  return sent.chain === chain && isSameAddress(sent.from, from);
}

function isPending(sent: SentTransaction | undefined): boolean {
  return sent?.status === 'pending';
}

/** Tell whether nobody knows a transaction any more that may be included all the same. */
export function isLost({ status }: SentTransaction): boolean {
  return status === 'dropped' || status === 'unknown';
}

function byAge(one: SentTransaction, other: SentTransaction): number {
  return one.sentAt - other.sentAt;
}

const toKey = (hash: Hex): Hex => hash.toLowerCase() as Hex;

function toActivity(all: readonly SentTransaction[]): Activity {
  return Object.fromEntries(all.map((sent) => [sent.hash, sent]));
}

function without(activity: Activity, hashes: readonly string[]): Activity {
  const all = Object.entries(activity);
  const kept = all.filter(([hash]) => !hashes.includes(hash));
  return kept.length === all.length ? activity : Object.fromEntries(kept);
}

// What a poll has settled meanwhile was sent after all.
function withoutAdded(
  activity: Activity,
  { hash }: SentTransaction,
  before: SentTransaction | undefined,
): Activity {
  if (!isPending(activity[hash])) return activity;
  return { ...without(activity, [hash]), ...toActivity(before ? [before] : []) };
}

function withAdded(activity: Activity, sent: SentTransaction): Activity {
  if (isPending(activity[sent.hash])) return activity;
  const all = Object.values(without(activity, [sent.hash]));
  if (all.filter(isPending).length >= MAX_KEPT) {
    throw new LimitExceededError(
      `${MAX_KEPT} transactions that were sent are pending; wait until some are included.`,
    );
  }
  const settled = all.filter((each) => !isPending(each)).sort(byAge);
  const surplus = settled.slice(0, Math.max(0, all.length + 1 - MAX_KEPT));
  const kept = without(
    activity,
    surplus.map(({ hash }) => hash),
  );
  return { ...kept, [sent.hash]: sent };
}
