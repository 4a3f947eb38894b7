// Instances that share the subscriptions of a chain through Redis: one of them has the WebSocket
// of the node, and another one takes over when it ends.
import { setTimeout as sleep } from 'node:timers/promises';

import {
  createPublicClient,
  createTestClient,
  http,
  keccak256,
  publicActions,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { KEY, startFaultyService } from '../../dev/service/service-bench';
import type { FaultyService } from '../../dev/service/service-bench';
import { funded } from '../../dev/stack/accounts';
import { orDied, startAnvil } from '../../dev/stack/processes';
import type { Anvil } from '../../dev/stack/processes';
import { describeWithRedis, useRedis } from '../support/redis';
import { useServiceCommand } from '../support/service-command';
import { connectSocket } from '../support/service-socket';
import type { SocketClient } from '../support/service-socket';
import { startRelay, until } from '../support/ws-relay';
import type { Relay } from '../support/ws-relay';

const CHAIN = 31_337;

let anvil: Anvil;
let anvilUrl = '';
const chain = () =>
  createTestClient({ transport: http(anvilUrl), mode: 'anvil' }).extend(publicActions);

beforeAll(async () => {
  anvil = startAnvil();
  anvilUrl = `http://127.0.0.1:${await orDied(anvil.port, anvil.child)}`;
});

afterAll(async () => anvil.child.stop());

const startRedis = useRedis();
const { run } = useServiceCommand();

let relay: Relay;
const services: FaultyService[] = [];

beforeEach(async () => {
  relay = await startRelay(anvilUrl);
});

afterEach(async () => {
  await Promise.all(services.splice(0).map(async ({ stop }) => stop()));
  await relay.stop();
});

const start = async (redisUrl: string, nodeWsUrl = relay.url) => {
  const service = await startFaultyService({
    nodeUrl: anvilUrl,
    nodeWsUrl,
    chainId: CHAIN,
    blockMs: 0,
    redisUrl,
    apiKey: KEY,
    limits: { nodeTimeoutMs: 2_000 },
  });
  services.push(service);
  return service;
};

/** Starts instances one after the other: the first one has the socket. */
const startSome = async (redisUrl: string, count: number) => {
  const all = [await start(redisUrl)];
  await until(() => relay.methods.length === 1);
  while (all.length < count) all.push(await start(redisUrl));
  return all as [FaultyService, FaultyService, FaultyService];
};

const request = (id: number, method: string, params: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

const subscribe = async (client: SocketClient, ...params: unknown[]) => {
  client.send(request(1, 'eth_subscribe', params));
  return (await client.take())['result'];
};

/** Connects and subscribes; again while the service has just lost its node. */
const follow = async ({ url }: { url: string }, ...params: unknown[]) => {
  for (;;) {
    const client = await connectSocket(url, `/v3/${KEY}`);
    const id = await subscribe(client, ...(params.length > 0 ? params : ['newHeads']));
    if (typeof id === 'string') return { ...client, id };
    client.close();
    await sleep(50);
  }
};

const mine = async () => {
  await chain().mine({ blocks: 1 });
  return toHex(await chain().getBlockNumber());
};

const expectHead = async (clients: SocketClient[], number: string) => {
  for (const client of clients) {
    expect(await client.take()).toHaveProperty('params.result.number', number);
  }
};

const count = (method: string) =>
  relay.methods.filter((each) => each === method).length;

/** Asks for the newest block as the gas API sees it. */
const headOf = async ({ url }: FaultyService) => {
  const { block } = (await (await fetch(`${url}/health`)).json()) as { block: number };
  return toHex(block);
};

describeWithRedis('instances with one Redis', () => {
  it('have one subscription at the node for each topic', async () => {
    const { url } = await startRedis();
    const all = await startSome(url, 3);
    const clients = await Promise.all(all.map(async (each) => follow(each)));
    const number = await mine();
    await expectHead(clients, number);
    expect(await Promise.all(all.map(headOf))).toEqual([number, number, number]);
    expect([relay.connections(), count('eth_subscribe')]).toEqual([1, 1]);
  });

  it('bring each caller the transactions and logs that it asked for', async () => {
    const { url } = await startRedis();
    const [one, other, third] = await startSome(url, 3);
    const account = privateKeyToAccount(funded.privateKey);
    // Emits an empty log when it is called.
    const emitter = `0x${'e1'.repeat(20)}` as const;
    await chain().setCode({ address: emitter, bytecode: '0x60006000a000' });
    const logs = ['logs', { address: emitter }];
    const quiet = await follow(other, 'logs', { address: `0x${'e2'.repeat(20)}` });
    const clients = [await follow(other, ...logs), await follow(third, ...logs)];
    const pending = await follow(one, 'newPendingTransactions');
    // Heads, the two filters and transactions; none of them twice.
    expect(count('eth_subscribe')).toBe(4);
    const raw = await account.signTransaction({
      chainId: CHAIN,
      type: 'eip1559',
      to: emitter,
      gas: 50_000n,
      nonce: 0,
      maxFeePerGas: 50_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    });
    await createPublicClient({ transport: http(anvilUrl) }).request({
      method: 'eth_sendRawTransaction',
      params: [raw],
    });
    await mine();
    for (const client of clients) {
      expect(await client.take()).toMatchObject({
        params: { subscription: client.id, result: { address: emitter } },
      });
    }
    expect(await pending.take()).toHaveProperty('params.result', keccak256(raw));
    quiet.send(request(9, 'eth_unsubscribe', [quiet.id]));
    // Nothing came before this answer.
    expect(await quiet.take()).toMatchObject({ id: 9, result: true });
  });

  it('pass on what the node refuses', async () => {
    const { url } = await startRedis();
    const [one, other] = await startSome(url, 2);
    for (const { url: address } of [one, other]) {
      const client = await connectSocket(address, `/v3/${KEY}`);
      client.send(request(1, 'eth_subscribe', ['logs', { address: 'none' }]));
      expect(await client.take()).toHaveProperty('error.code', -32602);
    }
  });

  it('take over from one that stops, and say so to clients', async () => {
    const { url } = await startRedis();
    const [one, other, third] = await startSome(url, 3);
    const clients = [await follow(other), await follow(third)];
    await one.stop();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      1013, 1013,
    ]);
    const next = [await follow(other), await follow(third)];
    await expectHead(next, await mine());
    expect([relay.open(), count('eth_subscribe')]).toEqual([1, 2]);
  });

  it('take over from one that is killed', async () => {
    const { url } = await startRedis();
    const doomed = run({
      RPC_URL: anvilUrl,
      RPC_WS_URL: relay.url,
      KEY,
      REDIS: url,
      BLOCK_TIME: '0',
    });
    await doomed.url;
    await until(() => relay.methods.length === 1);
    const [other, third] = [await start(url), await start(url)];
    const clients = [await follow(other), await follow(third)];
    await expectHead(clients, await mine());
    doomed.child.kill('SIGKILL');
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      1013, 1013,
    ]);
    const next = [await follow(other), await follow(third)];
    const number = await mine();
    await expectHead(next, number);
    expect(await Promise.all([other, third].map(headOf))).toEqual([number, number]);
    expect([relay.open(), count('eth_subscribe')]).toEqual([1, 2]);
  });

  it('go on after the socket of the node broke, and say so to clients', async () => {
    const { url } = await startRedis();
    const all = await startSome(url, 2);
    const clients = [await follow(all[0]), await follow(all[1])];
    relay.drop();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      1013, 1013,
    ]);
    const next = [await follow(all[0]), await follow(all[1])];
    await expectHead(next, await mine());
    expect([relay.open(), count('eth_subscribe')]).toEqual([1, 2]);
  });

  it('have a socket each while Redis is gone, and one when it is back', async () => {
    const redis = await startRedis();
    const all = await startSome(redis.url, 2);
    const [keeps, loses] = [await follow(all[0]), await follow(all[1])];
    await redis.stop();
    expect(await loses.closed).toBe(1013);
    const again = await follow(all[1]);
    await expectHead([keeps, again], await mine());
    expect(relay.open()).toBe(2);
    await startRedis({ port: redis.port });
    await until(() => relay.open() === 1);
    // The one that has no socket any more has said so.
    await Promise.race([keeps.closed, again.closed]);
    const next = [await follow(all[0]), await follow(all[1])];
    await expectHead(next, await mine());
  });

  it('drop a topic at the node when no client of any of them has it', async () => {
    const { url } = await startRedis();
    const [one, other] = await startSome(url, 2);
    const logs = ['logs', { address: `0x${'e3'.repeat(20)}` }];
    const [near, far] = [await follow(one, ...logs), await follow(other, ...logs)];
    near.close();
    await near.closed;
    await sleep(1_500);
    expect(count('eth_unsubscribe')).toBe(0);
    far.close();
    // It is no longer repeated; 15 seconds later it is forgotten.
    while (count('eth_unsubscribe') === 0) await sleep(100);
    expect(count('eth_unsubscribe')).toBe(1);
  });

  it.each(['nonsense', '[]', '{"to":1}', '{"from":"x","key":"["}'])(
    'ignore %s that another client published',
    async (text) => {
      const { url } = await startRedis();
      const all = await startSome(url, 2);
      const clients = [await follow(all[0]), await follow(all[1])];
      const { Redis } = await import('ioredis');
      const redis = new Redis(url);
      const [channel = ''] = (await redis.pubsub('CHANNELS')) as string[];
      expect(await redis.publish(channel, text)).toBe(2);
      redis.disconnect();
      await expectHead(clients, await mine());
    },
  );
});
