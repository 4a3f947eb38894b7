// User operations for real: the built snap in a wallet of MetaMask's packages, over the
// development stack, and a site that uses its smart accounts.
import type { Json } from '@metamask/utils';
import { isAddressEqual, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { connect, type DemoAccount } from '../../dev/demo/world';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { lookAnew, poll } from '../fixtures/stack/requests';
import { setupWalletWorld } from './smart-world';

/** An account of the site's, and whose EntryPoint it is for. */
export type SmartAccount = DemoAccount & { entryPoint: EntryPointVersion };

/** A receipt as the site gets it. */
export type WireReceipt = {
  userOpHash: Hex;
  success: boolean;
  actualGasCost: Hex;
  receipt: { transactionHash: Hex };
};

const NONCE_ABI = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256)',
]);

/** Sets up a bench for the tests of a file. */
export function setupLiveOperationBench() {
  const world = setupWalletWorld();
  const opened: DemoAccount[] = [];
  return Object.assign(world, {
    configure: async (row: Record<string, Json>) => {
      const { companion, stack } = world;
      await companion.snap('tollkeeper_setChain', [{ chainId: stack.chainId, ...row }]);
    },
    /** Creates an account that the site may use, with so much ether. */
    open: async (
      entryPoint: EntryPointVersion,
      ether?: string,
    ): Promise<SmartAccount> => {
      const account = await world.createSmart(entryPoint, ether);
      opened.push(account);
      await connect(world, world.dapp, opened);
      return { ...account, entryPoint };
    },
    /** Sends intents, or an operation of which parts are there, as the site; `options` are
     * beside the params. */
    send: async (
      { id }: SmartAccount,
      params: Json[],
      options: Record<string, Json> = {},
    ) => {
      const request = { account: id, ...options, params };
      return (await world.dapp.snap('eth_sendUserOperation', request)) as Hex;
    },
    /** Asks for the receipt as the site, until there is one. */
    include: async (hash: Hex) => {
      const ask = async (): Promise<Json> =>
        world.dapp.snap('eth_getUserOperationReceipt', [hash]);
      return (await poll(ask)) as unknown as WireReceipt;
    },
    /** Counts what the chain has executed of an account's key. */
    countNonce: async ({ address, entryPoint }: SmartAccount, key = 0n) => {
      const nonce = await world.node.readContract({
        address: world.stack.contracts[entryPoint].entryPoint,
        abi: NONCE_ABI,
        functionName: 'getNonce',
        args: [address, key],
      });
      return nonce - (key << 64n);
    },
    /** Has the snap look at the servers, and lists what it keeps of what an account sent. */
    pollActivity: async ({ address }: SmartAccount) => {
      await lookAnew(world.wallet);
      const all = await world.companion.snap('tollkeeper_getActivity');
      return (all as { hash: Hex; status: string; from: Hex }[]).filter(({ from }) =>
        isAddressEqual(from, address),
      );
    },
  });
}
