// Methods that a node may lack: the snap retries each once a day.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { serving } from '../support/fake-fetch';
import { calledMethods, createFakeNode } from '../support/fake-node';
import type { FakeNode } from '../support/fake-node';
import { createGate } from '../support/gate';
import { createOperationBench } from '../support/operation-bench';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { COMPANION } from '../support/test-app';

const DAY_MS = 24 * 60 * 60 * 1_000;

const NODE = 'https://node.example';

const countSimulations = (node: FakeNode): number =>
  calledMethods(node).filter((method) => method === 'eth_simulateV1').length;

async function configure(
  { app }: Pick<SendBench, 'app'>,
  row: Record<string, Json>,
): Promise<void> {
  const params = [{ chainId: 1, ...row }];
  await callersOf(app).rpc(COMPANION, 'tollkeeper_setChain', params);
}

describe('a method that the node lacks', () => {
  it('is not requested again after the worker restarts', async () => {
    const bench = await createSendBench();
    await bench.send();
    bench.restart();
    await bench.send();
    expect(countSimulations(bench.edges.wallet)).toBe(1);
  });

  it('is requested again after a day', async () => {
    const bench = await createSendBench();
    await bench.send();
    bench.edges.clock.time += DAY_MS;
    await bench.send();
    expect(countSimulations(bench.edges.wallet)).toBe(2);
  });

  it('is requested from another node, and again after its API key changes', async () => {
    const bench = await createSendBench();
    const { wallet, network } = bench.edges;
    const node = createFakeNode(wallet.answers);
    network.serve(NODE, serving(node));
    await bench.send();
    await configure(bench, { rpcUrl: NODE });
    await bench.send();
    await bench.send();
    expect(countSimulations(node)).toBe(1);
    await configure(bench, { apiKey: 'k3y' });
    await bench.send();
    expect(countSimulations(node)).toBe(2);
    expect(countSimulations(wallet)).toBe(1);
  });

  it('is requested from a new node if the previous one answers late', async () => {
    const bench = await createSendBench();
    const { wallet, network } = bench.edges;
    const [previous, next] = [
      createFakeNode(wallet.answers),
      createFakeNode(wallet.answers),
    ];
    const [asked, answered] = [createGate(), createGate()];
    network.serve(`${NODE}/1`, async (request) => {
      if (request.body?.includes('eth_simulateV1')) {
        asked.open();
        await answered.opened;
      }
      return serving(previous)(request);
    });
    network.serve(`${NODE}/2`, serving(next));
    await configure(bench, { rpcUrl: `${NODE}/1` });
    const sending = bench.send();
    await asked.opened;
    await configure(bench, { rpcUrl: `${NODE}/2` });
    answered.open();
    await sending;
    await bench.send();
    expect(countSimulations(next)).toBe(1);
  });

  it('is remembered until the worker stops if nothing can be stored', async () => {
    const bench = await createSendBench();
    bench.edges.publicBackend.document = { version: 1, levels: 7 };
    bench.restart();
    await bench.send();
    await bench.send();
    expect(countSimulations(bench.edges.wallet)).toBe(1);
  });

  it('is forgotten after a hundred others', async () => {
    const bench = await createSendBench();
    const { publicStore } = bench.app.services;
    await bench.send();
    await publicStore.update((state) => ({
      ...state,
      absent: Array.from({ length: 100 }, (_each, index) => ({
        chain: 'eip155:5',
        server: 'bundler' as const,
        method: `eth_${index}`,
        at: bench.edges.clock.time,
      })),
    }));
    await bench.send();
    const { absent = [] } = await publicStore.read();
    expect(absent).toHaveLength(100);
    expect(absent.at(-1)).toMatchObject({ chain: 'eip155:1', server: 'wallet' });
  });
});

describe('a method that the bundler lacks', () => {
  it('is requested once more after the servers of another chain change', async () => {
    const bench = await createOperationBench();
    const count = (): number =>
      calledMethods(bench.bundler).filter((method) => method === 'skandha_getGasPrice')
        .length;
    const send = async (): Promise<unknown> =>
      bench.call('eth_sendUserOperation', [
        { to: RECIPIENT, value: '0x1', data: '0x' },
      ]);
    await send();
    await send();
    expect(count()).toBe(1);
    bench.edges.network.serve(NODE, serving(createFakeNode({ eth_chainId: '0x5' })));
    await configure(bench, { chainId: 5, rpcUrl: NODE });
    await send();
    await send();
    expect(count()).toBe(2);
  });
});
