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

/** The secret part of the bundler's address. */
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

/** Fields beside the params. */
export type SendOptions = Record<string, Json>;

type Parts = { world: World; relay: BundlerRelay; node: PublicClient };

/** Everything that runs, and what a test does with it. */
export type LiveOperationBench = Parts & ReturnType<typeof actionsOf>;

const NONCE_ABI = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256)',
]);

/** Sets up a bench for the tests of a file. */
export function setupLiveOperationBench(): LiveOperationBench {
  const parts = {} as Parts;
  const actions = actionsOf(parts);
  beforeAll(async () => {
    parts.world = await startWorld();
    const { bundler, chain } = parts.world.stack;
    parts.relay = await startBundlerRelay(bundler.url);
    parts.node = createPublicClient({ transport: http(chain.url) });
    await configureChain(parts.world);
    await actions.configure({
      bundlerUrl: parts.relay.url,
      bundlerApiKey: BUNDLER_KEY,
    });
  });
  afterEach(async () => {
    parts.world.wallet.user.onDialog = approveAll;
    await actions.setBundling('auto');
  });
  afterAll(async () => {
    await parts.relay?.stop();
    await parts.world?.stop();
  });
  return Object.assign(parts, actions);
}

function actionsOf(parts: Parts) {
  const debug = async (method: string, ...params: unknown[]): Promise<void> => {
    await requestBundler(parts.world.stack, `debug_bundler_${method}`, params);
  };
  const accounts = accountsOf(parts);
  return {
    ...accounts,
    /** Wakes the snap as its background event does. */
    poll: async () => {
      await parts.world.wallet.invoke('onCronjob', { method: 'tollkeeper_poll' });
    },
    /** Lists what the snap keeps of what an account sent, newest first. */
    activity: async ({ address }: SmartAccount) => {
      const all = await parts.world.companion.snap('tollkeeper_getActivity');
      return (all as { hash: Hex; status: string; from: Hex }[]).filter(({ from }) =>
        isAddressEqual(from, address),
      );
    },
    /** Lets the bundler bundle automatically, or only on request. */
    setBundling: async (mode: 'auto' | 'manual') => debug('setBundlingMode', mode),
    bundle: async () => debug('sendBundleNow'),
    configure: async (row: Record<string, Json>) => {
      const { companion, stack } = parts.world;
      await companion.snap('tollkeeper_setChain', [{ chainId: stack.chainId, ...row }]);
    },
    /** The text of the dialog that opened last. */
    dialog: () => parts.world.wallet.user.dialogs.at(-1)?.text ?? '',
  };
}

function accountsOf(parts: Parts) {
  const opened: DemoAccount[] = [];
  return {
    /** Creates an account that the site may use, with so much ether. */
    open: async (version: EntryPointVersion, ether?: string): Promise<SmartAccount> => {
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
    /** Sends intents, or an operation of which parts are there, as the site. */
    send: async ({ id }: SmartAccount, params: Json[], options: SendOptions = {}) => {
      const request = { account: id, ...options, params };
      return (await parts.world.dapp.snap('eth_sendUserOperation', request)) as Hex;
    },
    /** Asks for the receipt as the site, until there is one. */
    include: async (hash: Hex) => {
      const ask = async (): Promise<Json> => {
        // A site may not ask more often than five times a second.
        await sleep(200);
        return parts.world.dapp.snap('eth_getUserOperationReceipt', [hash]);
      };
      return (await waitFor(ask)) as unknown as WireReceipt;
    },
    /** Counts what the chain has executed of an account's key. */
    countNonce: async ({ address, entryPoint }: SmartAccount, key = 0n) => {
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
