// Nonces of transactions: settled when the user has approved and not before, so that a refused
// transaction leaves no gap; one after another for a sender, so that two never share one.
import { Mutex } from 'async-mutex';

import type { NodeClient } from '../client';
import type { SentTransaction } from '../state/sent-transaction';
import { isLost, isOf } from './ledger';
import type { Ledger, Sender } from './ledger';

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
    return [...lost, ...findFree(BigInt(answer), own, count)].slice(0, count);
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
function findFree(
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
