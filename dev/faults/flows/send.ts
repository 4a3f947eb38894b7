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
    const sent = (await countSent(bench, address)) - Number(before);
    hold(sent <= 1, 'nothing is sent twice');
    const pool = await listPool(bench);
    const kept = await listActivity(bench);
    hold(
      pool.every((hash) => kept.some((each) => each.hash === hash)),
      'what was sent is followed',
    );
    if ('result' in ending) {
      hold(pool[0] === ending.result, 'the site is told the hash');
    }
    const again = await bench.get(sendOne(bench, address));
    const expected = Number(before) + sent + 1;
    // What was kept and never went out has a nonce until it is known to be lost.
    const isBehind = (await countSent(bench, address)) < expected;
    if (isBehind) await fillGap(bench, address);
    const after = await countSent(bench, address);
    hold(after === expected + Number(isBehind), 'again it sends once');
    await settle(bench);
    const included = (await listActivity(bench)).filter(
      ({ status }) => status === 'included',
    );
    hold(
      [...pool, again].every((hash) => included.some((each) => each.hash === hash)),
      'what was sent is settled',
    );
    if (isBehind) {
      return 'nothing sent; kept for two minutes, and the next waits behind it';
    }
    return sent === 0 ? 'nothing sent' : 'sent once, followed';
  },
};

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

/** Have all included; what never arrived is known to be lost some time later. */
async function settle(bench: Case): Promise<void> {
  await bench.node.mine({ blocks: 1 });
  for (let times = 0; times < 4; times += 1) {
    await poll(bench);
    const open = (await listActivity(bench)).filter(
      ({ status }) => status === 'pending',
    );
    if (open.length === 0) return;
    bench.world.time.moveTo(bench.world.time.now() + 130_000);
  }
  throw new Error('What was sent is never settled.');
}

/** Send another once what was lost is known to be. */
async function fillGap(bench: Case, address: Hex): Promise<void> {
  const { time } = bench.world;
  const isLost = async (): Promise<boolean> =>
    (await listActivity(bench)).some(({ status }) => status === 'dropped');
  for (let times = 0; times < 4 && !(await isLost()); times += 1) {
    time.moveTo(time.now() + 130_000);
    await poll(bench);
  }
  hold(await isLost(), 'what was lost is known to be');
  await bench.get(sendOne(bench, address));
}
