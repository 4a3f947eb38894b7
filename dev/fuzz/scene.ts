// What cases play in: the servers, a wallet whose snap has accounts, chains and grants, and
// what of it is secret. Every wallet of a scene begins with the same disk. Another keyring
// snap can take the place of ours: its state and screens are not known, so only its
// deaths, its silence and its internal errors count.
import type { HandlerType } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import { createSnapSite } from '../demo/world';
import { KEY, OWNER_KEY } from '../docs/contract/samples';
import { withStopped } from '../stack/server';
import type { WalletDisk } from '../wallet/controllers';
import { keyringRpc } from '../wallet/keyring-requests';
import { COMPANION_ORIGIN, type WalletOptions } from '../wallet/options';
import { DEFAULT_MNEMONIC } from '../wallet/platform';
import type { Screen } from '../wallet/screen';
import { startWallet, type Wallet } from '../wallet/wallet';
import type { SceneAccount } from './calls';
import { type Network, startNetwork } from './network';
import { type FailureKind, failureKinds } from './oracle';
import { GRANTED, type FuzzRequest } from './routes';

type Page = Pick<Screen, 'interfaceId' | 'content'>;

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** A scene without its servers. */
type Furniture = {
  accounts: readonly SceneAccount[];
  /** The site that may manage accounts. */
  companion: string;
  /** Secrets: keys of the accounts and of servers, and the phrase. */
  secrets: readonly string[];
  kinds: readonly FailureKind[];
  /** Starts the snap and does nothing else. */
  wake: FuzzRequest;
  /** Whether the wallet is kept after a failure. */
  goesOn: boolean;
  openPage: (wallet: Wallet) => Promise<Page>;
};

const toHex = (key: Uint8Array): string => Buffer.from(key).toString('hex');

const SERVER_SECRETS = {
  apiKey: 'fuzz-api-key-4c1d9e07',
  apiKeySecret: 'fuzz-api-key-secret-77aa02',
  bundlerApiKey: 'fuzz-bundler-key-19c2f3b8',
};

// An account of each kind, those of the contract's samples among them.
const WANTED: readonly Record<string, Json>[] = [
  { privateKey: toHex(KEY) },
  {
    type: 'eip155:erc4337',
    privateKey: toHex(OWNER_KEY),
    entryPoint: '0.7',
    scopes: ['eip155:1', 'eip155:10'],
  },
  { index: 0 },
  { type: 'eip155:erc4337', index: 0, entryPoint: '0.6', scopes: ['eip155:1'] },
  { type: 'eip155:erc4337', index: 1, entryPoint: '0.8', scopes: ['eip155:1'] },
];

export async function setScene(): Promise<Scene> {
  return openScene({}, async (wallet, network) => {
    const { accounts, keys } = await furnish(wallet, network);
    const { apiKey, apiKeySecret, bundlerApiKey } = SERVER_SECRETS;
    const basic = Buffer.from(`${apiKey}:${apiKeySecret}`).toString('base64');
    return {
      accounts,
      companion: COMPANION_ORIGIN,
      kinds: failureKinds,
      wake: { handler: 'onInactive', origin: 'metamask', request: { method: '' } },
      goesOn: false,
      secrets: [...keys, apiKey, apiKeySecret, bundlerApiKey, basic, DEFAULT_MNEMONIC],
      openPage: async (opened) => opened.openHomePage(),
    };
  });
}

/** Starts the servers, and the wallet whose disk each wallet of the scene begins with. */
async function openScene(
  options: Partial<WalletOptions>,
  furnishIt: (wallet: Wallet, network: Network) => Promise<Furniture>,
) {
  const network = await startNetwork();
  const start = async (disk?: WalletDisk): Promise<Wallet> =>
    startWallet({
      ...options,
      chain: { url: `${network.url}/wallet` },
      // Idle workers are not stopped: one that is gone has died.
      maxIdleTime: 3_600_000,
      ...(disk && { disk: structuredClone(disk) }),
    });
  return withStopped(start(), async (first) => {
    const { openPage, ...furniture } = await furnishIt(first, network);
    const disk = await first.disk();
    return {
      ...furniture,
      network,
      /** Starts a wallet from the scene's disk, with the snap's page on its screen. */
      open: async () => {
        const wallet = await start(disk);
        return { wallet, page: await openPage(wallet) };
      },
      stop: async () => network.stop(),
    };
  });
}

async function furnish(wallet: Wallet, network: Network) {
  const companion = createSnapSite(wallet, COMPANION_ORIGIN);
  const accounts: SceneAccount[] = [];
  const keys = new Set<string>();
  for (const wanted of WANTED) {
    const options = { options: wanted };
    const created = await companion.keyring('keyring_createAccount', options);
    const account = created as SceneAccount;
    const { id } = account;
    const exported = await companion.keyring('keyring_exportAccount', { id });
    const { privateKey } = exported as { privateKey: string };
    keys.add(privateKey.replace('0x', ''));
    accounts.push(account);
  }
  const { url } = network;
  const chain = {
    rpcUrl: `${url}/node`,
    gasBaseUrl: `${url}/gas`,
    bundlerUrl: `${url}/bundler`,
    paymasterUrl: `${url}/paymaster`,
    entryPoint: '0.7',
    ...SERVER_SECRETS,
  };
  await companion.snap('tollkeeper_setChain', [{ chainId: '0x1', ...chain }]);
  const wsUrl = `${url.replace('http', 'ws')}/node10`;
  const { apiKey } = SERVER_SECRETS;
  await companion.snap('tollkeeper_setChain', [{ chainId: 10, wsUrl, apiKey }]);
  // As if each site had asked once; the snap reads it when it is started next.
  const { encrypted } = await wallet.state();
  const ids = accounts.map(({ id }) => id);
  // A site with one account of a kind need not name the account.
  const grants = Object.fromEntries(
    GRANTED.map((origin, index) => [origin, index % 4 === 0 ? ids : ids.slice(0, 2)]),
  );
  await wallet.stopSnap();
  const state = { ...(encrypted as Record<string, Json>), grants };
  await wallet.controller.updateSnapState(wallet.snapId, state, true);
  return { accounts, keys };
}

/** The site that MetaMask's example snaps let manage accounts. */
const COMPANION = 'https://metamask.github.io';

export const PEER_ROUTES = ['dapp', 'companion', 'metamask'];

const ask = (method: string, params?: Json): FuzzRequest => ({
  handler: 'onKeyringRequest',
  origin: COMPANION,
  request: { ...keyringRpc(method, params) },
});

/** Sets a scene for another snap. */
export async function setPeerScene(snapFolder: string): Promise<Scene> {
  return openScene({ snapFolder }, async (wallet) => {
    const accounts: SceneAccount[] = [];
    for (const name of ['one', 'two']) {
      const request = ask('keyring_createAccount', { options: { name } });
      accounts.push((await send(wallet, request)) as SceneAccount);
    }
    return {
      accounts,
      companion: COMPANION,
      secrets: [],
      kinds: ['worker died', 'hung', 'internal error'],
      wake: ask('keyring_listAccounts'),
      goesOn: true,
      openPage: async () => Promise.resolve({ interfaceId: 'none' } as Page),
    };
  });
}

export async function send(
  { controller, snapId }: Wallet,
  { handler, origin, request }: FuzzRequest,
): Promise<unknown> {
  const call = { snapId, origin, handler: handler as HandlerType, request };
  return controller.handleRequest(call);
}
