// Following what was sent until it is settled: by background events that grow rarer, and at
// once with every new block while one is told. What a chain's servers do not know is sent
// again. Nothing runs while nothing is pending.
import { findInclusion } from '../client';
import type { BundlerClient, Inclusion, NodeClient, OperationReceipt } from '../client';
import { UnavailableError } from '../errors';
import { findWord } from '../eth/abi';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { keyOf, toNonceCall } from '../eth/operation-nonce';
import { UserOperationStruct } from '../eth/user-operation';
import type { EntryPointVersion } from '../eth/user-operation';
import { parse } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { sendRaw, sendSigned } from './broadcast';
import type { Follower } from './broadcast';
import { isOf } from './ledger';
import type { Ledger } from './ledger';
import { toIncluded, toIncludedOperation } from './look-up';
import type { Included } from './look-up';

// What became of a transaction or user operation, told from what servers say of it: pure.

/** Another took its nonce, it seems; but nodes tell of a receipt seconds after the block. */
const LATE_MS = 30_000;

/** A node can lose sight of what it still knows, and what is not told on is lost. */
const DROP_MS = 120_000;

/** Then nobody follows it any more. */
const GIVE_UP_MS = 7 * 24 * 60 * 60 * 1000;

/** Longest receipt that is kept, as JSON. */
const MAX_RECEIPT_LENGTH = 16_000;

/** What servers say of what is pending. */
export type Observation = {
  found: Included | { status: 'pending' | 'absent' | 'unknown' };
  /** The sender's next nonce, by what is in blocks. */
  count: bigint;
};

/**
 * Find the next state of a pending transaction.
 *
 * @param observation - Undefined if no node answered.
 * @returns The same object if nothing changed.
 */
export function findOutcome(
  sent: SentTransaction,
  observation: Observation | undefined,
  now: number,
): SentTransaction {
  const next = observation ? judge(sent, observation, now) : sent;
  const isOver = next.status === 'pending' && now - sent.sentAt >= GIVE_UP_MS;
  return isOver ? settle(sent, 'unknown', now) : next;
}

function judge(
  sent: SentTransaction,
  { found, count }: Observation,
  now: number,
): SentTransaction {
  if (found.status === 'included') return include(sent, found, now);
  if (found.status === 'pending') return withoutAbsence(sent);
  // A clock can be set back: what lies ahead of now begins now.
  const absentSince = Math.min(sent.absentSince ?? now, now);
  const isUsed = count > BigInt(sent.nonce);
  if (now - absentSince < (isUsed ? LATE_MS : DROP_MS)) {
    return sent.absentSince === absentSince ? sent : { ...sent, absentSince };
  }
  if (!isUsed) return settle(sent, 'dropped', now);
  // Where nodes forget, it may be the one itself that used its nonce.
  return settle(sent, found.status === 'unknown' ? 'unknown' : 'replaced', now);
}

/** Note that a sibling of ours with the same nonce was included. */
export function toReplaced(
  sent: SentTransaction,
  by: SentTransaction,
  now: number,
): SentTransaction {
  return { ...settle(sent, 'replaced', now), replacedBy: by.hash };
}

function include(
  sent: SentTransaction,
  { inclusion, receipt }: Included,
  settledAt: number,
): SentTransaction {
  const isKept = JSON.stringify(receipt).length <= MAX_RECEIPT_LENGTH;
  return {
    ...settle(sent, 'included', settledAt),
    inclusion,
    ...(isKept ? { receipt: receipt as never } : {}),
  };
}

function settle(
  sent: SentTransaction,
  status: SentTransaction['status'],
  settledAt: number,
): SentTransaction {
  const settled = { ...withoutAbsence(sent), status, settledAt };
  // Nothing is made of it any more, and it can be long.
  delete settled.raw;
  delete settled.operation;
  return settled;
}

function withoutAbsence(sent: SentTransaction): SentTransaction {
  if (sent.absentSince === undefined) return sent;
  const kept = { ...sent };
  delete kept.absentSince;
  return kept;
}

// What a chain's servers say of what is pending on it: of transactions its node, of user
// operations its bundler. Every question to one of them goes in one batch.

/** Where something is pending. */
export type Observed = {
  id: ChainId;
  node: NodeClient;
  bundler?: { client: BundlerClient };
};

/**
 * Observe what is pending on a chain.
 *
 * @returns One observation each, undefined where there was no answer; never fails.
 */
export async function observe(
  sent: readonly SentTransaction[],
  chain: Observed,
): Promise<(Observation | undefined)[]> {
  return Promise.all(
    sent.map(async (each) => {
      const { entryPoint } = each;
      const looking =
        entryPoint === undefined
          ? observeTransaction(each, chain)
          : observeOperation({ ...each, entryPoint }, chain);
      return looking.catch(() => undefined);
    }),
  );
}

async function observeTransaction(
  { hash, from, head = '0x0' }: SentTransaction,
  { id: chainId, node }: Observed,
): Promise<Observation> {
  const [inclusion, count] = await Promise.all([
    findInclusion(node, { hash, chainId, sentAt: BigInt(head) }),
    node.request('eth_getTransactionCount', [from, 'latest']),
  ]);
  assertSame(inclusion, hash);
  const found =
    inclusion.status === 'included' ? toIncluded(inclusion.receipt) : inclusion;
  return { found, count: BigInt(count) };
}

// A receipt of another transaction says nothing of this one.
function assertSame(inclusion: Inclusion, hash: Hex): void {
  if (inclusion.status !== 'included') return;
  const { transactionHash } = inclusion.receipt;
  if (transactionHash.toLowerCase() === hash.toLowerCase()) return;
  throw new UnavailableError('The node gave the receipt of another transaction.');
}

async function observeOperation(
  sent: SentTransaction & { entryPoint: EntryPointVersion },
  { node, bundler }: Observed,
): Promise<Observation> {
  if (!bundler) throw new UnavailableError('There is no bundler any more.');
  const { client } = bundler;
  const { hash, entryPoint, from, nonce } = sent;
  const place = { entryPoint, sender: from, key: keyOf(BigInt(nonce)) };
  const [receipt, operation, answer] = await Promise.all([
    client.findReceipt(hash),
    client.findOperation(hash),
    node.request('eth_call', [toNonceCall(place), 'latest']),
  ]);
  const count = findWord(answer);
  if (count === undefined) throw new UnavailableError('The EntryPoint is not there.');
  const told = { receipt, isKnown: operation !== null, count };
  return { found: judgeOperation(sent, told), count };
}

/** What bundler and chain tell of an operation. */
type Told = { receipt: OperationReceipt | null; isKnown: boolean; count: bigint };

// The chain has the last word: what is included has used its nonce there. Its node may be
// some blocks behind the bundler's.
function judgeOperation(
  { from, nonce }: SentTransaction,
  { receipt, isKnown, count }: Told,
): Observation['found'] {
  if (!receipt) return { status: isKnown ? 'pending' : 'absent' };
  const isOurs = isSameAddress(receipt.sender, from) && receipt.nonce === BigInt(nonce);
  if (!isOurs) throw new UnavailableError('The bundler gave the receipt of another.');
  return count > BigInt(nonce) ? toIncludedOperation(receipt) : { status: 'pending' };
}

// Sending once more what a chain's servers do not know: the same bytes, which can be included
// once.

/**
 * Send something again as it was signed.
 *
 * @returns Whether the chain's servers have it now; false if it is not kept as it was signed.
 */
export async function resend(
  { hash, raw, operation, entryPoint: version }: SentTransaction,
  { node, bundler }: Observed,
): Promise<boolean> {
  try {
    if (raw !== undefined) await sendRaw(node, { raw, hash });
    else if (operation && version !== undefined && bundler) {
      const signed = parse(operation, UserOperationStruct, 'operation');
      await sendSigned(bundler.client, signed, { version, hash });
    } else return false;
    return true;
  } catch {
    // It is asked for again, and given up in time.
    return false;
  }
}

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
export type Tracker = Follower & {
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
