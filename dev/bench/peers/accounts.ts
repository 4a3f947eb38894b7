// What an operation takes in wallets whose snaps hold 1, 100 and 1,000 accounts. To create
// a thousand would take minutes: one is created and signs, and the others are written into
// the stored document before it.
import type { KeyringAccount } from '@metamask/keyring-api';
import { stringToHex, toHex } from 'viem';

import { type AccountWallet, startAccountWallet } from '../account-wallet';
import { compare, type Contestant, takeTimes } from '../measure';
import type { Figure } from './figure';
import { openSide, type Side, type Snap } from './side';

/** What is done in a wallet with accounts. */
type Holder = Pick<AccountWallet, 'signForMetaMask' | 'listAccounts' | 'stop'>;

type Holders = Record<string, Holder>;

/** Accounts as MetaMask keeps them. */
type Held = NonNullable<
  Parameters<Side['wallet']['keyring']['deserialize']>[0]
>['accounts'];

/** The document of the simple keyring. */
type PeerState = {
  wallets: Record<string, { account: KeyringAccount; privateKey: string }>;
};

const COUNTS = [1, 100, 1_000];

const ROUNDS = 15;

const REPEATS = 3;

const MESSAGE = stringToHex('The toll is paid.');

/** Measure both sides. */
export async function measureAccounts(peer: Snap): Promise<Figure[]> {
  const holders: Holders = {};
  try {
    for (const count of COUNTS) {
      holders[`ours ${count}`] = await startAccountWallet(count);
      holders[`theirs ${count}`] = await startPeer(peer, count);
    }
    const signing = await measure(holders, async (each) => each.signForMetaMask());
    const listing = await measure(holders, async (each) => each.listAccounts());
    return [
      ...toFigures('personal_sign', signing),
      {
        what: 'personal_sign: 1,000 accounts beside one, Tollkeeper alone',
        unit: 'ms',
        ours: signing['ours 1000'] ?? NaN,
        theirs: signing['ours 1'] ?? NaN,
      },
      ...toFigures('listAccounts', listing),
    ];
  } finally {
    await Promise.all(Object.values(holders).map(async (each) => each.stop()));
  }
}

async function measure(
  holders: Holders,
  work: (holder: Holder) => Promise<unknown>,
): Promise<Record<string, number>> {
  const contestants = Object.entries(holders).map(([name, holder]) => [
    name,
    async () => takeTimes(async () => work(holder), REPEATS),
  ]);
  return compare(Object.fromEntries(contestants) as Record<string, Contestant>, ROUNDS);
}

function toFigures(name: string, times: Record<string, number>): Figure[] {
  return COUNTS.map((count) => ({
    what: `${name}, ${count.toLocaleString('en')} ${count === 1 ? 'account' : 'accounts'}`,
    unit: 'ms',
    ours: times[`ours ${count}`] ?? NaN,
    theirs: times[`theirs ${count}`] ?? NaN,
  }));
}

async function startPeer(peer: Snap, count: number): Promise<Holder> {
  const side = await openSide(peer);
  const { wallet } = side;
  try {
    const { address } = await side.createAccount({});
    await addOthers(side, count - 1);
    return {
      signForMetaMask: async () =>
        wallet.keyring.signPersonalMessage(address.toLowerCase(), MESSAGE),
      listAccounts: async () => (await side.listAccounts()) as KeyringAccount[],
      stop: async () => wallet.stop(),
    };
  } catch (error) {
    await wallet.stop();
    throw error;
  }
}

// The account comes last: whoever looks for it one by one has to pass all others.
async function addOthers({ wallet }: Side, count: number): Promise<void> {
  const { encrypted } = await wallet.state();
  const state = encrypted as unknown as PeerState;
  const [own] = Object.values(state.wallets);
  if (!own) throw new Error('The other snap stores its accounts in another way.');
  const others = Array.from({ length: count }, (_each, index) => ({
    account: {
      ...own.account,
      id: crypto.randomUUID(),
      address: toHex(index + 1, { size: 20 }),
    },
    privateKey: own.privateKey,
  }));
  const wallets = Object.fromEntries(
    [...others, own].map((each) => [each.account.id, each]),
  );
  await wallet.controller.updateSnapState(wallet.snapId, { ...state, wallets }, true);
  // A worker reads it once.
  await wallet.stopSnap();
  await wallet.disk();
  const { snapId } = wallet;
  const accounts = Object.values(wallets).map(({ account }) => [
    account.id,
    { account, snapId },
  ]);
  await wallet.keyring.deserialize({ accounts: Object.fromEntries(accounts) as Held });
}
