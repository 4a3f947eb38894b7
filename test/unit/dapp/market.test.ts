import { setTimeout as sleep } from 'node:timers/promises';

import { findSources } from '../../../dev/dapp/market';
import { createProvider } from '../../../src/provider';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { waitFor } from '../../fixtures/stack/requests';
import { WsClass } from '../../support/client-bench';
import { answerJson, useHttpServers } from '../../support/http-server';
import { useSocketServers } from '../../support/ws-server';

const serve = useHttpServers();
const serveSocket = useSocketServers();

const page = globalThis as { WebSocket?: unknown };

beforeEach(() => {
  page.WebSocket = WsClass;
});

afterEach(() => {
  delete page.WebSocket;
});

const history = {
  oldestBlock: '0x1',
  baseFeePerGas: ['0x1', '0x2'],
  gasUsedRatio: [0],
};

it('tells each block once, however often the socket had to be asked', async () => {
  const answers = [undefined, history];
  const gas = await serve(answerJson(gasAnswer));
  const node = await serveSocket((socket, { id, method }) => {
    const result = method === 'eth_subscribe' ? '0x1' : answers.shift();
    const error = { code: -32000, message: 'The node is busy.' };
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }),
    );
  });
  const service = { url: gas.url, wsUrl: node.url };
  const config = {
    snapId: 'npm:tollkeeper-snap',
    version: '^0.1.0',
    chainId: 1,
    service,
  };
  const { WebSocket: source } = findSources(config, createProvider());
  const told: number[] = [];
  const failures: unknown[] = [];
  const stop = source?.({
    onMarket: ({ points }) => told.push(points.at(-1)?.block ?? 0),
    onFailure: (error) => failures.push(error),
  });
  await waitFor(() => told.length > 0);
  expect(failures).toHaveLength(1);
  const hash = `0x${'ab'.repeat(32)}`;
  const head = { number: '0x2', hash, timestamp: '0x1', baseFeePerGas: '0x2' };
  const params = { subscription: '0x1', result: head };
  for (const socket of node.open()) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
  }
  await waitFor(() => told.length > 1);
  // A second listener would tell it again.
  await sleep(200);
  stop?.();
  expect(told).toStrictEqual([1, 2]);
  expect(node.arrived.filter(({ method }) => method === 'eth_subscribe')).toHaveLength(
    1,
  );
});
