// User operations for real: the built snap in a wallet of MetaMask's packages, over the
// development stack with its bundler and paymasters.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Json } from '@metamask/utils';
import { createPublicClient, http, isAddressEqual, parseAbi, toHex } from 'viem';
import type { Hex, PublicClient } from 'viem';

import {
  configureChain,
  connect,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { startBundlerRelay } from '../../dev/stack/bundler-relay';
import type { BundlerRelay } from '../../dev/stack/bundler-relay';
import { approveAll } from '../../dev/wallet/user';
import type { EntryPointVersion } from '../../src/eth/user-operation';
import { requestBundler, waitFor } from '../fixtures/stack/requests';
import { ageActivity } from './live-send-bench';
import type { Shown } from './live-send-bench';

/** Part of the bundler's address, which nobody is told. */
export const BUNDLER_KEY = 'bundler-key-5a1f';

/** An account of the site's, and whose EntryPoint it is for. */
export type SmartAccount = DemoAccount & { entryPoint: EntryPointVersion };

/** A receipt as the site gets it. */
export type WireReceipt = {
  userOpHash: Hex;
  success: boolean;
  actualGasCost: Hex;
  receipt: { transactionHash: Hex };
};

/** What stands beside the params. */
export type SendOptions = Record<string, Json>;

/** What became of an account's operations. */
export type OperationState = { sent: number; executed: bigint; kept: string[] };

/** Everything that runs, and what a test does with it. */
export type LiveOperationBench = {
  world: World;
  relay: BundlerRelay;
  node: PublicClient;
  /** Create an account that the site may use, with so much ether. */
  open: (version: EntryPointVersion, ether?: string) => Promise<SmartAccount>;
  /** Send intents, or an operation of which parts are there, as the site. */
  send: (account: SmartAccount, params: Json[], options?: SendOptions) => Promise<Hex>;
  /** Ask for the receipt as the site, until there is one. */
  include: (hash: Hex) => Promise<WireReceipt>;
  /** Wake the snap as its background event does. */
  poll: () => Promise<void>;
  /** Let so much time pass for what the snap keeps: it is stopped, and finds it older. */
  age: (ms: number) => Promise<void>;
  /** List what the snap keeps of what an account sent, newest first. */
  activity: (account: SmartAccount) => Promise<Shown[]>;
  /** Count what the chain has executed of an account's key. */
  countNonce: (account: SmartAccount, key?: bigint) => Promise<bigint>;
  /** Tell how often the bundler was sent something of an account's, how many operations of
   * key 0 the chain has executed, and what the snap keeps of them, newest first. */
  state: (account: SmartAccount) => Promise<OperationState>;
  /** Have the bundler bundle by itself, or only when it is told to. */
  setBundling: (mode: 'auto' | 'manual') => Promise<void>;
  bundle: () => Promise<void>;
  configure: (row: Record<string, Json>) => Promise<void>;
  /** The text of the dialog that opened last. */
  dialog: () => string;
  countDialogs: () => number;
};

const NONCE_ABI = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256)',
]);

/** Set up a bench for the tests of a file. */
export function setupLiveOperationBench(): LiveOperationBench {
  const parts = {} as LiveOperationBench;
  beforeAll(async () => {
    parts.world = await startWorld();
    const { bundler, chain } = parts.world.stack;
    parts.relay = await startBundlerRelay(bundler.url);
    parts.node = createPublicClient({ transport: http(chain.url) });
    await configureChain(parts.world);
    await parts.configure({ bundlerUrl: parts.relay.url, bundlerApiKey: BUNDLER_KEY });
  });
  afterEach(async () => {
    parts.relay.fault = undefined;
    parts.world.wallet.user.onDialog = approveAll;
    await parts.setBundling('auto');
  });
  afterAll(async () => {
    await parts.relay?.stop();
    await parts.world?.stop();
  });
  return Object.assign(parts, actionsOf(parts));
}

type Parts = 'world' | 'relay' | 'node';

function actionsOf(parts: LiveOperationBench): Omit<LiveOperationBench, Parts> {
  const debug = async (method: string, ...params: unknown[]): Promise<void> => {
    await requestBundler(parts.world.stack, `debug_bundler_${method}`, params);
  };
  return {
    ...accountsOf(parts),
    poll: async () => {
      await parts.world.wallet.invoke('onCronjob', { method: 'tollkeeper_poll' });
    },
    age: async (ms) => ageActivity(parts.world.wallet, ms),
    activity: async ({ address }) => {
      const all = await parts.world.companion.snap('tollkeeper_getActivity');
      const shown = all as unknown as (Shown & { from: Hex })[];
      return shown.filter(({ from }) => isAddressEqual(from, address));
    },
    setBundling: async (mode) => debug('setBundlingMode', mode),
    bundle: async () => debug('sendBundleNow'),
    configure: async (row) => {
      const { companion, stack } = parts.world;
      await companion.snap('tollkeeper_setChain', [{ chainId: stack.chainId, ...row }]);
    },
    dialog: () => parts.world.wallet.user.dialogs.at(-1)?.text ?? '',
    countDialogs: () => parts.world.wallet.user.dialogs.length,
    state: async (account) => ({
      sent: parts.relay.sentBy(account.address).length,
      executed: await parts.countNonce(account),
      kept: (await parts.activity(account)).map(({ status, replacedBy }) =>
        replacedBy === undefined ? status : `${status} by ${replacedBy}`,
      ),
    }),
  };
}

function accountsOf(
  parts: LiveOperationBench,
): Pick<LiveOperationBench, 'open' | 'send' | 'include' | 'countNonce'> {
  const opened: DemoAccount[] = [];
  return {
    open: async (version, ether) => {
      const account = await createAccount(parts.world, {
        type: 'eip155:erc4337',
        entryPoint: version,
        scopes: ['eip155:31337'],
        salt: toHex(opened.length + 1),
      });
      opened.push(account);
      await connect(parts.world, parts.world.dapp, opened);
      if (ether !== undefined) await parts.world.stack.fund(account.address, ether);
      return { ...account, entryPoint: version };
    },
    send: async ({ id }, params, options = {}) => {
      const request = { account: id, ...options, params };
      return (await parts.world.dapp.snap('eth_sendUserOperation', request)) as Hex;
    },
    include: async (hash) => {
      const ask = async (): Promise<Json> => {
        // A site may not ask more often than five times a second.
        await sleep(200);
        return parts.world.dapp.snap('eth_getUserOperationReceipt', [hash]);
      };
      return (await waitFor(ask)) as unknown as WireReceipt;
    },
    countNonce: async ({ address, entryPoint }, key = 0n) => {
      const { entryPoint: to } = parts.world.stack.contracts[entryPoint];
      const nonce = await parts.node.readContract({
        address: to,
        abi: NONCE_ABI,
        functionName: 'getNonce',
        args: [address, key],
      });
      return nonce - (key << 64n);
    },
  };
}
