// What can become of a transaction that is pending, over a real chain.
import { createWalletClient, http } from 'viem';
import type { Hex } from 'viem';
import { foundry } from 'viem/chains';

import { answerChain } from '../support/answer-rpc';
import { startHttpServer } from '../support/http-server';
import { setupLiveSendBench } from '../support/live-send-bench';
import { BLOB_HASH } from '../support/transactions';

const live = setupLiveSendBench();

const OTHER = `0x${'de'.repeat(20)}` as const;

describe('a pending transaction', () => {
  it.each(['speedUp', 'cancel'])('is replaced: %s', async (action) => {
    const hash = await live.send({ value: '0x5' });
    const after = (await live.dapp.snap('tollkeeper_replaceTransaction', [
      hash,
      { action },
    ])) as Hex;
    expect(await live.pool()).toStrictEqual([after]);
    await live.mine();
    await live.poll();
    const [newest, before] = await live.activity();
    expect(newest).toMatchObject({ hash: after, status: 'included', replaces: hash });
    expect(before).toMatchObject({ hash, status: 'replaced', replacedBy: after });
  });

  it('that the node loses is sent again, the same', async () => {
    const hash = await live.send();
    await live.node.dropTransaction({ hash });
    expect(await live.pool()).toStrictEqual([]);
    await live.poll();
    expect(await live.pool()).toStrictEqual([hash]);
    await live.mine();
    await live.poll();
    expect((await live.activity())[0]).toMatchObject({ hash, status: 'included' });
  });

  it('whose nonce another wallet used is told to be replaced', async () => {
    const hash = await live.send();
    const { nonce = 0 } = await live.node.getTransaction({ hash });
    await live.node.impersonateAccount({ address: live.address });
    const other = createWalletClient({
      account: live.address,
      chain: foundry,
      transport: http(live.bench.nodeUrl),
    });
    await live.node.dropTransaction({ hash });
    await other.sendTransaction({ to: OTHER, value: 7n, nonce });
    await live.mine();
    await live.poll();
    await live.age(30_000);
    await live.poll();
    expect((await live.activity())[0]).toMatchObject({ hash, status: 'replaced' });
  });
});

describe('a receipt of ours', () => {
  it('is answered from what is kept when no node can be reached', async () => {
    const hash = await live.send();
    await live.mine();
    await live.poll();
    const receipt = await live.dapp.snap('eth_getTransactionReceipt', [hash]);
    const { url } = live.bench.service;
    const gone = await startHttpServer(answerChain(31_337));
    await live.configure({ rpcUrl: gone.url });
    await gone.stop();
    const scoped = { scope: 'eip155:31337', params: [hash] };
    expect(await live.dapp.snap('eth_getTransactionReceipt', scoped)).toStrictEqual(
      receipt,
    );
    const unknown = { scope: 'eip155:31337', params: [BLOB_HASH] };
    await expect(
      live.dapp.snap('eth_getTransactionReceipt', unknown),
    ).rejects.toMatchObject({
      code: -32002,
    });
    await live.configure({ rpcUrl: url });
  });
});

/** Wait until a transaction is settled, without asking for it. */
async function statusOf(hash: Hex): Promise<string | undefined> {
  for (let asked = 0; asked < 100; asked += 1) {
    const sent = (await live.activity()).find((each) => each.hash === hash);
    if (sent?.status !== 'pending') return sent?.status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return 'pending';
}

describe('what is pending', () => {
  it('is followed by new blocks alone where no background event can be had', async () => {
    const wsUrl = live.bench.service.url.replace('http', 'ws');
    await live.configure({ wsUrl });
    live.wallet.onSnapCall = ({ method }) => {
      if (method === 'snap_scheduleBackgroundEvent') throw new Error('no events');
    };
    const hash = await live.send();
    await live.mine();
    expect(await statusOf(hash)).toBe('included');
    live.wallet.onSnapCall = undefined;
    await live.configure({ wsUrl: null });
  });

  it('is followed after a start of the client, as soon as it is unlocked and opened', async () => {
    const hash = await live.send();
    await live.mine();
    await live.restart();
    live.wallet.lock.lock();
    await live.wallet.invoke('onStart', { method: '' });
    live.wallet.lock.unlock();
    await live.wallet.invoke('onActive', { method: '' });
    expect(await statusOf(hash)).toBe('included');
  });

  it('leaves nothing running when it is settled', async () => {
    const calls = (): string[] => live.wallet.calls.map(({ method }) => method);
    await live.poll();
    live.wallet.calls.length = 0;
    await live.poll();
    expect(calls()).not.toContain('snap_scheduleBackgroundEvent');
    expect((await live.wallet.state()).unencrypted).toMatchObject({
      pendingSince: null,
    });
  });
});
