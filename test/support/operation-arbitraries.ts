// Random user operations, for tests that compare what we make of them.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { concat } from 'viem';

import type { OperationParts } from '../fixtures/eth/user-operation';
import { address, bytes, fixedBytes, uint } from './arbitraries';

/** A nonce: any, or one of a key beside the first. */
const nonce = fc.oneof(
  uint(256),
  fc.tuple(uint(192), uint(64)).map(([key, sequence]) => (key << 64n) | sequence),
);

const paymaster = fc.record({
  paymaster: address,
  paymasterVerificationGasLimit: uint(128),
  paymasterPostOpGasLimit: uint(128),
  paymasterData: bytes(),
});

/** What a user operation of any version is made of. */
export const operationParts: Arbitrary<OperationParts> = fc.record({
  numbers: fc.record({
    nonce,
    callGasLimit: uint(128),
    verificationGasLimit: uint(128),
    preVerificationGas: uint(256),
    maxFeePerGas: uint(128),
    maxPriorityFeePerGas: uint(128),
  }),
  sender: address,
  callData: fc.oneof(bytes(300), fc.constantFrom('0x' as const), bytes(3_000)),
  signature: bytes(65),
  deployment: fc.option(fc.record({ factory: address, factoryData: bytes() }), {
    nil: undefined,
  }),
  paymaster: fc.option(paymaster, { nil: undefined }),
});

/** An operation of EntryPoint 0.9 that its paymaster has signed. */
export const paymasterSignedParts = fc
  .tuple(operationParts, paymaster, bytes(), fixedBytes(1))
  .map(([parts, payer, first, last]) => ({
    ...parts,
    paymaster: { ...payer, paymasterSignature: concat([first, last]) },
  }));
