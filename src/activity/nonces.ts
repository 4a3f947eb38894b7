// Nonces of what is sent: settled when the user has approved and not before, so that a
// refused transaction leaves no gap; one after another for a sender, so that two never
// share one.
import { Mutex } from 'async-mutex';

import type { NodeClient } from '../client';
import { isOf } from './ledger';
import type { Ledger, Sender } from './ledger';

/** Gives nonces out. */
export type Nonces = {
  /** Find the nonce that a sender's transaction would use now. */
  next: (sender: Sender, node: NodeClient) => Promise<bigint>;
  /** Find the first nonce from `count` on that nothing pending of ours uses. */
  findFree: (sender: Sender, count: bigint) => Promise<bigint>;
  /** Do something with a sender's nonces while nobody else does. */
  alone: <Result>(sender: Sender, run: () => Promise<Result>) => Promise<Result>;
};

/** Create the one who gives nonces out; there must be one in a worker. */
export function createNonces(ledger: Pick<Ledger, 'listPending'>): Nonces {
  const busy = new Map<string, Mutex>();
  const findFree: Nonces['findFree'] = async (sender, count) => {
    const own = (await ledger.listPending()).filter((each) => isOf(each, sender));
    return skipTaken(count, own);
  };
  return {
    findFree,
    next: async (sender, node) => {
      const { from } = sender;
      const count = await node.request('eth_getTransactionCount', [from, 'pending']);
      return findFree(sender, BigInt(count));
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
function skipTaken(count: bigint, own: readonly { nonce: string }[]): bigint {
  const taken = new Set(own.map(({ nonce }) => BigInt(nonce)));
  let free = count;
  while (taken.has(free)) free += 1n;
  return free;
}
