// The whole stack with Tollkeeper, for tests on a real chain with accounts of each kind and a
// paymaster. Tollkeeper runs in memory in tests that do not involve MetaMask.
import type { Json } from '@metamask/utils';
import { createTestClient, http, publicActions, walletActions } from 'viem';
import type { Address } from 'viem';
import { foundry } from 'viem/chains';

import {
  configureChain,
  createAccount,
  createSnapSite,
  type DemoAccount,
  type SnapSite,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { type DevStack, startDevStack } from '../../dev/stack/stack';
import type { WalletOptions } from '../../dev/wallet/options';
import { SNAP_ID } from '../../packages/provider/src/connection';
import type { TestTollkeeper } from '../../packages/testing/src';
import type { EntryPointVersion } from '../../src/core/entry-points';

type AccountOptions = Record<string, string | string[]>;

type Started = {
  stack: DevStack;
  companion: Pick<SnapSite, 'snap'>;
  create: (options: AccountOptions) => Promise<DemoAccount>;
  stop: () => Promise<void>;
};

type Actions = {
  /** A client of the chain that does not use the snap. */
  node: ReturnType<typeof createNode>;
  createAccount: (options: AccountOptions, ether?: string) => Promise<DemoAccount>;
  /** Creates a smart account for this chain only. */
  createSmart: (version: EntryPointVersion, ether?: string) => Promise<DemoAccount>;
  /** Configures the stack's paymaster with this context; null removes the paymaster. */
  setPaymaster: (context: Record<string, Json> | null) => Promise<void>;
};

type SmartWorld = Actions &
  Started & {
    tollkeeper: TestTollkeeper;
    visit: (account: DemoAccount) => Promise<SnapSite>;
  };

/** Starts the stack with the in-memory wallet before a file's tests, and stops it after them. */
export const setupSmartWorld = (): SmartWorld =>
  setup(async () => {
    const { createTollkeeper } = await import('../../packages/testing/src');
    const stack = await startDevStack();
    const chains = [{ id: stack.chainId, rpcUrl: stack.chain.url }];
    const tollkeeper = await createTollkeeper({ accounts: [], chains });
    const snap = tollkeeper.manage as SnapSite['snap'];
    let visited = 0;
    return {
      stack,
      tollkeeper,
      companion: { snap },
      stop: stack.stop,
      create: async (options: AccountOptions) =>
        (await snap('keyring_createAccount', { options })) as DemoAccount,
      visit: async ({ address }: DemoAccount) => {
        const origin = `https://dapp-${(visited += 1)}.example`;
        await tollkeeper.setAccounts([address], origin);
        return createSnapSite({ snapId: SNAP_ID, site: tollkeeper.visit }, origin);
      },
    };
  });

/** Starts the stack with MetaMask's packages before a file's tests, and stops it after them. */
export const setupWalletWorld = (options?: Partial<WalletOptions>): Actions & World =>
  setup(async () => {
    const world = await startWorld(options);
    const create = async (options: AccountOptions) => createAccount(world, options);
    return { ...world, create };
  });

function setup<Parts extends Started>(start: () => Promise<Parts>): Actions & Parts {
  const parts = {} as Actions & Parts;
  beforeAll(async () => {
    const started = await start();
    Object.assign(parts, started, actionsOf(started));
    await configureChain(started);
  });
  afterAll(async () => parts.stop?.());
  return parts;
}

function actionsOf({ stack, companion, create }: Started): Actions {
  const createFunded: Actions['createAccount'] = async (options, ether) => {
    const account = await create(options);
    if (ether !== undefined) await stack.fund(account.address, ether);
    return account;
  };
  return {
    node: createNode(stack.chain.url),
    createAccount: createFunded,
    createSmart: async (entryPoint, ether) => {
      const scopes = ['eip155:31337'];
      return createFunded({ type: 'eip155:erc4337', entryPoint, scopes }, ether);
    },
    setPaymaster: async (paymasterContext) => {
      const paymasterUrl = paymasterContext && stack.paymaster.url;
      const row = { chainId: stack.chainId, paymasterUrl, paymasterContext };
      await companion.snap('tollkeeper_setChain', [row]);
    },
  };
}

/** Creates a viem client for the stack's chain, with the chain's accounts and anvil's methods. */
export function createNode(url: string) {
  const transport = http(url);
  const options = { chain: foundry, transport, pollingInterval: 50 };
  return createTestClient({ mode: 'anvil', ...options })
    .extend(publicActions)
    .extend(walletActions);
}

let next = 1n;

export function createRecipient(): Address {
  next += 1n;
  return `0x${(0xfeed_0000n + next).toString(16).padStart(40, '0')}`;
}
