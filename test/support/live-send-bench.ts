// Sending for real: the built snap in a wallet of MetaMask's packages, and the development
// service over a chain whose blocks come when they are asked for.
import type { Json } from '@metamask/utils';
import {
  createTestClient,
  type Hash,
  type Hex,
  http,
  parseEther,
  publicActions,
  type PublicActions,
  type TestClient,
} from 'viem';
import { foundry } from 'viem/chains';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import {
  KEY,
  SECRET,
  type ServiceBench,
  startServiceBench,
} from '../../dev/service/service-bench';
import type { WalletDisk } from '../../dev/wallet/controllers';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { startWallet, type Wallet } from '../../dev/wallet/wallet';

const DAPP = 'https://dapp.example';

/** A sent transaction as the companion page sees it. */
export type Shown = {
  hash: Hash;
  nonce: Hex;
  status: string;
  replacedBy?: Hash;
  inclusion?: Record<string, Json>;
};

type Parts = {
  wallet: Wallet;
  bench: ServiceBench;
  node: TestClient & PublicActions;
  address: Hex;
  companion: SnapSite;
  dapp: SnapSite;
};

/** Sets up a bench for the tests of a file: an account with money, granted to a site. */
export function setupLiveSendBench() {
  const parts = {} as Parts;
  const actions = actionsOf(parts);
  beforeAll(async () => {
    parts.bench = await startServiceBench({ faults: { delayMs: 50 } });
    const { nodeUrl, service } = parts.bench;
    const transport = http(nodeUrl);
    parts.node = createTestClient({ mode: 'anvil', chain: foundry, transport }).extend(
      publicActions,
    );
    await open(parts);
    await actions.configure({ rpcUrl: service.url, gasBaseUrl: service.url });
    const created = await parts.companion.keyring('keyring_createAccount', {
      options: {},
    });
    parts.address = (created as { address: Hex }).address;
    await parts.node.setBalance({ address: parts.address, value: parseEther('100') });
    await parts.dapp.snap('eth_requestAccounts');
  });
  afterAll(async () => {
    await parts.wallet?.stop();
    await parts.bench?.stop();
  });
  return Object.assign(parts, actions);
}

async function open(parts: Parts, disk?: WalletDisk): Promise<void> {
  const chain = { url: parts.bench.nodeUrl };
  const wallet = await startWallet({ chain, ...(disk && { disk }) });
  if (!disk) wallet.connect(DAPP);
  parts.wallet = wallet;
  parts.companion = createSnapSite(wallet, COMPANION_ORIGIN);
  parts.dapp = createSnapSite(wallet, DAPP);
}

function actionsOf(parts: Parts) {
  return {
    /** Sends a transfer of 1 wei to oneself, or something else. */
    send: async (fields: Record<string, Json> = {}) => {
      const { address } = parts;
      const transfer = { from: address, to: address, value: '0x1', ...fields };
      return (await parts.dapp.snap('eth_sendTransaction', [transfer])) as Hash;
    },
    mine: async () => parts.node.mine({ blocks: 1 }),
    /** Wakes the snap as its background event does. */
    poll: async () => {
      await parts.wallet.invoke('onCronjob', { method: 'tollkeeper_poll' });
    },
    /** Lists what the snap keeps of what was sent, newest first. */
    activity: async () =>
      (await parts.companion.snap('tollkeeper_getActivity')) as unknown as Shown[],
    /** Lists the hashes in the node's pool. */
    pool: async () => {
      const { pending, queued } = await parts.node.getTxpoolContent();
      const all = [...Object.values(pending), ...Object.values(queued)];
      return all.flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash));
    },
    configure: async (row: Record<string, Json>) => {
      // A key that is kept is for the hosts that it was given for.
      const keys = { apiKey: KEY, apiKeySecret: SECRET };
      const params = [{ chainId: 31_337, ...keys, ...row }];
      await parts.companion.snap('tollkeeper_setChain', params);
    },
    /** Restarts the client from its disk. */
    restart: async () => {
      const disk = await parts.wallet.disk();
      await parts.wallet.stop();
      await open(parts, disk);
    },
    /** Lets so much time pass for what the snap keeps: it is stopped, and finds it older. */
    age: async (ms: number) => ageActivity(parts.wallet, ms),
  };
}

type Entry = { sentAt: number; absentSince?: number };

/** Lets so much time pass for what a wallet's snap keeps of what was sent. */
export async function ageActivity(wallet: Wallet, ms: number): Promise<void> {
  await wallet.stopSnap();
  const { encrypted } = await wallet.state();
  const state = encrypted as { activity: Record<string, Entry> };
  for (const entry of Object.values(state.activity)) {
    entry.sentAt -= ms;
    if (entry.absentSince !== undefined) entry.absentSince -= ms;
  }
  await wallet.controller.updateSnapState(wallet.snapId, state, true);
}
