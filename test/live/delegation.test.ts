// EIP-7702 on a real chain: an account delegates, sends batches, still signs with its key, and
// revokes the delegation. viem delegates to a contract that Tollkeeper does not know.
import {
  createWalletClient,
  encodeFunctionData,
  getAddress,
  http,
  keccak256,
  parseAbi,
  parseEther,
  toHex,
  verifyMessage,
} from 'viem';
import type { Hex } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import type { DemoAccount, SnapSite } from '../../dev/demo/world';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import { toTollkeeperSmartAccount } from '../../packages/viem/src';
import { implementations } from '../../src/core/authorization';
import { poll, sendCalls, waitForBatch } from '../fixtures/stack/requests';
import { errorOf } from '../support/error-of';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapProvider, createSnapTransport } from '../support/snap-transport';

const world = setupSmartWorld();

beforeAll(async () => deployVerifiers(world.stack));

const codeOf = async ({ address }: DemoAccount): Promise<Hex | undefined> =>
  (await world.node.getCode({ address }))?.toLowerCase() as Hex | undefined;

const delegatedTo = (address: Hex): string =>
  `0xef0100${address.slice(2)}`.toLowerCase();

async function createEoa(
  options: Record<string, string> = {},
): Promise<{ account: DemoAccount; site: SnapSite }> {
  const account = await world.createAccount({ type: 'eip155:eoa', ...options }, '1');
  return { account, site: await world.visit(account) };
}

/** Delegates or revokes as the companion page, and waits for the transaction. */
async function changeDelegation(
  method: 'tollkeeper_delegate' | 'tollkeeper_revokeDelegation',
  { address }: DemoAccount,
  fields: Record<string, string> = {},
): Promise<void> {
  const params = [{ account: address, chainId: '0x7a69', ...fields }];
  const { hash } = (await world.companion.snap(method, params)) as { hash: Hex };
  const { status } = await world.node.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
}

async function sendBatch(
  { address }: DemoAccount,
  site: SnapSite,
  forceAtomic: boolean,
): Promise<{ received: bigint[]; receipts: number; atomic: boolean }> {
  const client = createWalletClient({
    account: address,
    chain: foundry,
    transport: createSnapTransport(site),
    pollingInterval: 300,
  });
  const calls = [1n, 2n, 3n].map((value) => ({ to: createRecipient(), value }));
  const { id } = await client.sendCalls({ calls, forceAtomic });
  const { receipts = [], status, atomic } = await client.waitForCallsStatus({ id });
  expect(status).toBe('success');
  const received = await Promise.all(
    calls.map(async ({ to }) => world.node.getBalance({ address: to })),
  );
  return { received, receipts: receipts.length, atomic };
}

async function atomicityOf({ address }: DemoAccount, site: SnapSite): Promise<unknown> {
  const all = await site.snap('wallet_getCapabilities', [address, ['0x7a69']]);
  return (all as Record<string, { atomic: { status: string } }>)['0x7a69']?.atomic
    .status;
}

it('offers contracts whose code on the chain has the expected hash', async () => {
  expect(implementations.map((each) => each.entryPoint)).toStrictEqual(['0.9', '0.8']);
  for (const { entryPoint, address, codeHash } of implementations) {
    expect(address).toBe(verifiers.simple7702[entryPoint as '0.8' | '0.9']);
    expect(keccak256((await world.node.getCode({ address })) ?? '0x')).toBe(codeHash);
  }
});

it.each(['0.8', '0.9'] as const)(
  'delegates, sends batches, signs and revokes for EntryPoint %s',
  async (entryPoint) => {
    const { account, site } = await createEoa();
    expect(await atomicityOf(account, site)).toBe('ready');
    await changeDelegation('tollkeeper_delegate', account, { entryPoint });
    expect(await codeOf(account)).toBe(delegatedTo(verifiers.simple7702[entryPoint]));
    expect(await atomicityOf(account, site)).toBe('supported');
    const oneTransaction = { received: [1n, 2n, 3n], receipts: 1, atomic: true };
    expect(await sendBatch(account, site, true)).toStrictEqual(oneTransaction);
    expect(await sendBatch(account, site, false)).toStrictEqual(oneTransaction);

    const { address } = account;
    const message = 'Still my key';
    const signature = (await site.snap('personal_sign', [
      toHex(message),
      address,
    ])) as Hex;
    expect(await verifyMessage({ address, message, signature })).toBe(true);
    const to = createRecipient();
    const transfer = { from: address, to, value: '0x5' };
    const hash = (await site.snap('eth_sendTransaction', [transfer])) as Hex;
    await world.node.waitForTransactionReceipt({ hash });
    expect(await world.node.getBalance({ address: to })).toBe(5n);

    await changeDelegation('tollkeeper_revokeDelegation', account);
    expect(await codeOf(account)).toBeUndefined();
    expect(await atomicityOf(account, site)).toBe('ready');
    const threeTransactions = { received: [1n, 2n, 3n], receipts: 3, atomic: false };
    expect(await sendBatch(account, site, false)).toStrictEqual(threeTransactions);
  },
);

it.each(['0.8', '0.9'] as const)(
  "works with viem's bundler client for EntryPoint %s",
  async (entryPoint) => {
    const { account, site } = await createEoa();
    await changeDelegation('tollkeeper_delegate', account, { entryPoint });
    const provider = createSnapProvider(site);
    const smart = await toTollkeeperSmartAccount({ client: world.node, provider });
    expect(smart.entryPoint.version).toBe(entryPoint);
    const bundler = createBundlerClient({
      account: smart,
      client: world.node,
      chain: foundry,
      pollingInterval: 300,
      transport: createSnapTransport(site),
    });
    const to = createRecipient();
    const hash = await bundler.sendUserOperation({ calls: [{ to, value: 5n }] });
    const { success } = await bundler.waitForUserOperationReceipt({ hash });
    expect(success).toBe(true);
    expect(await world.node.getBalance({ address: to })).toBe(5n);
  },
);

it.each(['0.8', '0.9'] as const)(
  'sends user operations with and without a paymaster for EntryPoint %s',
  async (entryPoint) => {
    const { account, site } = await createEoa();
    const { address } = account;
    await changeDelegation('tollkeeper_delegate', account, { entryPoint });
    const before = await world.node.getBalance({ address });
    const to = createRecipient();
    const calls = [1, 2].map(() => ({ to, value: '0x1' }));
    const { url } = world.stack.paymaster;
    const capabilities = { paymasterService: { url } };
    const id = await sendCalls(site, { from: address, calls, capabilities });
    expect(await waitForBatch(site, id)).toMatchObject({ status: 200, atomic: true });
    expect(await world.node.getBalance({ address })).toBe(before - 2n);

    const envelope = { account: address, params: [{ to, value: '0x3' }] };
    const limits = await site.snap('eth_estimateUserOperationGas', envelope);
    expect(limits).toHaveProperty('callGasLimit');
    const hash = await site.snap('eth_sendUserOperation', envelope);
    const receipt = await poll(async () =>
      site.snap('eth_getUserOperationReceipt', [hash]),
    );
    expect(receipt).toMatchObject({ success: true, sender: getAddress(address) });
    expect(await world.node.getBalance({ address: to })).toBe(5n);
    expect(await world.node.getBalance({ address })).toBeLessThan(before - 5n);
  },
);

it('delegates with the first batch that must be atomic', async () => {
  const { account, site } = await createEoa();
  expect(await codeOf(account)).toBeUndefined();
  expect(await sendBatch(account, site, true)).toStrictEqual({
    received: [1n, 2n, 3n],
    receipts: 1,
    atomic: true,
  });
  expect(await codeOf(account)).toMatch(/^0xef0100/u);
});

it('reverts the whole batch if one call fails', async () => {
  const { account, site } = await createEoa();
  const to = createRecipient();
  const failing = {
    to: implementations[0]?.address,
    data: encodeFunctionData({
      abi: parseAbi(['function execute(address,uint256,bytes)']),
      args: [to, 1n, '0x'],
    }),
  };
  const calls = [{ to, value: '0x1' }, failing];
  const from = account.address;
  const id = await sendCalls(site, { from, calls, atomicRequired: true });
  expect(await waitForBatch(site, id)).toMatchObject({ status: 500, atomic: true });
  expect(await world.node.getBalance({ address: to })).toBe(0n);
});

it('refuses atomic batches from an account with an unknown delegate, and revokes its delegation', async () => {
  const privateKey = generatePrivateKey();
  const { account, site } = await createEoa({ privateKey });
  const foreign = world.stack.contracts['0.7'].entryPoint;
  const client = createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: foundry,
    transport: http(world.stack.chain.url),
  });
  const authorization = await client.signAuthorization({
    contractAddress: foreign,
    executor: 'self',
  });
  const hash = await client.sendTransaction({
    to: createRecipient(),
    value: parseEther('0.01'),
    authorizationList: [authorization],
  });
  await world.node.waitForTransactionReceipt({ hash });
  expect(await codeOf(account)).toBe(delegatedTo(foreign));
  expect(await atomicityOf(account, site)).toBe('unsupported');
  const { message } = await errorOf(async () => sendBatch(account, site, true));
  expect(message).toContain('which Tollkeeper does not know');

  await changeDelegation('tollkeeper_revokeDelegation', account);
  expect(await codeOf(account)).toBeUndefined();
});
