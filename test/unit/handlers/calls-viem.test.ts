// viem's actions of EIP-5792, as they are, over a transport that calls wallet_invokeSnap.
import type { Json } from '@metamask/utils';
import { createWalletClient, custom, UnknownBundleIdError } from 'viem';
import type { Hex, WalletClient } from 'viem';
import { mainnet } from 'viem/chains';

import { createCallsBench } from '../../support/calls-bench';
import type { CallsBench } from '../../support/calls-bench';
import { errorOf } from '../../support/error-of';
import { RECIPIENT } from '../../support/send-bench';

type Bench = CallsBench & { client: WalletClient; account: Hex };

async function setup(): Promise<Bench> {
  const bench = await createCallsBench();
  const client = createWalletClient({
    chain: mainnet,
    transport: custom({
      // What goes between a page and a snap is JSON.
      request: async ({ method, params }: { method: string; params?: unknown }) =>
        bench.call(method, JSON.parse(JSON.stringify(params ?? [])) as Json),
    }),
  });
  return { ...bench, client, account: bench.address as Hex };
}

describe("viem's actions", () => {
  it('send calls of an ordinary account, and wait for them', async () => {
    const { client, account, mine, pool } = await setup();
    const calls = [{ to: RECIPIENT, value: 1n }, { to: RECIPIENT }] as const;
    const { id } = await client.sendCalls({ account, chain: mainnet, calls });
    expect(await client.getCallsStatus({ id })).toMatchObject({ status: 'pending' });
    const hashes = [...pool.keys()];
    hashes.forEach((hash) => mine(hash));
    const done = await client.waitForCallsStatus({ id, timeout: 0 });
    expect(done).toMatchObject({ status: 'success', atomic: false, chainId: 1 });
    expect(done.receipts?.map((each) => [each.transactionHash, each.status])).toEqual(
      hashes.map((hash) => [hash, 'success']),
    );
    expect(await client.showCallsStatus({ id })).toBeUndefined();
  });

  it('send calls of a smart account as one', async () => {
    const { client, smart, operations } = await setup();
    const sent = await client.sendCalls({
      account: smart.address as Hex,
      chain: mainnet,
      id: 'mine',
      forceAtomic: true,
      calls: [{ to: RECIPIENT }, { to: RECIPIENT, data: '0x01' }],
      capabilities: { paymasterService: { url: 'https://paymaster.example/rpc' } },
    });
    expect(sent).toStrictEqual({ id: 'mine' });
    expect(operations.size).toBe(1);
  });

  it('learn what an account can do', async () => {
    const { client, smart } = await setup();
    const account = smart.address as Hex;
    const able = {
      atomic: { status: 'supported' },
      paymasterService: { supported: true },
    };
    expect(await client.getCapabilities({ account })).toStrictEqual({ 1: able });
    expect(await client.getCapabilities({ account, chainId: 1 })).toStrictEqual(able);
  });

  it('throw the errors that are meant', async () => {
    const { client, account } = await setup();
    const unknown = errorOf(async () => client.getCallsStatus({ id: 'none' }));
    expect((await unknown) instanceof UnknownBundleIdError).toBe(true);
    const calls = [{ to: RECIPIENT }] as const;
    const atomic = await errorOf(async () =>
      client.sendCalls({ account, chain: mainnet, calls, forceAtomic: true }),
    );
    expect(atomic.message).toContain('cannot send calls atomically');
  });
});
