// The whole stack with a wallet in front of it, for tests of user operations: smart
// accounts of each EntryPoint version, who pays, and what arrived on chain.
import type { Json } from '@metamask/utils';
import { createPublicClient, http } from 'viem';
import type { Address, HttpTransport, PublicClient } from 'viem';
import { foundry } from 'viem/chains';

import {
  configureChain,
  connect,
  createAccount,
  createSnapSite,
  type DemoAccount,
  type SnapSite,
  startWorld,
  type World,
} from '../../dev/demo/world';
import type { EntryPointVersion } from '../../src/eth/user-operation';

/** Everything that runs, and what the tests of a file do with it. */
export type SmartWorld = World & {
  /** The chain, asked without the snap. */
  node: PublicClient<HttpTransport, typeof foundry>;
  /** Create an account that serves this chain alone, with an ether if it is to pay. */
  createSmart: (version: EntryPointVersion, ether?: string) => Promise<DemoAccount>;
  /** Visit a site for the first time, and connect it with an account. */
  visit: (account: DemoAccount) => Promise<SnapSite>;
  /** Have the stack's paymaster pay, with this context; null has accounts pay again. */
  setPaymaster: (context: Record<string, Json> | null) => Promise<void>;
};

/** Start the world before the tests of a file, and stop it after them. */
export function setupSmartWorld(): SmartWorld {
  const parts = {} as SmartWorld;
  beforeAll(async () => {
    const world = await startWorld();
    Object.assign(parts, world, actionsOf(world));
    await configureChain(world);
  });
  afterAll(async () => {
    await parts.stop?.();
  });
  return parts;
}

function actionsOf(world: World): Omit<SmartWorld, keyof World> {
  const { stack, companion, wallet } = world;
  let visited = 0;
  return {
    node: createPublicClient({
      chain: foundry,
      transport: http(stack.chain.url),
      pollingInterval: 100,
    }),
    createSmart: async (version, ether) => {
      const account = await createAccount(world, {
        type: 'eip155:erc4337',
        entryPoint: version,
        scopes: ['eip155:31337'],
      });
      if (ether !== undefined) await stack.fund(account.address, ether);
      return account;
    },
    visit: async (account) => {
      const origin = `https://dapp-${(visited += 1)}.example`;
      wallet.connect(origin);
      const site = createSnapSite(wallet, origin);
      await connect(world, site, [account]);
      return site;
    },
    setPaymaster: async (context) => {
      const { chainId, paymaster } = stack;
      const paymasterUrl = context === null ? null : paymaster.url;
      const row = { chainId, paymasterUrl, paymasterContext: context };
      await companion.snap('tollkeeper_setChain', [row]);
    },
  };
}

let next = 1n;

/** Think of an address that nobody has used. */
export function createRecipient(): Address {
  next += 1n;
  return `0x${(0xfeed_0000n + next).toString(16).padStart(40, '0')}`;
}
