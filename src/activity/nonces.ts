// Nonces of user operations. An operation is signed as its dialog showed it, so its nonce is
// chosen before, and is nobody else's while the dialog is open.
//
// Bundlers validate an operation against the latest block: of one nonce key they take the next
// sequence number alone, and refuse the one after it (AA25). What is sent while others are
// pending has a key of its own therefore: 0 if it is free, else the next one.

import type { NodeClient } from '../client';
import { LimitExceededError } from '../errors';
import { keyOf } from '../eth/operation-nonce';
import { Mutex } from '../mutex';
import type { SentTransaction } from '../state/sent-transaction';
import { isLost, isOf } from './ledger';
import type { Ledger, Sender } from './ledger';

// Nonces of transactions: settled when the user has approved and not before, so that a refused
// transaction leaves no gap; one after another for a sender, so that two never share one.

/** Gives nonces out. */
export type Nonces = {
  /** Find the nonce that a sender's transaction would use now. */
  next: (sender: Sender, node: NodeClient) => Promise<bigint>;
  /** Find the nonces that so many of a sender's transactions would use now, in their order. */
  list: (sender: Sender, node: NodeClient, count: number) => Promise<bigint[]>;
  /** Do something with a sender's nonces while nobody else does. */
  alone: <Result>(sender: Sender, run: () => Promise<Result>) => Promise<Result>;
};

/** Create the one who gives nonces out; there must be one in a worker. */
export function createNonces(ledger: Pick<Ledger, 'list'>): Nonces {
  const busy = new Map<string, Mutex>();
  const list: Nonces['list'] = async (sender, node, count) => {
    // Both at once: what else the node is asked in this tick goes in one batch with it.
    const [answer, all] = await Promise.all([
      node.request('eth_getTransactionCount', [sender.from, 'pending']),
      ledger.list(),
    ]);
    const own = all.filter((each) => isOf(each, sender));
    const lost = await findLost(BigInt(answer), own, async () =>
      node.request('eth_getTransactionCount', [sender.from, 'latest']),
    );
    return [...lost, ...listFreeNonces(BigInt(answer), own, count)].slice(0, count);
  };
  return {
    list,
    next: async (sender, node) => {
      const [first = 0n] = await list(sender, node, 1);
      return first;
    },
    alone: async (sender, run) => {
      const key = `${sender.chain} ${sender.from.toLowerCase()}`;
      const mutex = busy.get(key) ?? new Mutex();
      busy.set(key, mutex);
      return mutex.runExclusive(run);
    },
  };
}

// Nonces below the node's count are used; of the others, those that it has not seen yet are
// our own. One that was sent far ahead leaves a gap, which is where the next belongs.
function listFreeNonces(
  count: bigint,
  own: readonly SentTransaction[],
  wanted: number,
): bigint[] {
  const taken = listNonces(own.filter(({ status }) => status === 'pending'));
  const free: bigint[] = [];
  for (let nonce = count; free.length < wanted; nonce += 1n) {
    if (!taken.has(nonce)) free.push(nonce);
  }
  return free;
}

/**
 * Find the nonces of transactions that a node called dropped and that another may still have:
 * the node counts them as used, but no block has used them. They come first, so that what was
 * dropped and is sent anew cannot be included beside it.
 */
async function findLost(
  count: bigint,
  own: readonly SentTransaction[],
  fetchUsed: () => Promise<string>,
): Promise<bigint[]> {
  const pending = listNonces(own.filter(({ status }) => status === 'pending'));
  const included = listNonces(own.filter(({ status }) => status === 'included'));
  const lost = [...listNonces(own.filter(isLost))].filter(
    (nonce) =>
      nonce < count &&
      !pending.has(nonce) &&
      ![...included].some((other) => other >= nonce),
  );
  if (lost.length === 0) return [];
  const used = BigInt(await fetchUsed());
  return lost
    .filter((nonce) => nonce >= used)
    .sort((one, other) => (one < other ? -1 : 1));
}

function listNonces(sent: readonly SentTransaction[]): Set<bigint> {
  return new Set(sent.map(({ nonce }) => BigInt(nonce)));
}

/** What bundlers hold of an account that has no stake (ERC-7562, SAME_SENDER_MEMPOOL_COUNT). */
const MAX_AT_ONCE = 4;

/** What a caller says of the nonce: all of it, its key, or nothing. */
export type WantedNonce = { nonce?: bigint | undefined; key?: bigint | undefined };

/** A nonce while it is lent. */
export type LentNonce = {
  key: bigint;
  /** Choose the nonce, given the EntryPoint's next one of that key. */
  choose: (next: bigint) => bigint;
  /** Whether other operations of the account are pending, or are being confirmed. */
  hasOthers: boolean;
};

/** Lends nonces of user operations. */
export type OperationNonces = {
  /**
   * Do something with a nonce that no other operation of the account has meanwhile.
   *
   * @throws {LimitExceededError} If bundlers take no more of the account for now.
   */
  lend: <Result>(
    sender: Sender,
    wanted: WantedNonce,
    run: (lent: LentNonce) => Promise<Result>,
  ) => Promise<Result>;
  /** Find the nonce after a sender's pending operations, given the EntryPoint's next one. */
  skipPending: (sender: Sender, next: bigint) => Promise<bigint>;
};

type Loan = { key: bigint; nonce: bigint | undefined };

/** Create the lender; there must be one in a worker. */
export function createOperationNonces(ledger: Pick<Ledger, 'list'>): OperationNonces {
  const lentBy = new Map<string, Set<Loan>>();
  const listOwn = async (sender: Sender): Promise<SentTransaction[]> =>
    (await ledger.list()).filter((each) => isOf(each, sender));
  return {
    skipPending: async (sender, next) =>
      findFreeOperationNonce(next, listPending(await listOwn(sender))),
    lend: async (sender, wanted, run) => {
      const own = await listOwn(sender);
      // From here until it is lent nothing waits, so that no two get the same.
      const id = `${sender.chain} ${sender.from.toLowerCase()}`;
      const loans = lentBy.get(id) ?? new Set();
      lentBy.set(id, loans);
      const pending = listPending(own);
      const { nonce } = wanted;
      if (nonce === undefined && pending.length + loans.size >= MAX_AT_ONCE) {
        throw new LimitExceededError(
          `${MAX_AT_ONCE} user operations of ${sender.from} are pending or being confirmed: ` +
            'bundlers take no more of an account at a time. Try again when one is included.',
        );
      }
      const busy = new Set([
        ...pending.map(keyOf),
        ...[...loans].map(({ key }) => key),
      ]);
      const key =
        nonce === undefined ? (wanted.key ?? chooseKey(own, busy)) : keyOf(nonce);
      const hasOthers = loans.size > 0 || pending.some((each) => each !== nonce);
      const loan: Loan = { key, nonce };
      const choose = (next: bigint): bigint => {
        loan.nonce = findFreeOperationNonce(next, [
          ...pending,
          ...[...loans].map((each) => each.nonce),
        ]);
        return loan.nonce;
      };
      loans.add(loan);
      try {
        return await run({ key, choose, hasOthers });
      } finally {
        loans.delete(loan);
      }
    },
  };
}

// The key of what a bundler lost comes first: what is sent anew then has the same nonce, and
// only one of both can be executed.
function chooseKey(own: readonly SentTransaction[], busy: ReadonlySet<bigint>): bigint {
  const lost = own.findLast((each) => isLost(each) && isOpen(each, own, busy));
  if (lost) return keyOf(toNonce(lost));
  let key = 0n;
  while (busy.has(key)) key += 1n;
  return key;
}

function isOpen(
  lost: SentTransaction,
  own: readonly SentTransaction[],
  busy: ReadonlySet<bigint>,
): boolean {
  const nonce = toNonce(lost);
  const isUsed = own.some(
    (each) =>
      each.status === 'included' &&
      keyOf(toNonce(each)) === keyOf(nonce) &&
      toNonce(each) >= nonce,
  );
  return !isUsed && !busy.has(keyOf(nonce));
}

function listPending(own: readonly SentTransaction[]): bigint[] {
  return own.filter(({ status }) => status === 'pending').map(toNonce);
}

function findFreeOperationNonce(
  next: bigint,
  taken: readonly (bigint | undefined)[],
): bigint {
  let free = next;
  while (taken.includes(free)) free += 1n;
  return free;
}

function toNonce({ nonce }: SentTransaction): bigint {
  return BigInt(nonce);
}
