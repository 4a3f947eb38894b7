// What operators and callers see of the service beside its answers: which methods a key may call,
// ids of requests, health by the age of the newest block, metrics of it, and compression.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KEY } from '../../../dev/service/service-bench';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, useNodeBench } from '../../support/service-node';
import type { NodeBench } from '../../support/service-node';
import { connectSocket } from '../../support/service-socket';

const start = useNodeBench();

/** A chain with a block every two seconds, of which the newest is so many milliseconds old. */
const answerAged = (ageMs: number) =>
  answerBy({
    eth_chainId: '0x1',
    eth_blockNumber: '0x64',
    eth_getBlockByNumber: ({ params: [number] }: WireRequest) => {
      const bornMs = Date.now() - ageMs - (100 - Number(number)) * 2_000;
      const timestamp = `0x${Math.floor(bornMs / 1_000).toString(16)}`;
      return { number, hash: `0x${'ab'.repeat(32)}`, timestamp };
    },
  });

describe('health', () => {
  const stateOf = async ({ service }: NodeBench) => {
    const response = await fetch(`${service.url}/health`);
    const state: unknown = await response.json();
    return [response.status, state] as const;
  };
  const state = { chainId: 1, block: 100 };

  it('is 503 when the newest block is older than three usual ones take', async () => {
    expect(await stateOf(await start(answerAged(4_000)))).toEqual([
      200,
      { ...state, status: 'ok' },
    ]);
    expect(await stateOf(await start(answerAged(8_000)))).toEqual([
      503,
      { ...state, status: 'unavailable', reason: 'the newest block is too old' },
    ]);
  });

  it('goes by the time between blocks that was set', async () => {
    const bench = async (blockMs: number) =>
      (await stateOf(await start(answerAged(8_000), { blockMs })))[0];
    expect(await Promise.all([0, 1_000, 5_000].map(bench))).toEqual([200, 503, 200]);
  });

  it('is 200 for 5 seconds where blocks are quicker than timestamps can say', async () => {
    const [status] = await stateOf(await start(answerAged(3_000), { blockMs: 250 }));
    expect(status).toBe(200);
  });

  it('has number and age of the newest block in the metrics', async () => {
    const { metric } = await start(answerAged(4_000));
    expect(await metric('gas_service_head_block{chain="1"}')).toBe(100);
    const age = await metric('gas_service_head_age_seconds{chain="1"}');
    expect(age).toBeGreaterThanOrEqual(4);
    expect(age).toBeLessThan(60);
  });
});

describe('a key with a list of methods', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollkeeper-methods-'));
  });
  afterAll(async () => rm(folder, { recursive: true }));

  it('may call these alone, also in a batch and over a WebSocket', async () => {
    const keysFile = join(folder, 'keys.json');
    const methods = ['eth_chainId', 'linea_estimateGas'];
    await writeFile(keysFile, JSON.stringify({ few: { key: 'few', methods } }));
    const { service, countOf } = await start(answerBy({ eth_chainId: '0x1' }), {
      keysFile,
    });
    const toRequest = (method: string) => ({ jsonrpc: '2.0', id: 1, method });
    const batch = ['eth_chainId', 'eth_gasPrice', 'rollup_estimateGas'].map(toRequest);
    const expected = [
      { id: 1, result: '0x1' },
      { error: { code: -32002, message: 'The API key may not call eth_gasPrice.' } },
      { error: { code: -32002 } },
    ];
    const init = { method: 'POST', body: JSON.stringify(batch) };
    const response = await fetch(`${service.url}/v3/few`, init);
    expect(await response.json()).toMatchObject(expected);
    const client = await connectSocket(service.url, '/v3/few');
    client.send(batch);
    expect(await client.take()).toMatchObject(expected);
    client.close();
    expect(countOf('eth_gasPrice')).toBe(0);
  });

  it.each(['eth_sign', 'admin_peers', ''])(
    'cannot list %j, which is not served',
    async (method) => {
      const keysFile = join(folder, 'wrong.json');
      await writeFile(
        keysFile,
        JSON.stringify({ few: { key: 'few', methods: [method] } }),
      );
      await expect(start(answerBy({}), { keysFile })).rejects.toThrow(
        'keys[0].methods',
      );
    },
  );
});

describe('the id of a request', () => {
  it('is in every answer over HTTP, whatever came of it, and in no two', async () => {
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
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/u);
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

  it.each(['gzip', 'deflate', 'identity'])('answers as asked for: %s', async (form) => {
    const { service } = await start(answerBy({ eth_getLogs: long }));
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{}] };
    const init = { method: 'POST', body: JSON.stringify(call) };
    const headers = { 'Accept-Encoding': form };
    const response = await fetch(`${service.url}/v3/${KEY}`, { ...init, headers });
    const encoding = response.headers.get('content-encoding') ?? 'identity';
    expect(encoding).toBe(form);
    expect(await response.json()).toHaveProperty('result', long);
  });

  it('is left out where it is not worth it', async () => {
    const { service } = await start(answerBy({}));
    const headers = { 'Accept-Encoding': 'gzip' };
    const response = await fetch(`${service.url}/health`, { headers });
    expect(response.headers.get('content-encoding')).toBeNull();
  });
});
