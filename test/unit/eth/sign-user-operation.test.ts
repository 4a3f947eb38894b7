import { recoverAddress, recoverMessageAddress } from 'viem';

import {
  hashUserOperation,
  signUserOperation,
} from '../../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { UserOperation } from '../../../src/eth/user-operation';
import { owner, privateKey } from '../../fixtures/eth/owner';
import {
  hashByViem,
  plain,
  sponsored,
  toOurs,
} from '../../fixtures/eth/user-operation';
import type { OperationParts } from '../../fixtures/eth/user-operation';
import { failureOf } from '../../support/error-of';

const MAX = 2n ** 256n - 1n;
const MAX_128 = 2n ** 128n - 1n;

const withNumbers = (numbers: Partial<OperationParts['numbers']>): OperationParts => ({
  ...plain,
  numbers: { ...plain.numbers, ...numbers },
});

const operations: [string, OperationParts][] = [
  ['a plain operation', plain],
  ['a sponsored one that deploys its account', sponsored],
  ['one without call data', { ...plain, callData: '0x' }],
  ['one with long call data', { ...plain, callData: `0x${'ab'.repeat(2_000)}` }],
  [
    'one without fees',
    withNumbers({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, nonce: 0n }),
  ],
  [
    'one with the largest numbers',
    withNumbers({
      nonce: MAX,
      preVerificationGas: MAX,
      callGasLimit: MAX_128,
      verificationGasLimit: MAX_128,
      maxFeePerGas: MAX_128,
      maxPriorityFeePerGas: MAX_128,
    }),
  ],
];

describe.each(entryPointVersions)('hashUserOperation for %s', (entryPoint) => {
  it.each(operations)('hashes %s as viem does', (_name, parts) => {
    for (const chainId of [1, 31_337, 2 ** 32 + 1, 2 ** 53 - 1]) {
      const domain = { chainId: BigInt(chainId), entryPoint };
      expect(hashUserOperation(toOurs(parts, entryPoint), domain)).toBe(
        hashByViem(parts, entryPoint, chainId),
      );
    }
  });

  it('does not depend on case, or on the signature', () => {
    const domain = { chainId: 1n, entryPoint };
    const operation = toOurs(sponsored, entryPoint);
    const other = toOurs({ ...sponsored, signature: '0xabcd' }, entryPoint);
    const capitals: UserOperation = {
      ...other,
      sender: `0x${operation.sender.slice(2).toUpperCase()}`,
      initCode: `0x${operation.initCode.slice(2).toUpperCase()}`,
    };
    expect(hashUserOperation(capitals, domain)).toBe(
      hashUserOperation(operation, domain),
    );
  });

  it('is another hash on another chain', () => {
    const operation = toOurs(plain, entryPoint);
    const hashes = [1n, 2n].map((chainId) =>
      hashUserOperation(operation, { chainId, entryPoint }),
    );
    expect(new Set(hashes).size).toBe(2);
  });
});

describe.each(['0.6', '0.7'] as const)('signUserOperation for %s', (entryPoint) => {
  it.each(operations)('signs %s as a message, for the owner', async (_name, parts) => {
    const operation = toOurs(parts, entryPoint);
    const signature = signUserOperation(
      operation,
      { chainId: 1n, entryPoint },
      privateKey,
    );
    const raw = hashByViem(parts, entryPoint, 1);
    expect(signature).toBe(await owner.signMessage({ message: { raw } }));
    expect(await recoverMessageAddress({ message: { raw }, signature })).toBe(
      owner.address,
    );
  });
});

describe.each(['0.8', '0.9'] as const)('signUserOperation for %s', (entryPoint) => {
  it.each(operations)('signs the hash of %s itself', async (_name, parts) => {
    const operation = toOurs(parts, entryPoint);
    const domain = { chainId: 1n, entryPoint };
    const signature = signUserOperation(operation, domain, privateKey);
    const hash = hashByViem(parts, entryPoint, 1);
    expect(signature).toBe(await owner.sign({ hash }));
    expect(await recoverAddress({ hash, signature })).toBe(owner.address);
  });
});

describe('a number over 128 bits', () => {
  const large: Partial<OperationParts['numbers']>[] = [
    { callGasLimit: MAX_128 + 1n },
    { verificationGasLimit: MAX_128 + 1n },
    { maxFeePerGas: MAX_128 + 1n },
    { maxPriorityFeePerGas: MAX },
  ];

  it.each(large)('%p is refused from 0.7 on', async (numbers) => {
    const parts = withNumbers(numbers);
    for (const entryPoint of ['0.7', '0.8', '0.9'] as const) {
      const domain = { chainId: 1n, entryPoint };
      const run = (): unknown => hashUserOperation(toOurs(parts, entryPoint), domain);
      expect(await failureOf(run)).toStrictEqual({
        name: 'InvalidParamsError',
        code: -32602,
        message:
          'Gas limits and fees of a user operation must be below 2^128 from EntryPoint 0.7 on.',
        context: {},
      });
    }
  });

  it.each(large)('%p fits in 0.6', (numbers) => {
    const parts = withNumbers(numbers);
    const domain = { chainId: 1n, entryPoint: '0.6' } as const;
    expect(hashUserOperation(toOurs(parts, '0.6'), domain)).toBe(
      hashByViem(parts, '0.6', 1),
    );
  });
});
