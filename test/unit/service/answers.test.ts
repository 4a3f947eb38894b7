// Answers beyond results: request ids, health and metrics by the age of the newest block,
// compression, and null for unknown blocks.
import { setTimeout as sleep } from 'node:timers/promises';

import { KEY } from '../../../dev/stack/service-bench';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, useNodeBench } from '../../support/service-node';
import type { NodeBench } from '../../support/service-node';
import { rpcError } from '../../support/service-nodes';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const start = useNodeBench();
const startSockets = useSocketServers();

const HASH = `0x${'ab'.repeat(32)}`;

/** A chain with a block every two seconds; the newest one is `ageMs` old. */
const answerAged = (ageMs: number) =>
  answerBy({
    eth_chainId: '0x1',
    eth_blockNumber: '0x64',
    eth_getBlockByNumber: ({ params: [number] }: WireRequest) => {
      const bornMs = Date.now() - ageMs - (100 - Number(number)) * 2_000;
      const timestamp = `0x${Math.floor(bornMs / 1_000).toString(16)}`;
      return { number, hash: HASH, timestamp };
    },
  });

const stateOf = async ({ service }: NodeBench) => {
  const response = await fetch(`${service.url}/health`);
  return [response.status, (await response.json()) as { block: number }] as const;
};

describe('health', () => {
  const state = { chainId: 1, block: 100 };

  it('is 503 if the newest block is older than three usual block times', async () => {
    expect(await stateOf(await start(answerAged(4_000)))).toEqual([
      200,
      { ...state, status: 'ok' },
    ]);
    expect(await stateOf(await start(answerAged(8_000)))).toEqual([
      503,
      { ...state, status: 'unavailable', reason: 'the newest block is too old' },
    ]);
  });

  it('uses the configured block time', async () => {
    const bench = async (blockMs: number) =>
      (await stateOf(await start(answerAged(8_000), { blockMs })))[0];
    expect(await Promise.all([0, 1_000, 5_000].map(bench))).toEqual([200, 503, 200]);
  });

  it('is 200 while the newest block is younger than 5 seconds, however fast the chain is', async () => {
    const [status] = await stateOf(await start(answerAged(3_000), { blockMs: 250 }));
    expect(status).toBe(200);
  });

  it('has metrics for the number and age of the newest block', async () => {
    const { metric } = await start(answerAged(4_000));
    expect(await metric('gas_service_head_block{chain="1"}')).toBe(100);
    const age = await metric('gas_service_head_age_seconds{chain="1"}');
    expect(age).toBeGreaterThanOrEqual(4);
    expect(age).toBeLessThan(60);
  });
});

describe('a request id', () => {
  it('is unique, and part of every HTTP answer, whatever its status', async () => {
    const { service } = await start((response) => response.destroy());
    const post = { method: 'POST', body: '{}' };
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice' };
    const answers = await Promise.all([
      fetch(`${service.url}/nowhere`),
      fetch(`${service.url}/v3/${KEY}/%zz`),
      fetch(`${service.url}/health`),
      fetch(`${service.url}/v3/${KEY}`),
      fetch(`${service.url}/v3/other`, post),
      fetch(`${service.url}/v3/${KEY}`, { ...post, body: '{' }),
      fetch(`${service.url}/v3/${KEY}`, { ...post, body: 'x'.repeat(2_000_000) }),
      fetch(`${service.url}/v3/${KEY}`, { ...post, body: JSON.stringify(call) }),
      fetch(`${service.url}/v3/${KEY}/networks/1/suggestedGasFees`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      404, 400, 503, 405, 401, 400, 413, 200, 502,
    ]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/u);
    expect(new Set(ids).size).toBe(ids.length);
    expect(answers[0]?.headers.get('access-control-expose-headers')).toContain(
      'X-Request-Id',
    );
  });
});

describe('compression', () => {
  const long = Array.from({ length: 200 }, (_each, id) => ({
    address: `0x${'12'.repeat(20)}`,
    data: `0x${id.toString(16)}`,
  }));

  it.each(['gzip', 'deflate', 'identity'])(
    'encodes answers as requested: %s',
    async (form) => {
      const { service } = await start(answerBy({ eth_getLogs: long }));
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{}] };
      const init = { method: 'POST', body: JSON.stringify(call) };
      const headers = { 'Accept-Encoding': form };
      const response = await fetch(`${service.url}/v3/${KEY}`, { ...init, headers });
      const encoding = response.headers.get('content-encoding') ?? 'identity';
      expect(encoding).toBe(form);
      expect(await response.json()).toHaveProperty('result', long);
    },
  );

  it('is skipped for short answers', async () => {
    const { service } = await start(answerBy({}));
    const headers = { 'Accept-Encoding': 'gzip' };
    const response = await fetch(`${service.url}/health`, { headers });
    expect(response.headers.get('content-encoding')).toBeNull();
  });
});

it('drops the newest block reported by a lost socket, and follows the next socket', async () => {
  const sockets = await startSockets(answerSocket('0x1'));
  const bench = await start(answerBy({ eth_blockNumber: '0x10' }), {
    wsUrl: sockets.url,
  });
  const connected = async (count: number) => {
    while (sockets.arrived.length < count) await sleep(10);
  };
  const announce = (number: string) => {
    const result = { number, hash: HASH, timestamp: '0x1' };
    const params = { subscription: '0x1', result };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
    sockets.open().forEach((socket) => socket.send(text));
  };
  const newest = async () => (await stateOf(bench))[1].block;
  await connected(1);
  expect(await newest()).toBe(16);
  announce('0x20');
  while ((await newest()) !== 32);
  sockets.drop();
  await connected(2);
  expect(await newest()).toBe(16);
  announce('0x21');
  while ((await newest()) !== 33);
});

it.each([
  ['eth_getBlockByHash', [HASH, false]],
  ['eth_getBlockByNumber', ['0x99', false]],
  ['eth_getBlockReceipts', ['0x99']],
  ['eth_getBlockTransactionCountByHash', [HASH]],
  ['eth_getBlockTransactionCountByNumber', ['0x99']],
  ['eth_getTransactionByBlockHashAndIndex', [HASH, '0x0']],
  ['eth_getTransactionByBlockNumberAndIndex', ['0x99', '0x0']],
  ['eth_getUncleByBlockHashAndIndex', [HASH, '0x0']],
  ['eth_getUncleByBlockNumberAndIndex', ['0x99', '0x0']],
  ['eth_getUncleCountByBlockHash', [HASH]],
  ['eth_getUncleCountByBlockNumber', ['0x99']],
])('answers %s for an unknown block with null', async (method, params) => {
  const startFailing = async (message: string) =>
    start(answerBy({ [method]: rpcError(-32000, message) }));
  const missing = await startFailing('header not found');
  expect((await missing.call(method, params)).result).toBeNull();
  const refusing = await startFailing('Refused.');
  expect((await refusing.call(method, params)).error).toMatchObject({ code: -32000 });
});
