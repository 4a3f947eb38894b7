// eth_signUserOperation [userOperation, entryPoint?] → signature (ERC-4337).
import { chooseChain } from './choose-chain';
import { confirmOperation } from './confirm-operation';
import { defineMethod } from './method';
import { signNoted } from './sign-and-broadcast';
import {
  assertOwnOperation,
  countInnerCalls,
  getSmartAccount,
  parseOperationParams,
} from './user-operation';

/** Signs an operation for the account's own entry point and one chain. */
export const ethSignUserOperation = defineMethod({
  name: 'eth_signUserOperation',
  accountType: 'eip155:erc4337',
  signs: true,
  parse: (params) => parseOperationParams(params, 'eth_signUserOperation: params'),
  findAddresses: ({ operation }) => [operation.sender],
  countCalls: ({ operation }) => countInnerCalls(operation.callData),
  run: async (params, asked, services) => {
    const account = getSmartAccount(asked.account);
    assertOwnOperation(account, params);
    const { origin, scope } = asked;
    const { ownChain } = services;
    const chainId = await chooseChain({ account, scope, ownChain });
    const { operation } = params;
    // It can be signed where nothing can be asked.
    const chain = services.confirmsItself
      ? await services.connect(chainId).catch(() => undefined)
      : undefined;
    const title = 'userOperation.title';
    await confirmOperation(
      { operation },
      { account, chainId, chain, origin, title },
      services,
    );
    const domain = { chainId, entryPoint: account.entryPoint };
    return signNoted(operation, { account, domain }, services);
  },
});
