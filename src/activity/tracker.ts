// Follows transactions and user operations until they are settled: by background events that become
// rarer, and with every new block on watched chains. Sends again those that a chain's servers do not
// know and have not refused. Nothing runs while everything is settled.
import type { OperationReceipt, Receipt } from '../../packages/client/src';
import { findInclusion } from '../../packages/client/src/rpc/heads';
import { WholeReceiptStruct } from '../../packages/client/src/rpc/transaction';
import { shareByChain } from '../chains/chain';
import type { Chain } from '../chains/chain';
import { WAIT_MS } from '../chains/servers';
import { TollkeeperError, UnavailableError } from '../errors';
import { findWord } from '../eth/abi';
import { toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress, MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { keyOf, toNonceCall } from '../eth/smart-account';
import { UserOperationStruct } from '../eth/user-operation';
import type { EntryPointVersion } from '../eth/user-operation';
import { readDataFee } from '../fees/data-fee';
import type { Alarm } from '../platform/edges';
import { matches, parse } from '../schema/parse';
import type { PublicStore } from '../state/public-state';
import type { Inclusion, SentTransaction } from '../state/sent-transaction';
import { sendRaw, sendSigned } from './broadcast';
import type { Follower } from './broadcast';
import { isOf } from './ledger';
import type { Ledger } from './ledger';
import { findExecution } from './operation-event';

export const POLL = 'tollkeeper_poll';

/** Polls are repeated after half the time since the sending. */
const INTERVAL = { min: 3_000, max: 600_000 };

/** While the wallet is locked, polls only check whether it still is. */
const LOCKED_INTERVAL = 60_000;

/** Delay before a used nonce counts as a replacement: receipts come seconds after the block. */
const LATE_MS = 30_000;

/** Delay before an unknown transaction counts as dropped: nodes can lose sight of it for a while. */
const DROP_MS = 120_000;

const GIVE_UP_MS = 7 * 24 * 60 * 60 * 1000;

/** Longest receipt that is stored, as JSON. */
const MAX_RECEIPT_LENGTH = 16_000;

/** Longest signed transaction, in characters of hex, and longest signed user operation, as JSON,
 * that stay stored when they are settled. */
const MAX_SIGNED_LENGTH = 8_000;

/** MetaMask ends a request after 60 s; the time of requests to servers does not count. */
const PAUSES = 22;

const PAUSE_MS = 2_000;

/** Longest wait until a transaction is settled, with the time of requests to servers. */
const SETTLE_MS = 60_000;

export type Tracking = {
  ledger: Ledger;
  /** Has the time since which something is pending, also while the wallet is locked. */
  publicStore: PublicStore;
  connect: (chainId: ChainId) => Promise<Chain>;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  alarm: Alarm;
  isLocked: () => Promise<boolean>;
  /** The number of the worker epoch: work of an earlier one may never end. */
  epoch: () => number;
  /** Begins to watch a chain's blocks; never fails. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Notifies the user of settled transactions; never fails. */
  notifySettled: (settled: readonly SentTransaction[]) => Promise<void>;
};

export type Tracker = Follower & {
  /** Schedules the next poll if something is pending; reads nothing encrypted while locked. */
  arm: () => Promise<void>;
  /** Updates the pending entries of one chain or all, sends lost ones again, and notifies the user;
   * then {@link Tracker.arm}. */
  poll: (only?: ChainId) => Promise<void>;
  /** Waits until a transaction is settled, a minute at most since `begun`, which is now by default;
   * returns its last state, and the failure of the last look-up. */
  awaitSettled: (
    hash: Hex,
    chainId: ChainId,
    begun?: number,
  ) => Promise<{ sent: SentTransaction | undefined; failure: string | undefined }>;
  /** Returns whether this worker sent something to a chain in the last ten minutes that is still
   * pending. */
  isWatched: (chainId: ChainId) => boolean;
};

/** Creates the tracker; there must be one in a worker. */
export function createTracker(tracking: Tracking): Tracker {
  const { ledger, publicStore, now, sleep, isLocked, epoch, watch, notifySettled } =
    tracking;
  const watched = new Map<ChainId, number>();
  // Entries that are being stored: the flag is set for them, though they are not pending yet.
  let keeping = 0;
  // A clock can be set back: then the age grows again from there.
  const ageOf = (since: number): number => Math.abs(now() - since);
  const arm = async (): Promise<void> => {
    const { pendingSince } = await publicStore.read();
    if (pendingSince === null) return;
    const half = ageOf(pendingSince) / 2;
    const interval = Math.min(Math.max(half, INTERVAL.min), INTERVAL.max);
    if (await isLocked()) {
      return setAlarm(Math.max(interval, LOCKED_INTERVAL), tracking);
    }
    const isOpen = keeping > 0 || (await ledger.listOpen()).length > 0;
    if (isOpen) return setAlarm(interval, tracking);
    // Another transaction can have been sent since.
    await publicStore.update((state) =>
      state.pendingSince === pendingSince ? { ...state, pendingSince: null } : state,
    );
  };
  const wakeSoon = async (): Promise<void> => {
    const pendingSince = now();
    await publicStore.update((state) => ({ ...state, pendingSince }));
    await setAlarm(INTERVAL.min, tracking);
  };
  // Of a chain's servers in the last poll.
  const failures = new Map<ChainId, string>();
  // Events, new blocks and requests of sites can come at the same time.
  const pollOnce = shareByChain(async ({ id }: { id: ChainId }): Promise<void> => {
    failures.delete(id);
    const noteFailure = (error: unknown): undefined => {
      if (error instanceof TollkeeperError) failures.set(id, error.message);
    };
    const listThere = async (): Promise<SentTransaction[]> =>
      (await ledger.listOpen()).filter(({ chain }) => chain === toCaip2(id));
    const open = await listThere();
    const changes = await findChanges(id, open, { ...tracking, noteFailure });
    const news = await ledger.update(changes);
    const dropped = open.filter(isDropped).map(({ hash }) => hash);
    // For entries that were dropped before, only the inclusion is news.
    const settled = news.filter(
      ({ hash, status }) =>
        status === 'included' || (status !== 'pending' && !dropped.includes(hash)),
    );
    if (settled.length > 0) await notifySettled(settled);
    if ((await listThere()).every(isDropped)) watched.delete(id);
  }, epoch);
  const poll: Tracker['poll'] = async (only) => {
    if (await isLocked()) return arm();
    try {
      const all =
        only === undefined
          ? (await ledger.listOpen()).map(({ chain }) => toChainId(chain))
          : [only];
      await Promise.all([...new Set(all)].map(async (id) => pollOnce({ id })));
    } finally {
      // After a failure the next event polls again.
      await arm();
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
    settle: async (sent, receipt) => {
      const observation = { found: toIncluded(receipt), count: 0n };
      try {
        const settled = await ledger.update([judge(sent, observation, now())]);
        if (settled.length > 0) await notifySettled(settled);
      } catch {
        // The next poll finds the same.
      }
    },
    poll,
    awaitSettled: async (hash, chainId, begun = Date.now()) => {
      // Leaves time for a server's last answer, so that a silent one is known.
      const lastMs = SETTLE_MS - PAUSE_MS - WAIT_MS;
      for (let pauses = 0; ; pauses += 1) {
        const sent = await ledger.find(hash);
        const isOver = pauses === PAUSES || Math.abs(Date.now() - begun) > lastMs;
        if (sent?.status !== 'pending' || isOver) {
          return { sent, failure: failures.get(chainId) };
        }
        await sleep(PAUSE_MS);
        // After a failure it is polled again.
        await poll(chainId).catch(() => undefined);
      }
    },
    isWatched: (chainId) => ageOf(watched.get(chainId) ?? -Infinity) < INTERVAL.max,
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
  const next = open.map((each, index) => findOutcome(each, observations[index], time));
  const included = [...all, ...next].filter(({ status }) => status === 'included');
  const withSiblings = next.map((each) => {
    const sibling = included.find((other) => isSettledBy(each, other));
    if (!sibling) return each;
    return { ...settle(each, 'replaced', time), replacedBy: sibling.hash };
  });
  return withSiblings.filter((each, index) => each !== open[index]);
}

// A worker can be stopped before it sends a stored entry, and servers can lose transactions.
async function observeOrResend(
  open: readonly SentTransaction[],
  all: readonly SentTransaction[],
  { chain, noteFailure }: { chain: Chain; noteFailure: NoteFailure },
): Promise<(Observation | undefined)[]> {
  // The requests go in one batch, so nothing is sent before all are answered.
  const observations = await Promise.all(
    open.map(async (sent) => observe(sent, chain).catch(noteFailure)),
  );
  return Promise.all(
    open.map(async (sent, index) => {
      const seen = observations[index];
      if (seen?.found.status !== 'absent' || seen.count > BigInt(sent.nonce)) {
        return seen;
      }
      if (isDropped(sent)) return seen;
      // A replacement must not be undone.
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

function isSibling(one: SentTransaction, other: SentTransaction): boolean {
  return (
    one.hash !== other.hash &&
    isOf(one, other) &&
    // Transactions and user operations have separate nonces.
    one.entryPoint === other.entryPoint &&
    BigInt(one.nonce) === BigInt(other.nonce)
  );
}

// Only one of two entries with the same nonce can be included. An inclusion before the other was sent
// belongs to an earlier run of a development chain.
function isSettledBy(sent: SentTransaction, included: SentTransaction): boolean {
  return (
    sent.status !== 'included' &&
    isSibling(sent, included) &&
    (included.settledAt ?? 0) >= sent.sentAt
  );
}

function isDropped({ status }: SentTransaction): boolean {
  return status === 'dropped';
}

type Observation = {
  found: Included | { status: 'pending' | 'absent' | 'unknown' };
  /** The sender's next nonce, as of the latest block. */
  count: bigint;
};

// At the node, and for a user operation at the bundler, too.
async function observe(sent: SentTransaction, chain: Chain): Promise<Observation> {
  const { hash, from, head = '0x0', entryPoint } = sent;
  if (entryPoint !== undefined) return observeOperation(sent, entryPoint, chain);
  const { id: chainId, node } = chain;
  const [inclusion, count] = await Promise.all([
    findInclusion(node, { hash, chainId, sentAt: BigInt(head) }),
    node.request('eth_getTransactionCount', [from, 'latest']),
  ]);
  if (inclusion.status !== 'included') {
    return { found: inclusion, count: BigInt(count) };
  }
  const { receipt } = inclusion;
  // A receipt of another transaction says nothing about this one.
  if (receipt.transactionHash.toLowerCase() !== hash.toLowerCase()) {
    throw new UnavailableError('The node gave the receipt of another transaction.');
  }
  return { found: toIncluded(receipt), count: BigInt(count) };
}

// The chain decides: an included operation has used its nonce there. The node may be some blocks
// behind the bundler.
async function observeOperation(
  sent: SentTransaction,
  entryPoint: EntryPointVersion,
  { node, bundler }: Chain,
): Promise<Observation> {
  const { from, nonce } = sent;
  const call = toNonceCall(entryPoint, from, keyOf(BigInt(nonce)));
  const [told, answer] = await Promise.all([
    askBundler(sent, bundler).catch((error: Error) => error),
    node.request('eth_call', [call, 'latest']),
  ]);
  const count = findWord(answer);
  if (count === undefined) throw new UnavailableError('The EntryPoint is not there.');
  const isUsed = count > BigInt(nonce);
  const isTold = !(told instanceof Error) && told.status === 'included';
  if (isUsed && !isTold) {
    const found = await findExecution(sent, entryPoint, node).catch(() => undefined);
    if (found) return { found: toIncludedOperation(found), count };
  }
  if (told instanceof Error) throw told;
  return { found: isTold && !isUsed ? { status: 'pending' } : told, count };
}

async function askBundler(
  { hash, from, nonce }: SentTransaction,
  bundler: Chain['bundler'],
): Promise<Observation['found']> {
  if (!bundler) throw new UnavailableError('There is no bundler any more.');
  const { client } = bundler;
  const [receipt, operation] = await Promise.all([
    client.findReceipt(hash),
    client.findOperation(hash),
  ]);
  if (!receipt) return { status: operation ? 'pending' : 'absent' };
  const isOurs = isSameAddress(receipt.sender, from) && receipt.nonce === BigInt(nonce);
  if (!isOurs) throw new UnavailableError('The bundler gave the receipt of another.');
  return toIncludedOperation(receipt);
}

/** Sends the signed bytes again, which can be included only once. Returns whether the chain's
 * servers have them now; false if they are not stored. */
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
    // The next poll tries again, until it gives up.
    return false;
  }
}

/** Computes the next state of an open entry, which is the same object if nothing changed. The
 * observation is undefined if no server answered. */
function findOutcome(
  sent: SentTransaction,
  observation: Observation | undefined,
  now: number,
): SentTransaction {
  const next = observation ? judge(sent, observation, now) : sent;
  const isOpen = next.status === 'pending' || isDropped(next);
  const isOver = isOpen && now - sent.sentAt >= GIVE_UP_MS;
  return isOver ? settle(sent, 'unknown', now) : next;
}

function judge(
  sent: SentTransaction,
  { found, count }: Observation,
  now: number,
): SentTransaction {
  if (found.status === 'included') {
    const { inclusion, receipt } = found;
    const settled = { ...settle(sent, 'included', now), inclusion };
    // Sites are given none that lacks something.
    const isWhole =
      sent.entryPoint !== undefined || matches(receipt, WholeReceiptStruct);
    if (!receipt || !isWhole) return settled;
    const isKept = JSON.stringify(receipt).length <= MAX_RECEIPT_LENGTH;
    return isKept ? { ...settled, receipt: receipt as never } : settled;
  }
  if (found.status === 'pending') return toPending(sent);
  const isUsed = count > BigInt(sent.nonce);
  if (isDropped(sent) && !isUsed) return withoutAbsence(sent);
  // A clock can be set back: a time ahead of now counts as now.
  const absentSince = Math.min(sent.absentSince ?? now, now);
  if (now - absentSince < (isUsed ? LATE_MS : DROP_MS)) {
    return sent.absentSince === absentSince ? sent : { ...sent, absentSince };
  }
  if (!isUsed) return { ...withoutAbsence(sent), status: 'dropped', settledAt: now };
  // Where nodes forget old blocks, it may have used its nonce itself.
  return settle(sent, found.status === 'unknown' ? 'unknown' : 'replaced', now);
}

function settle(
  sent: SentTransaction,
  status: SentTransaction['status'],
  settledAt: number,
): SentTransaction {
  const settled = { ...withoutAbsence(sent), status, settledAt };
  delete settled.refused;
  // The Activity tab reads short ones; long ones take too much room.
  if ((settled.raw?.length ?? 0) > MAX_SIGNED_LENGTH) delete settled.raw;
  const { operation } = settled;
  if (operation && JSON.stringify(operation).length > MAX_SIGNED_LENGTH) {
    delete settled.operation;
  }
  return settled;
}

// A server that refused or lost it has it after all.
function toPending(sent: SentTransaction): SentTransaction {
  if (!isDropped(sent)) return withoutAbsence(sent);
  const { settledAt: _settledAt, refused: _refused, ...known } = withoutAbsence(sent);
  return { ...known, status: 'pending' };
}

function withoutAbsence(sent: SentTransaction): SentTransaction {
  const { absentSince, ...kept } = sent;
  return absentSince === undefined ? sent : kept;
}

export type Included = { status: 'included'; inclusion: Inclusion; receipt?: object };

export function toIncluded(receipt: Receipt): Included {
  const { blockNumber, blockHash, gasUsed, effectiveGasPrice, status } = receipt;
  const ofGas = BigInt(gasUsed) * BigInt(effectiveGasPrice);
  const cost = toAmount(ofGas + readDataFee(receipt));
  const success = status ? { success: status === '0x1' } : {};
  return {
    status: 'included',
    inclusion: { blockNumber, blockHash, gasUsed, effectiveGasPrice, cost, ...success },
    receipt,
  };
}

/** Converts a user operation's receipt; the price is the actual cost per gas. */
export function toIncludedOperation(receipt: OperationReceipt): Included {
  const { blockNumber, blockHash, transactionHash, success, raw } = receipt;
  const { actualGasUsed, actualGasCost } = receipt;
  const price = actualGasUsed === 0n ? 0n : actualGasCost / actualGasUsed;
  return {
    status: 'included',
    inclusion: {
      blockNumber,
      blockHash,
      transactionHash,
      gasUsed: toAmount(actualGasUsed),
      effectiveGasPrice: toAmount(price),
      cost: toAmount(actualGasCost),
      success,
    },
    ...(raw !== null && { receipt: raw as object }),
  };
}

// An impossible figure must not prevent the others from being stored.
function toAmount(amount: bigint): Inclusion['cost'] {
  return toQuantity(smaller(amount, MAX_UINT256));
}
