// Hashes of user operations: ours are those of the deployed EntryPoints, for whatever
// is in an operation.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { concat, createPublicClient, http, numberToHex } from 'viem';

import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../src/eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../src/eth/user-operation';
import { plain, toOurs, toStruct } from '../fixtures/eth/user-operation';
import type { OperationParts } from '../fixtures/eth/user-operation';
import { encodeGetUserOpHash } from '../fixtures/stack/user-operation';
import { operationParts, paymasterSignedParts } from '../support/operation-arbitraries';
import { runs } from '../support/runs';

/** How many operations a version is compared by. */
const COUNT = 100;

let stack: ChainStack;

beforeAll(async () => {
  stack = await startChainStack();
});
afterAll(async () => {
  await stack?.stop();
});

async function hashAtChain(
  operations: readonly UserOperation[],
  version: EntryPointVersion,
): Promise<unknown[]> {
  const transport = http(stack.chain.url, { batch: { batchSize: COUNT } });
  const client = createPublicClient({ transport });
  const to = stack.contracts[version].entryPoint;
  const answers = operations.map(async (operation) => {
    const data = encodeGetUserOpHash(toStruct(operation, version));
    return (await client.call({ to, data })).data;
  });
  return Promise.all(answers);
}

it.each([
  ...entryPointVersions.map((version) => [version, 'any operation', operationParts]),
  ['0.9', 'what a paymaster has signed', paymasterSignedParts],
] as [EntryPointVersion, string, Arbitrary<OperationParts>][])(
  'hashes as EntryPoint %s does on chain: %s',
  async (version, _what, arbitrary) => {
    const operations = fc
      .sample(arbitrary, runs(COUNT))
      .map((parts) => toOurs(parts, version));
    const domain = { chainId: BigInt(stack.chainId), entryPoint: version };
    const ours = operations.map((operation) => hashUserOperation(operation, domain));
    expect(new Set(ours).size).toBeGreaterThan(COUNT / 2);
    expect(await hashAtChain(operations, version)).toStrictEqual(ours);
  },
);

it('reads a paymaster signature of any length as EntryPoint 0.9 does', async () => {
  const domain = { chainId: BigInt(stack.chainId), entryPoint: '0.9' } as const;
  for (const length of [0, 1, 4, 5, 2 ** 16 - 1]) {
    const operation = {
      ...toOurs(plain, '0.9'),
      // Four bytes between the paymaster's gas limits and what says how long a signature is.
      paymasterAndData: concat([
        `0x${'01'.repeat(52)}deadbeef`,
        numberToHex(length, { size: 2 }),
        '0x22e325a297439656',
      ]),
    };
    const hash = async () => Promise.resolve(hashUserOperation(operation, domain));
    const refusal = ['InvalidParamsError'];
    const ours = await hash().then(
      (own) => [own],
      (error: Error) => [error.name],
    );
    const theirs = await hashAtChain([operation], '0.9').catch(() => refusal);
    expect(theirs).toStrictEqual(ours);
    expect(theirs === refusal).toBe(length > 4);
  }
});
