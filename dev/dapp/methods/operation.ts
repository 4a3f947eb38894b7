// A user operation made of what eth_prepareUserOperation answered: what is left to add are
// the fees.
import type { Hex } from 'viem';

import type { Known, Operation } from './given';
import type { Answered, Request } from './row';

type Prepared = {
  callData: Hex;
  initCode: Hex;
  nonce: Hex;
  gasLimits: Pick<
    Operation,
    'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
  >;
  dummySignature: Hex;
  dummyPaymasterAndData: Hex;
};

type Levels = { medium: Pick<Operation, 'maxFeePerGas' | 'maxPriorityFeePerGas'> };

/** Make an operation that can be patched, signed and sent. */
export async function assembleOperation(
  { params, result, given: { smart } }: Answered,
  request: Request,
): Promise<Known> {
  const prepared = result as Prepared;
  const { account: sender = smart?.address } = params as { account?: Hex };
  if (sender === undefined) return {};
  const { medium } = (await request({
    method: 'tollkeeper_getFeeLevels',
    params: [],
  })) as Levels;
  const operation: Operation = {
    sender,
    nonce: prepared.nonce,
    initCode: prepared.initCode,
    callData: prepared.callData,
    ...prepared.gasLimits,
    maxFeePerGas: medium.maxFeePerGas,
    maxPriorityFeePerGas: medium.maxPriorityFeePerGas,
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: prepared.dummySignature,
  };
  return { operation, signed: undefined };
}
