// Hashes of user operations: ours are those of the deployed EntryPoints, for whatever
// stands in an operation.
import fc from 'fast-check';
import { createPublicClient, http } from 'viem';

import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../src/eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../src/eth/user-operation';
import { toOurs, toStruct } from '../fixtures/eth/user-operation';
import { encodeGetUserOpHash } from '../fixtures/stack/user-operation';
import { operationParts } from '../support/operation-arbitraries';
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

it.each(entryPointVersions)(
  'hashes as EntryPoint %s does on chain',
  async (version) => {
    const operations = fc
      .sample(operationParts, runs(COUNT))
      .map((parts) => toOurs(parts, version));
    const domain = { chainId: BigInt(stack.chainId), entryPoint: version };
    const ours = operations.map((operation) => hashUserOperation(operation, domain));
    expect(new Set(ours).size).toBeGreaterThan(COUNT / 2);
    expect(await hashAtChain(operations, version)).toStrictEqual(ours);
  },
);
