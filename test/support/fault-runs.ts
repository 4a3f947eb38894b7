// Running a change of accounts again and again, each time with another platform call of the
// snap that fails, and comparing what both sides have after the next request.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import type { SnapCall } from '../../dev/wallet/engine';
import { agreed } from './account-bench';
import type { AccountBench } from './account-bench';
import { meetNth } from './nth-call';

/** An account as far as it is compared. */
export type Account = Pick<KeyringAccount, 'id' | 'address' | 'scopes'>;

/** How a call fails. `act` comes before it does: the call may be done, its answer lost. */
export type Fault = {
  name: string;
  method: string;
  act: (call: SnapCall, bench: AccountBench) => Promise<unknown>;
};

/** A change of accounts. */
export type Scenario = {
  name: string;
  /** Make what is there before, beside accounts that nothing happens to. */
  prepare?: (bench: AccountBench) => Promise<Account[]>;
  run: (bench: AccountBench, accounts: Account[]) => Promise<unknown>;
  /** What is done after a failure, with nothing failing. */
  repeat?: (bench: AccountBench) => Promise<unknown>;
  /** Which calls fail; all by default. */
  methods?: string[];
  /** Whether the prepared accounts may be gone. */
  isRemoval?: true;
};

const fails: Fault['act'] = () => Promise.resolve();

/** The ways in which the platform fails. */
export const faults: Fault[] = [
  { name: 'fails', method: 'snap_getState', act: fails },
  { name: 'fails', method: 'snap_setState', act: fails },
  { name: 'is done and fails', method: 'snap_setState', act: write },
  { name: 'fails', method: 'snap_manageAccounts', act: fails },
  { name: 'is done and fails', method: 'snap_manageAccounts', act: tellMetaMask },
];

async function write({ params }: SnapCall, { wallet }: AccountBench): Promise<void> {
  const { value, encrypted } = params as {
    value: Record<string, Json>;
    encrypted: boolean;
  };
  await wallet.controller.updateSnapState(wallet.snapId, value, encrypted);
}

async function tellMetaMask(call: SnapCall, { wallet }: AccountBench): Promise<void> {
  await wallet.keyring.handleKeyringSnapMessage(wallet.snapId, call.params as never);
}

/**
 * Run a scenario until no call is left to fail.
 *
 * @param kept - Accounts that nothing happens to.
 * @returns What went wrong in the eyes of the caller, for each call that failed.
 */
export async function runAll(
  scenario: Scenario,
  fault: Fault,
  { bench, kept }: { bench: AccountBench; kept: Account[] },
): Promise<(string | undefined)[]> {
  const { prepare, isRemoval } = scenario;
  const failures: (string | undefined)[] = [];
  for (;;) {
    const before = (await prepare?.(bench)) ?? [];
    // What a worker has read it does not read again.
    if (fault.method === 'snap_getState') await bench.wallet.stopSnap();
    const nth = failures.length + 1;
    const place = { bench, before };
    const { isMet, message } = await runOnce(scenario, { ...fault, nth }, place);
    await check(bench, kept, isRemoval ? [] : before);
    await clear(bench, kept);
    if (!isMet) return failures;
    failures.push(message);
  }
}

async function runOnce(
  { run, repeat }: Scenario,
  fault: Fault & { nth: number },
  { bench, before }: { bench: AccountBench; before: Account[] },
): Promise<{ isMet: boolean; message: string | undefined }> {
  const { wallet } = bench;
  const { hook, isMet } = meetNth(fault, async (call) => {
    await fault.act(call, bench);
    throw new Error('It was made to fail.');
  });
  wallet.onSnapCall = hook;
  const message = await run(bench, before).then(
    () => undefined,
    (error: Error) => error.message,
  );
  wallet.onSnapCall = undefined;
  wallet.user.confirmAccounts = true;
  await repeat?.(bench);
  return { isMet: isMet(), message };
}

async function check(
  bench: AccountBench,
  kept: Account[],
  before: Account[],
): Promise<void> {
  const listed = (await bench.companion.keyring('keyring_listAccounts')) as unknown;
  const held = bench.wallet.keyring.listAccounts();
  expect(toRows(held)).toStrictEqual(toRows(listed as Account[]));
  expect(new Set(held.map(({ address }) => address)).size).toBe(held.length);
  expect(await bench.sides()).toStrictEqual(agreed(...held));
  const ids = held.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...kept, ...before].map(({ id }) => id)));
  for (const { address } of kept) expect(await bench.sign(address)).toBe(address);
}

function toRows(accounts: readonly Account[]): string[] {
  return accounts.map(({ id, scopes }) => [id, ...scopes].join()).sort();
}

async function clear(bench: AccountBench, kept: Account[]): Promise<void> {
  const { keyring } = bench.wallet;
  for (const { id, address } of keyring.listAccounts()) {
    if (!kept.some((each) => each.id === id)) await keyring.removeAccount(address);
  }
  expect(await bench.sides()).toStrictEqual(agreed(...kept));
}
