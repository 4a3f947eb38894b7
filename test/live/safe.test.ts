// A Safe on a chain with Safe's own contracts: created, used by viem's clients, and verified by
// what others use to verify signatures.
import { setTimeout } from 'node:timers/promises';

import { getAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { foundry } from 'viem/chains';
import { createSiweMessage } from 'viem/siwe';

import type { DemoAccount, SnapSite } from '../../dev/demo/world';
import { deployVerifiers } from '../../dev/stack/verifiers';
import { toTollkeeperSmartAccount } from '../../packages/viem/src';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapProvider, createSnapTransport } from '../support/snap-transport';

type Call = { to: Address; value: bigint; data?: Hex };

const world = setupSmartWorld();

let safe: DemoAccount;
let site: SnapSite;

beforeAll(async () => {
  await deployVerifiers(world.stack);
  const type = 'eip155:erc4337';
  const scopes = ['eip155:31337'];
  safe = await world.createAccount({ type, implementation: 'safe', scopes }, '1');
  site = await world.visit(safe);
});

const document = {
  domain: { name: 'Example', chainId: 31337 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hello' },
} as const;

async function verifyAll(): Promise<void> {
  const { node } = world;
  const account = await toTollkeeperSmartAccount({
    client: node,
    provider: createSnapProvider(site),
  });
  expect(account.address.toLowerCase()).toBe(safe.address);
  const address = account.address;
  const message = createSiweMessage({
    address,
    domain: 'example.org',
    uri: 'https://example.org',
    version: '1',
    chainId: 31337,
    nonce: '12345678',
  });
  const signature = await account.signMessage({ message });
  expect(await node.verifySiweMessage({ message, signature })).toBe(true);
  expect(await node.verifyMessage({ address, message, signature })).toBe(true);
  expect(await node.verifyMessage({ address, message: 'else', signature })).toBe(false);
  const typed = await account.signTypedData(document);
  const asked = { address, ...document, signature: typed };
  expect(await node.verifyTypedData(asked)).toBe(true);
  const params = [message, address];
  const own = await site.snap('personal_sign', { account: address, params });
  expect(own).toBe(signature);
}

it('signs messages before it is deployed', async () => {
  expect(await world.node.getCode({ address: safe.address })).toBeUndefined();
  await verifyAll();
});

it('sends user operations, one call or several, and is deployed by the first', async () => {
  const { node } = world;
  const account = await toTollkeeperSmartAccount({
    client: node,
    provider: createSnapProvider(site),
  });
  const bundler = createBundlerClient({
    account,
    client: node,
    chain: foundry,
    pollingInterval: 300,
    transport: createSnapTransport(site),
  });
  const [one, two] = [createRecipient(), createRecipient()];
  const batches: readonly Call[][] = [
    [{ to: one, value: 1n }],
    [
      { to: one, value: 2n },
      { to: two, value: 5n, data: '0x1234' },
    ],
  ];
  for (const calls of batches) {
    expect(await account.decodeCalls?.(await account.encodeCalls(calls))).toMatchObject(
      calls.map(({ to, value }) => ({ to: getAddress(to), value })),
    );
    const hash = await bundler.sendUserOperation({ calls });
    const receipt = await bundler.waitForUserOperationReceipt({ hash });
    expect(receipt.success).toBe(true);
  }
  expect(await node.getBalance({ address: one })).toBe(3n);
  expect(await node.getBalance({ address: two })).toBe(5n);
});

it('signs messages after it is deployed', async () => {
  expect(await world.node.getCode({ address: safe.address })).not.toBeUndefined();
  await verifyAll();
});

it('sends calls in one operation by wallet_sendCalls', async () => {
  const to = createRecipient();
  const call = { to, value: '0x1' };
  const { id } = (await site.snap('wallet_sendCalls', [
    {
      version: '2.0.0',
      chainId: '0x7a69',
      from: safe.address,
      atomicRequired: true,
      calls: [call, call],
    },
  ])) as { id: string };
  let status = 100;
  while (status === 100) {
    const answer = await site.snap('wallet_getCallsStatus', [id]);
    ({ status } = answer as { status: number });
    await setTimeout(300);
  }
  expect(status).toBe(200);
  expect(await world.node.getBalance({ address: to })).toBe(2n);
});
