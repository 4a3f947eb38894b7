// Contracts that judge what accounts sign, on the stack: they are there, and take what a plain
// account signs by viem, and nothing else.
import { createPublicClient, http } from 'viem';
import type { TypedDataDefinition } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { judges } from '../../dev/docs/verification';
import type { Judge } from '../../dev/docs/verification';
import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import { createJudges } from '../support/judges';
import type { Judgement, Signer } from '../support/judges';

let stack: ChainStack;
let judgements: Record<Judge, Judgement>;

beforeAll(async () => {
  stack = await startChainStack();
  await deployVerifiers(stack);
  // What is there stays.
  judgements = createJudges(stack, await deployVerifiers(stack));
});
afterAll(async () => {
  await stack?.stop();
});

function createSigner(): Signer {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    address: account.address,
    signMessage: async (message) => account.signMessage({ message }),
    signTypedData: async (document: TypedDataDefinition) =>
      account.signTypedData(document),
  };
}

it('has the contracts of others where the world has them', async () => {
  const { safe, simple7702, permit2 } = verifiers;
  const addresses = [...Object.values(safe), ...Object.values(simple7702), permit2];
  const client = createPublicClient({ transport: http(stack.chain.url) });
  const codes = await Promise.all(
    addresses.map(async (address) => client.getCode({ address })),
  );
  expect(addresses).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^0x[\da-f]{500,}$/u);
});

it.each(Object.entries(judges) as [Judge, string][])(
  'has for %s what tells whose a signature is',
  async (judge) => {
    const signer = createSigner();
    expect(await judgements[judge](signer)).toBe(true);
    const { address } = createSigner();
    expect(await judgements[judge]({ ...signer, address })).toBe(false);
  },
);
