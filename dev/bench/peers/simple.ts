// Beside the simple keyring: cold starts, signatures by MetaMask's route, accounts by number.
// Each side is a wallet of MetaMask's packages in which a built snap runs.
import { randomBytes } from 'node:crypto';

import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { addr } from 'micro-eth-signer';
import { toHex, type Hex } from 'viem';

import { createSnapSite, type SnapSite } from '../../demo/world';
import { withStopped } from '../../stack/server';
import { COMPANION_ORIGIN, DEV_SNAP } from '../../wallet/options';
import { startWallet, type Wallet } from '../../wallet/wallet';
import { NO_CHAIN, startAccountWallet, store, type AccountWallet } from '../accounts';
import {
  compare,
  compareSides,
  inTurns,
  mapValues,
  measureTime,
  undisturbed,
  type Row,
} from '../measure';
import { createRequests, listAccounts } from '../signing';
import {
  DYNAMIC,
  MAIL,
  PERMIT2,
  SEAPORT,
  signDocument,
  signPlain,
  signText,
  TEXT,
} from '../signing-cases';

export type Figure = Row & {
  /** What micro-eth-signer takes, without a snap. */
  floor?: number;
};

export type Snap = {
  folder: string;
  /** The site that it lets manage accounts. */
  origin: string;
};

export type Side = {
  wallet: Wallet;
  site: SnapSite;
  createAccount: (options: Record<string, Json>) => Promise<{ address: Hex }>;
  stop: () => Promise<void>;
};

type Sides = Record<'ours' | 'theirs', Side>;

/** The development build: the release has no site that manages accounts. */
export const OWN: Snap = { folder: DEV_SNAP, origin: COMPANION_ORIGIN };

/** What others built; both keyrings let their own site manage accounts. */
export function peerSnap(folder: string): Snap {
  return { folder, origin: 'https://metamask.github.io' };
}

export async function openSide(snap: Snap, chain = NO_CHAIN): Promise<Side> {
  const wallet = await startWallet({ snapFolder: snap.folder, chain });
  wallet.connect(snap.origin);
  const site = createSnapSite(wallet, snap.origin);
  return {
    wallet,
    site,
    createAccount: async (options) =>
      (await site.keyring('keyring_createAccount', { options })) as { address: Hex },
    stop: async () => wallet.stop(),
  };
}

export async function measureSimple(peer: Snap): Promise<Figure[]> {
  const withSides = async <Result>(
    work: (sides: Sides) => Promise<Result>,
  ): Promise<Result> =>
    withStopped(openSide(OWN), async (ours) =>
      withStopped(openSide(peer), async (theirs) => work({ ours, theirs })),
    );
  return [
    // In wallets of its own: an installation drops what others would measure.
    await withSides(measureColdStart),
    ...(await withSides(measureSigning)),
    ...(await measureAccounts(peer)),
  ];
}

// From the installation of a snap to its first answer: the files are read, their checksum
// is compared, a worker starts, evaluates the bundle and lists no accounts.
async function measureColdStart(sides: Sides): Promise<Figure> {
  // MetaMask installs a local snap again whenever a site asks for it.
  const starts = mapValues(sides, ({ wallet }) => async () => {
    const [, time] = await measureTime(async () => {
      const params = { [wallet.snapId]: {} };
      const site = wallet.site(COMPANION_ORIGIN);
      await site.request({ method: 'wallet_requestSnaps', params });
      await listAccounts(wallet);
    });
    // What a snap still does after its installation is no part of the next round.
    await wallet.stopSnap();
    return time;
  });
  const row = { what: 'cold start: install to first answer', unit: 'ms' };
  return compareSides(row, starts, { rounds: 9, summarize: undisturbed });
}

type Requests = ReturnType<typeof createRequests>;

const KEY = randomBytes(32);

/** Signed content, and its signing without a snap. */
const floors: Record<keyof Requests, () => string> = {
  personal_sign: () => signText(TEXT, KEY),
  'eth_signTypedData_v4: mail': () => signDocument(MAIL, KEY),
  'eth_signTypedData_v4: Permit2': () => signDocument(PERMIT2, KEY),
  'eth_signTypedData_v4: Seaport order': () => signDocument(SEAPORT, KEY),
  'eth_signTransaction of type 0x2': () => signPlain(DYNAMIC, KEY),
};

/** Signatures of an account that each side has made, such accounts, and first requests. */
async function measureSigning(sides: Sides): Promise<Figure[]> {
  const [own, other] = [await requestsOf(sides.ours), await requestsOf(sides.theirs)];
  const figures: Figure[] = [];
  const takeTurns = async (
    what: string,
    works: Record<'ours' | 'theirs' | 'floor', () => unknown>,
    repeats?: number,
  ): Promise<void> => {
    const turns = inTurns(works, repeats);
    const times = await compare(turns, { rounds: 15, summarize: undisturbed });
    figures.push({ what, unit: 'ms', ...times });
  };
  for (const [what, floor] of Object.entries(floors)) {
    const name = what as keyof typeof floors;
    await takeTurns(what, { ours: own[name], theirs: other[name], floor }, 5);
  }
  const name = 'eth_signTransaction of type 0x2';
  const firsts = mapValues(
    { ours: own, theirs: other },
    (requests, side) => async () => {
      await sides[side].wallet.stopSnap();
      return (await measureTime(requests[name]))[1];
    },
  );
  const row = { what: 'first transaction of a fresh worker', unit: 'ms' };
  figures.push(await compareSides(row, firsts, { rounds: 9, summarize: undisturbed }));
  await takeTurns('createAccount', {
    ours: async () => sides.ours.createAccount({}),
    theirs: async () => sides.theirs.createAccount({}),
    floor: () => addr.random(),
  });
  figures.push({
    what: 'personal_sign: calls of the platform',
    unit: '',
    ours: await countCalls(sides.ours, own),
    theirs: await countCalls(sides.theirs, other),
  });
  return figures;
}

async function requestsOf({ wallet, createAccount }: Side): Promise<Requests> {
  const { address } = await createAccount({});
  // As MetaMask names accounts; the simple keyring knows no other way.
  return createRequests(wallet, address.toLowerCase());
}

async function countCalls(
  { wallet: { calls } }: Side,
  { personal_sign: sign }: Requests,
): Promise<number> {
  // The worker has signed before the count begins.
  await sign();
  calls.length = 0;
  await sign();
  return calls.length;
}

/** Numbers of accounts, as the table names them. */
const COUNTS = { '1': 1, '100': 100, '1,000': 1_000 };

type Holder = Pick<AccountWallet, 'signForMetaMask' | 'list' | 'stop'>;

type PeerState = {
  wallets: Record<string, { account: KeyringAccount; privateKey: string }>;
};

/** What an operation takes in wallets whose snaps hold 1, 100 and 1,000 accounts. */
async function measureAccounts(peer: Snap): Promise<Figure[]> {
  const holders: Record<string, Holder> = {};
  const measure = async (
    what: string,
    work: (holder: Holder) => Promise<unknown>,
  ): Promise<Figure[]> => {
    const sides = mapValues(holders, (holder) => async () => work(holder));
    const turns = inTurns(sides, 3);
    const times = await compare(turns, { rounds: 15, summarize: undisturbed });
    return Object.keys(COUNTS).map((count) => ({
      what: `${what}, ${count} ${count === '1' ? 'account' : 'accounts'}`,
      unit: 'ms',
      ours: times[`ours ${count}`] ?? NaN,
      theirs: times[`theirs ${count}`] ?? NaN,
    }));
  };
  try {
    for (const [name, count] of Object.entries(COUNTS)) {
      holders[`ours ${name}`] = await startAccountWallet(count);
      holders[`theirs ${name}`] = await startPeer(peer, count);
    }
    const signing = await measure('personal_sign', async (each) =>
      each.signForMetaMask(),
    );
    const growth = {
      what: 'personal_sign: 1,000 accounts beside one, Tollkeeper alone',
      unit: 'ms',
      ours: signing.at(-1)?.ours ?? NaN,
      theirs: signing[0]?.ours ?? NaN,
    };
    const listing = await measure('listAccounts', async (each) => each.list());
    return [...signing, growth, ...listing];
  } finally {
    await Promise.all(Object.values(holders).map(async (each) => each.stop()));
  }
}

async function startPeer(peer: Snap, count: number): Promise<Holder> {
  const side = await openSide(peer);
  const { wallet } = side;
  try {
    const { address } = await side.createAccount({});
    await addOthers(wallet, count);
    return {
      signForMetaMask: async () =>
        wallet.keyring.signPersonalMessage(address.toLowerCase(), TEXT),
      list: async () => listAccounts(wallet),
      stop: side.stop,
    };
  } catch (error) {
    await side.stop();
    throw error;
  }
}

// To create a thousand would take minutes: the others are written into the stored document.
// The account comes last: a linear search has to pass all others.
async function addOthers(wallet: Wallet, count: number): Promise<void> {
  const { encrypted } = await wallet.state();
  const [own] = Object.values((encrypted as unknown as PeerState).wallets);
  if (!own) throw new Error('The other snap stores its accounts in another way.');
  const others = Array.from({ length: count - 1 }, (_each, index) => {
    const id = crypto.randomUUID();
    const address = toHex(index + 1, { size: 20 });
    return { ...own, account: { ...own.account, id, address } };
  });
  const all = [...others, own].map((each) => [each.account.id, each]);
  await store(wallet, { wallets: Object.fromEntries(all) as Json }, count);
}
