// eth_prepareUserOperation [intent, …] → what a wallet needs to build the operation.
import { nullable, object } from '@metamask/superstruct';

import { UnavailableError } from '../errors';
import { encodeIntents } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import { AddressStruct, BytesStruct, QuantityStruct } from '../eth/hex';
import { DUMMY_SIGNATURE } from '../eth/user-operation';
import { estimateOperation, fetchAccountState } from '../fees/fill-user-operation';
import { parse } from '../parse';
import { list } from '../structs';
import { chooseChain } from './choose-chain';
import { defineMethod } from './method';
import { getSmartAccount } from './user-operation';

const IntentsStruct = list(
  object({ to: nullable(AddressStruct), value: QuantityStruct, data: BytesStruct }),
  { min: 1, max: 100 },
);

/** Prepares an operation that carries out the intents. Nothing is signed, nobody asked. */
export const ethPrepareUserOperation = defineMethod({
  name: 'eth_prepareUserOperation',
  accountType: 'eip155:erc4337',
  signs: false,
  parse: (params) => parse(params, IntentsStruct, 'eth_prepareUserOperation: params'),
  findAddresses: () => [],
  run: async (intents, request, services) => {
    const account = getSmartAccount(request.account);
    const { ownChain, connect } = services;
    const chainId = await chooseChain({ account, scope: request.scope, ownChain });
    const { node, bundler } = await connect(chainId);
    if (!bundler) {
      throw new UnavailableError(
        `No bundler is configured for ${toCaip2(chainId)}. Configure one with tollkeeper_setChain.`,
      );
    }
    const callData = encodeIntents(account.entryPoint, intents);
    const state = await fetchAccountState(account, intents, node);
    const gasLimits = await estimateOperation(
      account,
      { ...state, callData },
      bundler.client,
    );
    return {
      callData,
      initCode: state.initCode,
      nonce: state.nonce,
      gasLimits,
      dummySignature: DUMMY_SIGNATURE,
      dummyPaymasterAndData: '0x',
      bundlerUrl: services.mayHoldSecrets ? bundler.secretUrl : bundler.publicUrl,
    };
  },
});
