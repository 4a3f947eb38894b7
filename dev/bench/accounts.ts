// 1,000 and 100 accounts beside one, in three wallets made of MetaMask's packages with the
// built snap (`npm run build:dev`): what an operation costs for the accounts that are held.
import type { KeyringState } from '@metamask/eth-snap-keyring';
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';

import { deriveAccountId } from '../../src/accounts/record';
import { toPaddedHex } from '../../src/eth/hex';
import { startWallet, type Wallet } from '../wallet/wallet';
import {
  compare,
  inTurns,
  mapValues,
  measureTime,
  undisturbed,
  type Bench,
  type Row,
} from './measure';
import { listAccounts } from './signing';

/** Something for each number of accounts. */
type ByCount<Value> = Record<'one' | 'hundred' | 'thousand', Value>;

type Measurement = Omit<Row, 'ours' | 'theirs'> & { figures: ByCount<number> };

/** An operation that stores nothing. */
type Operation = {
  what: string;
  run: (wallet: AccountWallet) => Promise<unknown>;
  rounds: number;
  /** How many times as long as with one account it may take. */
  atMost?: number;
};

const SIGNING_FOR_METAMASK: Operation = {
  what: "personal_sign, MetaMask's route",
  run: async ({ signForMetaMask }) => signForMetaMask(),
  rounds: 19,
  atMost: 1.1,
};

const SIGNING_FOR_SITE: Operation = {
  ...SIGNING_FOR_METAMASK,
  what: "personal_sign, a dapp's route",
  run: async ({ signForSite }) => signForSite(),
};

const LISTING: Operation = {
  what: 'listAccounts',
  run: async ({ list }) => list(),
  rounds: 15,
};

/** How often an operation is done in a turn. */
const REPEATS = 5;

/** How often an account is created, and a worker started, in each wallet. */
const CREATIONS = 7;
const STARTS = 5;

/** Measures wallets with a thousand and a hundred accounts beside one with one. */
export async function* benchAccounts(): Bench {
  const started: AccountWallet[] = [];
  try {
    const start = async (count: number): Promise<AccountWallet> => {
      const wallet = await startAccountWallet(count);
      started.push(wallet);
      return wallet;
    };
    const measurements = await measure({
      one: await start(1),
      hundred: await start(100),
      thousand: await start(1_000),
    });
    for (const [ours, side] of [
      ['1,000 accounts', 'thousand'],
      ['100 accounts', 'hundred'],
    ] as const) {
      const rows = measurements.map(({ figures, ...row }): Row => ({
        ...row,
        ours: figures[side],
        theirs: figures.one,
      }));
      yield { name: 'the more accounts', ours, theirs: '1 account', rows };
    }
  } finally {
    await Promise.all(started.map(async (wallet) => wallet.stop()));
  }
}

async function measure(wallets: ByCount<AccountWallet>): Promise<Measurement[]> {
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
  wallets: ByCount<AccountWallet>,
  { what, run, rounds, atMost }: Operation,
): Promise<Measurement[]> {
  const sides = mapValues(wallets, (wallet) => async () => run(wallet));
  const figures = await compare(inTurns(sides, REPEATS), {
    rounds,
    summarize: undisturbed,
    isKept: ({ one, hundred, thousand }) =>
      Math.max(hundred, thousand) <= one * (atMost ?? Infinity),
  });
  const bound = atMost === undefined ? undefined : { atMost };
  const stored = await countStored(wallets, run);
  return [
    { what, figures, unit: 'ms', bound },
    { what: `${what}: stored`, figures: stored, unit: 'bytes', bound: { each: 0 } },
  ];
}

async function measureCreation(
  wallets: ByCount<AccountWallet>,
): Promise<Measurement[]> {
  const what = 'createAccount';
  const create = async (wallet: AccountWallet): Promise<number> => {
    const [account, time] = await measureTime(wallet.create);
    await wallet.remove(account);
    return time;
  };
  const figures = await compareWallets(wallets, create, CREATIONS);
  const made: (() => Promise<void>)[] = [];
  const stored = await countStored(wallets, async ({ create: make, remove }) => {
    const account = await make();
    made.push(async () => remove(account));
  });
  for (const remove of made) await remove();
  return [
    { what, figures, unit: 'ms' },
    { what: `${what}: stored`, figures: stored, unit: 'bytes' },
  ];
}

async function measureStart(wallets: ByCount<AccountWallet>): Promise<Measurement> {
  const start = async (wallet: AccountWallet): Promise<number> => {
    await wallet.stopWorker();
    return (await measureTime(wallet.signForMetaMask))[1];
  };
  const figures = await compareWallets(wallets, start, STARTS);
  return { what: 'first personal_sign of a new worker', figures, unit: 'ms' };
}

async function compareWallets(
  wallets: ByCount<AccountWallet>,
  work: (wallet: AccountWallet) => Promise<number>,
  rounds: number,
): Promise<ByCount<number>> {
  const sides = mapValues(wallets, (wallet) => async () => work(wallet));
  return compare(sides, { rounds });
}

async function countStored(
  wallets: ByCount<AccountWallet>,
  work: (wallet: AccountWallet) => Promise<unknown>,
): Promise<ByCount<number>> {
  const count = async (wallet: AccountWallet): Promise<number> =>
    wallet.countStored(async () => work(wallet));
  return {
    one: await count(wallets.one),
    hundred: await count(wallets.hundred),
    thousand: await count(wallets.thousand),
  };
}

/** A wallet with accounts, and what is done with them. */
export type AccountWallet = {
  /** Have a text signed as MetaMask does. */
  signForMetaMask: () => Promise<unknown>;
  /** Have a text signed for a site, which shows a dialog. */
  signForSite: () => Promise<unknown>;
  list: () => Promise<KeyringAccount[]>;
  create: () => Promise<KeyringAccount>;
  /** Remove an account, and wait until MetaMask has written what is left. */
  remove: (account: KeyringAccount) => Promise<void>;
  /** Grant sites every account. Work that follows meets a new worker. */
  grantAll: () => Promise<void>;
  stopWorker: () => Promise<void>;
  /** Count the bytes that the snap stores while work is done. */
  countStored: (work: () => Promise<unknown>) => Promise<number>;
  stop: () => Promise<void>;
};

/** Sites that ask in turn: each may ask 50 times in ten seconds. */
const SITES = Array.from({ length: 8 }, (_each, index) => `https://${index}.example`);
const MESSAGE = stringToHex('The toll is paid.');

// Nothing here asks a chain.
const NO_CHAIN = { url: 'http://127.0.0.1:1' };

/**
 * Starts a wallet whose snap, and MetaMask, hold so many accounts. To create a thousand would
 * take minutes: one is created and signs, and is written into the stored document after others
 * whose keys nobody asks for.
 */
export async function startAccountWallet(count: number): Promise<AccountWallet> {
  const wallet = await startWallet({ chain: NO_CHAIN });
  const { keyring, snapId } = wallet;
  try {
    const account = await keyring.createAccount(snapId, {});
    const accounts = createRecords(account, count);
    await store(wallet, { accounts });
    await tellMetaMask(wallet, count);
    const sites = SITES.map((origin) => wallet.site(origin));
    let asked = 0;
    return {
      signForMetaMask: async () =>
        keyring.signPersonalMessage(account.address, MESSAGE),
      signForSite: async () => {
        const site = sites[(asked += 1) % sites.length];
        const request = { method: 'personal_sign', params: [MESSAGE, account.address] };
        const params = { snapId, request };
        return site?.request({ method: 'wallet_invokeSnap', params });
      },
      list: async () => (await listAccounts(wallet)) as KeyringAccount[],
      create: async () => keyring.createAccount(snapId, {}),
      remove: async ({ address }) => {
        await keyring.removeAccount(address);
        await wallet.disk();
      },
      grantAll: async () => {
        for (const origin of SITES) wallet.connect(origin);
        const ids = Object.keys(accounts);
        const grants = Object.fromEntries(SITES.map((origin) => [origin, ids]));
        await store(wallet, { accounts, grants });
      },
      stopWorker: async () => wallet.stopSnap(),
      countStored: async (work) => {
        wallet.calls.length = 0;
        await work();
        return wallet.calls
          .filter(({ method }) => method === 'snap_setState')
          .reduce((sum, { params }) => sum + JSON.stringify(params).length, 0);
      },
      stop: async () => wallet.stop(),
    };
  } catch (error) {
    await wallet.stop();
    throw error;
  }
}

// The account comes last: whoever looks for it one by one has to pass all others.
function createRecords(
  { id, address }: KeyringAccount,
  count: number,
): Record<string, Json> {
  const toKey = (index: number): Json => ({ kind: 'derived', index });
  const others = Array.from({ length: count - 1 }, (_each, position) => {
    const index = position + 1;
    const identity = {
      type: 'eip155:eoa',
      address: toPaddedHex(BigInt(index), 20),
    } as const;
    return { ...identity, id: deriveAccountId(identity), key: toKey(index) };
  });
  const own = { type: 'eip155:eoa', id, address, key: toKey(0) };
  return Object.fromEntries([...others, own].map((record) => [record.id, record]));
}

async function store(
  wallet: Wallet,
  changes: { accounts: Json; grants?: Json },
): Promise<void> {
  const { encrypted } = await wallet.state();
  const document = { ...(encrypted as Record<string, Json>), ...changes };
  await wallet.controller.updateSnapState(wallet.snapId, document, true);
  // A worker reads it once.
  await wallet.stopSnap();
  await wallet.disk();
}

/** An account as the bridge has it, whose keyring-api is older than ours. */
type BridgeAccount = KeyringState['accounts'][string]['account'];

async function tellMetaMask(wallet: Wallet, count: number): Promise<void> {
  const accounts = (await listAccounts(wallet)) as BridgeAccount[];
  if (accounts.length !== count) {
    throw new Error(`The snap holds ${accounts.length} accounts instead of ${count}.`);
  }
  const { snapId } = wallet;
  const entries = accounts.map((account) => [account.id, { account, snapId }] as const);
  await wallet.keyring.deserialize({ accounts: Object.fromEntries(entries) });
}
