// The ledger of sent transactions and user operations in the encrypted document.
import { LimitExceededError } from '../core/errors';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { PrivateStore } from '../state/private-state';
import { isSameBatch } from '../state/sent-transaction';
import type {
  Activity,
  BatchKey,
  CallBatch,
  SentTransaction,
} from '../state/sent-transaction';

/** Maximum number of entries. Beyond it, the oldest final entries are removed first, then other
 * entries that are not pending. */
const MAX_KEPT = 100;

export type Sender = { chain: SentTransaction['chain']; from: Hex };

export type StatusChange = { before: SentTransaction; after: SentTransaction };

export type Ledger = {
  /** Lists all entries, newest first. */
  list: () => Promise<SentTransaction[]>;
  /** Lists the pending entries whose nonce is unused, oldest first. */
  listPending: () => Promise<SentTransaction[]>;
  /** Lists the entries whose status may change, oldest first. */
  listOpen: () => Promise<SentTransaction[]>;
  find: (hash: Hex) => Promise<SentTransaction | undefined>;
  /** Finds a user operation by the transaction that carried it. */
  findCarried: (hash: Hex) => Promise<SentTransaction | undefined>;
  /** Finds the newest transaction that can still use a sender's nonce. */
  findRival: (sender: Sender, nonce: bigint) => Promise<SentTransaction | undefined>;
  /** Stores an entry before sending, and adds its hash to its batch. An entry that is already
   * pending is not changed. Throws `LimitExceededError` if too many are pending. Returns a function
   * for a refusal, which restores the entry's earlier state or, for a new entry, marks it as
   * refused, and returns whether the entry is still pending. The entry stays stored, because a
   * server can keep a transaction that it refuses. */
  add: (sent: SentTransaction, batch?: BatchKey) => Promise<() => Promise<boolean>>;
  /** Stores new states of open entries in one write. Returns the changes of status, except changes
   * that another poll stored first. */
  update: (changed: readonly SentTransaction[]) => Promise<StatusChange[]>;
};

export function createLedger(store: PrivateStore): Ledger {
  const list = async (): Promise<SentTransaction[]> =>
    Object.values((await store.read()).activity).sort(byAge);
  return {
    list: async () => (await list()).reverse(),
    listPending: async () => (await list()).filter(isPending),
    listOpen: async () => (await list()).filter(isOpen),
    find: async (hash) => (await store.read()).activity[hash.toLowerCase() as Hex],
    findCarried: async (hash) =>
      (await list()).find(
        ({ inclusion }) =>
          inclusion?.transactionHash?.toLowerCase() === hash.toLowerCase(),
      ),
    findRival: async (sender, nonce) => {
      const all = (await list()).filter(
        (each) =>
          each.entryPoint === undefined &&
          isSentBy(each, sender) &&
          BigInt(each.nonce) === nonce,
      );
      // An included transaction has used the nonce.
      if (all.some(({ status }) => status === 'included')) return undefined;
      return all.findLast(isPending) ?? all.findLast(isLost);
    },
    add: async (sent, batch) => {
      let before: SentTransaction | undefined;
      let isAdded = false;
      const putBack = async (instead?: SentTransaction): Promise<void> => {
        if (!isAdded) return;
        await store.update((state) => ({
          ...state,
          activity: withoutAdded(state.activity, sent, before ?? instead),
          // A refused entry stays in its batch of calls.
          batches: instead
            ? state.batches
            : withHashes(state.batches, batch, (hashes) =>
                hashes.filter((hash) => hash !== sent.hash),
              ),
        }));
      };
      try {
        await store.update((state) => {
          const activity = withAdded(state.activity, sent);
          before = state.activity[sent.hash];
          isAdded = activity !== state.activity;
          if (!isAdded && !batch) return state;
          const add = (hashes: Hex[]): Hex[] => [...hashes, sent.hash];
          return { ...state, activity, batches: withHashes(state.batches, batch, add) };
        });
      } catch (error) {
        // The failed write may have stored the entry, which will not be sent but would block its
        // nonce.
        await putBack().catch(() => undefined);
        throw error;
      }
      const { sentAt: settledAt } = sent;
      const refused = { ...sent, status: 'dropped', refused: true, settledAt } as const;
      return async () => {
        await putBack(refused);
        return isPending((await store.read()).activity[sent.hash]);
      };
    },
    update: async (changed) => {
      let changes: StatusChange[] = [];
      await store.update((state) => {
        const { activity } = state;
        const taken = changed.filter(({ hash }) => isOpen(activity[hash]));
        changes = taken.flatMap((after) => {
          const before = activity[after.hash];
          return before && before.status !== after.status ? [{ before, after }] : [];
        });
        if (taken.length === 0) return state;
        return { ...state, activity: { ...activity, ...toActivity(taken) } };
      });
      return changes;
    },
  };
}

export function isSentBy(sent: SentTransaction, { chain, from }: Sender): boolean {
  return sent.chain === chain && isSameAddress(sent.from, from);
}

/** Returns whether a transaction may still be included although no server knows it. */
export function isLost({ status }: SentTransaction): boolean {
  return status === 'dropped' || status === 'unknown';
}

export function isPending(sent: SentTransaction | undefined): boolean {
  return sent?.status === 'pending' && sent.doubt === undefined;
}

/** Returns whether a transaction can still be executed in addition to the next one. A dropped
 * operation cannot, because the next one takes its nonce. */
export function mayBeExecuted(sent: SentTransaction): boolean {
  if (sent.status === 'dropped') return !sent.refused && sent.entryPoint === undefined;
  return sent.status === 'pending' || sent.status === 'unknown';
}

export function cannotChange({ status, isFinal }: SentTransaction): boolean {
  return isFinal ?? status === 'included';
}

function isOpen(sent: SentTransaction | undefined): boolean {
  return sent !== undefined && !cannotChange(sent);
}

function byAge(one: SentTransaction, other: SentTransaction): number {
  return one.sentAt - other.sentAt;
}

function toActivity(all: readonly SentTransaction[]): Activity {
  return Object.fromEntries(all.map((sent) => [sent.hash, sent]));
}

// Changes nothing if a poll has settled the entry in the meantime: in that case, it was sent after
// all.
function withoutAdded(
  activity: Activity,
  { hash }: SentTransaction,
  before: SentTransaction | undefined,
): Activity {
  if (!isPending(activity[hash])) return activity;
  const others = Object.values(activity).filter((each) => each.hash !== hash);
  return toActivity(before ? [...others, before] : others);
}

function withHashes(
  batches: CallBatch[],
  key: BatchKey | undefined,
  change: (hashes: Hex[]) => Hex[],
): CallBatch[] {
  if (!key) return batches;
  return batches.map((each) =>
    isSameBatch(each, key) ? { ...each, hashes: change(each.hashes) } : each,
  );
}

function withAdded(activity: Activity, sent: SentTransaction): Activity {
  const known = activity[sent.hash];
  if (isPending(known)) return activity;
  const others = Object.values(activity).filter(({ hash }) => hash !== sent.hash);
  const rest = others.filter((each) => !isPending(each)).sort(byAge);
  if (others.length - rest.length >= MAX_KEPT) {
    throw new LimitExceededError(
      `${MAX_KEPT} sent transactions are pending; wait until some are included.`,
    );
  }
  const isSettled = ({ status }: SentTransaction): boolean =>
    status === 'included' || status === 'replaced';
  const open = rest.filter(isOpen);
  const spare = [
    ...rest.filter((each) => !isOpen(each)),
    ...open.filter(isSettled),
    ...open.filter((each) => !isSettled(each)),
  ];
  const surplus = spare.slice(0, Math.max(0, others.length + 1 - MAX_KEPT));
  // A site that resends a transaction does not know its links.
  const { replaces, usesNextNonce, isCancellation } = known ?? {};
  const links = {
    ...(replaces && { replaces }),
    ...(usesNextNonce && { usesNextNonce }),
    ...(isCancellation && { isCancellation }),
  };
  const kept = others.filter((each) => !surplus.includes(each));
  return toActivity([...kept, { ...links, ...sent }]);
}
