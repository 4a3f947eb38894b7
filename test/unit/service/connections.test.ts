// Connections to the service that send nothing or only part of a request.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { KEY } from '../../../dev/stack/service-bench';
import { createGate, settle } from '../../support/gate';
import { answerBy, useNodeBench } from '../../support/service-node';
import { connectSocket } from '../../support/service-socket';

/** Longer than any test, so no connection times out. */
const requestTimeoutMs = 3_600_000;

const held: Socket[] = [];

// Closes the connections first: the service waits for them when it stops.
afterEach(() => {
  jest.useRealTimers();
  held.splice(0).forEach((socket) => socket.destroy());
});

const start = useNodeBench();
const answer = answerBy({ eth_chainId: '0x1' });

type Held = Awaited<ReturnType<typeof hold>>;

/** Opens a connection and sends text. Only the service ends the connection. */
const hold = async (url: string, text = '', localAddress = '127.0.0.1') => {
  const { hostname: host, port } = new URL(url);
  const address = { host, port: Number(port), localAddress };
  const socket = connect({ ...address, allowHalfOpen: true });
  held.push(socket);
  let all = '';
  socket.on('data', (data: Buffer) => (all += data.toString()));
  const received = new Promise<string>((resolve) => {
    // The connection is reset if the service closes it with unread data.
    ['end', 'error'].forEach((event) => socket.on(event, () => resolve(all)));
  });
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received };
};

const holdMany = async (url: string, count: number, text = ''): Promise<Held[]> => {
  const all = [];
  while (all.length < count) {
    all.push(await hold(url, text));
    // Lets the service read the text.
    await new Promise(setImmediate);
  }
  return all;
};

const receivedBy = async (all: Held[]): Promise<string[]> =>
  Promise.all(all.map(async ({ received }) => received));

const head = (start: string, ...fields: string[]) =>
  [`${start} HTTP/1.1`, 'Host: service', ...fields, '', ''].join('\r\n');
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
const version = [
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const length = `Content-Length: ${body.length}`;
const request = (...fields: string[]) =>
  head(`POST /v3/${KEY}`, length, ...fields) + body;

const halfOf = (path: string) => head(`POST ${path}`, 'Content-Length: 100000') + '{';

it.each([
  ['nothing', ''],
  ['half of a body', halfOf(`/v3/${KEY}`)],
  ['half of a body to an unknown path', halfOf('/nothing')],
])('serves requests despite 1,100 connections that sent %s', async (_what, text) => {
  const { service, call } = await start(answer);
  await holdMany(service.url, 1_100, text);
  await settle();
  expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
});

describe('the service', () => {
  it.each([
    ['nothing', ''],
    ['half of a head', `POST /v3/${KEY} HTTP/1.1\r\nHost: serv`],
    ['half of an upgrade', head(`GET /v3/${KEY}`, ...upgrade).slice(0, -2)],
  ])('times out a connection that sent %s', async (_what, text) => {
    const { service } = await start(answer, { limits: { requestTimeoutMs: 50 } });
    const { received } = await hold(service.url, text);
    expect(await received).toMatch(/^HTTP\/1.1 408 /u);
  });

  it('closes a WebSocket that sends no request in time', async () => {
    const { service } = await start(answer);
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const silent = await connectSocket(service.url, `/v3/${KEY}`);
    const other = await connectSocket(service.url, `/v3/${KEY}`);
    other.send(body);
    await other.take();
    jest.advanceTimersByTime(10_000);
    expect(await silent.closed).toBe(1008);
    other.send(body);
    expect(await other.take()).toHaveProperty('result', '0x1');
    other.close();
  });

  it('closes a silent WebSocket even if its client does not confirm the close', async () => {
    const { service, metric } = await start(answer, {
      limits: { requestTimeoutMs: 50 },
    });
    const text = head(`GET /v3/${KEY}`, ...upgrade, ...version);
    const { received } = await hold(service.url, text);
    expect(await received).toMatch(/^HTTP\/1.1 101 .*No request came in time\.$/su);
    expect(await metric('gas_service_web_sockets')).toBe(0);
  });

  it('closes a connection after refusing its upgrade, even if the client does not', async () => {
    const { service, call } = await start(answer, { limits: { connections: 1 } });
    const text = head('GET /v3/other', ...upgrade, ...version);
    const { received } = await hold(service.url, text);
    expect(await received).toMatch(/^HTTP\/1.1 401 /u);
    expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
  });

  it('closes a request to an unknown path before its body arrives', async () => {
    const { service } = await start(answer, { limits: { requestTimeoutMs } });
    const { received } = await hold(service.url, halfOf('/nothing'));
    expect(await received).toMatch(/^HTTP\/1.1 404 [^]*"code":-32001/u);
  });

  it('closes the oldest incomplete request of an address with too many', async () => {
    const limits = { idlePerAddress: 2, requestTimeoutMs };
    const { service } = await start(answer, { limits });
    const half = request().slice(0, -9);
    const [first, ...others] = await holdMany(service.url, 3, half);
    expect(await first?.received).toBe('');
    for (const { socket } of others) {
      socket.write(request().slice(-9));
      expect(String(await once(socket, 'data'))).toMatch(/"result":"0x1"\}$/u);
    }
  });

  it('closes a connection that is idle after its answer if there are too many in total', async () => {
    const limits = { connections: 1, requestTimeoutMs };
    const { service, call } = await start(answer, { limits });
    const whole = await hold(service.url, request());
    await once(whole.socket, 'data');
    expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
    expect(await whole.received).toMatch(/"result":"0x1"\}$/u);
    const late = await hold(service.url, halfOf('/v3/other').replace('100000', '2'));
    await once(late.socket, 'data');
    late.socket.write('}');
    expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
    expect(await late.received).toMatch(/^HTTP\/1.1 401 /u);
  });

  it('does not close connections of other addresses', async () => {
    const limits = { idlePerAddress: 2, requestTimeoutMs };
    const { service } = await start(answer, { limits });
    const other = await hold(service.url, '', '127.0.0.2');
    const all = await holdMany(service.url, 4);
    expect(await receivedBy(all.slice(0, 2))).toStrictEqual(['', '']);
    other.socket.write(request('Connection: close'));
    expect(await other.received).toMatch(/"result":"0x1"\}$/u);
  });

  it('closes the connections of an address that were silent longest, if there are too many', async () => {
    const limits = { idlePerAddress: 4, requestTimeoutMs };
    const { service, call } = await start(answer, { limits });
    const used = await hold(service.url, head('GET /health'));
    await once(used.socket, 'data');
    const all = await holdMany(service.url, 12);
    expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
    // The call used one more connection.
    expect(await receivedBy(all.slice(0, 9))).toStrictEqual(Array(9).fill(''));
    for (const { socket, received } of [used, ...all.slice(9)]) {
      socket.write(request('Connection: close'));
      expect(await received).toMatch(/"result":"0x1"\}$/u);
    }
  });

  it('closes the connections that were idle longest, if there are too many in total', async () => {
    const gate = createGate();
    const { service, node, call } = await start(
      (response, arrived) => {
        const isHeld = arrived.body.includes('eth_gasPrice');
        void (isHeld ? gate.opened : Promise.resolve()).then(() =>
          answerBy({ eth_chainId: '0x1', eth_gasPrice: '0x2' })(response, arrived),
        );
      },
      { limits: { connections: 4, requestTimeoutMs } },
    );
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    const busy = call('eth_gasPrice');
    while (node.arrived.length === 0) await new Promise(setImmediate);
    const all = await holdMany(service.url, 8);
    expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
    expect(await receivedBy(all.slice(0, 7))).toStrictEqual(Array(7).fill(''));
    client.send(body);
    expect(await client.take()).toHaveProperty('result', '0x1');
    gate.open();
    expect(await busy).toHaveProperty('result', '0x2');
    client.close();
  });
});
