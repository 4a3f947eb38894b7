// 1,000 and 100 accounts beside one, in three wallets made of MetaMask's packages with the
// built snap (`npm run build`): what an operation costs for the accounts that are held.
import { compareTimes, compareWallets, mapWallets } from './account-rounds';
import type { ByCount, Wallets } from './account-rounds';
import { startAccountWallet } from './account-wallet';
import type { AccountWallet } from './account-wallet';
import { measureTime } from './rounds';
import { printTable } from './table';
import type { Bound } from './table';

type Measurement = {
  what: string;
  figures: ByCount<number>;
  unit: string;
  bound?: Bound;
};

/** An operation that stores nothing. */
type Operation = {
  what: string;
  run: (wallet: AccountWallet) => Promise<unknown>;
  rounds: number;
  /** How many times as long as with one account it may take. */
  maxGrowth?: number;
};

const SIGNING_FOR_METAMASK: Operation = {
  what: "personal_sign, MetaMask's route",
  run: async ({ signForMetaMask }) => signForMetaMask(),
  rounds: 19,
  maxGrowth: 1.1,
};

const SIGNING_FOR_SITE: Operation = {
  what: "personal_sign, a dapp's route",
  run: async ({ signForSite }) => signForSite(),
  rounds: 19,
  maxGrowth: 1.1,
};

const LISTING: Operation = {
  what: 'listAccounts',
  run: async ({ listAccounts }) => listAccounts(),
  rounds: 15,
};

/** How often an account is created, and a worker started, in each wallet. */
const CREATIONS = 7;
const STARTS = 5;

/** Run the bench. */
export async function benchAccounts(): Promise<number> {
  const started: AccountWallet[] = [];
  const start = async (count: number): Promise<AccountWallet> => {
    const wallet = await startAccountWallet(count);
    started.push(wallet);
    return wallet;
  };
  try {
    const measurements = await measure({
      one: await start(1),
      hundred: await start(100),
      thousand: await start(1_000),
    });
    return (
      print(measurements, { count: '1,000 accounts', side: 'thousand' }) +
      print(measurements, { count: '100 accounts', side: 'hundred' })
    );
  } finally {
    await Promise.all(started.map(async (wallet) => wallet.stop()));
  }
}

async function measure(wallets: Wallets): Promise<Measurement[]> {
  const managed = [
    ...(await measureOperation(wallets, SIGNING_FOR_METAMASK)),
    ...(await measureOperation(wallets, LISTING)),
    ...(await measureCreation(wallets)),
    await measureStart(wallets),
  ];
  for (const wallet of Object.values(wallets)) await wallet.grantAll();
  return [...managed, ...(await measureOperation(wallets, SIGNING_FOR_SITE))];
}

async function measureOperation(
  wallets: Wallets,
  operation: Operation,
): Promise<Measurement[]> {
  const { what, run, maxGrowth } = operation;
  const figures = await compareTimes(wallets, run, operation);
  const stored = await mapWallets(wallets, async (wallet) => {
    const [, bytes] = await wallet.countStored(async () => run(wallet));
    return bytes;
  });
  const time = { what, figures, unit: 'ms' };
  return [
    maxGrowth === undefined ? time : { ...time, bound: { atMost: maxGrowth } },
    { what: `${what}: stored`, figures: stored, unit: 'bytes', bound: { each: 0 } },
  ];
}

async function measureCreation(wallets: Wallets): Promise<Measurement[]> {
  const what = 'createAccount';
  const create = async (wallet: AccountWallet): Promise<number> => {
    const [account, time] = await measureTime(wallet.createAccount);
    await wallet.removeAccount(account);
    return time;
  };
  const figures = await compareWallets(wallets, create, { rounds: CREATIONS });
  const stored = await mapWallets(wallets, async (wallet) => {
    const [account, bytes] = await wallet.countStored(wallet.createAccount);
    await wallet.removeAccount(account);
    return bytes;
  });
  return [
    { what, figures, unit: 'ms' },
    { what: `${what}: stored`, figures: stored, unit: 'bytes' },
  ];
}

async function measureStart(wallets: Wallets): Promise<Measurement> {
  const start = async (wallet: AccountWallet): Promise<number> => {
    await wallet.stopWorker();
    const [, time] = await measureTime(wallet.signForMetaMask);
    return time;
  };
  const figures = await compareWallets(wallets, start, { rounds: STARTS });
  return { what: 'first personal_sign of a new worker', figures, unit: 'ms' };
}

function print(
  measurements: readonly Measurement[],
  { count, side }: { count: string; side: 'hundred' | 'thousand' },
): number {
  const title = { name: 'the more accounts', ours: count, theirs: '1 account' };
  const rows = measurements.map(({ figures, ...row }) => ({
    ...row,
    ours: figures[side],
    theirs: figures.one,
  }));
  return printTable(title, rows);
}
