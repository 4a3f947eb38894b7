// Answers outside the routes: HTTP errors, OPTIONS, requests during shutdown, and WebSocket
// messages while other calls wait.
import { once } from 'node:events';
import { connect } from 'node:net';

import { KEY } from '../../../dev/stack/service-bench';
import { createGate, settle } from '../../support/gate';
import type { Answer } from '../../support/http-server';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, useNodeBench } from '../../support/service-node';
import { connectSocket, refusalOf } from '../../support/service-socket';
import { useSocketServers } from '../../support/ws-server';
import type { SocketServer } from '../../support/ws-server';

const start = useNodeBench();
const startSockets = useSocketServers();
const answer = answerBy({ eth_chainId: '0x1' });

const exchange = async (url: string, text: string, halfClose = false) => {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), allowHalfOpen: true });
  let all = '';
  socket.on('data', (data: Buffer) => (all += data.toString()));
  socket.write(text);
  if (halfClose) socket.end();
  await once(socket, 'end');
  socket.destroy();
  const [head = '', body = ''] = all.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
};

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const head = (start: string, ...fields: string[]) =>
  [`${start} HTTP/1.1`, 'Host: service', ...fields, '', ''].join('\r\n');
const post = (...fields: string[]) =>
  head(
    `POST /v3/${KEY}`,
    `Content-Length: ${call.length}`,
    'Connection: close',
    ...fields,
  ) + call;

/** Answers as usual, but holds the answers to eth_gasPrice until the gate opens. */
const holdGasPrice =
  ({ opened }: ReturnType<typeof createGate>, usual: Answer): Answer =>
  (response, arrived) => {
    const isHeld = arrived.body.includes('eth_gasPrice');
    void (isHeld ? opened : Promise.resolve()).then(() => usual(response, arrived));
  };

describe('the service', () => {
  const socketHead = (...fields: string[]) =>
    head(`GET /v3/${KEY}`, 'Connection: Upgrade', 'Upgrade: websocket', ...fields);

  it.each<[what: string, status: number, text: string]>([
    ['a malformed head', 400, 'nonsense\r\n\r\n'],
    ['a header without a name', 400, head('GET /health', ': x')],
    [
      'two Content-Length headers',
      400,
      head(`POST /v3/${KEY}`, 'Content-Length: 1', 'Content-Length: 2'),
    ],
    ['an unknown HTTP version', 400, 'GET / HTTP/9.9\r\n\r\n'],
    ['a head that is too long', 431, head('GET /health', `X: ${'x'.repeat(20_000)}`)],
    [
      'a malformed chunk',
      400,
      head(`POST /v3/${KEY}`, 'Transfer-Encoding: chunked') + 'zz\r\n',
    ],
    ['a compressed body', 415, post('Content-Encoding: gzip')],
    ['an unknown content encoding', 415, post('Content-Encoding: x')],
    ['a malformed content type', 415, post('Content-Type: ;;;')],
    ['a content type without a subtype', 415, post('Content-Type: json')],
    ['an unknown Expect header', 417, post('Expect: miracles')],
    [
      'a path with invalid percent-encoding',
      400,
      head('GET /v3/%zz', 'Connection: close'),
    ],
    [
      'a key that is too long',
      414,
      head(`POST /v3/${'x'.repeat(300)}`, 'Connection: close'),
    ],
    [
      'a WebSocket request without Sec-WebSocket-Key',
      400,
      socketHead('Sec-WebSocket-Version: 13'),
    ],
    [
      'a WebSocket request of a different version',
      400,
      socketHead(
        'Sec-WebSocket-Version: 7',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
    ],
  ])('answers %s with status %i and a JSON error', async (_what, status, text) => {
    const { service } = await start(answer);
    const got = await exchange(service.url, text);
    expect(got.status).toBe(status);
    expect(got.head).toMatch(/content-type: application\/json/iu);
    expect(got.head).toMatch(/x-request-id: [0-9a-f]{8}-/iu);
    const { error } = JSON.parse(got.body) as { error: object };
    expect(error).toEqual({ code: -32_600, message: expect.any(String) as string });
  });

  it('answers 400 if the client ends the connection in the middle of a body', async () => {
    const { service } = await start(answer);
    const { status, body } = await exchange(service.url, post().slice(0, -5), true);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toHaveProperty('error.code', -32_600);
  });

  it('answers 408 if a body is incomplete when its time is up', async () => {
    const { service } = await start(answer, { limits: { requestTimeoutMs: 50 } });
    const { status, body } = await exchange(service.url, post().slice(0, -5));
    expect(status).toBe(408);
    expect(JSON.parse(body)).toHaveProperty('error.code', -32_600);
  });

  it.each(['identity', 'text/plain', 'application/json; charset=utf-8'])(
    'accepts the content encoding or type %s',
    async (form) => {
      const { service } = await start(answer);
      const name = form === 'identity' ? 'Content-Encoding' : 'Content-Type';
      const { status, body } = await exchange(service.url, post(`${name}: ${form}`));
      expect([status, body]).toEqual([200, expect.stringContaining('"0x1"')]);
    },
  );

  it('answers requests on open connections while it stops', async () => {
    const gate = createGate();
    const { service, countOf } = await start(holdGasPrice(gate, answer));
    const { hostname: host, port } = new URL(service.url);
    const socket = connect({ host, port: Number(port) });
    let all = '';
    socket.on('data', (data: Buffer) => (all += data.toString()));
    const open = post().replace('Connection: close\r\n', '');
    socket.write(open.replace('eth_chainId', 'eth_gasPrice').replace(/: 47/u, ': 48'));
    while (countOf('eth_gasPrice') === 0) await new Promise(setImmediate);
    const stopped = service.stop();
    await new Promise(setImmediate);
    socket.write(open);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = once(socket, 'close');
    gate.open();
    await Promise.all([stopped, closed]);
    expect(all.match(/HTTP\/1\.1 200 OK/gu)).toHaveLength(2);
  });
});

describe('OPTIONS', () => {
  const preflight = {
    Origin: 'null',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type',
  };
  const ask = async (path: string, headers: Record<string, string>) => {
    const { service } = await start(answer);
    const response = await fetch(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers,
    });
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
  };

  it.each([
    [`/v3/${KEY}`, 'POST, OPTIONS'],
    ['/health', 'GET, HEAD, OPTIONS'],
    ['/networks/1/suggestedGasFees', 'GET, HEAD, OPTIONS'],
  ])('lists the allowed methods of %s, as a preflight or not', async (path, allow) => {
    for (const headers of [{}, { Origin: 'https://a.example' }, preflight]) {
      const got = await ask(path, headers);
      expect([got.status, got.headers.get('allow'), got.text]).toEqual([
        204,
        allow,
        '',
      ]);
      expect(got.headers.get('access-control-allow-origin')).toBe('*');
    }
    const { headers } = await ask(path, preflight);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe('content-type');
  });

  it('gets a 404 for an unknown path unless it is a preflight', async () => {
    const plain = await ask('/nowhere', {});
    expect(plain.status).toBe(404);
    expect(JSON.parse(plain.text)).toHaveProperty('error.code', -32_001);
    const page = await ask('/nowhere', preflight);
    expect([
      page.status < 300,
      page.headers.get('access-control-allow-origin'),
    ]).toEqual([true, '*']);
  });

  it('needs no allowed origin, unlike the request that follows', async () => {
    const { service } = await start(answer, { allowOrigins: ['https://a.example'] });
    const status = async (headers: Record<string, string>, method = 'POST') => {
      const init = { method, headers, ...(method === 'POST' && { body: call }) };
      return (await fetch(`${service.url}/v3/${KEY}`, init)).status;
    };
    expect(await status(preflight, 'OPTIONS')).toBe(204);
    expect(await status({})).toBe(403);
    expect(await status({ Origin: 'https://a.example' })).toBe(200);
  });
});

describe('a WebSocket of the service', () => {
  /** Starts a node that numbers its subscriptions; `last` returns the newest id. */
  const startNode = async () => {
    let count = 0;
    const sockets = await startSockets((socket, { id, method }: WireRequest) => {
      const result = method === 'eth_subscribe' ? `0x${(count += 1)}` : true;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    return { sockets, last: () => `0x${count}` };
  };
  const notify = ({ open }: SocketServer, subscription: string, result: unknown) => {
    const params = { subscription, result };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
    open().forEach((socket) => socket.send(text));
  };
  const request = (id: number, method: string, params: unknown[] = []) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });

  const startBench = async () => {
    const gate = createGate();
    const { sockets, last } = await startNode();
    const usual = answerBy({ eth_chainId: '0x1', eth_gasPrice: '0x2' });
    const bench = await start(holdGasPrice(gate, usual), { wsUrl: sockets.url });
    while (sockets.arrived.length === 0) await new Promise(setImmediate);
    const client = await connectSocket(bench.service.url, `/v3/${KEY}`);
    return { ...bench, gate, sockets, last, client };
  };

  /** Subscribes in a batch whose other call is held. */
  const subscribeBehindHeldCall = async () => {
    const bench = await startBench();
    bench.client.send([
      request(1, 'eth_gasPrice'),
      request(2, 'eth_subscribe', ['newPendingTransactions']),
    ]);
    while (bench.last() === '0x1') await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return bench;
  };

  it('forwards notifications while other calls wait', async () => {
    const { gate, sockets, last, client } = await startBench();
    client.send(request(1, 'eth_subscribe', ['newPendingTransactions']));
    const { result: subscription } = await client.take();
    client.send(request(2, 'eth_gasPrice'));
    notify(sockets, last(), '0xaa');
    expect(await client.take()).toMatchObject({
      params: { subscription, result: '0xaa' },
    });
    gate.open();
    expect(await client.take()).toMatchObject({ id: 2, result: '0x2' });
    client.close();
  });

  it("sends a subscription's id before its notifications", async () => {
    const { gate, sockets, last, client } = await subscribeBehindHeldCall();
    notify(sockets, last(), '0xaa');
    notify(sockets, last(), '0xbb');
    await new Promise((resolve) => setTimeout(resolve, 20));
    gate.open();
    expect(await client.take()).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(await client.take()).toHaveProperty('params.result', '0xaa');
    expect(await client.take()).toHaveProperty('params.result', '0xbb');
    client.close();
  });

  it('is closed if too many notifications wait', async () => {
    const { gate, sockets, last, client } = await subscribeBehindHeldCall();
    for (let count = 0; count < 1_100; count += 1) notify(sockets, last(), '0xaa');
    expect(await client.closed).toBe(1008);
    gate.open();
  });

  it.each<[what: string, text: unknown]>([
    ['a single call', { jsonrpc: '2.0', method: 'eth_chainId' }],
    ['a batch', [{ jsonrpc: '2.0', method: 'eth_chainId' }]],
  ])(
    'never answers calls without an id, even above the limit: %s',
    async (_what, sent) => {
      const { service } = await start(answer, {
        limits: { perDay: 1 },
      });
      const client = await connectSocket(service.url, `/v3/${KEY}`);
      client.send(request(1, 'eth_chainId'));
      await client.take();
      client.send(sent);
      client.send([
        { jsonrpc: '2.0', method: 'eth_chainId' },
        request(2, 'eth_chainId'),
      ]);
      expect(await client.take()).toMatchObject([{ id: 2, error: { code: -32_005 } }]);
      client.close();
    },
  );

  it('answers at most 64 messages at a time, and all in the end, even if they arrive at once', async () => {
    const gate = createGate();
    const usual = answerBy({ eth_gasPrice: '0x2' });
    const { service, countOf } = await start(holdGasPrice(gate, usual));
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    const slow = call.replace('eth_chainId', 'eth_gasPrice');
    for (let count = 0; count < 64; count += 1) client.send(slow);
    for (let count = 0; count < 500; count += 1) client.send('{}');
    while (countOf('eth_gasPrice') < 64) await new Promise(setImmediate);
    await settle();
    gate.open();
    expect(await client.take()).toHaveProperty('result', '0x2');
    for (let count = 1; count < 564; count += 1) await client.take();
    client.close();
  });

  it('is closed after --stop-timeout even if its call to the node hangs', async () => {
    const { service, countOf } = await start(holdGasPrice(createGate(), answer), {
      limits: { stopTimeoutMs: 50 },
    });
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    client.send(call.replace('eth_chainId', 'eth_gasPrice'));
    while (countOf('eth_gasPrice') < 1) await new Promise(setImmediate);
    const begin = performance.now();
    await service.stop();
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(await client.closed).toBe(1006);
  });

  it('accepts a key percent-encoded or not', async () => {
    const apiKey = 'a-b.c';
    const { service } = await start(answer, { apiKey });
    const encoded = [...apiKey]
      .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
      .join('');
    for (const path of [apiKey, encoded]) {
      const response = await fetch(`${service.url}/v3/${path}`, {
        method: 'POST',
        body: call,
      });
      expect(response.status).toBe(200);
      const client = await connectSocket(service.url, `/v3/${path}`);
      client.send(request(1, 'eth_chainId'));
      expect(await client.take()).toHaveProperty('result', '0x1');
      client.close();
    }
    expect(await refusalOf(service.url, '/v3/%zz')).toMatchObject({ status: 400 });
  });
});
