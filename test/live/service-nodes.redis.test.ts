// Three nodes of one chain, the first of which fails in many ways: no answer may be wrong, and no
// transaction may be lost or sent twice. Also instances that share a chain's subscriptions through
// Redis: one has the node's WebSocket, and another takes over when it stops.
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';
import { createTestClient, http, keccak256, publicActions, toHex } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { funded } from '../../dev/stack/accounts';
import { orDied, startAnvil } from '../../dev/stack/processes';
import type { Anvil } from '../../dev/stack/processes';
import { KEY } from '../../dev/stack/service-bench';
import type { ServiceOptions } from '../../packages/service/src/options';
import { startService } from '../../packages/service/src/service';
import type { Service } from '../../packages/service/src/service';
import { waitFor } from '../fixtures/stack/requests';
import { useHttpServers } from '../support/http-server';
import type { Answer } from '../support/http-server';
import { toRequests } from '../support/json-rpc';
import type { WireRequest } from '../support/json-rpc';
import { describeWithRedis, useRedis } from '../support/redis';
import { useServiceCommand } from '../support/service-command';
import { connectSocket } from '../support/service-socket';
import type { SocketClient } from '../support/service-socket';
import { startRelay } from '../support/ws-relay';
import type { Relay } from '../support/ws-relay';

const CHAIN = 31_337;
const account = privateKeyToAccount(funded.privateKey);
const limits = {
  nodeTimeoutMs: 3_000,
  nodeCheckMs: 150,
  nodeSlowMs: 300,
  hedgeMs: 100,
};

let anvil: Anvil;
let anvilUrl = '';
let nonce = 0;
const chain = () =>
  createTestClient({ transport: http(anvilUrl), mode: 'anvil' }).extend(publicActions);

beforeAll(async () => {
  anvil = startAnvil();
  anvilUrl = `http://127.0.0.1:${await orDied(anvil.port, anvil.child)}`;
  await chain().mine({ blocks: 20 });
});

afterAll(async () => anvil.child.stop());

const serve = useHttpServers();
const services: Service[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map(async ({ stop }) => stop()));
});

/** Spoils the answer to a request body; `forward` forwards a request to the chain. */
type Spoil = (
  response: ServerResponse,
  requestBody: string,
  forward: Forward,
) => unknown;
type Forward = (body?: string) => Promise<string>;

const requestChain = async (body: string) =>
  (await fetch(anvilUrl, { method: 'POST', body, headers: JSON_HEADERS })).text();
const JSON_HEADERS = { 'Content-Type': 'application/json' };

const startProxy = async () => {
  let spoil: Spoil | undefined;
  const answer: Answer = (response, { body }) => {
    const forward: Forward = async (other = body) => requestChain(other);
    const work = async () => {
      if (spoil) await spoil(response, body, forward);
      else response.writeHead(200, JSON_HEADERS).end(await forward());
    };
    work().catch(() => response.destroy());
  };
  const { url } = await serve(answer);
  return {
    url,
    fail: (how: Spoil | undefined) => {
      spoil = how;
    },
  };
};

const lie =
  (change: (result: unknown, request: WireRequest) => unknown): Spoil =>
  async (response, requestBody, forward) => {
    const answers = JSON.parse(await forward()) as object | object[];
    const requests = toRequests({ body: requestBody });
    const changed = [answers].flat().map((row, index) => {
      const request = requests[index];
      if (!request || !('result' in row)) return row;
      return { ...row, result: change(row.result, request) };
    });
    const body = JSON.stringify(Array.isArray(answers) ? changed : changed[0]);
    response.writeHead(200, JSON_HEADERS).end(body);
  };

/** Replaces the chain's answer, after the chain has executed the request. */
const replace =
  (status: number, body: string, headers: Record<string, string> = {}): Spoil =>
  async (response, _body, forward) => {
    await forward();
    response.writeHead(status, { ...JSON_HEADERS, ...headers }).end(body);
  };

const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });

const OTHER = `0x${'ab'.repeat(32)}`;

/** Answers like a node that lacks the last ten blocks. */
const lag: Spoil = async (response, requestBody, forward) => {
  const head = Number(await chain().getBlockNumber());
  const old = toHex(head - 10);
  const requests = toRequests({ body: requestBody }).map((each) => ({
    ...each,
    params: each.params.map((param) => (param === 'latest' ? old : param)),
  }));
  const answers = await Promise.all(
    requests.map(async (each) => {
      const row = JSON.parse(await forward(JSON.stringify(each))) as {
        result: unknown;
      };
      const isNew = /Receipt|ByHash|BlockByNumber/u.test(each.method);
      if (each.method === 'eth_blockNumber') return { ...row, result: old };
      return isNew ? { ...row, result: null } : row;
    }),
  );
  const body = JSON.stringify(requestBody.startsWith('[') ? answers : answers[0]);
  response.writeHead(200, JSON_HEADERS).end(body);
};

/**
 * Faults by what the node does. If only a health check notices a fault, the test waits for the
 * check.
 */
const faults: [name: string, fault: Spoil, isSeenByCheck?: true][] = [
  ['resets the connection immediately', (response) => response.destroy()],
  [
    'executes the request and resets the connection',
    async (response, _body, forward) => {
      await forward();
      response.destroy();
    },
  ],
  ['hangs', () => undefined],
  ['executes the request and hangs', async (_response, _body, forward) => forward()],
  [
    'sends half an answer and resets the connection',
    async (response, _body, forward) => {
      const text = await forward();
      response.writeHead(200, { ...JSON_HEADERS, 'Content-Length': text.length });
      response.write(text.slice(0, text.length / 2));
      await sleep(20);
      response.destroy();
    },
  ],
  [
    'sends half an answer and hangs',
    async (response, _body, forward) => {
      const text = await forward();
      response.writeHead(200, JSON_HEADERS).write(text.slice(0, text.length / 2));
    },
  ],
  [
    'sends half an answer as a complete one',
    async (response, _body, forward) => {
      const text = await forward();
      response.writeHead(200, JSON_HEADERS).end(text.slice(0, text.length / 2));
    },
  ],
  ['answers with an empty body', replace(200, '')],
  ['answers HTML', replace(200, '<html>hello</html>')],
  ['answers HTML with 502', replace(502, '<html>Bad gateway</html>')],
  ['answers 500', replace(500, error(-32603, 'internal'))],
  ['answers 401', replace(401, error(-32600, 'no such project'))],
  ['is rate-limited', replace(429, error(-32005, 'limit'), { 'Retry-After': '1' })],
  ['is rate-limited but answers 200', replace(200, error(-32005, 'daily limit'))],
  [
    'answers with a different id',
    replace(200, '{"jsonrpc":"2.0","id":"x","result":"0x1"}'),
  ],
  [
    'answers slowly',
    async (response, _body, forward) => {
      await sleep(350);
      response.end(await forward());
    },
  ],
  [
    'returns other transactions and receipts',
    lie((result, { method }) => {
      const isFound = /Receipt|TransactionByHash/u.test(method) && result;
      return isFound ? { ...result, hash: OTHER, transactionHash: OTHER } : result;
    }),
  ],
  [
    'returns other blocks',
    lie((result, { method }) =>
      method.includes('BlockBy') ? { ...(result as object), number: '0x1' } : result,
    ),
  ],
  ['returns null for everything', lie(() => null)],
  [
    'returns a different hash for a sent transaction',
    lie((result, { method }) => (method.includes('send') ? OTHER : result)),
  ],
  [
    'reports a block number far ahead',
    lie((result, { method }) => (method === 'eth_blockNumber' ? '0xfffff' : result)),
    true,
  ],
  [
    'serves a different chain',
    lie((result, { method }) => (method === 'eth_chainId' ? '0x1' : '0x2')),
    true,
  ],
  ['lags', lag, true],
];

type Network = { url: string; path?: string };

const post = async ({ url, path = `/v3/${KEY}` }: Network, body: unknown) => {
  const text = JSON.stringify(body);
  const response = await fetch(`${url}${path}`, { method: 'POST', body: text });
  return (await response.json()) as unknown;
};

const call = async (service: Network, method: string, params: unknown[] = []) =>
  (await post(service, { jsonrpc: '2.0', id: 1, method, params })) as {
    result?: unknown;
    error?: unknown;
  };

const sign = async (to: Hex = `0x${'77'.repeat(20)}`) =>
  account.signTransaction({
    chainId: CHAIN,
    type: 'eip1559',
    nonce: nonce++,
    to,
    value: 1n,
    gas: 50_000n,
    maxFeePerGas: 50_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });

/** Reads with a single correct answer. */
const readsOf = (hash: Hex, block: Hex): [method: string, params: unknown[]][] => [
  ['eth_blockNumber', []],
  ['eth_chainId', []],
  ['eth_getBalance', [account.address, 'latest']],
  ['eth_getTransactionCount', [account.address, 'latest']],
  ['eth_getBlockByNumber', [block, false]],
  ['eth_getBlockByNumber', ['0x5', false]],
  ['eth_getTransactionReceipt', [hash]],
  ['eth_getTransactionByHash', [hash]],
  ['eth_getTransactionReceipt', [OTHER]],
];

/** Sends a transaction, and compares reads, single and in a batch, with the chain. */
const work = async (service: Network) => {
  const raw = await sign();
  const hash = keccak256(raw);
  expect(await call(service, 'eth_sendRawTransaction', [raw])).toMatchObject({
    result: hash,
  });
  const block = await mine();
  await sleep(20);
  const reads = readsOf(hash, block);
  const requests = reads.map(([method, params], id) => {
    return { jsonrpc: '2.0', id, method, params };
  });
  const text = await requestChain(JSON.stringify(requests));
  // The service writes both parts of a signature as 32 bytes; the chain drops leading zeros.
  const padded = text.replace(
    /"([rs])":"0x([0-9a-f]+)"/gu,
    (_all, name: string, digits: string) => `"${name}":"0x${digits.padStart(64, '0')}"`,
  );
  const truth = JSON.parse(padded) as object[];
  const [batch, ...single] = await Promise.all([
    post(service, requests),
    ...requests.map(async (request) => post(service, request)),
  ]);
  // Fails with the texts of errors, which the comparison would not show.
  expect(JSON.stringify([batch, single])).not.toContain('"error"');
  expect(batch).toMatchObject(truth);
  expect(single).toMatchObject(truth);
  expect(single[6]).toHaveProperty('result.transactionHash', hash);
};

const mine = async () => {
  await chain().mine({ blocks: 1 });
  return toHex(await chain().getBlockNumber());
};

const countSent = async () => {
  const block = await chain().getBlockNumber();
  const blocks = await Promise.all(
    Array.from({ length: Number(block) }, async (_each, index) =>
      chain().getBlock({ blockNumber: BigInt(index + 1) }),
    ),
  );
  return blocks.flatMap(({ transactions }) => transactions).length;
};

const start = async (options: Partial<ServiceOptions> = {}, count = 3) => {
  const proxies = await Promise.all(Array.from({ length: count }, startProxy));
  const nodes = proxies.map(({ url }, index) => ({ url, name: 'abc'.charAt(index) }));
  const service = await startService({
    networks: [{ chainId: CHAIN, nodes, blockMs: 0 }],
    apiKey: KEY,
    limits,
    metricsPort: 0,
    ...options,
  });
  services.push(service);
  const metric = async (name: string) => {
    const lines = await (await fetch(service.metricsUrl ?? '')).text();
    const line = lines.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  };
  const until = async (isUp: boolean, node = 'a') => {
    const name = `gas_service_node_up{chain="${CHAIN}",node="${node}"}`;
    while ((await metric(name)) !== Number(isUp)) await sleep(20);
  };
  return { service, proxies, metric, until };
};

describe('the service', () => {
  it.each(faults)('withstands a node that %s', async (...[, fault, isSeenByCheck]) => {
    const { service, proxies, until } = await start();
    await until(true);
    await work(service);
    proxies[0]?.fail(fault);
    if (isSeenByCheck) await until(false);
    for (let round = 0; round < 3; round += 1) await work(service);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    proxies[0]?.fail(undefined);
    await until(true);
    await work(service);
    expect(await countSent()).toBe(nonce);
  });

  it('reports a chain as down while all of its nodes are down', async () => {
    const { service, proxies, until } = await start({}, 2);
    proxies.forEach(({ fail }) => fail((response) => response.destroy()));
    await until(false);
    await until(false, 'b');
    const health = await fetch(`${service.url}/health`);
    expect(health.status).toBe(503);
    expect(await call(service, 'eth_chainId')).toHaveProperty('error.code', -32603);
    proxies.forEach(({ fail }) => fail(undefined));
    await until(true);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    await work(service);
  });
});

describe('a node that goes down', () => {
  const relays: Relay[] = [];
  afterEach(async () => {
    await Promise.all(relays.splice(0).map(async ({ stop }) => stop()));
  });

  it('is replaced by the next one, also for subscriptions that clients share', async () => {
    const [one, other] = [await startRelay(anvilUrl), await startRelay(anvilUrl)];
    relays.push(one, other);
    const proxies = [await startProxy(), await startProxy()];
    const nodes = [one, other].map(({ url: wsUrl }, index) => ({
      url: proxies[index]?.url ?? '',
      wsUrl,
      name: 'ab'.charAt(index),
    }));
    const networks = [{ chainId: CHAIN, nodes, blockMs: 0 }];
    const { service, until } = await start({ networks });
    const connect = async () => {
      const client = await connectSocket(service.url, `/networks/${CHAIN}/v3/${KEY}`);
      const params = ['newHeads'];
      client.send({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params });
      expect(await client.take()).toHaveProperty('result');
      return client;
    };
    const [first, second] = [await connect(), await connect()];
    const number = await mine();
    for (const client of [first, second]) {
      expect(await client.take()).toHaveProperty('params.result.number', number);
    }
    expect(one.methods).toEqual(['eth_subscribe']);
    proxies[0]?.fail((response) => response.destroy());
    await until(false);
    expect(await Promise.all([first.closed, second.closed])).toEqual([1013, 1013]);
    await work(service);
    const third = await connect();
    await mine();
    expect(await third.take()).toHaveProperty('method', 'eth_subscription');
    expect(other.methods).toEqual(['eth_subscribe']);
    third.close();
  });
});

const startRedis = useRedis();
const { folder, run } = useServiceCommand();

describeWithRedis('instances that share Redis', () => {
  it('lose no transaction and send none twice when one is killed and Redis stops', async () => {
    const redis = await startRedis();
    const proxies = [await startProxy(), await startProxy()];
    const config = join(folder(), 'config.json');
    const nodes = proxies.map(({ url }) => ({ url }));
    const networks = [{ chainId: CHAIN, nodes, blockMs: 0 }];
    await writeFile(config, JSON.stringify({ networks }));
    const all = { CONFIG: config, KEY, REDIS: redis.url };
    // The first process waits for its node until it is killed.
    const one = run({ ...all, NODE_TIMEOUT: '60000' });
    const other = run({ ...all, NODE_TIMEOUT: '4000' });
    const [url, otherUrl] = await Promise.all([one.url, other.url]);
    await work({ url });
    await work({ url: otherUrl });
    let held = 0;
    const hold: Spoil = async (response, requestBody, forward) => {
      const text = await forward();
      if (requestBody.includes('eth_sendRawTransaction')) held += 1;
      else response.end(text);
    };
    // Makes both nodes hang: on a busy machine, the first process may already use the second one.
    proxies.forEach(({ fail }) => fail(hold));
    const raws = [await sign(), await sign()];
    const hashes = raws.map((raw) => keccak256(raw));
    const lost = raws.map(async (raw) =>
      call({ url }, 'eth_sendRawTransaction', [raw]).catch(() => 'lost'),
    );
    while (held < raws.length) await sleep(5);
    one.child.kill('SIGKILL');
    await redis.stop();
    expect(await Promise.all(lost)).toEqual(['lost', 'lost']);
    proxies[1]?.fail(undefined);
    // The callers ask the other process and send again, but each transaction is sent once.
    for (const [index, raw] of raws.entries()) {
      const hash = hashes[index];
      expect(
        await call({ url: otherUrl }, 'eth_getTransactionByHash', [hash]),
      ).toHaveProperty('result.hash', hash);
      expect(
        await call({ url: otherUrl }, 'eth_sendRawTransaction', [raw]),
      ).toHaveProperty('result', hash);
    }
    for (let round = 0; round < 2; round += 1) await work({ url: otherUrl });
    proxies[0]?.fail(undefined);
    await startRedis({ port: redis.port });
    await work({ url: otherUrl });
    expect(await countSent()).toBe(nonce);
  });

  it('share only final answers', async () => {
    const redis = await startRedis();
    const options = { redisUrl: redis.url };
    const one = await start(options, 1);
    await work(one.service);
    const head = await chain().getBlockNumber();
    const { transactions, hash: blockHash } = await chain().getBlock({
      blockNumber: head,
    });
    const [hash] = transactions;
    const reads: [method: string, params: unknown[]][] = [
      ['eth_getBlockByNumber', [toHex(head), false]],
      ['eth_getBlockByHash', [blockHash, true]],
      ['eth_getTransactionReceipt', [hash]],
      ['eth_getTransactionByHash', [hash]],
      ['eth_getBlockReceipts', [toHex(head)]],
    ];
    const readAll = async (service: Network) => {
      const answers = [];
      for (const [method, params] of reads) {
        answers.push((await call(service, method, params)).result);
      }
      return answers;
    };
    const client = new Redis(redis.url);
    const countStored = async () => {
      const keys = await client.keys('*');
      const isStored = ([method, params]: (typeof reads)[number]) =>
        keys.some((key) =>
          key.includes(JSON.stringify([method, ...params]).toLowerCase()),
        );
      return reads.filter(isStored).length;
    };
    const unfinalized = await readAll(one.service);
    expect(unfinalized).not.toContain(null);
    await sleep(100);
    expect(await countStored()).toBe(0);
    // Anvil finalizes a block 64 blocks later.
    await chain().mine({ blocks: 70 });
    // If Redis missed an answer, the next instance stores it again.
    while ((await countStored()) < reads.length) {
      const other = await start(options, 1);
      expect(await readAll(other.service)).toEqual(unfinalized);
      await sleep(100);
    }
    client.disconnect();
    const third = await start(options, 1);
    third.proxies[0]?.fail(
      lie((result, { method }) => (/Receipt|By/u.test(method) ? null : result)),
    );
    const hits = `gas_service_cache_hits_total{chain="${CHAIN}",tier=`;
    expect(await readAll(third.service)).toEqual(unfinalized);
    expect(await third.metric(`${hits}"redis"}`)).toBe(reads.length);
    expect(await readAll(third.service)).toEqual(unfinalized);
    expect(await third.metric(`${hits}"memory"}`)).toBe(reads.length);
  });
});

describeWithRedis('subscriptions of instances that share Redis', () => {
  let relay: Relay;

  beforeEach(async () => {
    relay = await startRelay(anvilUrl);
  });

  afterEach(async () => {
    await relay.stop();
  });

  const startOne = async (redisUrl: string, wsUrl = relay.url) => {
    const nodes = [{ url: anvilUrl, wsUrl }];
    const service = await startService({
      networks: [{ chainId: CHAIN, nodes, blockMs: 0 }],
      redisUrl,
      apiKey: KEY,
      limits: { nodeTimeoutMs: 2_000 },
    });
    services.push(service);
    return service;
  };

  /** Starts instances one after the other, so that the first has the node's socket. */
  const startSome = async (redisUrl: string, count: number) => {
    const all = [await startOne(redisUrl)];
    await waitFor(() => relay.methods.length === 1);
    while (all.length < count) all.push(await startOne(redisUrl));
    return all as [Service, Service, Service];
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

  /** Connects and subscribes, and retries while the service has no node. */
  const follow = async ({ url }: { url: string }, ...params: unknown[]) => {
    for (;;) {
      const client = await connectSocket(url, `/v3/${KEY}`);
      const id = await subscribe(
        client,
        ...(params.length > 0 ? params : ['newHeads']),
      );
      if (typeof id === 'string') return { ...client, id };
      client.close();
      await sleep(50);
    }
  };

  const expectHead = async (clients: SocketClient[], number: string) => {
    for (const client of clients) {
      expect(await client.take()).toHaveProperty('params.result.number', number);
    }
  };

  const count = (method: string) =>
    relay.methods.filter((each) => each === method).length;

  const headOf = async ({ url }: Service) => {
    const { block } = (await (await fetch(`${url}/health`)).json()) as {
      block: number;
    };
    return toHex(block);
  };

  it('need one subscription per topic at the node', async () => {
    const { url } = await startRedis();
    const all = await startSome(url, 3);
    const clients = await Promise.all(all.map(async (each) => follow(each)));
    const number = await mine();
    await expectHead(clients, number);
    expect(await Promise.all(all.map(headOf))).toEqual([number, number, number]);
    expect([relay.connectionCount(), count('eth_subscribe')]).toEqual([1, 1]);
  });

  it('report only the transactions and logs that each client requested', async () => {
    const { url } = await startRedis();
    const [one, other, third] = await startSome(url, 3);
    // A contract that emits an empty log.
    const emitter = `0x${'e1'.repeat(20)}` as const;
    await chain().setCode({ address: emitter, bytecode: '0x60006000a000' });
    const logs = ['logs', { address: emitter }];
    const quiet = await follow(other, 'logs', { address: `0x${'e2'.repeat(20)}` });
    const clients = [await follow(other, ...logs), await follow(third, ...logs)];
    const pending = await follow(one, 'newPendingTransactions');
    // One subscription each for heads, two log filters and transactions.
    expect(count('eth_subscribe')).toBe(4);
    const serializedTransaction = await sign(emitter);
    await chain().sendRawTransaction({ serializedTransaction });
    await mine();
    for (const client of clients) {
      expect(await client.take()).toMatchObject({
        params: { subscription: client.id, result: { address: emitter } },
      });
    }
    expect(await pending.take()).toHaveProperty(
      'params.result',
      keccak256(serializedTransaction),
    );
    quiet.send(request(9, 'eth_unsubscribe', [quiet.id]));
    // The first message is this answer, not a log.
    expect(await quiet.take()).toMatchObject({ id: 9, result: true });
  });

  it("are refused with the node's error", async () => {
    const { url } = await startRedis();
    const [one, other] = await startSome(url, 2);
    for (const { url: address } of [one, other]) {
      const client = await connectSocket(address, `/v3/${KEY}`);
      client.send(request(1, 'eth_subscribe', ['logs', { address: 'none' }]));
      expect(await client.take()).toHaveProperty('error.code', -32602);
    }
  });

  it('move to another instance when one stops, after all clients are disconnected', async () => {
    const { url } = await startRedis();
    const [one, other, third] = await startSome(url, 3);
    const clients = [await follow(other), await follow(third)];
    await one.stop();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      1013, 1013,
    ]);
    const next = [await follow(other), await follow(third)];
    await expectHead(next, await mine());
    expect([relay.openCount(), count('eth_subscribe')]).toEqual([1, 2]);
  });

  it('move to another instance when one is killed', async () => {
    const { url } = await startRedis();
    const doomed = run({
      RPC_URL: anvilUrl,
      RPC_WS_URL: relay.url,
      KEY,
      REDIS: url,
      BLOCK_TIME: '0',
    });
    await doomed.url;
    await waitFor(() => relay.methods.length === 1);
    const [other, third] = [await startOne(url), await startOne(url)];
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
    expect([relay.openCount(), count('eth_subscribe')]).toEqual([1, 2]);
  });

  it("can be renewed after the node's socket breaks and disconnects all clients", async () => {
    const { url } = await startRedis();
    const all = await startSome(url, 2);
    const clients = [await follow(all[0]), await follow(all[1])];
    relay.drop();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      1013, 1013,
    ]);
    const next = [await follow(all[0]), await follow(all[1])];
    await expectHead(next, await mine());
    expect([relay.openCount(), count('eth_subscribe')]).toEqual([1, 2]);
  });

  it('use a socket per instance while Redis is down, and one when it is back', async () => {
    const redis = await startRedis();
    const all = await startSome(redis.url, 2);
    const [keeps, loses] = [await follow(all[0]), await follow(all[1])];
    await redis.stop();
    expect(await loses.closed).toBe(1013);
    const again = await follow(all[1]);
    await expectHead([keeps, again], await mine());
    expect(relay.openCount()).toBe(2);
    await startRedis({ port: redis.port });
    await waitFor(() => relay.openCount() === 1);
    // The instance that closed its socket has disconnected its clients.
    await Promise.race([keeps.closed, again.closed]);
    const next = [await follow(all[0]), await follow(all[1])];
    await expectHead(next, await mine());
  });

  it('end at the node when no client of any instance needs the topic', async () => {
    const { url } = await startRedis();
    const [one, other] = await startSome(url, 2);
    const logs = ['logs', { address: `0x${'e3'.repeat(20)}` }];
    const [near, far] = [await follow(one, ...logs), await follow(other, ...logs)];
    near.close();
    await near.closed;
    await sleep(1_500);
    expect(count('eth_unsubscribe')).toBe(0);
    far.close();
    // Without renewal, the topic expires after 15 seconds.
    while (count('eth_unsubscribe') === 0) await sleep(100);
    expect(count('eth_unsubscribe')).toBe(1);
  });

  it.each(['nonsense', '[]', '{"to":1}', '{"from":"x","key":"["}'])(
    'ignore %s published by another Redis client',
    async (text) => {
      const { url } = await startRedis();
      const all = await startSome(url, 2);
      const clients = [await follow(all[0]), await follow(all[1])];
      const redis = new Redis(url);
      const [channel = ''] = (await redis.pubsub('CHANNELS')) as string[];
      expect(await redis.publish(channel, text)).toBe(2);
      redis.disconnect();
      await expectHead(clients, await mine());
    },
  );
});
