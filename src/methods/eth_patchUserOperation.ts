// eth_patchUserOperation [userOperation] → the fields to change before it is signed.
import { toUserOperationJson } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import { fetchSponsorship } from '../fees/sponsor-operation';
import { chooseChain } from './choose-chain';
import { defineMethod } from './method';
import {
  assertOwnOperation,
  getSmartAccount,
  parseOperationParams,
} from './user-operation';

/** Answers who pays: the chain's paymaster where the operation has a paymaster's stub. */
export const ethPatchUserOperation = defineMethod({
  name: 'eth_patchUserOperation',
  accountType: 'eip155:erc4337',
  signs: false,
  parse: (params) => parseOperationParams(params, 'eth_patchUserOperation: params'),
  findAddresses: ({ operation }) => [operation.sender],
  countCalls: () => 1,
  run: async (params, { account, scope }, services) => {
    const own = getSmartAccount(account);
    assertOwnOperation(own, params);
    const { operation } = params;
    const { ownChain, connect, now, knownOperations } = services;
    const chainId = await chooseChain({ account, scope, ownChain });
    const version = own.entryPoint;
    const fetchPatch = async (): Promise<Partial<UserOperation>> => {
      const { paymasterAndData } = operation;
      if (paymasterAndData === '0x') return { paymasterAndData };
      const { node, paymaster } = await connect(chainId);
      // It has one that is not ours to ask.
      if (!paymaster) return { paymasterAndData };
      const place = { chainId, version, node, paymaster, now };
      return fetchSponsorship(operation, place);
    };
    const patch = await fetchPatch();
    const domain = { chainId, entryPoint: version };
    await knownOperations.note({ ...operation, ...patch }, domain);
    return toUserOperationJson(patch);
  },
});
