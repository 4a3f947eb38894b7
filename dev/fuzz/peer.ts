// Another keyring snap in the place of ours: what malformed requests do to it. Of what it
// stores and shows nothing is known, so its deaths, its silence and its internal errors count.
import type { Json } from '@metamask/utils';

import type { WalletOptions } from '../wallet/options';
import { startWallet } from '../wallet/wallet';
import { startNetwork } from './network';
import { createSend } from './person';
import type { FuzzRequest, SceneAccount } from './route';
import type { Page, Scene } from './scene';

/** The site that MetaMask's example snaps let manage accounts. */
const COMPANION = 'https://metamask.github.io';

/** The routes that such a snap has. */
export const PEER_ROUTES = ['dapp', 'companion', 'metamask'];

const NO_PAGE = { interfaceId: 'none' } as Page;

const ask = (method: string, params?: Json): FuzzRequest => ({
  handler: 'onKeyringRequest',
  origin: COMPANION,
  request: {
    ...{ jsonrpc: '2.0', id: '9c190a38-8a7c-4f84-a390-53cd8b5f758b', method },
    ...(params !== undefined && { params }),
  },
});

/** Set a scene for another snap. */
export async function setPeerScene(snapFolder: string): Promise<Scene> {
  const network = await startNetwork();
  const options: WalletOptions = {
    snapFolder,
    chain: { url: `${network.url}/wallet` },
    limits: { maxIdleTime: 3_600_000 },
  };
  const wallet = await startWallet(options);
  const accounts: SceneAccount[] = [];
  for (const name of ['one', 'two']) {
    accounts.push(
      (await createSend(wallet)(
        ask('keyring_createAccount', { options: { name } }),
      )) as SceneAccount,
    );
  }
  const disk = await wallet.disk();
  await wallet.stop();
  return {
    ...{ network, accounts, companion: COMPANION, secrets: [] },
    kinds: ['worker died', 'hung', 'internal error'],
    wake: ask('keyring_listAccounts'),
    goesOn: true,
    open: async () => ({
      wallet: await startWallet({ ...options, disk: structuredClone(disk) }),
      page: NO_PAGE,
    }),
    stop: async () => network.stop(),
  };
}
