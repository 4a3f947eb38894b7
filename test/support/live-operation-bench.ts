// Real user operations: the built snap in a wallet made of MetaMask's packages, the development
// stack, and a site that uses the smart accounts.
import type { Json } from '@metamask/utils';
import { isAddressEqual, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { connect, type DemoAccount } from '../../dev/demo/world';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { pollServers, poll } from '../fixtures/stack/requests';
import { listSent } from './sent-transactions';
import { setupWalletWorld } from './smart-world';

export type SmartAccount = DemoAccount & { entryPoint: EntryPointVersion };

export type WireReceipt = {
  userOpHash: Hex;
  success: boolean;
  actualGasCost: Hex;
  receipt: { transactionHash: Hex };
};

const NONCE_ABI = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256)',
]);

export function setupLiveOperationBench() {
  const world = setupWalletWorld();
  const opened: DemoAccount[] = [];
  return Object.assign(world, {
    configure: async (row: Record<string, Json>) => {
      const { companion, stack } = world;
      await companion.snap('tollkeeper_setChain', [{ chainId: stack.chainId, ...row }]);
    },
    open: async (
      entryPoint: EntryPointVersion,
      ether?: string,
    ): Promise<SmartAccount> => {
      const account = await world.createSmart(entryPoint, ether);
      opened.push(account);
      await connect(world, world.dapp, opened);
      return { ...account, entryPoint };
    },
    /** Sends intents or a partial operation as the site. `options` are further fields of the
     * request's envelope. */
    send: async (
      { id }: SmartAccount,
      params: Json[],
      options: Record<string, Json> = {},
    ) => {
      const request = { account: id, ...options, params };
      return (await world.dapp.snap('eth_sendUserOperation', request)) as Hex;
    },
    include: async (hash: Hex) => {
      const request = async (): Promise<Json> =>
        world.dapp.snap('eth_getUserOperationReceipt', [hash]);
      return (await poll(request)) as unknown as WireReceipt;
    },
    /** Counts the operations that an account has executed with a nonce key. */
    countNonce: async ({ address, entryPoint }: SmartAccount, key = 0n) => {
      const nonce = await world.node.readContract({
        address: world.stack.contracts[entryPoint].entryPoint,
        abi: NONCE_ABI,
        functionName: 'getNonce',
        args: [address, key],
      });
      return nonce - (key << 64n);
    },
    pollActivity: async ({ address }: SmartAccount) => {
      await pollServers(world.wallet);
      const all = await listSent(world.wallet);
      return all.filter(({ from }) => isAddressEqual(from, address));
    },
  });
}
