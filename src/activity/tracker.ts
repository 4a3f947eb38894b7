// Follows transactions and user operations until their outcome is final: by background events at
// growing intervals, and at every new block of watched chains. Resends transactions that the
// servers do not know and have not refused. Nothing runs once all outcomes are final.
import { shareByChain } from '../chains/chain';
import type { Chain } from '../chains/chain';
import { WAIT_MS } from '../chains/servers';
import { InternalError, TollkeeperError } from '../core/errors';
import { toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { UserOperationStruct } from '../eth/user-operation';
import type { Alarm } from '../platform/edges';
import { parse } from '../schema/parse';
import type { PublicStore } from '../state/public-state';
import type { SentTransaction } from '../state/sent-transaction';
import { sendRaw, sendSigned } from './broadcast';
import type { Follower } from './broadcast';
import { isSibling, judge, judgeSiblings, toIncluded } from './judge';
import type { Observation } from './judge';
import { isPending } from './ledger';
import type { Ledger, StatusChange } from './ledger';
import { observeAll } from './observe';

export const POLL = 'tollkeeper_poll';

/** Limits of the interval between polls, in ms. The interval is half the time since the last
 * sending, at most ten minutes. From about a week on, it is a thousandth of that time. */
const INTERVAL = { min: 3_000, max: 600_000, share: 1_000 };

/** Minimum interval while the wallet is locked, when polls only check whether it still is. */
const LOCKED_INTERVAL = 60_000;

/** Maximum number of pauses: MetaMask ends a request after 60 s, not counting requests to
 * servers. */
const PAUSES = 22;

const PAUSE_MS = 2_000;

/** Maximum wait until a transaction is settled, including requests to servers. */
const SETTLE_MS = 60_000;

export type Tracking = {
  ledger: Ledger;
  /** Holds the time of the last sending while an entry is not final. It is readable while the
   * wallet is locked. */
  publicStore: PublicStore;
  connect: (chainId: ChainId) => Promise<Chain>;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  alarm: Alarm;
  isLocked: () => Promise<boolean>;
  /** Current worker epoch. Work of an earlier epoch may never end. */
  epoch: () => number;
  /** Never fails. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Never fails. */
  notifySettled: (settled: readonly SentTransaction[]) => Promise<void>;
};

export type Tracker = Follower & {
  /** Ensures that a poll is scheduled if an entry is not final, because background events are lost
   * while the snap is disabled or the browser is closed. Reads nothing encrypted while the wallet
   * is locked. */
  arm: () => Promise<void>;
  /** Updates the non-final entries of one chain or of all chains, resends lost transactions,
   * notifies the user, and schedules the next poll. While the wallet is locked, only schedules. */
  poll: (only?: ChainId) => Promise<void>;
  /** Waits for at most a minute since `begun` (now by default). Returns the transaction's last
   * state, and the failure of the last lookup. */
  awaitSettled: (
    hash: Hex,
    chainId: ChainId,
    begun?: number,
  ) => Promise<{ sent: SentTransaction | undefined; failure: string | undefined }>;
  /** Returns whether a chain has a pending transaction that this worker sent in the last ten
   * minutes. */
  isWatched: (chainId: ChainId) => boolean;
};

/** Call it once per worker. */
export function createTracker(tracking: Tracking): Tracker {
  const { ledger, publicStore, now, sleep, isLocked, epoch, watch, notifySettled } =
    tracking;
  const watched = new Map<ChainId, number>();
  // Number of entries that are being stored. In the meantime, `pendingSince` must not be cleared.
  let keeping = 0;
  const schedule = async (isSoon: boolean): Promise<void> => {
    // If the user's clock was set back, the time since the last sending counts from now. If it was
    // set forward, polls are rarer until the next sending.
    const { pendingSince } = await publicStore.update((state) =>
      (state.pendingSince ?? 0) > now() ? { ...state, pendingSince: now() } : state,
    );
    if (pendingSince === null) return;
    const age = now() - pendingSince;
    const usual = Math.max(Math.min(age / 2, INTERVAL.max), age / INTERVAL.share);
    const interval = isSoon ? INTERVAL.min : Math.max(usual, INTERVAL.min);
    if (await isLocked()) {
      return setAlarm(Math.max(interval, LOCKED_INTERVAL), tracking);
    }
    const isOpen = keeping > 0 || (await ledger.listOpen()).length > 0;
    if (isOpen) return setAlarm(interval, tracking);
    // Another transaction may have been sent in the meantime.
    await publicStore.update((state) =>
      state.pendingSince === pendingSince ? { ...state, pendingSince: null } : state,
    );
  };
  const arm: Tracker['arm'] = async () => schedule(true);
  const wakeSoon = async (): Promise<void> => {
    const pendingSince = now();
    await publicStore.update((state) => ({ ...state, pendingSince }));
    await setAlarm(INTERVAL.min, tracking);
  };
  const failures = new Map<ChainId, string>();
  // Background events, new blocks and sites' requests can ask for the same poll at the same time.
  const pollOnce = shareByChain(async ({ id }: { id: ChainId }): Promise<void> => {
    failures.delete(id);
    const noteFailure = (error: unknown): undefined => {
      if (error instanceof TollkeeperError && !(error instanceof InternalError)) {
        failures.set(id, error.message);
      }
    };
    const listThere = async (): Promise<SentTransaction[]> =>
      (await ledger.listOpen()).filter(({ chain }) => chain === toCaip2(id));
    const open = await listThere();
    const changes = await findChanges(id, open, { ...tracking, noteFailure });
    const news = await ledger.update(changes);
    const settled = news.filter(isNews).map(({ after }) => after);
    if (settled.length > 0) await notifySettled(settled);
    if (!(await listThere()).some(isPending)) watched.delete(id);
  }, epoch);
  const poll: Tracker['poll'] = async (only) => {
    if (await isLocked()) return schedule(false);
    try {
      const all =
        only === undefined
          ? (await ledger.listOpen()).map(({ chain }) => toChainId(chain))
          : [only];
      await Promise.all([...new Set(all)].map(async (id) => pollOnce({ id })));
    } finally {
      // Runs after a failure too, so that the next event polls again.
      await schedule(false);
    }
  };
  return {
    arm,
    follow: async (keep) => {
      keeping += 1;
      try {
        await wakeSoon().catch(() => undefined);
        return await keep();
      } finally {
        keeping -= 1;
      }
    },
    watch: async (chainId) => {
      watched.set(chainId, now());
      await watch(chainId);
    },
    settle: async (hash, receipt) => {
      const observation = { found: toIncluded(receipt), isUsed: true };
      try {
        const sent = await ledger.find(hash);
        if (!sent) return;
        const news = await ledger.update([judge(sent, observation, now())]);
        if (news.length > 0) await notifySettled(news.map(({ after }) => after));
      } catch {
        // The next poll will find the same changes.
      }
    },
    poll,
    awaitSettled: async (hash, chainId, begun = Date.now()) => {
      // Leaves time for the last poll, even if a server is silent.
      const lastMs = SETTLE_MS - PAUSE_MS - WAIT_MS;
      for (let pauses = 0; ; pauses += 1) {
        const sent = await ledger.find(hash);
        const isOver = pauses === PAUSES || Math.abs(Date.now() - begun) > lastMs;
        if (sent?.status !== 'pending' || isOver) {
          return { sent, failure: failures.get(chainId) };
        }
        await sleep(PAUSE_MS);
        // The next round polls again after a failure.
        await poll(chainId).catch(() => undefined);
      }
    },
    // If the clock was set back, a chain is watched for longer, but only while a transaction is
    // pending.
    isWatched: (chainId) => now() - (watched.get(chainId) ?? -Infinity) < INTERVAL.max,
  };
}

async function setAlarm(ms: number, { alarm, now }: Tracking): Promise<void> {
  const next = await alarm.findNext(POLL);
  // An earlier event is enough; an overdue one will never come.
  if (next !== undefined && next <= now() + ms && next > now() - INTERVAL.min) return;
  await alarm.set(POLL, Math.ceil(ms / 1000));
}

type NoteFailure = (error: unknown) => undefined;

async function findChanges(
  chainId: ChainId,
  open: readonly SentTransaction[],
  { connect, ledger, now, noteFailure }: Tracking & { noteFailure: NoteFailure },
): Promise<SentTransaction[]> {
  if (open.length === 0) return [];
  const all = await ledger.list();
  const chain = await connect(chainId).catch(noteFailure);
  const observations = chain
    ? await observeOrResend(open, all, { chain, noteFailure })
    : [];
  const time = now();
  const next = open.map((each, index) => {
    const seen = observations[index];
    return seen ? judge(each, seen, time) : each;
  });
  const judged = judgeSiblings(next, all, time);
  return judged.filter((each, index) => each !== open[index]);
}

// Returns whether the user is notified of a change. Inclusions are always news; other changes to a
// dropped or unknown transaction are not.
function isNews({ before, after }: StatusChange): boolean {
  const isDropped = before.status === 'dropped';
  return after.status === 'included' || !(isDropped || before.status === 'unknown');
}

// Resends entries that no server knows, because a worker can stop before it sends a stored entry,
// servers can lose transactions, and blocks can be undone.
async function observeOrResend(
  open: readonly SentTransaction[],
  all: readonly SentTransaction[],
  { chain, noteFailure }: { chain: Chain; noteFailure: NoteFailure },
): Promise<(Observation | undefined)[]> {
  const observations = await observeAll(open, chain, noteFailure);
  return Promise.all(
    open.map(async (sent, index) => {
      const seen = observations[index];
      const isLost = seen?.found.status === 'absent' && !seen.isUsed;
      const isWanted = sent.status === 'pending' || seen?.isUndone === true;
      if (!isLost || !isWanted) return seen;
      // Resending must not undo a replacement.
      const isOvertaken = all.some(
        (other) =>
          isSibling(sent, other) &&
          !other.refused &&
          (other.sentAt > sent.sentAt || other.replaces === sent.hash),
      );
      if (isOvertaken || !(await resend(sent, chain))) return seen;
      return { ...seen, found: { status: 'pending' } as const };
    }),
  );
}

/** Resends the signed bytes, which can be included only once. Returns whether the chain's servers
 * have them now; false if they were not stored. */
async function resend(
  { hash, raw, operation, entryPoint: version }: SentTransaction,
  { node, bundler }: Chain,
): Promise<boolean> {
  try {
    if (raw !== undefined) await sendRaw(node, { raw, hash });
    else if (operation && version !== undefined && bundler) {
      const signed = parse(operation, UserOperationStruct, 'operation');
      await sendSigned(bundler.client, signed, { version, hash });
    } else return false;
    return true;
  } catch {
    // The next poll tries again.
    return false;
  }
}
