// A bench for accounts: the built snap in a wallet made of MetaMask's packages on a bare chain, one
// wallet per file, and functions that list the accounts of both sides.
import { jest } from '@jest/globals';
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import type { WalletDisk } from '../../dev/wallet/controllers';
import { COMPANION_ORIGIN, type WalletOptions } from '../../dev/wallet/options';
import { approveAll } from '../../dev/wallet/user';
import { startWallet, type Wallet } from '../../dev/wallet/wallet';
import { startAnvil, type TestChain } from '../fixtures/wallet/anvil';

/** The sorted ids of each side's accounts. */
export type Sides = {
  metamask: string[];
  snap: string[];
  stored: string[];
  unsettled: string[];
};

export type Stored = {
  accounts: Record<string, Json>;
  unsettled: Record<string, Json>;
  requests: Record<string, Json>;
};

export type AccountBench = ReturnType<typeof setupAccountBench>;

const EMPTY: Stored = { accounts: {}, unsettled: {}, requests: {} };

/** The sides if both have these accounts and nothing is unsettled. */
export function sidesWith(...accounts: { id: string }[]): Sides {
  const ids = accounts.map(({ id }) => id).sort();
  return { metamask: ids, snap: ids, stored: ids, unsettled: [] };
}

export const wallets: [string, Partial<WalletOptions>][] = [
  ["today's MetaMask", {}],
  ['the newest MetaMask', { isNewest: true }],
];

export function describeEachWallet(
  define: (bench: AccountBench) => void,
  options: Partial<WalletOptions> = {},
): void {
  describe.each(wallets)('%s', (_name, wallet) =>
    define(setupAccountBench({ ...options, ...wallet })),
  );
}

/** Sets up a bench for a file's tests; accounts are removed after each test. */
export function setupAccountBench(options: Partial<WalletOptions> = {}) {
  let chain: TestChain;
  let wallet: Wallet;

  const start = async (more: Partial<WalletOptions> = {}): Promise<void> => {
    wallet = await startWallet({ chain, ...options, ...more });
  };

  const logged: unknown[][] = [];
  const companion = (): SnapSite => createSnapSite(wallet, COMPANION_ORIGIN);
  const stored = async (): Promise<Stored> =>
    ((await wallet.state()).encrypted ?? EMPTY) as Stored;

  const bench = {
    options,
    /** Errors that MetaMask logged in this test, such as crashes and failed deletions. */
    logged,
    get wallet(): Wallet {
      return wallet;
    },
    get chain(): TestChain {
      return chain;
    },
    get companion(): SnapSite {
      return companion();
    },
    create: async (wanted: Record<string, Json> = {}) => {
      const params = { options: wanted };
      const created = await companion().keyring('keyring_createAccount', params);
      return created as unknown as KeyringAccount;
    },
    /** Lists each side's accounts. The companion's request settles pending changes first. */
    sides: async (): Promise<Sides> => {
      const listed = await companion().keyring('keyring_listAccounts');
      const { accounts, unsettled } = await stored();
      return {
        metamask: toIds(wallet.keyring.listAccounts()),
        snap: toIds(listed as { id: string }[]),
        stored: Object.keys(accounts).sort(),
        unsettled: Object.keys(unsettled).sort(),
      };
    },
    stored,
    /** Signs a message through MetaMask, and recovers the signer's address. */
    sign: async (address: string, message = 'Here I am.') => {
      const signed = wallet.keyring.signPersonalMessage(address, stringToHex(message));
      const signature = (await signed) as Hex;
      return (await recoverMessageAddress({ message, signature })).toLowerCase();
    },
    /** Restarts MetaMask from its disk, which a test may change first. */
    restart: async (change?: (disk: WalletDisk) => void) => {
      const disk = await wallet.disk();
      change?.(disk);
      const { onSnapCall } = wallet;
      await wallet.stop();
      await start({ disk, ...(onSnapCall && { onSnapCall }) });
    },
  };

  beforeAll(async () => {
    chain = await startAnvil();
    await start();
  });
  beforeEach(() => {
    logged.length = 0;
    jest.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
      logged.push(words);
    });
  });
  afterEach(async () => {
    Object.assign(wallet.user, { onDialog: approveAll, confirmAccounts: true });
    wallet.onSnapCall = undefined;
    for (const { address } of wallet.keyring.listAccounts()) {
      await wallet.keyring.removeAccount(address);
    }
    wallet.user.questions.length = 0;
    expect(wallet.user.errors.splice(0)).toStrictEqual([]);
    expect(await bench.sides()).toStrictEqual(sidesWith());
  });
  afterAll(async () => {
    await wallet?.stop();
    chain?.stop();
  });
  return bench;
}

function toIds(accounts: { id: string }[]): string[] {
  return accounts.map(({ id }) => id).sort();
}
