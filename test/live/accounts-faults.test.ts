// Each platform call of each change of accounts fails once: no account is lost or doubled,
// both sides agree after the next request, and that one is answered.
import type { KeyringState } from '@metamask/eth-snap-keyring';
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import type { SnapCall } from '../../dev/wallet/engine';
import { failOnce } from '../../dev/wallet/faults';
import { agreed, describeWallets } from '../support/account-bench';
import type { AccountBench } from '../support/account-bench';
import { meetNth } from '../support/nth-call';

/** An account as far as it is compared. */
type Account = Pick<KeyringAccount, 'id' | 'address' | 'scopes'>;

/** How a call fails. `act` comes before it does: the call may be done, its answer lost. */
type Fault = {
  name: string;
  method: string;
  act: (call: SnapCall, bench: AccountBench) => Promise<unknown>;
};

/** A change of accounts. */
type Scenario = {
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
const faults: Fault[] = [
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
async function runAll(
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

const KEPT = `0x${'5d'.repeat(32)}`;

const IMPORTED = `0x${'6e'.repeat(32)}`;

describeWallets((bench) => {
  async function restore({ companion }: AccountBench): Promise<Json> {
    return companion.snap('tollkeeper_restoreAccounts', [{ gap: 1 }]);
  }

  /** Restore once more, if one side has less than the other. */
  async function restoreRest({ companion, sides }: AccountBench): Promise<void> {
    const { metamask, snap } = await sides();
    if (metamask.length === snap.length) return;
    await companion.snap('tollkeeper_restoreAccounts', [{ gap: 1 }]);
  }

  /** MetaMask asks once for a removal, and drops the account whatever is answered. */
  async function removeLeftover({ companion, sides }: AccountBench): Promise<void> {
    const { metamask, snap } = await sides();
    for (const id of snap.filter((each) => !metamask.includes(each))) {
      await companion.keyring('keyring_deleteAccount', { id });
    }
  }

  /** Have MetaMask forget accounts, without a word to the snap. */
  async function loseInMetaMask(
    { wallet }: AccountBench,
    lost: Account[],
  ): Promise<void> {
    const { accounts }: KeyringState = await wallet.keyring.serialize();
    for (const { id } of lost) delete accounts[id];
    await wallet.keyring.deserialize({ accounts });
  }

  /** Have the snap forget accounts, without a word to MetaMask. */
  async function loseInSnap(
    { wallet, stored }: AccountBench,
    lost: Account[],
  ): Promise<void> {
    await wallet.stopSnap();
    const state = await stored();
    for (const { id } of lost) delete state.accounts[id];
    await wallet.controller.updateSnapState(wallet.snapId, state, true);
  }

  // A worker reads once, whatever it does then: each time a new one has to be started.
  const reading = ['snap_getState'];

  const withoutReading = ['snap_setState', 'snap_manageAccounts'];

  // What is not read fails in dev/faults where an account is made or deleted.
  const scenarios: Scenario[] = [
    {
      name: 'importing',
      run: async ({ create }) => create({ privateKey: IMPORTED }),
      methods: reading,
    },
    {
      name: 'declining',
      run: async ({ create, wallet }) => {
        wallet.user.confirmAccounts = false;
        return create({ privateKey: IMPORTED });
      },
      methods: withoutReading,
    },
    {
      name: 'deleting',
      prepare: async ({ create }) => [await create()],
      run: async ({ companion }, [account]) =>
        companion.keyring('keyring_deleteAccount', { id: account?.id ?? '' }),
      isRemoval: true,
      methods: reading,
    },
    {
      name: 'removing in MetaMask',
      prepare: async ({ create }) => [await create()],
      run: async ({ wallet }, [account]) =>
        wallet.keyring.removeAccount(account?.address ?? ''),
      repeat: removeLeftover,
      isRemoval: true,
      methods: ['snap_setState'],
    },
    {
      name: 'keeping',
      prepare: async ({ create }) => [await create({ privateKey: IMPORTED })],
      run: async ({ companion, wallet }, [account]) => {
        wallet.user.confirmAccounts = false;
        return companion.keyring('keyring_deleteAccount', { id: account?.id ?? '' });
      },
      methods: withoutReading,
    },
    {
      name: 'updating',
      prepare: async ({ create }) => [
        await create({ type: 'eip155:erc4337', scopes: ['eip155:1'] }),
      ],
      run: async ({ companion }, [account]) => {
        const wanted = { ...account, scopes: ['eip155:31337'] };
        return companion.keyring('keyring_updateAccount', { account: wanted });
      },
    },
    {
      name: 'restoring what MetaMask lost',
      prepare: async ({ create }) => {
        const lost = [
          await create({ index: 5 }),
          await create({ privateKey: IMPORTED }),
        ];
        await loseInMetaMask(bench, lost);
        return lost;
      },
      run: restore,
      repeat: restoreRest,
      methods: ['snap_manageAccounts'],
    },
    {
      name: 'restoring what the snap lost',
      prepare: async ({ create }) => {
        const lost = [await create({ index: 0 })];
        await loseInSnap(bench, lost);
        return lost;
      },
      run: restore,
      repeat: restoreRest,
      methods: ['snap_getState', 'snap_setState'],
    },
  ];

  const runs = scenarios.flatMap((scenario) =>
    faults
      .filter(({ method }) => scenario.methods?.includes(method) ?? true)
      .map((fault) => ({ scenario, fault })),
  );

  it.each(runs)(
    'loses nothing in $scenario.name when $fault.method $fault.name',
    async ({ scenario, fault }) => {
      const { create } = bench;
      const kept = [await create({ index: 9 }), await create({ privateKey: KEPT })];
      const failures = await runAll(scenario, fault, { bench, kept });
      expect(failures.length).toBeGreaterThan(0);
    },
  );

  it('drops what MetaMask removed, though not even that could be noted at first', async () => {
    const { create, sides, wallet } = bench;
    const [kept, removed] = [await create(), await create({ privateKey: IMPORTED })];
    wallet.onSnapCall = failOnce('snap_setState');
    await wallet.keyring.removeAccount(removed.address);
    expect(bench.logged).toHaveLength(1);
    expect(await sides()).toStrictEqual(agreed(kept));
  });
});
