// 1,000 and 100 accounts beside one, in three wallets made of MetaMask's packages with the
// built snap (`npm run build`): what an operation costs for the accounts that are held.
import { type AccountWallet, startAccountWallet } from './account-wallet';
import {
  type Bound,
  compare,
  measureTime,
  printTable,
  type Summary,
  takeTimes,
  undisturbed,
} from './measure';

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

// Three wallets side by side, with one, a hundred and a thousand accounts.

/** Something for each number of accounts. */
export type ByCount<Value> = { one: Value; hundred: Value; thousand: Value };

/** The wallets. */
export type Wallets = ByCount<AccountWallet>;

/** How often an operation is done in a turn. */
const REPEATS = 5;

/** How often an operation is measured that seems to grow too much. */
const TRIES = 3;

/** Let every wallet answer once, one after another. */
export async function mapWallets(
  { one, hundred, thousand }: Wallets,
  measure: (wallet: AccountWallet) => Promise<number>,
): Promise<ByCount<number>> {
  return {
    one: await measure(one),
    hundred: await measure(hundred),
    thousand: await measure(thousand),
  };
}

/** Let the wallets work in turns; see {@link compare}. */
export async function compareWallets(
  { one, hundred, thousand }: Wallets,
  work: (wallet: AccountWallet) => Promise<number | number[]>,
  { rounds, summarize }: { rounds: number; summarize?: Summary },
): Promise<ByCount<number>> {
  const contestants = {
    one: async () => work(one),
    hundred: async () => work(hundred),
    thousand: async () => work(thousand),
  };
  return compare(contestants, rounds, summarize);
}

/**
 * Find the undisturbed time of an operation in each wallet, in milliseconds.
 *
 * @param options - `maxGrowth` is how many times as long as with one account it may take:
 * beyond, it is measured again. What grows does so every time; what the machine held up in
 * one of the wallets is done sooner some other time.
 */
export async function compareTimes(
  wallets: Wallets,
  run: (wallet: AccountWallet) => Promise<unknown>,
  { rounds, maxGrowth = Infinity }: { rounds: number; maxGrowth?: number },
): Promise<ByCount<number>> {
  const compareOnce = async (): Promise<ByCount<number>> =>
    compareWallets(
      wallets,
      async (wallet) => takeTimes(async () => run(wallet), REPEATS),
      {
        rounds,
        summarize: undisturbed,
      },
    );
  let least = await compareOnce();
  for (let tries = 1; tries < TRIES; tries += 1) {
    const { one, hundred, thousand } = least;
    if (Math.max(hundred, thousand) <= one * maxGrowth) break;
    const again = await compareOnce();
    least = {
      one: Math.min(one, again.one),
      hundred: Math.min(hundred, again.hundred),
      thousand: Math.min(thousand, again.thousand),
    };
  }
  return least;
}
