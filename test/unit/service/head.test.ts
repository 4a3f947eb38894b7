// The newest block: announced by the node over a WebSocket, asked for while there is none.
import { setTimeout as sleep } from 'node:timers/promises';

import { answerBy, useNodeBench } from '../../support/service-node';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const start = useNodeBench();
const startSockets = useSocketServers();

const open = async () => {
  const sockets = await startSockets(answerSocket('0x1'));
  const { service } = await start(answerBy({ eth_blockNumber: '0x10' }), {
    nodeWsUrl: sockets.url,
  });
  const connected = async (count: number) => {
    while (sockets.arrived.length < count) await sleep(10);
  };
  const announce = (number: number) => {
    const result = {
      number: `0x${number.toString(16)}`,
      hash: `0x${'ab'.repeat(32)}`,
      timestamp: '0x1',
    };
    const params = { subscription: '0x1', result };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
    sockets.open().forEach((socket) => socket.send(text));
  };
  const newest = async () => {
    const { block } = (await (await fetch(`${service.url}/health`)).json()) as {
      block: number;
    };
    return block;
  };
  return { drop: sockets.drop, connected, announce, newest };
};

it('is not the one of a lost socket, and follows the next socket', async () => {
  const { drop, connected, announce, newest } = await open();
  await connected(1);
  expect(await newest()).toBe(16);
  announce(32);
  while ((await newest()) !== 32);
  drop();
  await connected(2);
  expect(await newest()).toBe(16);
  announce(33);
  while ((await newest()) !== 33);
});
