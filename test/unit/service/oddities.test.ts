// Odd nodes and chains: the service handles them, or reports them in /health.
import { setTimeout as sleep } from 'node:timers/promises';

import { jest } from '@jest/globals';
import { toHex } from 'viem';

import { KEY } from '../../../dev/stack/service-bench';
import { FollowerServer } from '../../../packages/service/src/feeds';
import type { Head } from '../../../packages/service/src/head';
import { readJson, writeJson } from '../../../packages/service/src/json-rpc';
import type { NodePool } from '../../../packages/service/src/nodes';
import type { Exchange } from '../../../packages/service/src/store';
import { createSubscriptions } from '../../../packages/service/src/subscriptions';
import { useHttpServers } from '../../support/http-server';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, history } from '../../support/service-node';
import {
  chainAt,
  countOf,
  hashOf,
  rpcError,
  useNodes,
} from '../../support/service-nodes';
import { connectSocket } from '../../support/service-socket';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const start = useNodes();
const serve = useHttpServers();
const startSockets = useSocketServers();

afterEach(() => jest.restoreAllMocks());

type Chain = { head: number; fork?: string; ageMs?: number; baseFee?: string | null };
type Bench = Awaited<ReturnType<typeof start>>;

/** A node on a chain that tests can change; its finalized block is `depth` blocks old. */
const nodeOf = (chain: Chain, depth = 40) => ({
  ...chainAt(() => chain.head),
  eth_feeHistory: () => ({ ...history, oldestBlock: toHex(chain.head) }),
  eth_getBlockByNumber: ({ params: [block] }: WireRequest) => {
    const tags: Record<string, number> = {
      latest: chain.head,
      finalized: chain.head - depth,
    };
    const number = tags[String(block)] ?? Number(block);
    const bornMs = Date.now() - (chain.ageMs ?? 0);
    const { baseFee = '0x1' } = chain;
    return {
      number: toHex(number),
      hash: hashOf(number === chain.head ? (chain.fork ?? '') : '', number),
      timestamp: toHex(Math.floor(bornMs / 1_000)),
      ...(baseFee !== null && { baseFeePerGas: baseFee }),
    };
  },
});

const healthOf = async ({ service }: Bench) => {
  const response = await fetch(`${service.url}/health`);
  return {
    ...((await response.json()) as { nodes?: { name: string; notes: string[] }[] }),
    status: response.status,
  };
};

const waitForNotes = async (bench: Bench) => {
  for (;;) {
    const { nodes } = await healthOf(bench);
    if (nodes) return nodes;
    await sleep(10);
  }
};

describe('/health', () => {
  it('reports nothing about a healthy node', async () => {
    const bench = await start([nodeOf({ head: 100 })]);
    await sleep(150);
    expect(await healthOf(bench)).toEqual({ status: 200, chainId: 1, block: 100 });
  });

  it.each<[what: string, chain: Partial<Chain>, depth: number, note: RegExp]>([
    [
      'a block in the future',
      { ageMs: -3_600_000 },
      40,
      /^its newest block is 3[56]\d\d s in the future: a clock is wrong$/u,
    ],
    [
      'a chain without base fee',
      { baseFee: null },
      40,
      /^its blocks have no base fee: the gas API has no fees$/u,
    ],
    [
      'a node that calls its newest block final',
      {},
      0,
      /^it reports its newest block as final$/u,
    ],
  ])('reports %s', async (_what, chain, ...[depth, note]) => {
    const bench = await start([nodeOf({ head: 100, ...chain }, depth)], {}, ['own']);
    expect(await waitForNotes(bench)).toEqual([
      { name: 'own', notes: [expect.stringMatching(note)] },
    ]);
    expect((await healthOf(bench)).status).toBe(200);
  });

  it('reports a late block, but not a chain without new blocks', async () => {
    const chain = { head: 100, ageMs: 3_600_000 };
    const bench = await start([nodeOf(chain)]);
    await sleep(200);
    expect(await healthOf(bench)).not.toHaveProperty('nodes');
    chain.head = 101;
    expect(await waitForNotes(bench)).toEqual([
      {
        name: 'node 1',
        notes: [
          expect.stringMatching(
            /^its newest block came 3[56]\d\d s late: it is syncing, or a clock is wrong$/u,
          ),
        ],
      },
    ]);
  });

  it('does not report a block from long after the last check', async () => {
    let laterMs = 0;
    const now = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + laterMs);
    const chain = { head: 100 };
    const bench = await start([nodeOf(chain)]);
    await sleep(150);
    chain.head = 101;
    laterMs = 20_000;
    await sleep(150);
    expect(await healthOf(bench)).not.toHaveProperty('nodes');
  });

  it('reports why a node is excluded, and names its index instead of its host', async () => {
    const bench = await start([nodeOf({ head: 100 }), nodeOf({ head: 90 })]);
    expect(await waitForNotes(bench)).toEqual([
      { name: 'node 2', notes: ['left out: 10 blocks behind'] },
    ]);
  });

  it('reports a WebSocket whose blocks are far ahead, and does not wait for them', async () => {
    const sockets = await startSockets(answerSocket('0x1'));
    const { url } = await serve(answerBy(nodeOf({ head: 100 })));
    const nodes = [{ url, wsUrl: sockets.url, name: 'own' }];
    const bench = await start([], { networks: [{ chainId: 1, nodes, blockMs: 0 }] });
    expect(await bench.call('eth_blockNumber')).toHaveProperty('result', '0x64');
    const client = await connectSocket(bench.service.url, `/v3/${KEY}`);
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe' };
    client.send({ ...subscribe, params: ['newHeads'] });
    await client.take();
    const result = { number: '0xc8', hash: hashOf('', 200), timestamp: '0x1' };
    const params = { subscription: '0x1', result };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
    sockets.open().forEach((socket) => socket.send(text));
    await client.take();
    expect(await waitForNotes(bench)).toEqual([
      { name: 'own', notes: ['its WebSocket is 100 blocks ahead of HTTP'] },
    ]);
    expect(await bench.call('eth_blockNumber')).toHaveProperty('result', '0x64');
    expect(await bench.call('eth_getBlockByNumber', 'latest', false)).toHaveProperty(
      'result.number',
      '0x64',
    );
    client.close();
  });
});

describe('a block that replaces another at its height', () => {
  it('gets its own gas fees, even if the service sees it only over HTTP', async () => {
    const chain = { head: 100, fork: 'a' };
    const bench = await start([nodeOf(chain)], {
      limits: { nodeCheckMs: 30, headMaxAgeMs: 1 },
    });
    const [node] = bench.nodes;
    const count = () => (node ? countOf(node, 'eth_feeHistory') : 0);
    const url = `${bench.service.url}/v3/${KEY}/networks/1/suggestedGasFees`;
    // Callers share one look-up.
    const ask = async () =>
      Promise.all(Array.from({ length: 20 }, async () => fetch(url)));
    for (let round = 0; round < 3; round += 1) {
      await ask();
      await sleep(60);
    }
    expect(count()).toBe(1);
    chain.fork = 'b';
    for (let round = 0; round < 3; round += 1) {
      await sleep(100);
      await ask();
    }
    expect(count()).toBe(2);
  });
});

/** A filter that no node accepts, with a number too large for JavaScript. */
const large = '{"address":12345678901234567890}';

describe('the address of a node', () => {
  it.each([
    ['archive=true', true],
    ['chain=8453', 8453],
  ])(
    'is removed from an error even if its data is then no longer JSON: %s',
    async (query, x) => {
      const error = rpcError(-32_000, 'refused', { x });
      const { url } = await serve(
        answerBy({ ...chainAt(() => 100), eth_getBalance: error }),
      );
      const nodes = [{ url: `${url}/?${query}` }];
      const bench = await start([], { networks: [{ chainId: 1, nodes, blockMs: 0 }] });
      for (let round = 0; round < 4; round += 1) {
        const { error: shown } = await bench.call(
          'eth_getBalance',
          `0x${'12'.repeat(20)}`,
        );
        expect(shown).toEqual({ code: -32_000, message: 'refused' });
      }
    },
  );

  it('names it in metrics without a key in a subdomain', async () => {
    const nodes = [{ url: 'http://abcdef0123456789abcdef.node.invalid:1/' }];
    const { metrics } = await start([], {
      networks: [{ chainId: 1, nodes, blockMs: 0 }],
    });
    const text = await metrics();
    expect(text).toContain('node="[redacted].node.invalid:1"');
    expect(text).not.toContain('0123456789');
  });
});

describe('a subscription', () => {
  const subscribe = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe' };

  const connectTo = async (answer: Parameters<typeof startSockets>[0]) => {
    const sockets = await startSockets(answer);
    const { url } = await serve(answerBy(nodeOf({ head: 100 })));
    const nodes = [{ url, wsUrl: sockets.url }];
    const { service } = await start([], {
      networks: [{ chainId: 1, nodes, blockMs: 0 }],
    });
    return { sockets, client: await connectSocket(service.url, `/v3/${KEY}`) };
  };

  it('reaches the node with large numbers as written, as does its error', async () => {
    const { sockets, client } = await connectTo((socket, { id, params }) => {
      const error = { code: -32_602, message: `invalid: ${JSON.stringify(params)}` };
      const answer = params[0] === 'logs' ? { error } : { result: '0x1' };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
    const text = JSON.stringify({ ...subscribe, params: ['logs', {}] });
    client.send(text.replace('{}', large));
    expect(await client.take()).toHaveProperty(
      'error.message',
      'invalid: ["logs",{"address":12345678901234567000}]',
    );
    expect(sockets.arrived.at(-1)).toHaveProperty(
      'params.1.address',
      Number('12345678901234567890'),
    );
    client.close();
  });

  it.each([5, null, {}])('fails if the node returns the id %j', async (id) => {
    const { client } = await connectTo(answerSocket(() => id));
    client.send({ ...subscribe, params: ['newHeads'] });
    expect(await client.take()).toHaveProperty('error.code', -32_603);
    client.close();
  });
});

describe('an instance that follows another', () => {
  afterEach(() => jest.useRealTimers());

  /** Follows an instance that refuses each filter of logs. Messages are text, as in Redis. */
  const follow = () => {
    const texts: string[] = [];
    const readers: ((message: unknown) => void)[] = [];
    const exchange = {
      hold: async () => Promise.resolve('holder'),
      release: async () => Promise.resolve(),
      publish: async (message: object) => {
        const text = writeJson(message);
        texts.push(text);
        readers.forEach((read) => read(readJson(text)?.value));
        return Promise.resolve(true);
      },
      listen: (read: (message: unknown) => void) => readers.push(read),
    } as unknown as Exchange;
    const holder = new FollowerServer({
      findId: () => 'holder',
      subscribe: async (key) =>
        Promise.resolve({
          outcome: key.includes('logs')
            ? { error: { code: -32_602, message: 'invalid filter' } }
            : { result: '0x1' },
          unsubscribe: () => undefined,
        }),
      publish: (message) => void exchange.publish(message),
    });
    readers.push((message) => holder.read(message));
    return { exchange, texts };
  };

  it('repeats no topic that was refused, and none with a broken message', async () => {
    jest.useFakeTimers();
    const { exchange, texts } = follow();
    const pool = { announce: () => undefined } as unknown as NodePool;
    const head = { push: () => undefined } as unknown as Head;
    const options = { head, timeoutMs: 1_000, exchange };
    const { subscribe, stop } = createSubscriptions(pool, options);
    const params = readJson(`["logs",${large}]`)?.value as unknown[];
    const outcome = await subscribe(params, { notify: () => undefined });
    expect(outcome).toHaveProperty('error.code', -32_602);
    texts.forEach((text) => JSON.parse(text) as unknown);
    texts.splice(0);
    jest.advanceTimersByTime(6_000);
    expect(texts).toEqual([
      '{"to":"holder","keys":["[\\"newHeads\\"]"],"isNew":false}',
    ]);
    await stop();
  });
});
