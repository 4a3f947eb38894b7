// The setting of the cases. All wallets of a scene start with the same disk.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { HandlerType } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import { createSnapSite } from '../demo/world';
import { KEY, OWNER_KEY } from '../docs/samples';
import { withStopped } from '../stack/server';
import type { WalletDisk } from '../wallet/controllers';
import { COMPANION_ORIGIN } from '../wallet/options';
import { DEFAULT_MNEMONIC } from '../wallet/platform';
import type { Screen } from '../wallet/screen';
import { startWallet, type Wallet } from '../wallet/wallet';
import { type Network, startNetwork } from './network';
import { GRANTED, type FuzzRequest } from './routes';

export type Scene = {
  accounts: readonly KeyringAccount[];
  secrets: readonly string[];
  network: Network;
  open: () => Promise<{ wallet: Wallet; page: Screen }>;
  stop: () => Promise<void>;
};

const toHex = (key: Uint8Array): string => Buffer.from(key).toString('hex');

const SERVER_SECRETS = {
  apiKey: 'fuzz-api-key-4c1d9e07',
  apiKeySecret: 'fuzz-api-key-secret-77aa02',
  bundlerApiKey: 'fuzz-bundler-key-19c2f3b8',
};

// Accounts of each kind, including those in the samples of openrpc.json.
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
  const network = await startNetwork();
  const start = async (disk?: WalletDisk): Promise<Wallet> =>
    startWallet({
      chain: { url: `${network.url}/wallet` },
      // Idle workers are not stopped, so a worker that is not running must have died.
      maxIdleTime: 3_600_000,
      ...(disk && { disk: structuredClone(disk) }),
    });
  return withStopped(start(), async (first) => {
    const { accounts, keys } = await prepareSnap(first, network);
    const disk = await first.disk();
    const { apiKey, apiKeySecret } = SERVER_SECRETS;
    const basic = Buffer.from(`${apiKey}:${apiKeySecret}`).toString('base64');
    return {
      accounts,
      secrets: [...keys, ...Object.values(SERVER_SECRETS), basic, DEFAULT_MNEMONIC],
      network,
      open: async () => {
        const wallet = await start(disk);
        return { wallet, page: await wallet.openHomePage() };
      },
      stop: async () => network.stop(),
    };
  });
}

async function prepareSnap(wallet: Wallet, { url }: Network) {
  const companion = createSnapSite(wallet, COMPANION_ORIGIN);
  const accounts: KeyringAccount[] = [];
  const keys = new Set<string>();
  for (const options of WANTED) {
    const created = await companion.keyring('keyring_createAccount', { options });
    const account = created as unknown as KeyringAccount;
    const { id } = account;
    const exported = await companion.keyring('keyring_exportAccount', { id });
    const { privateKey } = exported as { privateKey: string };
    keys.add(privateKey.replace('0x', ''));
    accounts.push(account);
  }
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
  // The snap reads the grants on its next start.
  const { encrypted } = await wallet.state();
  const ids = accounts.map(({ id }) => id);
  // With one account of each kind, a site's requests need not name an account.
  const grants = Object.fromEntries(
    GRANTED.map((origin, index) => [origin, index % 4 === 0 ? ids : ids.slice(0, 2)]),
  );
  await wallet.stopSnap();
  const state = { ...(encrypted as Record<string, Json>), grants };
  await wallet.controller.updateSnapState(wallet.snapId, state, true);
  return { accounts, keys };
}

export async function send(
  { controller, snapId }: Wallet,
  { handler, origin, request }: FuzzRequest,
): Promise<unknown> {
  const call = { snapId, origin, handler: handler as HandlerType, request };
  return controller.handleRequest(call);
}
