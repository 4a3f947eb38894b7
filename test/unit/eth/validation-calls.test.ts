import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';

import type { Hex } from '../../../src/eth/hex';
import {
  encodeValidation,
  findVerdict,
  hashUserOperation,
} from '../../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { EntryPointVersion } from '../../../src/eth/user-operation';
import { plain, sponsored, toOurs, toStruct } from '../../fixtures/eth/user-operation';

const abi06 = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Operation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
  'function validatePaymasterUserOp(Operation userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes, uint256)',
]);
const abiPacked = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Operation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
  'function validatePaymasterUserOp(Operation userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes, uint256)',
]);

const abiOf = (version: EntryPointVersion): typeof abi06 =>
  version === '0.6' ? abi06 : (abiPacked as never);

describe.each(entryPointVersions)('validation for %s', (version) => {
  const abi = abiOf(version);

  it.each([
    ['plain', plain],
    ['sponsored', sponsored],
    ['signed', { ...plain, signature: `0x${'cd'.repeat(65)}` as const }],
  ])('is encoded as viem does: %s', (_name, parts) => {
    const operation = toOurs(parts, version);
    const struct = toStruct(operation, version) as never;
    const domain = { chainId: 1n, entryPoint: version };
    const hash = hashUserOperation(operation, domain);
    expect(
      encodeValidation(operation, domain, { contract: 'account', amount: 0n }),
    ).toBe(
      encodeFunctionData({
        abi,
        functionName: 'validateUserOp',
        args: [struct, hash, 0n],
      }).toLowerCase(),
    );
    expect(
      encodeValidation(operation, domain, { contract: 'paymaster', amount: 5n }),
    ).toBe(
      encodeFunctionData({
        abi,
        functionName: 'validatePaymasterUserOp',
        args: [struct, hash, 5n],
      }).toLowerCase(),
    );
  });
});

describe('a verdict', () => {
  const answer = (data: bigint, context: Hex = '0x'): Hex =>
    encodeAbiParameters([{ type: 'bytes' }, { type: 'uint256' }], [context, data]);
  const MAX_TIME = 2n ** 48n - 1n;
  const BLOCKS = 2n ** 47n;

  it.each([
    ['good for ever', 0n, { isSignatureValid: true, validUntil: 0n, validAfter: 0n }],
    ['bad', 1n, { isSignatureValid: false, validUntil: 0n, validAfter: 0n }],
    [
      'good for a time',
      (3n << 208n) | (9n << 160n),
      { isSignatureValid: true, validUntil: 9n, validAfter: 3n },
    ],
    [
      'of an aggregator',
      (3n << 208n) | (MAX_TIME << 160n) | (2n ** 160n - 1n),
      { isSignatureValid: false, validUntil: MAX_TIME, validAfter: 3n },
    ],
    [
      'good in some blocks',
      ((BLOCKS + 5n) << 208n) | ((BLOCKS + 9n) << 160n),
      { isSignatureValid: true, validUntil: 0n, validAfter: 0n },
    ],
    [
      'good from a block on',
      (BLOCKS + 5n) << 208n,
      { isSignatureValid: true, validUntil: 0n, validAfter: 0n },
    ],
    [
      'valid from a time that is not a block number',
      ((BLOCKS + 5n) << 208n) | (9n << 160n),
      { isSignatureValid: true, validUntil: 9n, validAfter: BLOCKS + 5n },
    ],
  ])('is %s', (_name, data, verdict) => {
    expect(findVerdict(answer(data))).toStrictEqual(verdict);
    expect(findVerdict(answer(data, `0x${'ff'.repeat(40)}`))).toStrictEqual(verdict);
  });

  it.each(['0x', '0x01', `0x${'00'.repeat(63)}`] as const)('is not in %s', (bytes) => {
    expect(findVerdict(bytes)).toBeUndefined();
  });
});
