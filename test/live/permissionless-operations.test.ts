// permissionless's smart account client, unmodified, with the snap as its bundler.
import { createSmartAccountClient } from 'permissionless/clients';
import { http, parseAbi } from 'viem';
import { createPaymasterClient } from 'viem/account-abstraction';
import { foundry } from 'viem/chains';

import { toTollkeeperSmartAccount } from '../../packages/viem/src';
import type { EntryPointVersion } from '../../src/eth/user-operation';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapProvider, createSnapTransport } from '../support/snap-transport';

const all = ['0.6', '0.7', '0.8', '0.9'] as const;

const world = setupSmartWorld();

async function setup(version: EntryPointVersion, { isSponsored = false } = {}) {
  const { stack, node } = world;
  const created = await world.createSmart(version, isSponsored ? undefined : '1');
  const site = await world.visit(created);
  const account = await toTollkeeperSmartAccount({
    client: node,
    provider: createSnapProvider(site),
    address: created.address,
  });
  const paymaster = createPaymasterClient({ transport: http(stack.paymaster.url) });
  return createSmartAccountClient({
    account,
    chain: foundry,
    client: node,
    bundlerTransport: createSnapTransport(site),
    pollingInterval: 300,
    ...(isSponsored ? { paymaster } : {}),
  });
}

const balanceOf = async (address: `0x${string}`): Promise<bigint> =>
  world.node.getBalance({ address });

describe.each(all)('EntryPoint %s', (version) => {
  it('sends transactions, as operations whose inclusion it waits for', async () => {
    const client = await setup(version);
    const to = createRecipient();
    for (const value of [2n, 3n]) {
      const hash = await client.sendTransaction({ to, value });
      const receipt = await world.node.getTransactionReceipt({ hash });
      expect(receipt.to).toBe(client.account.entryPoint.address.toLowerCase());
    }
    expect(await balanceOf(to)).toBe(5n);
  });

  it('sends operations of several calls', async () => {
    const client = await setup(version);
    // An executeBatch of 0.6 carries no values.
    const value = version === '0.6' ? 0n : 4n;
    const calls = [createRecipient(), createRecipient()].map((to) => ({ to, value }));
    const hash = await client.sendUserOperation({ calls });
    const { success } = await client.waitForUserOperationReceipt({ hash });
    expect(success).toBe(true);
    expect(await Promise.all(calls.map(async ({ to }) => balanceOf(to)))).toStrictEqual(
      [value, value],
    );
  });

  it('writes to contracts, and follows calls by the hash of their operation', async () => {
    const client = await setup(version);
    const { entryPoint } = client.account;
    const abi = parseAbi(['function depositTo(address account) payable']);
    const to = createRecipient();
    await client.writeContract({
      abi,
      address: entryPoint.address,
      functionName: 'depositTo',
      args: [to],
      value: 9n,
    });
    const deposit = await world.node.readContract({
      abi: parseAbi(['function balanceOf(address account) view returns (uint256)']),
      address: entryPoint.address,
      functionName: 'balanceOf',
      args: [to],
    });
    expect(deposit).toBe(9n);

    const { id } = await client.sendCalls({ calls: [{ to, value: 6n }] });
    await client.waitForUserOperationReceipt({ hash: id as `0x${string}` });
    expect(await client.getCallsStatus({ id })).toMatchObject({
      id,
      chainId: 31337,
      status: 'success',
      atomic: true,
    });
    expect(await balanceOf(to)).toBe(6n);
  });

  it("has the dapp's own paymaster pay for an account without money", async () => {
    const client = await setup(version, { isSponsored: true });
    const hash = await client.sendUserOperation({ calls: [{ to: createRecipient() }] });
    const { success } = await client.waitForUserOperationReceipt({ hash });
    expect(success).toBe(true);
    expect(await balanceOf(client.account.address)).toBe(0n);
  });
});
