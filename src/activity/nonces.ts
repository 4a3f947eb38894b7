// Nonces of transactions and user operations.
//
// A transaction's nonce is chosen after the user's approval, so a rejected transaction leaves no
// gap. A sender's transactions are sent one at a time, so no two get the same nonce at once.
//
// A user operation is signed as shown in its dialog, so its nonce is chosen before the dialog, and
// reserved until the request ends. Bundlers validate operations against the latest block, and
// accept only the next sequence number of a nonce key (AA25). So an operation that is sent while
// others are pending gets its own key, normally the lowest free one.
import { Mutex } from 'async-mutex';

import type { NodeClient } from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { WAIT_MS } from '../chains/servers';
import { LimitExceededError, UnavailableError } from '../core/errors';
import { findAuthority } from '../eth/delegation';
import { isSameAddress, larger } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/raw-transaction';
import { keyOf } from '../eth/smart-account';
import type { TransactionRequest } from '../eth/transaction';
import type { SentTransaction } from '../state/sent-transaction';
import { isLost, isSentBy } from './ledger';
import type { Ledger, Sender } from './ledger';

/** The next nonce, and the number of nonces used in blocks; 0 if the node does not report it. */
export type NonceRange = { next: bigint; used: bigint };

export type Nonces = {
  next: (sender: Sender, node: NodeClient) => Promise<NonceRange>;
  /** Finds the nonces that a sender's next `count` transactions would use now, in order. */
  list: (sender: Sender, node: NodeClient, count: number) => Promise<bigint[]>;
  /** Waits for the exclusive use of a sender's nonces, and returns a function that ends it. Throws
   * `UnavailableError` if other requests use them for the next nine seconds. */
  lock: (sender: Sender) => Promise<() => void>;
};

export type ReservedNonce = {
  key: bigint;
  /** Chooses the nonce, given the EntryPoint's next nonce for that key. */
  choose: (next: bigint) => bigint;
  /** Whether other operations of the account are pending or being confirmed. */
  hasOthers: boolean;
  release: () => void;
};

export type OperationNonces = {
  /** Reserves a nonce, which is chosen for no other operation of the account until its release.
   * Throws `LimitExceededError` if no nonce is given and bundlers accept no more operations of the
   * account for now. */
  reserve: (
    sender: Sender,
    wanted: { nonce?: bigint | undefined; key?: bigint | undefined },
  ) => Promise<ReservedNonce>;
  /** Finds the first nonce, from the EntryPoint's next one on, that none of a sender's pending
   * operations uses. */
  skipPending: (sender: Sender, next: bigint) => Promise<bigint>;
};

/** Maximum number of an unstaked account's pending operations at a bundler (ERC-7562,
 * SAME_SENDER_MEMPOOL_COUNT). */
const MAX_AT_ONCE = 4;

/** Time after an inclusion during which a node's count may lack it. After that, the node's count is
 * trusted, because development chains restart. */
const COUNTED_MS = 12_000;

/** Call it once per worker. */
export function createNonces(ledger: Ledger, now: () => number): Nonces {
  const busy = new Map<string, Mutex>();
  const find = async (
    sender: Sender,
    node: NodeClient,
    count: number,
  ): Promise<{ used: bigint; nonces: bigint[] }> => {
    const fetchCount = async (block: 'pending' | 'latest'): Promise<bigint> =>
      BigInt(await node.request('eth_getTransactionCount', [sender.from, block]));
    // Runs in parallel, so the requests join this tick's batch. Some nodes have no pending block,
    // or count less in it than in the latest one.
    const [pending, latest, all] = await Promise.all([
      fetchCount('pending').catch(() => undefined),
      fetchCount('latest').catch((error: Error) => error),
      ledger.list(),
    ]);
    const own = all.filter((each) => isSentBy(each, sender) && !isOperation(each));
    const isCounted = !(latest instanceof Error);
    if (pending === undefined && !isCounted) throw latest;
    const included = isCounted ? latest : 0n;
    const next = larger(pending ?? 0n, included);
    // Nonces below the node's count are taken. The node does not have own pending transactions with
    // higher nonces, or they wait there behind a gap, which the next transaction fills.
    const isRecent = ({ status, settledAt = 0 }: SentTransaction): boolean =>
      status === 'included' && Math.abs(now() - settledAt) <= COUNTED_MS;
    // Another account's doubtful transaction may never be settled, and must not block a nonce.
    const isPending = (each: SentTransaction): boolean =>
      each.status === 'pending' && (!each.doubt || isSentBy(each, sender));
    const used = all
      .filter((each) => isPending(each) || isRecent(each))
      .flatMap((each) => listUsedNonces(each, sender));
    const lost = isCounted ? findLost([latest, next], own) : [];
    const nonces = lost.filter((nonce) => !used.includes(nonce)).slice(0, count);
    for (let nonce = next; nonces.length < count; nonce += 1n) {
      if (!used.includes(nonce)) nonces.push(nonce);
    }
    return { used: included, nonces };
  };
  return {
    list: async (...asked) => (await find(...asked)).nonces,
    next: async (sender, node) => {
      const { nonces, used } = await find(sender, node, 1);
      return { next: nonces[0] ?? 0n, used };
    },
    lock: async (sender) => {
      const mutex = busy.get(idOf(sender)) ?? new Mutex();
      busy.set(idOf(sender), mutex);
      const acquire = async (signal: AbortSignal): Promise<() => void> => {
        const acquired = await mutex.acquire();
        if (signal.aborted) acquired();
        return acquired;
      };
      // This wait does not count toward the servers' time limit.
      const busyError = (): Error =>
        new UnavailableError(
          `Another transaction of ${sender.from} on ${sender.chain} is still being sent. Nothing was signed: try again.`,
        );
      return withTimeLimit(acquire, WAIT_MS, busyError);
    },
  };
}

/** Lists the nonces of an account that a transaction uses: its own if the account has sent it, and
 * those of the account's authorizations (EIP-7702), whoever has sent it. */
export function listUsedNonces(sent: SentTransaction, sender: Sender): bigint[] {
  if (sent.chain !== sender.chain || isOperation(sent)) return [];
  const own = isSentBy(sent, sender) ? listNonces([sent], sent.status) : [];
  return [...own, ...(findAuthorizedNonces(sent, sender.from) ?? [])];
}

/** Finds the nonces of the authorizations that an account has signed for a transaction. Undefined
 * if they cannot be read. */
export function findAuthorizedNonces(
  { raw }: SentTransaction,
  account: Hex,
): bigint[] | undefined {
  if (raw?.startsWith('0x04') !== true) return [];
  try {
    const { chainId, transaction } = parseRawTransaction(raw, 'raw');
    const { authorizationList = [] }: Partial<TransactionRequest> = transaction;
    return authorizationList
      .filter((each) => [0n, chainId].includes(each.chainId))
      .filter((each) => isSameAddress(findAuthority(each) ?? '0x', account))
      .map(({ nonce }) => nonce);
  } catch {
    return undefined;
  }
}

// Finds the nonces of lost transactions that another node may still have: the node counts them as
// used, but no block has used them. They are chosen first, so that a lost transaction and its
// repetition can never both be included. Nonces of refused transactions are not chosen, because
// another wallet's transaction may have used them.
function findLost(
  [used, count]: readonly [used: bigint, count: bigint],
  own: readonly SentTransaction[],
): bigint[] {
  const included = listNonces(own, 'included');
  const lost = own
    .filter((each) => isLost(each) && !each.refused)
    .map(toNonce)
    .filter(
      (nonce) =>
        nonce >= used && nonce < count && !included.some((other) => other >= nonce),
    );
  return [...new Set(lost)].sort((one, other) => (one < other ? -1 : 1));
}

/** Call it once per worker. */
export function createOperationNonces(ledger: Ledger): OperationNonces {
  type Reservation = { key: bigint; nonce: bigint | undefined };
  const reservedBy = new Map<string, Set<Reservation>>();
  const listOwn = async (sender: Sender): Promise<SentTransaction[]> =>
    (await ledger.list()).filter((each) => isSentBy(each, sender) && isOperation(each));
  return {
    skipPending: async (sender, next) =>
      findFree(next, listNonces(await listOwn(sender), 'pending')),
    reserve: async (sender, wanted) => {
      const sent = await listOwn(sender);
      // Nothing is awaited until the reservation is stored, so no two get the same nonce.
      const reservations = reservedBy.get(idOf(sender)) ?? new Set();
      reservedBy.set(idOf(sender), reservations);
      const pending = listNonces(sent, 'pending');
      const { nonce } = wanted;
      if (nonce === undefined && pending.length + reservations.size >= MAX_AT_ONCE) {
        throw new LimitExceededError(
          `${MAX_AT_ONCE} user operations of ${sender.from} are pending or being confirmed: ` +
            'bundlers accept no more per account. Try again when one is included.',
        );
      }
      const busy = [...pending.map(keyOf), ...[...reservations].map(({ key }) => key)];
      const key =
        nonce === undefined ? (wanted.key ?? chooseKey(sent, busy)) : keyOf(nonce);
      const hasOthers = reservations.size > 0 || pending.some((each) => each !== nonce);
      const own: Reservation = { key, nonce };
      reservations.add(own);
      return {
        key,
        hasOthers,
        choose: (next) => {
          const reserved = [...reservations].map((each) => each.nonce);
          own.nonce = findFree(next, [...pending, ...reserved]);
          return own.nonce;
        },
        release: () => reservations.delete(own),
      };
    },
  };
}

// A lost operation's key is chosen first. Its repetition then has the same nonce, so only one of
// the two can be executed.
function chooseKey(own: readonly SentTransaction[], busy: readonly bigint[]): bigint {
  const used = listNonces(own, 'included');
  const lost = own.filter(isLost).map(toNonce);
  const open = lost.findLast(
    (nonce) =>
      !busy.includes(keyOf(nonce)) &&
      !used.some((other) => keyOf(other) === keyOf(nonce) && other >= nonce),
  );
  return open === undefined ? findFree(0n, busy) : keyOf(open);
}

function findFree(first: bigint, taken: readonly (bigint | undefined)[]): bigint {
  let free = first;
  while (taken.includes(free)) free += 1n;
  return free;
}

// An account that delegates sends transactions and user operations, with independent nonces.
function isOperation({ entryPoint }: SentTransaction): boolean {
  return entryPoint !== undefined;
}

function listNonces(
  sent: readonly SentTransaction[],
  wanted: SentTransaction['status'],
): bigint[] {
  return sent
    .filter(({ status }) => status === wanted)
    .flatMap((each) => {
      const nonce = toNonce(each);
      return each.usesNextNonce ? [nonce, nonce + 1n] : [nonce];
    });
}

function toNonce({ nonce }: SentTransaction): bigint {
  return BigInt(nonce);
}

function idOf({ chain, from }: Sender): string {
  return `${chain} ${from.toLowerCase()}`;
}
