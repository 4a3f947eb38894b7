// Following what was sent until it is settled: by background events that grow rarer, and at
// once with every new block while one is told. What a chain's servers do not know is sent
// again. Nothing runs while nothing is pending.
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { parse } from '../parse';
import type { SentTransaction } from '../state/sent-transaction';
import { isOf } from './ledger';
import type { Ledger } from './ledger';
import { observe } from './observe';
import type { Observed } from './observe';
import { findOutcome, toReplaced } from './outcome';
import type { Observation } from './outcome';
import { resend } from './resend';

/** Name of the background event. */
export const POLL = 'tollkeeper_poll';

/** A question is asked again after half the time that has passed since the sending. */
const INTERVAL = { min: 3_000, max: 600_000 };

/** While the wallet is locked nobody can be asked: only whether it still is. */
const LOCKED_INTERVAL = 60_000;

/** What following needs. */
export type TrackerServices = {
  ledger: Pick<Ledger, 'list' | 'listPending' | 'update'>;
  connect: (chainId: ChainId) => Promise<Observed>;
  now: () => number;
  /** Have the snap woken: see snap/background-events. */
  alarm: {
    findNext: (method: string) => Promise<number | undefined>;
    set: (method: string, seconds: number) => Promise<void>;
  };
  /** When the newest was sent of what is pending, which can be told while the wallet is
   * locked; null while nothing is. */
  flag: {
    read: () => Promise<number | null>;
    write: (pendingSince: number) => Promise<void>;
    /** Take it down, unless something was sent since. */
    clear: (pendingSince: number) => Promise<void>;
  };
  isLocked: () => Promise<boolean>;
  /** The number of the worker epoch: what an earlier one has begun may never end. */
  stretch: () => number;
  /** Begin to be told of a chain's new blocks; never fails. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Tell the user what was settled; never fails. */
  tell: (settled: readonly SentTransaction[]) => Promise<void>;
};

/** Follows what was sent. */
export type Tracker = {
  /**
   * Have the snap woken for what is about to be kept, however this worker ends, and keep it.
   * That nothing wakes the snap keeps nothing from going out.
   *
   * @param keep - Keeps it in the ledger.
   * @throws What `keep` throws.
   */
  follow: <Result>(keep: () => Promise<Result>) => Promise<Result>;
  /** Be told of the new blocks of a chain that something was sent to. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Have the snap woken if something is pending; asks for nothing encrypted if locked. */
  arm: () => Promise<void>;
  /** Ask what became of what is pending, on one chain or on all, send again what got lost,
   * and tell the user what was settled; then {@link Tracker.arm}. */
  poll: (only?: ChainId) => Promise<void>;
  /** Tell whether a chain's new blocks matter: something is pending that was sent there in
   * the last ten minutes. Known while the worker lives. */
  isWatched: (chainId: ChainId) => boolean;
};

/** Create the follower; there must be one in a worker. */
export function createTracker(services: TrackerServices): Tracker {
  const { ledger, now, isLocked, stretch, watch } = services;
  const watched = new Map<ChainId, number>();
  const polling = new Map<ChainId, { since: number; result: Promise<void> }>();
  // What is being kept now: the flag is up for it, though nothing is pending yet.
  let keeping = 0;
  const arm = async (): Promise<void> => armFor(services, keeping > 0);
  const pollChain = async (chainId: ChainId): Promise<void> => {
    if (!(await settleChain(chainId, services))) watched.delete(chainId);
  };
  // Events, new blocks and sites that ask can come at the same time.
  const pollOnce = async (chainId: ChainId): Promise<void> => {
    const known = polling.get(chainId);
    if (known?.since === stretch()) return known.result;
    const poll = { since: stretch(), result: pollChain(chainId) };
    polling.set(chainId, poll);
    try {
      await poll.result;
    } finally {
      if (polling.get(chainId) === poll) polling.delete(chainId);
    }
  };
  return {
    arm,
    follow: async (keep) => {
      keeping += 1;
      try {
        await wakeSoon(services).catch(() => undefined);
        return await keep();
      } finally {
        keeping -= 1;
      }
    },
    watch: async (chainId) => {
      watched.set(chainId, now());
      await watch(chainId);
    },
    poll: async (only) => {
      if (await isLocked()) return arm();
      try {
        const all = only === undefined ? await listChains(ledger) : [only];
        await Promise.all(all.map(pollOnce));
      } finally {
        // Whatever went wrong, the next event asks again.
        await arm();
      }
    },
    isWatched: (chainId) =>
      ageOf(watched.get(chainId) ?? -Infinity, services) < INTERVAL.max,
  };
}

async function wakeSoon(services: TrackerServices): Promise<void> {
  await services.flag.write(services.now());
  await setAlarm(INTERVAL.min, services);
}

async function armFor(services: TrackerServices, isKeeping: boolean): Promise<void> {
  const { ledger, flag, isLocked } = services;
  const since = await flag.read();
  if (since === null) return;
  const interval = intervalAt(ageOf(since, services));
  if (await isLocked()) {
    return setAlarm(Math.max(interval, LOCKED_INTERVAL), services);
  }
  const isPending = isKeeping || (await ledger.listPending()).length > 0;
  await (isPending ? setAlarm(interval, services) : flag.clear(since));
}

// A clock can be set back: then it is not new for as long as that.
function ageOf(since: number, { now }: Pick<TrackerServices, 'now'>): number {
  return Math.abs(now() - since);
}

function intervalAt(age: number): number {
  return Math.min(Math.max(age / 2, INTERVAL.min), INTERVAL.max);
}

async function setAlarm(
  ms: number,
  { alarm, now }: Pick<TrackerServices, 'alarm' | 'now'>,
): Promise<void> {
  const next = await alarm.findNext(POLL);
  // One that is due no later does; one that should have come long ago never will.
  if (next !== undefined && next <= now() + ms && next > now() - INTERVAL.min) return;
  await alarm.set(POLL, Math.ceil(ms / 1000));
}

async function listChains(ledger: Pick<Ledger, 'listPending'>): Promise<ChainId[]> {
  const chains = new Set((await ledger.listPending()).map(({ chain }) => chain));
  return [...chains].map((chain) => parse(chain, ChainIdStruct, 'chain'));
}

/** Tells whether something is still pending on the chain. */
async function settleChain(
  chainId: ChainId,
  services: TrackerServices,
): Promise<boolean> {
  const { ledger, tell } = services;
  const listThere = async (): Promise<SentTransaction[]> =>
    (await ledger.listPending()).filter(({ chain }) => chain === toCaip2(chainId));
  const changed = await findChanges(chainId, await listThere(), services);
  const settled = (await ledger.update(changed)).filter(
    ({ status }) => status !== 'pending',
  );
  if (settled.length > 0) await tell(settled);
  return (await listThere()).length > 0;
}

async function findChanges(
  chainId: ChainId,
  pending: readonly SentTransaction[],
  { connect, ledger, now }: TrackerServices,
): Promise<SentTransaction[]> {
  if (pending.length === 0) return [];
  const all = await ledger.list();
  const target = await connect(chainId).catch(() => undefined);
  const observations = target ? await observeOrResend(pending, all, target) : [];
  const time = now();
  const next = pending.map((each, index) =>
    findOutcome(each, observations[index], time),
  );
  const included = [...all, ...next].filter(({ status }) => status === 'included');
  const withSiblings = next.map((each) => {
    const sibling = included.find((other) => isSettledBy(each, other));
    return sibling ? toReplaced(each, sibling, time) : each;
  });
  return withSiblings.filter((each, index) => each !== pending[index]);
}

// A worker can be stopped before what it kept went out, and servers can lose what they had.
async function observeOrResend(
  pending: readonly SentTransaction[],
  all: readonly SentTransaction[],
  target: Observed,
): Promise<(Observation | undefined)[]> {
  const observations = await observe(pending, target);
  return Promise.all(
    pending.map(async (sent, index) => {
      const seen = observations[index];
      if (seen?.found.status !== 'absent' || seen.count > BigInt(sent.nonce)) {
        return seen;
      }
      // What took its place must not be undone.
      const isLast = !all.some(
        (other) => isSibling(sent, other) && isLater(other, sent),
      );
      if (!isLast || !(await resend(sent, target))) return seen;
      return { ...seen, found: { status: 'pending' } as const };
    }),
  );
}

function isLater(one: SentTransaction, other: SentTransaction): boolean {
  return one.sentAt > other.sentAt || one.replaces === other.hash;
}

function isSibling(one: SentTransaction, other: SentTransaction): boolean {
  return (
    one.hash !== other.hash &&
    isOf(one, other) &&
    BigInt(one.nonce) === BigInt(other.nonce)
  );
}

// Of two with one nonce only one can be included. One that was included before the other
// was sent belongs to a chain that was started anew since, as chains for development are.
function isSettledBy(sent: SentTransaction, included: SentTransaction): boolean {
  return (
    sent.status !== 'included' &&
    isSibling(sent, included) &&
    (included.settledAt ?? 0) >= sent.sentAt
  );
}
