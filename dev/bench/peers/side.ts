// One side of the comparison: a wallet of MetaMask's packages in which a built snap runs,
// and the site that may manage its accounts.
import type { Json } from '@metamask/utils';

import { createSnapSite } from '../../demo/world';
import type { SnapSite } from '../../demo/world';
import { COMPANION_ORIGIN, DEV_SNAP } from '../../wallet/options';
import { startWallet } from '../../wallet/wallet';
import type { Wallet } from '../../wallet/wallet';

/** A built snap. */
export type Snap = {
  folder: string;
  /** The site that it lets manage accounts. */
  origin: string;
};

/** A wallet with a snap. */
export type Side = {
  wallet: Wallet;
  site: SnapSite;
  /** Ask the snap for its accounts, as MetaMask does. */
  listAccounts: () => Promise<Json>;
  createAccount: (options: Record<string, Json>) => Promise<Account>;
};

/** An account as a snap tells it. */
export type Account = { id: string; address: string };

/** Both sides of a comparison. */
export type Sides = { ours: Side; theirs: Side };

/** The development build: the release has no site that manages accounts. */
export const OWN: Snap = { folder: DEV_SNAP, origin: COMPANION_ORIGIN };

/** What others built; both keyrings let their own site manage accounts. */
export function peerSnap(folder: string): Snap {
  return { folder, origin: 'https://metamask.github.io' };
}

// Nothing asks a chain unless one is named.
const NO_CHAIN = 'http://127.0.0.1:1';

/** Start a wallet and install a snap in it. */
export async function openSide(snap: Snap, chainUrl = NO_CHAIN): Promise<Side> {
  const chain = { url: chainUrl };
  const wallet = await startWallet({ snapFolder: snap.folder, chain });
  wallet.connect(snap.origin);
  const site = createSnapSite(wallet, snap.origin);
  return {
    wallet,
    site,
    listAccounts: async () =>
      wallet.metamaskKeyring({
        ...{ jsonrpc: '2.0', id: crypto.randomUUID() },
        method: 'keyring_listAccounts',
      }),
    createAccount: async (options) =>
      (await site.keyring('keyring_createAccount', { options })) as Account,
  };
}

/** Work with both sides, which are stopped afterwards. */
export async function withSides<Result>(
  peer: Snap,
  work: (sides: Sides) => Promise<Result>,
): Promise<Result> {
  const ours = await openSide(OWN);
  try {
    const theirs = await openSide(peer);
    try {
      return await work({ ours, theirs });
    } finally {
      await theirs.wallet.stop();
    }
  } finally {
    await ours.wallet.stop();
  }
}
