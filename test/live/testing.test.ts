// The built wallet for tests on a real chain with a bundler and a paymaster. viem reads the chain.
import { resolve } from 'node:path';

import {
  createWalletClient,
  custom,
  encodeFunctionData,
  parseAbi,
  parseEther,
} from 'viem';
import type { Address, WalletClient } from 'viem';
import { foundry, mainnet } from 'viem/chains';

import { type DevStack, startDevStack } from '../../dev/stack/stack';
import { deployVerifiers } from '../../dev/stack/verifiers';
import { runNode } from '../../dev/test/check';
import type * as testingModule from '../../packages/testing/src';
import type { TestTollkeeper, TollkeeperOptions } from '../../packages/testing/src';
import { createMemoryNode } from '../support/memory-node';
import { createNode, createRecipient } from '../support/smart-world';

let stack: DevStack;
let createTollkeeper: (typeof testingModule)['createTollkeeper'];

beforeAll(async () => {
  stack = await startDevStack();
  await deployVerifiers(stack);
  const module = resolve('dist/testing/index.js');
  ({ createTollkeeper } = (await import(module)) as typeof testingModule);
});

afterAll(async () => stack?.stop());

type World = TestTollkeeper & { client: WalletClient; account: Address };

async function open(
  account: NonNullable<TollkeeperOptions['accounts']>[number],
  options: Omit<NonNullable<TollkeeperOptions['chains']>[number], 'id'> = {},
): Promise<World> {
  const { chain, bundler } = stack;
  const servers = { rpcUrl: chain.url, bundlerUrl: bundler.url, ...options };
  const wallet = await createTollkeeper({
    accounts: [account],
    chains: [{ id: foundry.id, ...servers }],
  });
  const transport = custom(wallet.provider);
  const client = createWalletClient({ chain: foundry, transport });
  const [address = '0x'] = await client.requestAddresses();
  return Object.assign(wallet, { client, account: address });
}

it.each(['0.6', '0.7', '0.8'] as const)(
  'has a paymaster pay for a smart account with EntryPoint %s',
  async (entryPoint) => {
    const { client, account, reviews } = await open(
      { type: 'eip155:erc4337', entryPoint },
      { paymasterUrl: stack.paymaster.url, paymasterContext: {} },
    );
    const to = createRecipient();
    const data = '0x1234';
    const { id } = await client.sendCalls({ account, calls: [{ to, data }] });
    const status = await client.waitForCallsStatus({ id, pollingInterval: 100 });
    expect(status).toMatchObject({ statusCode: 200, atomic: true });
    expect(await createNode(stack.chain.url).getBalance({ address: account })).toBe(0n);
    expect(reviews.at(-1)).toMatchObject({ effects: [{ kind: 'call', to, data }] });
  },
);

it("describes a call with the package's descriptors", async () => {
  const wallet = await createTollkeeper({
    chains: [{ id: 1, rpcUrl: createMemoryNode() }],
    allowRealChains: true,
    decide: ({ method }) => (method === 'eth_sendTransaction' ? 'reject' : 'approve'),
  });
  const transport = custom(wallet.provider);
  const client = createWalletClient({ chain: mainnet, transport });
  const [account = '0x'] = await client.requestAddresses();
  const data = encodeFunctionData({
    abi: parseAbi(['function submit(address referral) payable']),
    args: [account],
  });
  const to = '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84';
  const call = { account, to, data, value: parseEther('1') } as const;
  await expect(client.sendTransaction(call)).rejects.toThrow('refused');
  expect(wallet.reviews.at(-1)).toMatchObject({
    title: expect.stringMatching(/^Stake/u) as string,
    effects: [{ description: { owner: 'Lido DAO' } }],
  });
});

it("runs the example's main job in Node", async () => {
  const { chain, bundler } = stack;
  const script = 'examples/testing/main.mjs';
  const { code, output } = await runNode([script, chain.url, bundler.url]);
  expect(output.trim().split('\n')).toStrictEqual([
    'message: true',
    'typed data: true',
    ...['legacy', 'eip2930', 'eip1559'].map((type) => `${type}: success, Send 1 ETH`),
    'user operation: success',
    'refused: 4001 The user refused the request.',
  ]);
  expect(code).toBe(0);
});
