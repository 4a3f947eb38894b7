// JSON-RPC over WebSockets on a real chain: both paths, batches, subscriptions, and ends.
import { createTestClient, http } from 'viem';

import { startService } from '../../dev/service/service';
import { KEY, SECRET, startServiceBench } from '../../dev/service/service-bench';
import type { ServiceBench } from '../../dev/service/service-bench';
import { OTHER } from '../fixtures/eth/owner';
import { connectSocket, refusalOf } from '../support/service-socket';
import type { SocketClient } from '../support/service-socket';

let bench: ServiceBench;

beforeAll(async () => {
  bench = await startServiceBench();
});

afterAll(async () => bench.stop());

const mine = async () =>
  createTestClient({ transport: http(bench.nodeUrl), mode: 'anvil' }).mine({
    blocks: 1,
  });

const connect = async (path = `/v3/${KEY}`) => connectSocket(bench.service.url, path);

const request = (id: unknown, method = 'eth_chainId', params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

const subscribe = async (client: SocketClient, ...params: unknown[]) => {
  client.send(request(1, 'eth_subscribe', params));
  return client.take();
};

describe('a WebSocket', () => {
  it.each([`/v3/${KEY}`, `/ws/v3/${KEY}`])(
    'answers at %s, single and in a batch',
    async (path) => {
      const client = await connect(path);
      client.send(request('a'));
      expect(await client.take()).toEqual({
        jsonrpc: '2.0',
        id: 'a',
        result: '0x7a69',
      });
      client.send([request(2), request(1, 'eth_sign')]);
      expect(await client.take()).toMatchObject([
        { id: 2, result: '0x7a69' },
        { id: 1, error: { code: -32601 } },
      ]);
      client.close();
    },
  );

  it('survives malformed requests', async () => {
    const client = await connect();
    const codesOf: [string, number][] = [
      ['{', -32700],
      ['[]', -32600],
      ['{}', -32600],
      ['null', -32600],
      [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, -32600],
    ];
    for (const [text, code] of codesOf) {
      client.send(text);
      expect([await client.take()].flat()[0]).toMatchObject({
        id: null,
        error: { code },
      });
    }
    client.close();
    expect(await client.closed).toBe(1005);
  });

  it('is closed for a message that is too long', async () => {
    const client = await connect();
    client.send('x'.repeat(1_000_001));
    expect(await client.closed).toBe(1009);
  });

  it.each([
    ['/v3/other', 401],
    [`/v3/${SECRET}`, 401],
    [`/v2/${KEY}`, 404],
    [`/v3/${KEY}/x`, 404],
    ['/', 404],
  ])('is refused at %s with %i', async (path, status) => {
    const refusal = await refusalOf(bench.service.url, path);
    expect(refusal.status).toBe(status);
    expect(JSON.parse(refusal.body)).toHaveProperty('error.message');
  });

  it('is refused by its origin and by number', async () => {
    const { nodeUrl } = bench;
    const options = { nodeUrl, chainId: 31_337, apiKey: KEY };
    const limits = { webSockets: 0 };
    const service = await startService({ ...options, allowOrigins: ['null'], limits });
    const status = async (Origin: string) =>
      (await refusalOf(service.url, `/v3/${KEY}`, { Origin })).status;
    expect([await status('https://example.org'), await status('null')]).toStrictEqual([
      403, 429,
    ]);
    await service.stop();
  });
});

describe('subscriptions', () => {
  it('bring new heads until they are taken back', async () => {
    const client = await connect();
    const { result: subscription } = await subscribe(client, 'newHeads');
    await mine();
    expect(await client.take()).toMatchObject({
      method: 'eth_subscription',
      params: {
        subscription,
        result: { hash: expect.stringMatching(/^0x/u) as string },
      },
    });
    client.send(request(2, 'eth_unsubscribe', [subscription]));
    expect(await client.take()).toMatchObject({ id: 2, result: true });
    client.send(request(3, 'eth_unsubscribe', [subscription]));
    expect(await client.take()).toMatchObject({ id: 3, result: false });
    client.close();
  });

  it('of others cannot be taken back', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const { result: subscription } = await subscribe(one, 'newHeads');
    other.send(request(2, 'eth_unsubscribe', [subscription]));
    expect(await other.take()).toMatchObject({ id: 2, result: false });
    await mine();
    expect(await one.take()).toHaveProperty('params.subscription', subscription);
    one.close();
    other.close();
  });

  it('are of logs and pending transactions too', async () => {
    const client = await connect();
    const filter = { address: OTHER };
    expect(await subscribe(client, 'logs', filter)).toHaveProperty('result');
    expect(await subscribe(client, 'newPendingTransactions')).toHaveProperty('result');
    client.close();
  });

  it.each([[[]], [['syncing']], [[{}]], [['logs', { topics: 1 }]]])(
    'are refused for %j',
    async (params) => {
      const client = await connect();
      expect(await subscribe(client, ...params)).toMatchObject({
        error: { code: -32602 },
      });
      client.close();
    },
  );

  it('are at most a hundred, also in one batch', async () => {
    const client = await connect();
    const ask = async (count: number): Promise<number> => {
      client.send(
        Array.from({ length: count }, (_each, id) =>
          request(id, 'eth_subscribe', ['newHeads']),
        ),
      );
      const answers = (await client.take()) as unknown as object[];
      return answers.filter((answer) => 'result' in answer).length;
    };
    expect(await ask(150)).toBe(100);
    expect(await ask(1)).toBe(0);
    client.close();
  });

  it('need a WebSocket of the node', async () => {
    const { nodeUrl } = bench;
    const service = await startService({ nodeUrl, chainId: 31_337, apiKey: KEY });
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    expect(await subscribe(client, 'newHeads')).toMatchObject({
      error: { code: -32601 },
    });
    await service.stop();
    expect(await client.closed).toBe(1001);
  });
});

describe('an end', () => {
  it('closes clients with 1013 when the node is gone', async () => {
    const own = await startServiceBench();
    const client = await connectSocket(own.service.url, `/v3/${KEY}`);
    await subscribe(client, 'newHeads');
    await own.stopNode();
    expect(await client.closed).toBe(1013);
    await own.stop();
  });
});
