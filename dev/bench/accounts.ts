// 1,000 accounts beside one, in wallets made of MetaMask's packages with the built snap
// (`npm run build:dev`): what an operation costs for the accounts that are held.
import type { KeyringState } from '@metamask/eth-snap-keyring';
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { deriveAccountId } from '../../src/accounts/repository';
import { toPaddedHex } from '../../src/eth/hex';
import { createSnapSite } from '../demo/world';
import { withStopped } from '../stack/server';
import { startWallet, type Wallet } from '../wallet/wallet';
import {
  compareSides,
  mapValues,
  measureTime,
  undisturbed,
  type Bench,
  type Row,
} from './measure';
import { listAccounts } from './signing';
import { TEXT } from './signing-cases';

type Wallets = Record<'ours' | 'theirs', AccountWallet>;

type Operation = {
  what: string;
  run: (wallet: AccountWallet) => Promise<unknown>;
  rounds: number;
  repeats: number;
  before?: (wallet: AccountWallet) => Promise<void>;
  after?: (wallet: AccountWallet, result: unknown) => Promise<void>;
  /** How many times as long as with one account it may take. */
  atMost?: number;
  stored?: Pick<Row, 'bound'>;
};

const SIGNING: Operation = {
  what: "personal_sign, MetaMask's route",
  run: async ({ signForMetaMask }) => signForMetaMask(),
  rounds: 19,
  repeats: 5,
  atMost: 1.1,
  stored: { bound: { each: 0 } },
};

const MANAGED: readonly Operation[] = [
  SIGNING,
  {
    what: 'listAccounts',
    run: async ({ list }) => list(),
    rounds: 15,
    repeats: 5,
    stored: { bound: { each: 0 } },
  },
  {
    what: 'createAccount',
    run: async ({ keyring, snapId }) => keyring.createAccount(snapId, {}),
    after: async (wallet, account) => {
      await wallet.keyring.removeAccount((account as KeyringAccount).address);
      // Until MetaMask has written the rest.
      await wallet.disk();
    },
    rounds: 7,
    repeats: 1,
    stored: {},
  },
  {
    what: 'first personal_sign of a new worker',
    before: async (wallet) => wallet.stopSnap(),
    run: async ({ signForMetaMask }) => signForMetaMask(),
    rounds: 5,
    repeats: 1,
  },
];

const SIGNING_FOR_SITE: Operation = {
  ...SIGNING,
  what: "personal_sign, a dapp's route",
  run: async ({ signForSite }) => signForSite(),
};

export async function* benchAccounts(): Bench {
  yield* await withStopped(startAccountWallet(1_000), async (ours) =>
    withStopped(startAccountWallet(1), async (theirs) => {
      const rows: Row[] = [];
      for (const each of MANAGED) rows.push(...(await measure({ ours, theirs }, each)));
      await ours.grantAll();
      await theirs.grantAll();
      rows.push(...(await measure({ ours, theirs }, SIGNING_FOR_SITE)));
      const name = 'the more accounts';
      return [{ name, ours: '1,000 accounts', theirs: '1 account', rows }];
    }),
  );
}

async function measure(
  wallets: Wallets,
  { what, run, before, after, rounds, repeats, atMost, stored }: Operation,
): Promise<Row[]> {
  const sides = mapValues(wallets, (wallet) => async () => {
    const times: number[] = [];
    while (times.length < repeats) {
      await before?.(wallet);
      const [result, time] = await measureTime(async () => run(wallet));
      await after?.(wallet, result);
      times.push(time);
    }
    return times;
  });
  const bound = atMost === undefined ? undefined : { atMost };
  const row = { what, unit: 'ms', bound };
  const times = await compareSides(row, sides, { rounds, summarize: undisturbed });
  if (!stored) return [times];
  const countBytes = async (wallet: AccountWallet): Promise<number> => {
    wallet.calls.length = 0;
    const result = await run(wallet);
    const bytes = wallet.calls
      .filter(({ method }) => method === 'snap_setState')
      .reduce((sum, { params }) => sum + JSON.stringify(params).length, 0);
    await after?.(wallet, result);
    return bytes;
  };
  const ours = await countBytes(wallets.ours);
  const theirs = await countBytes(wallets.theirs);
  return [times, { what: `${what}: stored`, ours, theirs, unit: 'bytes', ...stored }];
}

export type AccountWallet = Awaited<ReturnType<typeof startAccountWallet>>;

/** Sites that ask in turn: each may ask 50 times in ten seconds. */
const SITES = Array.from({ length: 8 }, (_each, index) => `https://${index}.example`);

// Nothing asks a chain unless one is named.
export const NO_CHAIN = { url: 'http://127.0.0.1:1' };

/** Starts a wallet with so many accounts. To create a thousand would take minutes: one is created
 * and signs, and is stored after others whose keys are never used. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- what it returns is the type
export async function startAccountWallet(count: number) {
  const wallet = await startWallet({ chain: NO_CHAIN });
  const { keyring, snapId } = wallet;
  try {
    const account = await keyring.createAccount(snapId, {});
    const accounts = createRecords(account, count);
    await store(wallet, { accounts }, count);
    const sites = SITES.map((origin) => createSnapSite(wallet, origin));
    let asked = 0;
    return {
      ...wallet,
      signForMetaMask: async () => keyring.signPersonalMessage(account.address, TEXT),
      signForSite: async () =>
        sites[(asked += 1) % sites.length]?.snap('personal_sign', [
          TEXT,
          account.address,
        ]),
      list: async () => listAccounts(wallet),
      /** Grants sites every account. Work that follows meets a new worker. */
      grantAll: async () => {
        for (const origin of SITES) wallet.connect(origin);
        const ids = Object.keys(accounts);
        const grants = Object.fromEntries(SITES.map((origin) => [origin, ids]));
        await store(wallet, { accounts, grants }, count);
      },
    };
  } catch (error) {
    await wallet.stop();
    throw error;
  }
}

// The account comes last: a linear search has to pass all others.
function createRecords(
  { id, address }: KeyringAccount,
  count: number,
): Record<string, Json> {
  const type = 'eip155:eoa';
  const others = Array.from({ length: count - 1 }, (_each, position) => {
    const index = position + 1;
    const identity = { type, address: toPaddedHex(BigInt(index), 20) } as const;
    return {
      ...identity,
      id: deriveAccountId(identity),
      key: { kind: 'derived', index },
    };
  });
  const own = { type, id, address, key: { kind: 'derived', index: 0 } };
  return Object.fromEntries([...others, own].map((record) => [record.id, record]));
}

/** Writes into the document of a snap, and has MetaMask hold so many accounts of it. */
export async function store(
  wallet: Wallet,
  changes: Record<string, Json>,
  count: number,
): Promise<void> {
  const { snapId } = wallet;
  const { encrypted } = await wallet.state();
  const document = { ...(encrypted as Record<string, Json>), ...changes };
  await wallet.controller.updateSnapState(snapId, document, true);
  // A worker reads it once.
  await wallet.stopSnap();
  await wallet.disk();
  const accounts = (await listAccounts(wallet)) as BridgeAccount[];
  if (accounts.length !== count) {
    throw new Error(`The snap holds ${accounts.length} accounts instead of ${count}.`);
  }
  const entries = accounts.map((account) => [account.id, { account, snapId }] as const);
  await wallet.keyring.deserialize({ accounts: Object.fromEntries(entries) });
}

/** An account as the bridge has it, whose keyring-api is older than ours. */
type BridgeAccount = KeyringState['accounts'][string]['account'];
