// A smart account that a site was granted, and what holds whatever sends its operations:
// never two for one, none that is not followed. They are bundled when a flow says so.
import { type Hash, type Hex, parseEther } from 'viem';
import { entryPoint07Abi } from 'viem/account-abstraction';

import { entryPoints } from '../../../src/eth/entry-point';
import { connect } from '../../demo/accounts';
import type { BundlerRelay } from '../../stack/bundler-relay';
import { callRpc } from '../../stack/server';
import { type Account, type Case, createAccount, poll } from '../bench';
import { hold } from '../flow';
import { listBoth } from './accounts';
import { cancelEvents } from './events';
import { firstAccount } from './site';

/** An account with money, which is deployed, and all accounts beside it. */
export type Smart = Account & { all: Account[] };

/** What was seen of an account before a job: how much was executed, sent and taken. */
export type Seen = { executed: bigint; sent: number; taken: number };

/** What became of what a job has sent. */
export type Sent = {
  /** What the bundler took, if anything. */
  hash: Hash | undefined;
  /** Whether it was kept, and sent only when the wallet woke the snap for it. */
  isLate: boolean;
};

/** Sends an operation as the site. */
type SendOne = (bench: Case, account: Account) => Promise<unknown>;

type Shown = { hash: Hash; from: Hex; status: string };

const SHAPE = { type: 'eip155:erc4337', entryPoint: '0.7', scopes: ['eip155:31337'] };

/** Create an account for EntryPoint 0.7, and have it deployed by its first operation. */
export async function openSmart(bench: Case, sendOne: SendOne): Promise<Smart> {
  const { dapp, get, node } = bench;
  const ordinary = await firstAccount(bench);
  const smart = await createAccount(bench, SHAPE);
  const value = parseEther('1000');
  await node.setBalance({ address: smart.address, value });
  await get(connect(bench, dapp, [ordinary, smart]));
  await get(sendOne(bench, smart));
  await settle(bench, smart);
  await cancelEvents(bench);
  return { ...smart, all: await listBoth(bench) };
}

/** Look at an account before a job. */
export async function lookAt(bench: Case, account: Account): Promise<Seen> {
  const relay = relayOf(bench);
  // What an earlier case has left there is none of this one's.
  await bundle(bench);
  // What was known of fees when the flow was prepared is out of date in every case.
  bench.world.time.moveTo(bench.world.time.now() + 60_000);
  return {
    executed: await countExecuted(bench, account),
    sent: relay.sentBy(account.address).length,
    taken: relay.takenFrom(account.address).length,
  };
}

/** Check that a job sent one operation at most, and that it is followed. */
export async function checkSent(
  bench: Case,
  account: Smart,
  before: Seen,
): Promise<Sent> {
  const { address } = account;
  const relay = relayOf(bench);
  const listTaken = (): Hash[] => relay.takenFrom(address).slice(before.taken);
  const isMissing = async (): Promise<boolean> =>
    (await listPending(bench, account)).some((hash) => !listTaken().includes(hash));
  const isLate = await isMissing();
  if (isLate) await poll(bench);
  hold(!(await isMissing()), 'what was kept is sent');
  const sent = relay.sentBy(address).slice(before.sent);
  const distinct = new Set(sent.map((each) => JSON.stringify(each)));
  hold(distinct.size <= 1, 'no two operations are sent');
  const taken = listTaken();
  hold(taken.length <= 1, 'the bundler takes one at most');
  const pending = await listPending(bench, account);
  hold(
    taken.every((hash) => pending.includes(hash)),
    'what was sent is followed',
  );
  const after = await listBoth(bench);
  hold(
    account.all.every(({ id }) => after.some((each) => each.id === id)),
    'no account is lost',
  );
  return { hash: taken[0], isLate };
}

/** Check that what was sent is executed once, settled, and nothing else is. */
export async function checkExecuted(
  bench: Case,
  account: Smart,
  { before, hash }: { before: Seen; hash: Hash | undefined },
): Promise<void> {
  await settle(bench, account);
  const executed = (await countExecuted(bench, account)) - before.executed;
  hold(executed === (hash ? 1n : 0n), 'what the bundler took is executed once');
  if (hash) hold(await isIncluded(bench, hash), 'what was sent is settled');
}

/** Check that the next operation is sent and executed once; answers what its site is told. */
export async function checkAgain(
  bench: Case,
  account: Smart,
  sendOne: SendOne,
): Promise<unknown> {
  const before = await lookAt(bench, account);
  const told = await bench.get(sendOne(bench, account));
  const { hash } = await checkSent(bench, account, before);
  hold(hash !== undefined, 'again it is sent');
  await checkExecuted(bench, account, { before, hash });
  return told;
}

/** Have the bundler bundle what waits, and a block take it. */
async function bundle(bench: Case): Promise<void> {
  await callRpc(relayOf(bench).url, 'debug_bundler_sendBundleNow', []);
  // The node mines by itself, and now and then forgets to.
  await bench.node.mine({ blocks: 1 });
}

/** Have all executed. */
async function settle(bench: Case, account: Account): Promise<void> {
  await bundle(bench);
  for (let times = 0; times < 4; times += 1) {
    await poll(bench);
    if ((await listPending(bench, account)).length === 0) return;
    bench.world.time.moveTo(bench.world.time.now() + 130_000);
  }
  throw new Error('What was sent is never settled.');
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

async function isIncluded(bench: Case, wanted: Hash): Promise<boolean> {
  return (await listActivity(bench)).some(
    ({ hash, status }) => hash === wanted && status === 'included',
  );
}

async function listActivity({ companion, get }: Case): Promise<Shown[]> {
  return (await get(companion.snap('tollkeeper_getActivity'))) as unknown as Shown[];
}

function relayOf({ servers }: Case): BundlerRelay {
  if (!servers.bundler) throw new Error('This flow needs a bundler.');
  return servers.bundler;
}
