// eth_prepareUserOperation [intent, …] → what a wallet needs to build the operation.
import { encodeIntents } from '../eth/account-calls';
import { toQuantity } from '../eth/hex';
import { DUMMY_SIGNATURE } from '../eth/user-operation';
import { fillForEstimate } from './fill-operation';
import { defineMethod } from './method';
import { connectBundled, getSmartAccount, parseIntents } from './user-operation';

/** Prepares an operation that carries out the intents. Nothing is signed, nobody asked. */
export const ethPrepareUserOperation = defineMethod({
  name: 'eth_prepareUserOperation',
  accountType: 'eip155:erc4337',
  signs: false,
  takesOptions: true,
  parse: (params) => parseIntents(params, 'eth_prepareUserOperation: params'),
  findAddresses: () => [],
  countCalls: (intents) => intents.length,
  run: async (intents, asked, services) => {
    const account = getSmartAccount(asked.account);
    const chain = await connectBundled(asked, services);
    const { options } = asked;
    const callData = encodeIntents(account.entryPoint, intents);
    const { operation } = await fillForEstimate(
      { callData },
      { account, chain, options },
      services,
    );
    const { initCode, nonce, callGasLimit, verificationGasLimit, preVerificationGas } =
      operation;
    return {
      callData,
      initCode,
      nonce: toQuantity(nonce),
      gasLimits: {
        callGasLimit: toQuantity(callGasLimit),
        verificationGasLimit: toQuantity(verificationGasLimit),
        preVerificationGas: toQuantity(preVerificationGas),
      },
      dummySignature: DUMMY_SIGNATURE,
      dummyPaymasterAndData: operation.paymasterAndData,
      bundlerUrl: services.mayHoldSecrets
        ? chain.bundler.secretUrl
        : chain.bundler.publicUrl,
    };
  },
});
