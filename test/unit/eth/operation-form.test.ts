import { encodeFunctionData, toFunctionSelector } from 'viem';
import type { Abi, AbiFunction } from 'viem';
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  entryPoint09Abi,
} from 'viem/account-abstraction';

import { encodeFunction } from '../../../src/eth/abi';
import { packGas, toChainForm } from '../../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { EntryPointVersion } from '../../../src/eth/user-operation';
import { plain, sponsored, toOurs, toStruct } from '../../fixtures/eth/user-operation';
import { refusalIn } from '../../support/refusal';

const abis: Record<EntryPointVersion, Abi> = {
  '0.6': entryPoint06Abi,
  '0.7': entryPoint07Abi,
  '0.8': entryPoint08Abi,
  '0.9': entryPoint09Abi,
};

const getHashOf = (version: EntryPointVersion): AbiFunction =>
  abis[version].find(
    (each) => each.type === 'function' && each.name === 'getUserOpHash',
  ) as AbiFunction;

describe.each(entryPointVersions)('the form on chain of %s', (version) => {
  it.each([
    ['plain', plain],
    ['sponsored', sponsored],
    ['signed', { ...plain, signature: `0x${'ab'.repeat(65)}` as const }],
  ])('is the struct that the EntryPoint takes: %s', (_name, parts) => {
    const operation = toOurs(parts, version);
    const { types, values } = toChainForm(operation, version);
    const getHash = getHashOf(version);
    const ours = encodeFunction(
      { selector: toFunctionSelector(getHash), types: [`(${types.join(',')})`] },
      [values],
    );
    expect(ours).toBe(
      encodeFunctionData({
        abi: [getHash],
        args: [toStruct(operation, version)],
      }).toLowerCase(),
    );
  });
});

describe('packed gas', () => {
  const operation = toOurs(plain, '0.7');

  it('holds the limits of verification and calls, and both fees', () => {
    expect(
      packGas({
        ...operation,
        verificationGasLimit: 1n,
        callGasLimit: 2n,
        maxPriorityFeePerGas: 3n,
        maxFeePerGas: 2n ** 128n - 1n,
      }),
    ).toStrictEqual({
      accountGasLimits: `0x${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}`,
      gasFees: `0x${'3'.padStart(32, '0')}${'f'.repeat(32)}`,
    });
  });

  it.each([
    'callGasLimit',
    'verificationGasLimit',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
  ])('has no place for a %s of 2^128', async (name) => {
    const run = (): unknown => packGas({ ...operation, [name]: 2n ** 128n });
    expect(await refusalIn(run)).toStrictEqual({
      code: -32602,
      message:
        'Gas limits and fees of a user operation must be below 2^128 from EntryPoint 0.7 on.',
    });
  });
});
