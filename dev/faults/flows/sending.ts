// Flows in which a site sends a transaction, or calls from a smart account.
import type { Hash, Hex } from 'viem';
import { entryPoint07Abi } from 'viem/account-abstraction';

import { entryPoints } from '../../../src/core/entry-points';
import type { BundlerRelay } from '../../stack/bundler-relay';
import { callRpc } from '../../stack/server';
import { listActivity, poll, type Account, type Case, type Ending } from '../bench';
import { hold, type Flow } from '../sweep';
import { cancelEvents, findMade, listBoth, SMART } from './accounts';
import { firstAccount, isIncluded, openAccount, RECIPIENT } from './site';

export const send: Flow<Account, number> = {
  name: 'send a transaction',
  prepare: firstAccount,
  look: async (bench, { address }) => {
    // Removes the transactions of earlier cases from the node's pool.
    await bench.node.request({ method: 'anvil_dropAllTransactions' } as never);
    return countSent(bench, address);
  },
  run: async (bench, { address }) => sendTransaction(bench, address),
  check: async (bench, { address }, { ending, before }) => {
    const isLate = await sendLate(bench);
    const sent = (await countSent(bench, address)) - before;
    hold(sent <= 1, 'nothing is sent twice');
    const pool = await listPool(bench);
    const kept = await listActivity(bench);
    hold(
      pool.every((hash) => kept.some((each) => each.hash === hash)),
      'everything sent is tracked',
    );
    hold(
      kept.every(({ hash, status }) => status !== 'pending' || pool.includes(hash)),
      'everything pending is sent',
    );
    if ('result' in ending) hold(pool[0] === ending.result, 'the site gets the hash');
    const again = await bench.get(sendTransaction(bench, address));
    const after = await countSent(bench, address);
    hold(after === before + sent + 1, 'the retry sends once');
    await settleTransactions(bench);
    const included = (await listActivity(bench)).filter(
      ({ status }) => status === 'included',
    );
    hold(
      [...pool, again].every((hash) => included.some((each) => each.hash === hash)),
      'everything sent is settled',
    );
    if (isLate) return SENT_LATE;
    return sent === 0 ? 'nothing sent' : 'sent once, tracked';
  },
};

export const SENT_LATE = 'sent once later, tracked';

/** If the node lacks a stored transaction, wakes the snap as MetaMask does, and returns true. */
export async function sendLate(bench: Case): Promise<boolean> {
  const { node } = bench;
  for (const { hash, status } of await listActivity(bench)) {
    if (status !== 'pending') continue;
    if (await node.getTransaction({ hash }).catch(() => undefined)) continue;
    await poll(bench);
    return true;
  }
  return false;
}

async function sendTransaction({ dapp }: Case, from: Hex): Promise<unknown> {
  return dapp.snap('eth_sendTransaction', [{ from, to: RECIPIENT, value: '0x1' }]);
}

export async function countSent({ node }: Case, address: Hex): Promise<number> {
  return node.getTransactionCount({ address, blockTag: 'pending' });
}

async function listPool({ node }: Case): Promise<Hash[]> {
  const { pending, queued } = await node.getTxpoolContent();
  const all = [...Object.values(pending), ...Object.values(queued)];
  return all.flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash));
}

export async function settleTransactions(bench: Case): Promise<void> {
  await bench.node.mine({ blocks: 1 });
  await poll(bench);
  const open = (await listActivity(bench)).filter(({ status }) => status === 'pending');
  if (open.length > 0) throw new Error('A sent transaction is never settled.');
}

// A site sends calls from a smart account (EIP-5792). The bundler sends bundles only on request.

type Smart = Account & { all: Account[] };

type Seen = { executed: bigint; sent: number; taken: number };

async function openSmart(bench: Case): Promise<Smart> {
  const smart = await openAccount(bench, { ...SMART, entryPoint: '0.7' });
  await bench.get(sendAs(ID.first)(bench, smart));
  await settle(bench, smart);
  await cancelEvents(bench);
  return { ...smart, all: await listBoth(bench) };
}

async function lookAt(bench: Case, account: Account): Promise<Seen> {
  const relay = relayOf(bench);
  await bundle(bench);
  // The fees from the preparation must be outdated in every case.
  bench.world.time.moveTo(bench.world.time.now() + 60_000);
  return {
    executed: await countExecuted(bench, account),
    sent: relay.sentBy(account.address).length,
    taken: relay.takenFrom(account.address).length,
  };
}

async function checkSent(bench: Case, account: Smart, before: Seen) {
  const { address } = account;
  const relay = relayOf(bench);
  const listTaken = (): Hash[] => relay.takenFrom(address).slice(before.taken);
  const isMissing = async (): Promise<boolean> =>
    (await listPending(bench, account)).some((hash) => !listTaken().includes(hash));
  const isLate = await isMissing();
  if (isLate) await poll(bench);
  hold(!(await isMissing()), 'everything pending is sent');
  const sent = relay.sentBy(address).slice(before.sent);
  const distinct = new Set(sent.map((each) => JSON.stringify(each)));
  hold(distinct.size <= 1, 'at most one operation is sent');
  const taken = listTaken();
  hold(taken.length <= 1, 'the bundler accepts at most one operation');
  const pending = await listPending(bench, account);
  hold(
    taken.every((hash) => pending.includes(hash)),
    'everything sent is tracked',
  );
  await findMade(bench, account.all);
  const [hash] = taken;
  if (isLate) return { hash, summary: SENT_LATE };
  return { hash, summary: hash ? 'sent once, tracked' : 'nothing sent' };
}

async function checkExecuted(
  bench: Case,
  account: Smart,
  { before, hash }: { before: Seen; hash: Hash | undefined },
): Promise<void> {
  await settle(bench, account);
  const executed = (await countExecuted(bench, account)) - before.executed;
  hold(executed === (hash ? 1n : 0n), 'an accepted operation is executed once');
  if (hash) hold(await isIncluded(bench, hash), 'everything sent is settled');
}

async function checkAgain(
  bench: Case,
  account: Smart,
  sendAgain: ReturnType<typeof sendAs>,
): Promise<void> {
  const before = await lookAt(bench, account);
  await bench.get(sendAgain(bench, account));
  const { hash } = await checkSent(bench, account, before);
  hold(hash !== undefined, 'the retry is sent');
  await checkExecuted(bench, account, { before, hash });
}

async function bundle(bench: Case): Promise<void> {
  await callRpc(relayOf(bench).url, 'debug_bundler_sendBundleNow', []);
  // The node mines automatically, but sometimes fails to do so.
  await bench.node.mine({ blocks: 1 });
}

async function settle(bench: Case, account: Account): Promise<void> {
  await bundle(bench);
  for (let times = 0; times < 4; times += 1) {
    await poll(bench);
    if ((await listPending(bench, account)).length === 0) return;
    bench.world.time.moveTo(bench.world.time.now() + 130_000);
  }
  throw new Error('A sent transaction is never settled.');
}

async function countExecuted({ node }: Case, { address }: Account): Promise<bigint> {
  return node.readContract({
    address: entryPoints['0.7'].entryPoint,
    abi: entryPoint07Abi,
    functionName: 'getNonce',
    args: [address, 0n],
  });
}

async function listPending(bench: Case, { address }: Account): Promise<Hash[]> {
  return (await listActivity(bench))
    .filter(({ from, status }) => from === address && status === 'pending')
    .map(({ hash }) => hash);
}

function relayOf({ servers }: Case): BundlerRelay {
  if (!servers.bundler) throw new Error('This flow needs a bundler.');
  return servers.bundler;
}

export const ID = { first: 'prepared', job: 'wanted', again: 'again' };

const CODES = { unknown: 5730, duplicate: 5720 };

export const sendCalls: Flow<Smart, Seen> = {
  name: 'send calls as a user operation',
  prepare: openSmart,
  look: lookAt,
  run: sendAs(ID.job),
  check: async (bench, account, { ending, before }) => {
    const { hash, summary } = await checkSent(bench, account, before);
    const status = await findStatus(bench);
    if ('result' in ending) hold(status !== undefined, 'the returned id is known');
    if (hash) hold(status === 100, 'an accepted operation is pending');
    await checkExecuted(bench, account, { before, hash });
    const expected = hash ? 200 : status === undefined ? undefined : 400;
    hold((await findStatus(bench)) === expected, `the status becomes ${expected}`);
    await checkAgain(bench, account, await findAgain(bench, account));
    return status === undefined ? summary : `${summary}, with a status`;
  },
};

export function sendAs(id: string) {
  return async ({ dapp }: Case, { address }: Account): Promise<unknown> =>
    dapp.snap('wallet_sendCalls', [
      {
        version: '2.0.0',
        id,
        from: address,
        chainId: '0x7a69',
        atomicRequired: true,
        calls: [
          { to: RECIPIENT, value: '0x1' },
          { to: RECIPIENT, value: '0x2' },
        ],
      },
    ]);
}

/** Returns undefined if the snap does not know the calls. */
export async function findStatus({ dapp, until }: Case): Promise<number | undefined> {
  const ending = await until(dapp.snap('wallet_getCallsStatus', [ID.job]));
  if ('result' in ending) return (ending.result as { status: number }).status;
  hold(codeOf(ending) === CODES.unknown, 'the calls have a status or are unknown');
  return undefined;
}

/** The site reuses the id only if the snap does not know the batch. */
export async function findAgain(
  bench: Case,
  account: Account,
): Promise<ReturnType<typeof sendAs>> {
  if ((await findStatus(bench)) === undefined) return sendAs(ID.job);
  const ending = await bench.until(sendAs(ID.job)(bench, account));
  hold(codeOf(ending) === CODES.duplicate, 'calls with a known id are not sent again');
  return sendAs(ID.again);
}

function codeOf(ending: Ending): number | undefined {
  return 'error' in ending ? (ending.error as { code?: number }).code : undefined;
}
