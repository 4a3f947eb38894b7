// User operations in the form that callers use (docs/reference/service.md#user-operations).
import type { Json } from '@metamask/utils';
import { toFunctionSelector } from 'viem';
import type { UserOperation } from 'viem/account-abstraction';

import type { Hex } from '../../src/eth/hex';

const FIELDS = {
  initCode: '0x',
  callData: '0xb61d27f6',
  callGasLimit: '0x186a0',
  verificationGasLimit: '0x30d40',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
  paymasterAndData: '0x',
  signature: '0x',
} satisfies Record<string, Hex>;

export function operationOf(
  sender: string,
  changes: Record<string, Json> = {},
): Record<string, Json> {
  return { sender, nonce: '0x7', ...FIELDS, ...changes };
}

/** Returns the operation of {@link operationOf} in viem's form. */
export function toViemOperation(
  sender: string,
): UserOperation<'0.7'> & { initCode: Hex } {
  return {
    sender: sender as Hex,
    nonce: 7n,
    initCode: '0x',
    callData: FIELDS.callData,
    callGasLimit: BigInt(FIELDS.callGasLimit),
    verificationGasLimit: BigInt(FIELDS.verificationGasLimit),
    preVerificationGas: BigInt(FIELDS.preVerificationGas),
    maxFeePerGas: BigInt(FIELDS.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(FIELDS.maxPriorityFeePerGas),
    signature: '0x',
  };
}

const GET_NONCE = toFunctionSelector('getNonce(address,uint192)');

/**
 * Answers eth_call on a chain with an EntryPoint where all nonces are 0. There are no factories, so
 * the snap computes account addresses itself.
 */
export function answerEntryPointCalls([call]: Json[]): Json {
  return JSON.stringify(call).includes(GET_NONCE) ? `0x${'00'.repeat(32)}` : '0x';
}
