// A site has a transaction sent.
import type { Hash, Hex } from 'viem';

import { poll } from '../bench';
import type { Account, Case } from '../bench';
import { hold } from '../flow';
import type { Flow } from '../flow';
import { firstAccount, RECIPIENT } from './site';

/** What the companion is told of a transaction. */
type Shown = { hash: Hash; status: string };

/** The site sends a transaction, and its user approves it. */
export const send: Flow<Account> = {
  name: 'send a transaction',
  prepare: async (bench) => firstAccount(bench),
  look: async (bench, { address }) => {
    // What an earlier case has left in the node's pool is none of this one's.
    await bench.node.request({ method: 'anvil_dropAllTransactions' } as never);
    return countSent(bench, address);
  },
  run: async (bench, { address }) => sendOne(bench, address),
  check: async (bench, { address }, { ending, before }) => {
    const isLate = await sendLate(bench);
    const sent = (await countSent(bench, address)) - Number(before);
    hold(sent <= 1, 'nothing is sent twice');
    const pool = await listPool(bench);
    const kept = await listActivity(bench);
    hold(
      pool.every((hash) => kept.some((each) => each.hash === hash)),
      'what was sent is followed',
    );
    hold(
      kept.every(({ hash, status }) => status !== 'pending' || pool.includes(hash)),
      'what was kept is sent',
    );
    if ('result' in ending) {
      hold(pool[0] === ending.result, 'the site is told the hash');
    }
    const again = await bench.get(sendOne(bench, address));
    const after = await countSent(bench, address);
    hold(after === Number(before) + sent + 1, 'again it sends once');
    await settle(bench);
    const included = (await listActivity(bench)).filter(
      ({ status }) => status === 'included',
    );
    hold(
      [...pool, again].every((hash) => included.some((each) => each.hash === hash)),
      'what was sent is settled',
    );
    if (isLate) return SENT_LATE;
    return sent === 0 ? 'nothing sent' : 'sent once, followed';
  },
};

/** What holds after something was kept that had not gone out. */
export const SENT_LATE = 'sent once by the next background event, followed';

/** Have the wallet wake the snap, as it does for what was kept; tells whether anything was
 * that the node did not have. */
async function sendLate(bench: Case): Promise<boolean> {
  const pool = await listPool(bench);
  const kept = await listActivity(bench);
  const isLate = kept.some(
    ({ hash, status }) => status === 'pending' && !pool.includes(hash),
  );
  if (isLate) await poll(bench);
  return isLate;
}

async function sendOne({ dapp }: Case, from: Hex): Promise<unknown> {
  return dapp.snap('eth_sendTransaction', [{ from, to: RECIPIENT, value: '0x1' }]);
}

async function countSent({ node }: Case, address: Hex): Promise<number> {
  return node.getTransactionCount({ address, blockTag: 'pending' });
}

async function listPool({ node }: Case): Promise<Hash[]> {
  const { pending, queued } = await node.getTxpoolContent();
  const all = [...Object.values(pending), ...Object.values(queued)];
  return all.flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash));
}

async function listActivity({ companion, get }: Case): Promise<Shown[]> {
  return (await get(companion.snap('tollkeeper_getActivity'))) as unknown as Shown[];
}

/** Have all included. */
async function settle(bench: Case): Promise<void> {
  await bench.node.mine({ blocks: 1 });
  await poll(bench);
  const open = (await listActivity(bench)).filter(({ status }) => status === 'pending');
  if (open.length > 0) throw new Error('What was sent is never settled.');
}
