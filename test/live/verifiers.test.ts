// Contracts that judge what accounts sign, on the stack: they are there, and take what a plain
// account signs.
import { createPublicClient, http } from 'viem';

import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';

let stack: ChainStack;

beforeAll(async () => {
  stack = await startChainStack();
  await deployVerifiers(stack);
  // What is there stays.
  await deployVerifiers(stack);
});
afterAll(async () => {
  await stack?.stop();
});

it('has a Safe and accounts for EIP-7702 where the world has them', async () => {
  const client = createPublicClient({ transport: http(stack.chain.url) });
  const addresses = [verifiers.safe, verifiers.simple7702].flatMap((row) =>
    Object.values(row),
  );
  const codes = await Promise.all(
    addresses.map(async (address) => client.getCode({ address })),
  );
  expect(addresses).toHaveLength(9);
  for (const code of codes) expect(code).toMatch(/^0x[\da-f]{500,}$/u);
});
