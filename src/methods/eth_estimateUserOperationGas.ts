// eth_estimateUserOperationGas [intent, …] or [partialOperation, entryPoint?] → gas limits,
// as a bundler answers them (ERC-7769), with the margins that a send would have.
import type { Json } from '@metamask/utils';

import { toQuantity } from '../eth/hex';
import { unpackPaymaster } from '../eth/packed-fields';
import type { FilledOperation } from '../fees/fill-user-operation';
import { fillForEstimate } from './fill-operation';
import { defineMethod } from './method';
import {
  connectBundled,
  countWanted,
  findSender,
  getSmartAccount,
  parseWanted,
  toRequest,
} from './user-operation';

/** Estimates what an operation needs. Nothing is signed, nobody asked. */
export const ethEstimateUserOperationGas = defineMethod({
  name: 'eth_estimateUserOperationGas',
  accountType: 'eip155:erc4337',
  signs: false,
  isForDapps: true,
  takesOptions: true,
  parse: (params) => parseWanted(params, 'eth_estimateUserOperationGas: params'),
  findAddresses: findSender,
  countCalls: countWanted,
  run: async (wanted, asked, services) => {
    const account = getSmartAccount(asked.account);
    const request = withOwnPayer(withoutLimits(toRequest(wanted, account)));
    const chain = await connectBundled(asked, services);
    const { options } = asked;
    const place = { account, chain, options };
    const filled = await fillForEstimate(request, place, services);
    const { operation } = filled;
    const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
    return {
      callGasLimit: toQuantity(callGasLimit),
      verificationGasLimit: toQuantity(verificationGasLimit),
      preVerificationGas: toQuantity(preVerificationGas),
      ...(account.entryPoint === '0.6' ? {} : toPaymasterGas(filled)),
    };
  },
});

// A caller who has something in the signature's place signs and sends it as it is: who
// pays is said, and the unpacked form says nobody by leaving the paymaster out.
function withOwnPayer(
  request: ReturnType<typeof toRequest>,
): ReturnType<typeof toRequest> {
  return request.signature === undefined
    ? request
    : { paymasterAndData: '0x', ...request };
}

// The caller's limits are a guess: they are what is asked for.
function withoutLimits(
  request: ReturnType<typeof toRequest>,
): ReturnType<typeof toRequest> {
  const rest = { ...request };
  delete rest.callGasLimit;
  delete rest.verificationGasLimit;
  delete rest.preVerificationGas;
  return rest;
}

// What a service says of its own gas stands; the caller's limits are a guess.
function toPaymasterGas({
  operation,
  sponsorship,
  paymasterGas,
}: FilledOperation): Record<string, Json> {
  const own = unpackPaymaster(operation.paymasterAndData);
  if (!own) return {};
  const estimated = sponsorship ? {} : paymasterGas;
  const {
    paymasterVerificationGasLimit = own.verificationGasLimit,
    paymasterPostOpGasLimit = own.postOpGasLimit,
  } = estimated;
  return {
    paymasterVerificationGasLimit: toQuantity(paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: toQuantity(paymasterPostOpGasLimit),
  };
}
