// eth_signUserOperation [userOperation, entryPoint?] → signature (ERC-4337).
import { toCaip2 } from '../eth/chain';
import { findContentAlerts } from '../eth/operation-alerts';
import { signUserOperation } from '../eth/sign-user-operation';
import { UserOperationConfirmation } from '../ui/confirm/user-operation';
import { chooseChain } from './choose-chain';
import { defineMethod } from './method';
import {
  assertOwnOperation,
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
  run: async (params, { account, origin, scope }, services) => {
    const { entryPoint } = getSmartAccount(account);
    assertOwnOperation(getSmartAccount(account), params);
    const chainId = await chooseChain({ account, scope, ownChain: services.ownChain });
    const { operation } = params;
    await services.requireConsent((translate) =>
      UserOperationConfirmation({
        translate,
        origin,
        chain: toCaip2(chainId),
        entryPoint,
        operation,
        alerts: findContentAlerts(operation, entryPoint),
      }),
    );
    return services.withPrivateKey(account, (key) =>
      signUserOperation(operation, { chainId, entryPoint }, key),
    );
  },
});
