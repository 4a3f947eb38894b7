// Following what was sent until it is settled: by background events that grow rarer, and at
// once with every new block while one is told. Nothing runs while nothing is pending.
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { parse } from '../parse';
import type { SentTransaction } from '../state/sent-transaction';
import { isOf } from './ledger';
import type { Ledger } from './ledger';
import { observe } from './observe';
import type { Observed } from './observe';
import { findOutcome, toReplaced } from './outcome';

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
  /** Begin to be told of a chain's new blocks; never fails. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Tell the user what was settled; never fails. */
  tell: (settled: readonly SentTransaction[]) => Promise<void>;
};

/** Follows what was sent. */
export type Tracker = {
  /** Begin to follow what was just kept; never fails, since it must not keep it from going
   * out: what is pending is followed after the next start at the latest. */
  follow: () => Promise<void>;
  /** Be told of the new blocks of a chain that something was sent to. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Have the snap woken if something is pending; asks for nothing encrypted if locked. */
  arm: () => Promise<void>;
  /** Ask what became of all that is pending, and tell the user; then {@link Tracker.arm}. */
  poll: () => Promise<void>;
  /** Tell whether a chain's new blocks matter: something is pending that was sent there in
   * the last ten minutes. Known while the worker lives. */
  isWatched: (chainId: ChainId) => boolean;
};

/** Create the follower; there must be one in a worker. */
export function createTracker(services: TrackerServices): Tracker {
  const { now, flag, isLocked, watch } = services;
  const watched = new Map<ChainId, number>();
  const arm = async (): Promise<void> => armFor(services);
  let polling: Promise<void> | undefined;
  const pollOnce = async (): Promise<void> => {
    const pending = await pollAll(services);
    const chains = new Set(pending.map(({ chain }) => chain));
    for (const chainId of watched.keys()) {
      if (!chains.has(toCaip2(chainId))) watched.delete(chainId);
    }
  };
  return {
    arm,
    follow: async () => {
      try {
        await flag.write(now());
        await arm();
      } catch {
        // The next start arms again.
      }
    },
    watch: async (chainId) => {
      watched.set(chainId, now());
      await watch(chainId);
    },
    poll: async () => {
      if (await isLocked()) return arm();
      // Events and new blocks can come at the same time.
      polling ??= pollOnce().finally(() => {
        polling = undefined;
      });
      try {
        await polling;
      } finally {
        // Whatever went wrong, the next event asks again.
        await arm();
      }
    },
    isWatched: (chainId) =>
      ageOf(watched.get(chainId) ?? -Infinity, services) < INTERVAL.max,
  };
}

async function armFor(services: TrackerServices): Promise<void> {
  const { ledger, flag, isLocked } = services;
  const since = await flag.read();
  if (since === null) return;
  const interval = intervalAt(ageOf(since, services));
  if (await isLocked()) {
    return setAlarm(Math.max(interval, LOCKED_INTERVAL), services);
  }
  const isPending = (await ledger.listPending()).length > 0;
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

/** Returns what is still pending. */
async function pollAll(services: TrackerServices): Promise<SentTransaction[]> {
  const { ledger, tell } = services;
  const pending = await ledger.listPending();
  const chains = [...new Set(pending.map(({ chain }) => chain))];
  const changed = await Promise.all(
    chains.map(async (chain) => {
      const there = pending.filter((each) => each.chain === chain);
      return findChanges(chain, there, services);
    }),
  );
  const settled = (await ledger.update(changed.flat())).filter(
    ({ status }) => status !== 'pending',
  );
  if (settled.length > 0) await tell(settled);
  return ledger.listPending();
}

async function findChanges(
  chain: string,
  pending: readonly SentTransaction[],
  { connect, ledger, now }: TrackerServices,
): Promise<SentTransaction[]> {
  const target = await connect(parse(chain, ChainIdStruct, 'chain')).catch(
    () => undefined,
  );
  const observations = target ? await observe(pending, target) : [];
  const time = now();
  const next = pending.map((each, index) =>
    findOutcome(each, observations[index], time),
  );
  const included = [...(await ledger.list()), ...next].filter(
    ({ status }) => status === 'included',
  );
  const withSiblings = next.map((each) => {
    const sibling = included.find((other) => isSibling(each, other));
    return sibling ? toReplaced(each, sibling, time) : each;
  });
  return withSiblings.filter((each, index) => each !== pending[index]);
}

// Of two with one nonce only one can be included. One that was included before the other
// was sent belongs to a chain that was started anew since, as chains for development are.
function isSibling(sent: SentTransaction, included: SentTransaction): boolean {
  return (
    sent.status !== 'included' &&
    sent.hash !== included.hash &&
    isOf(sent, included) &&
    BigInt(sent.nonce) === BigInt(included.nonce) &&
    (included.settledAt ?? 0) >= sent.sentAt
  );
}
