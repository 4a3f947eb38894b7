import {
  hashUserOperation,
  signUserOperation,
} from '../../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { UserOperation } from '../../../src/eth/user-operation';
import { plain, sponsored, toOurs } from '../../fixtures/eth/user-operation';
import type { OperationParts } from '../../fixtures/eth/user-operation';
import { failureOf } from '../../support/error-of';

const MAX = 2n ** 256n - 1n;
const MAX_128 = 2n ** 128n - 1n;

const withNumbers = (numbers: Partial<OperationParts['numbers']>): OperationParts => ({
  ...plain,
  numbers: { ...plain.numbers, ...numbers },
});

describe.each(entryPointVersions)('hashUserOperation for %s', (entryPoint) => {
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
});

describe('a number over 128 bits', () => {
  const large: Partial<OperationParts['numbers']>[] = [
    { callGasLimit: MAX_128 + 1n },
    { verificationGasLimit: MAX_128 + 1n },
    { maxFeePerGas: MAX_128 + 1n },
    { maxPriorityFeePerGas: MAX },
  ];

  it.each(large)("%p is refused in a Safe's document", async (numbers) => {
    const domain = { chainId: 1n, entryPoint: '0.7', implementation: 'safe' } as const;
    const operation = toOurs(withNumbers(numbers), '0.7');
    const run = (): unknown =>
      signUserOperation(operation, domain, new Uint8Array(32).fill(1));
    expect((await failureOf(run)).message).toMatch(/must be below 2\^128/u);
  });

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
});
