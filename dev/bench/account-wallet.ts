// A wallet of MetaMask's packages whose snap holds many accounts. To create a thousand
// would take minutes: one is created and signs, and is written into the stored document
// after others whose keys nobody asks for.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';

import { deriveAccountId } from '../../src/accounts/record';
import { toPaddedHex } from '../../src/eth/hex';
import { startWallet } from '../wallet/wallet';
import type { Wallet } from '../wallet/wallet';

/** A wallet with accounts, and what is done with them. */
export type AccountWallet = {
  /** Have a text signed as MetaMask does. */
  signForMetaMask: () => Promise<unknown>;
  /** Have a text signed for a site, which shows a dialog. */
  signForSite: () => Promise<unknown>;
  listAccounts: () => Promise<KeyringAccount[]>;
  createAccount: () => Promise<KeyringAccount>;
  /** Remove an account, and wait until MetaMask has written what is left. */
  removeAccount: (account: KeyringAccount) => Promise<void>;
  /** Grant sites every account. Work that follows meets a new worker. */
  grantAll: () => Promise<void>;
  stopWorker: () => Promise<void>;
  /** Do work and count the bytes that the snap has stored meanwhile. */
  countStored: <Result>(
    work: () => Promise<Result>,
  ) => Promise<[result: Result, bytes: number]>;
  stop: () => Promise<void>;
};

/** Sites that ask in turn: each may ask 50 times in ten seconds. */
const SITES = Array.from({ length: 8 }, (_each, index) => `https://${index}.example`);

const MESSAGE = stringToHex('The toll is paid.');

// Nothing here asks a chain.
const NO_CHAIN = { url: 'http://127.0.0.1:1' };

/** Start a wallet. */
export async function startAccountWallet(count: number): Promise<AccountWallet> {
  const wallet = await startWallet({ chain: NO_CHAIN });
  try {
    const account = await createAccount(wallet);
    const accounts = createRecords(account, count);
    await store(wallet, { accounts });
    await tellMetaMask(wallet, count);
    return createOperations(wallet, { account, accounts });
  } catch (error) {
    await wallet.stop();
    throw error;
  }
}

function createOperations(
  wallet: Wallet,
  { account, accounts }: { account: KeyringAccount; accounts: Record<string, Json> },
): AccountWallet {
  const { keyring } = wallet;
  const sites = SITES.map((origin) => wallet.site(origin));
  let asked = 0;
  return {
    signForMetaMask: async () => keyring.signPersonalMessage(account.address, MESSAGE),
    signForSite: async () => {
      const site = sites[(asked += 1) % sites.length];
      const request = { method: 'personal_sign', params: [MESSAGE, account.address] };
      const params = { snapId: wallet.snapId, request };
      return site?.request({ method: 'wallet_invokeSnap', params });
    },
    listAccounts: async () => listAccounts(wallet),
    createAccount: async () => createAccount(wallet),
    removeAccount: async ({ address }) => {
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
      const result = await work();
      const bytes = wallet.calls
        .filter(({ method }) => method === 'snap_setState')
        .reduce((sum, { params }) => sum + JSON.stringify(params).length, 0);
      return [result, bytes];
    },
    stop: async () => wallet.stop(),
  };
}

async function createAccount({ keyring, snapId }: Wallet): Promise<KeyringAccount> {
  return keyring.createAccount(snapId, {});
}

async function listAccounts(wallet: Wallet): Promise<KeyringAccount[]> {
  const id = crypto.randomUUID();
  const frame = { jsonrpc: '2.0', id, method: 'keyring_listAccounts' };
  return (await wallet.metamaskKeyring(frame)) as KeyringAccount[];
}

// The account comes last: whoever looks for it one by one has to pass all others.
function createRecords(
  { id, address }: KeyringAccount,
  count: number,
): Record<string, Json> {
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

function toKey(index: number): Json {
  return { kind: 'derived', index };
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

async function tellMetaMask(wallet: Wallet, count: number): Promise<void> {
  const accounts = await listAccounts(wallet);
  if (accounts.length !== count) {
    throw new Error(`The snap holds ${accounts.length} accounts instead of ${count}.`);
  }
  const { snapId } = wallet;
  const entries = accounts.map((account) => [account.id, { account, snapId }] as const);
  await wallet.keyring.deserialize({ accounts: Object.fromEntries(entries) });
}
