// The development service with a real chain: its routes, called by the client and as a page calls
// them, and JSON-RPC over HTTP and WebSockets, including malformed requests.
import {
  createTestClient,
  http,
  keccak256,
  parseGwei,
  publicActions,
  toHex,
} from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { funded } from '../../dev/stack/accounts';
import { KEY, SECRET, startServiceBench } from '../../dev/stack/service-bench';
import type { ServiceBench } from '../../dev/stack/service-bench';
import type { GasEndpointOptions, NodeClient } from '../../packages/client/src';
import { startService } from '../../packages/service/src/service';
import { gasAnswer, shapeOf } from '../fixtures/client/gas-answer';
import { OTHER, owner } from '../fixtures/eth/owner';
import { errorOf, failureOf, toWholeText } from '../support/error-of';
import { connectSocket, refusalOf } from '../support/service-socket';
import type { SocketClient } from '../support/service-socket';

const CHAIN = 31_337n;

let bench: ServiceBench;
let node: NodeClient;

beforeAll(async () => {
  bench = await startServiceBench();
  node = bench.connectNode(KEY);
});

afterAll(async () => bench.stop());

const chain = () =>
  createTestClient({ transport: http(bench.nodeUrl), mode: 'anvil' }).extend(
    publicActions,
  );

/** Gets the base fees of all blocks, and of the next block, from the chain. */
const fetchBaseFees = async () => {
  const history = await chain().getFeeHistory({
    blockCount: 100,
    rewardPercentiles: [],
  });
  return history.baseFeePerGas;
};

const fetchPath = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${bench.service.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
};

const FEES = '/networks/31337/suggestedGasFees';

const forms: [string, Partial<GasEndpointOptions>][] = [
  ['a header', { apiKey: KEY, apiKeySecret: SECRET }],
  ['the path', { gasAuth: 'path', apiKey: KEY }],
];

describe.each(forms)('the gas API with credentials in %s', (_form, options) => {
  it('suggests fees in wei that match the chain', async () => {
    const { low, medium, high, ...market } = await bench
      .connectGas(options)
      .suggestedGasFees(CHAIN);
    const base = (await fetchBaseFees()).at(-1) ?? 0n;
    expect(market.estimatedBaseFee).toBe(base);
    const priorities = [low, medium, high].map(
      (each) => each.suggestedMaxPriorityFeePerGas,
    );
    // Tips were 1, 2 and 3 gwei, and the blocks were not full.
    expect(priorities).toStrictEqual(['1', '1', '1'].map((gwei) => parseGwei(gwei)));
    const covered = (base * 3n + 1n) / 2n;
    expect(low.suggestedMaxFeePerGas).toBe(covered + parseGwei('1'));
    expect(market.latestPriorityFeeRange).toStrictEqual([
      parseGwei('1'),
      parseGwei('3'),
    ]);
    expect(market.networkCongestion).toBeGreaterThan(0);
    expect(market.baseFeeTrend).toBe('down');
  });

  it('returns the median of past base fees in wei', async () => {
    const fees = (await fetchBaseFees()).slice(0, -1);
    const found = await bench.connectGas(options).baseFeePercentile(CHAIN);
    const below = fees.filter((fee) => fee <= found).length;
    expect(fees).toContain(found);
    expect(below).toBeGreaterThanOrEqual(fees.length / 2);
    expect(fees.filter((fee) => fee < found).length).toBeLessThan(fees.length / 2);
  });

  it('serves no other chain', async () => {
    expect(
      await failureOf(() => bench.connectGas(options).suggestedGasFees(1n)),
    ).toMatchObject({
      name: 'HttpStatusError',
      context: { status: 404 },
    });
  });
});

describe('the gas API', () => {
  it("answers with the specification's fields, and with fees in decimal gwei", async () => {
    const url = `${bench.service.url}/v3/${KEY}/networks/31337/suggestedGasFees`;
    const answer: unknown = await (await fetch(url)).json();
    expect(shapeOf(answer)).toEqual(shapeOf(gasAnswer));
  });

  it.each<[string, Partial<GasEndpointOptions>]>([
    ['missing credentials', {}],
    ['a wrong key', { apiKey: 'other', apiKeySecret: SECRET }],
    ['a wrong secret', { apiKey: KEY, apiKeySecret: 'other' }],
    ['a missing secret', { apiKey: KEY }],
    ['a wrong key in the path', { gasAuth: 'path', apiKey: 'other' }],
    ['the secret in the path', { gasAuth: 'path', apiKey: SECRET }],
  ])('rejects %s', async (_what, options) => {
    const error = await errorOf(() =>
      bench.connectGas(options).suggestedGasFees(CHAIN),
    );
    expect(error).toMatchObject({ name: 'HttpStatusError', status: 401 });
    expect(toWholeText(error)).not.toContain(SECRET);
  });
});

describe('a request', () => {
  it.each([
    [`/v3/${KEY}${FEES}`, 200],
    [`/v3/${KEY}/networks/31337/baseFeePercentile`, 200],
    [`/v3/${KEY}/networks/1/suggestedGasFees`, 404],
    [`/v3/${KEY}/networks/0x7a69/suggestedGasFees`, 404],
    [`/v3/${KEY}/networks/031337/suggestedGasFees`, 404],
    [`/v3/${KEY}/networks/31337/other`, 404],
    [`/v2/${KEY}${FEES}`, 404],
    [`/v3/${KEY}${FEES}/`, 404],
    [`/v3/${KEY}x${FEES}`, 401],
    [`/v3/${'x'.repeat(190)}${FEES}`, 401],
    [`/v3/%${FEES}`, 400],
    [FEES, 401],
    ['/', 404],
  ])('for %.60s gets %i with JSON', async (path, status) => {
    const answer = await fetchPath(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/u);
    expect(JSON.parse(answer.text)).toEqual(
      status === 200
        ? expect.any(Object)
        : {
            error: {
              code: expect.any(Number) as number,
              message: expect.any(String) as string,
            },
          },
    );
    expect(answer.text).not.toMatch(
      new RegExp(`${KEY}|${SECRET}|\\.ts|node_modules`, 'u'),
    );
  });

  it('without credentials learns how to authenticate', async () => {
    expect((await fetchPath(FEES)).headers.get('WWW-Authenticate')).toMatch(
      /^Basic realm=/u,
    );
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
    'is rejected with the HTTP method %s',
    async (method) => {
      const { status, headers } = await fetchPath(`/v3/${KEY}${FEES}`, { method });
      expect([status, headers.get('Allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS']);
    },
  );

  it('for JSON-RPC must use POST', async () => {
    for (const path of [`/v3/${KEY}`, `/ws/v3/${KEY}`]) {
      expect((await fetchPath(path)).status).toBe(405);
    }
  });
});

it.each(['Bearer x', 'Basic', 'Basic ====', 'basic \u00e9'])(
  'rejects the Authorization header %j',
  async (Authorization) => {
    expect((await fetchPath(FEES, { headers: { Authorization } })).status).toBe(401);
  },
);

describe('JSON-RPC', () => {
  it('forwards single and batched calls to the chain', async () => {
    expect(await node.request('eth_chainId', [])).toBe('0x7a69');
    const [receipt, transaction, count, none] = await Promise.all([
      node.request('eth_getTransactionReceipt', [bench.hash]),
      node.request('eth_getTransactionByHash', [bench.hash]),
      node.request('eth_getTransactionCount', [owner.address, 'latest']),
      node.request('eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`]),
    ]);
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    expect(transaction).toMatchObject({ hash: bench.hash, nonce: '0x0' });
    expect([count, none]).toStrictEqual(['0x9', null]);
  });

  it('includes the calldata fee in estimates for rollups', async () => {
    const call = { from: owner.address, to: OTHER, value: '0x1' } as const;
    const base = (await fetchBaseFees()).at(-1) ?? 0n;
    const [plain, heavy] = await Promise.all([
      node.request('rollup_estimateGas', [call]),
      node.request('rollup_estimateGas', [{ ...call, data: `0x${'ab'.repeat(500)}` }]),
    ]);
    expect(plain).toStrictEqual({
      baseFeePerGas: toHex(base),
      gasLimit: '0x5208',
      priorityFeePerGas: toHex(parseGwei('1')),
    });
    expect(heavy.baseFeePerGas).toBe(toHex(base));
    const dataFee = (16n * 500n * base) / BigInt(heavy.gasLimit);
    expect(BigInt(heavy.priorityFeePerGas)).toBe(parseGwei('1') + dataFee);
  });

  it("returns the chain's error only to the call that caused it", async () => {
    const [failed, fine] = await Promise.allSettled([
      node.request('eth_estimateGas', [{ from: OTHER, data: '0xfe' }]),
      node.request('eth_chainId', []),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'RpcError' } });
    expect(fine).toStrictEqual({ status: 'fulfilled', value: '0x7a69' });
  });
});

describe('a page of any origin', () => {
  it.each([`/v3/${KEY}`, '/networks/31337/suggestedGasFees', '/nowhere'])(
    'may read the response of %s, even a refusal',
    async (path) => {
      const url = `${bench.service.url}${path}`;
      const { headers } = await fetch(url, { headers: { Origin: 'null' } });
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    },
  );

  it('may send credentials and JSON', async () => {
    const { ok, headers } = await fetch(`${bench.service.url}/v3/${KEY}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'null',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    expect([ok, headers.get('Access-Control-Allow-Origin')]).toStrictEqual([true, '*']);
    expect(headers.get('Access-Control-Allow-Methods')).toContain('POST');
    // A wildcard would not cover Authorization.
    expect(headers.get('Access-Control-Allow-Headers')).toMatch(/authorization/iu);
  });
});

type Answer = {
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string };
};

const post = async (value: unknown) => {
  const { status, json } = await bench.post(JSON.stringify(value));
  return { status, json: json as Answer & Answer[] };
};

const call = async (method: string, params?: unknown) =>
  (await post({ jsonrpc: '2.0', id: 1, method, params })).json;

const request = (id: unknown, method = 'eth_chainId', params?: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

const HASH = `0x${'ab'.repeat(32)}`;

describe('params', () => {
  it.each<[string, unknown, string]>([
    ['eth_getTransactionReceipt', ['0x12'], 'params[0]'],
    ['eth_getTransactionReceipt', [], 'params[0]'],
    ['eth_getTransactionReceipt', [HASH, 1], 'params[1]'],
    ['eth_getTransactionReceipt', {}, 'params'],
    ['eth_getTransactionReceipt', 'text', 'params'],
    ['eth_getTransactionByHash', [null], 'params[0]'],
    ['eth_getUncleByBlockHashAndIndex', [HASH, 1], 'params[1]'],
    ['eth_getUncleByBlockNumberAndIndex', ['0xzz', '0x0'], 'params[0]'],
    ['eth_getUncleByBlockNumberAndIndex', ['safe', '0x0'], 'finalized'],
    ['rollup_estimateGas', [{ to: OTHER }, 'safe'], 'finalized'],
    ['linea_estimateGas', [{ data: '0x1' }], 'params[0].data'],
    ['eth_getBalance', [owner.address, 'safe'], 'finalized'],
    ['eth_call', [{ value: 1 }], 'params[0].value'],
    ['eth_getLogs', [{ fromBlock: 'safe' }], 'finalized'],
    ['eth_sendRawTransaction', ['raw'], 'params[0]'],
    ['eth_subscribe', ['newHeads'], 'not served'],
  ])('cause an error that names the problem: %s %j', async (method, params, named) => {
    const { id, error } = await call(method, params);
    const code = method === 'eth_subscribe' ? -32601 : -32602;
    expect([id, error?.code]).toStrictEqual([1, code]);
    expect(error?.message).toContain(named);
  });

  it('that are deeply nested or malformed do not affect the rest of a batch', async () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const strange = (params: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":${params}}`;
    const fine = JSON.stringify(request(2));
    const all = [
      deep(40),
      deep(100_000),
      '[{"__proto__":{"x":1},"topics":"x"}]',
      '[1e999]',
    ];
    for (const params of all) {
      const { json } = await bench.post(`[${strange(params)},${fine}]`);
      expect(json).toMatchObject([
        { id: 1, error: { code: -32602 } },
        { id: 2, result: '0x7a69' },
      ]);
    }
  });

  it('may omit the block', async () => {
    expect(await call('eth_getBalance', [OTHER])).toMatchObject({
      result: expect.stringMatching(/^0x[\da-f]+9$/u) as string,
    });
    expect(await call('eth_call', [{ to: OTHER }])).toMatchObject({ result: '0x' });
  });
});

describe('the methods', () => {
  it.each([
    'anvil_mine',
    'evm_mine',
    'debug_traceTransaction',
    'trace_block',
    'txpool_content',
    'admin_peers',
    'personal_sign',
    'eth_sign',
    'eth_accounts',
    'eth_sendTransaction',
    'eth_signTransaction',
    'eth_newFilter',
    'hardhat_reset',
    '__proto__',
    'toString',
    '',
    'x'.repeat(10_000),
    '<script>',
  ])('do not include %.20s', async (method) => {
    const { error } = await call(method, []);
    expect(error?.code).toBe(-32601);
    expect(error?.message.length).toBeLessThan(120);
  });

  it('return null for uncles if there are none', async () => {
    expect(
      await call('eth_getUncleByBlockNumberAndIndex', ['0x1', '0x0']),
    ).toMatchObject({ result: null });
    expect(await call('eth_getUncleByBlockHashAndIndex', [HASH, '0x0'])).toMatchObject({
      result: null,
    });
  });

  it('estimate gas at a block, and return reverts', async () => {
    const plain = { from: owner.address, to: OTHER, value: '0x1' };
    for (const block of [[], ['latest'], ['pending'], ['0x1']]) {
      const { result } = await call('linea_estimateGas', [plain, ...block]);
      expect(result).toHaveProperty('gasLimit', '0x5208');
    }
    // Reverts with the word 1: PUSH1 1 PUSH0 MSTORE PUSH1 32 PUSH0 REVERT.
    const reverting = { from: owner.address, data: '0x60015f5260205ffd' };
    const { error } = await call('rollup_estimateGas', [reverting]);
    expect(error).toMatchObject({ code: 3, data: `0x${'1'.padStart(64, '0')}` });
  });
});

describe('request ids', () => {
  it.each([0, -1, 1.5, null, '', 'a', '1', 2 ** 53, '__proto__'])(
    'are echoed: %j',
    async (id) => {
      expect((await post(request(id))).json).toEqual({
        jsonrpc: '2.0',
        id,
        result: '0x7a69',
      });
    },
  );

  it.each([[{}], [[]], [true]])('cannot be %j', async (id) => {
    const { json } = await post(request(id));
    expect(json).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('keep their order in concurrent batches, and may repeat', async () => {
    const asking = Array.from({ length: 60 }, async (_each, id) => {
      const ids = [id, `${id}`, 7, null, 7];
      const { json } = await post(ids.map((each) => request(each)));
      expect(json).toMatchObject(ids.map((each) => ({ id: each, result: '0x7a69' })));
    });
    await Promise.all(asking);
  });

  it('are required for an answer, so notifications get none', async () => {
    const notification = { jsonrpc: '2.0', method: 'eth_chainId' };
    const url = `${bench.service.url}/v3/${KEY}`;
    for (const body of [notification, [notification, notification]]) {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(url, init);
      expect([response.status, await response.text()]).toStrictEqual([204, '']);
    }
    expect((await post([notification, request(2)])).json).toHaveLength(1);
  });
});

describe('a body', () => {
  it.each(['', '{', 'nonsense', '{"jsonrpc":"2.0","id":1,'])(
    'is rejected as invalid JSON if it is %j',
    async (text) => {
      expect(await bench.post(text)).toEqual({
        status: 400,
        json: {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32700, message: 'This is not JSON.' },
        },
      });
    },
  );

  it.each([
    [null],
    [1],
    ['x'],
    [[]],
    [[[request(1)]]],
    [{ ...request(1), jsonrpc: '1.0' }],
    [{ ...request(1), method: 5 }],
  ])('is rejected as an invalid request if it is %j', async (value) => {
    const { json } = await post(value);
    expect([json].flat()[0]).toMatchObject({ error: { code: -32600 } });
  });
});

const mine = async () => chain().mine({ blocks: 1 });

const connect = async (path = `/v3/${KEY}`) => connectSocket(bench.service.url, path);

const subscribe = async (client: SocketClient, ...params: unknown[]) => {
  client.send(request(1, 'eth_subscribe', params));
  return client.take();
};

describe('a WebSocket', () => {
  it.each([`/v3/${KEY}`, `/ws/v3/${KEY}`])(
    'answers single calls and batches at %s',
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
    const cases: [string, number][] = [
      ['{', -32700],
      ['[]', -32600],
      ['{}', -32600],
      ['null', -32600],
      [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, -32600],
    ];
    for (const [text, code] of cases) {
      client.send(text);
      expect([await client.take()].flat()[0]).toMatchObject({
        id: null,
        error: { code },
      });
    }
    client.close();
    expect(await client.closed).toBe(1005);
  });

  it('is closed if a message is too long', async () => {
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
  ])('is rejected at %s with %i', async (path, status) => {
    const refusal = await refusalOf(bench.service.url, path);
    expect(refusal.status).toBe(status);
    expect(JSON.parse(refusal.body)).toHaveProperty('error.message');
  });

  it('is rejected for a forbidden origin, and if too many are open', async () => {
    const networks = [{ chainId: 31_337, nodes: [{ url: bench.nodeUrl }] }];
    const options = { networks, apiKey: KEY };
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
  it('report new heads until they are cancelled', async () => {
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

  it('cannot be cancelled by another client', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const { result: subscription } = await subscribe(one, 'newHeads');
    other.send(request(2, 'eth_unsubscribe', [subscription]));
    expect(await other.take()).toMatchObject({ id: 2, result: false });
    await mine();
    expect(await one.take()).toHaveProperty('params.subscription', subscription);
    one.close();
    other.close();
  });

  it('also cover logs and pending transactions', async () => {
    const client = await connect();
    const filter = { address: OTHER };
    expect(await subscribe(client, 'logs', filter)).toHaveProperty('result');
    expect(await subscribe(client, 'newPendingTransactions')).toHaveProperty('result');
    client.close();
  });

  it.each([[[]], [['syncing']], [[{}]], [['logs', { topics: 1 }]]])(
    'are rejected for %j',
    async (params) => {
      const client = await connect();
      expect(await subscribe(client, ...params)).toMatchObject({
        error: { code: -32602 },
      });
      client.close();
    },
  );

  it('are limited to 100 per client, even in one batch', async () => {
    const client = await connect();
    const countAccepted = async (count: number): Promise<number> => {
      client.send(
        Array.from({ length: count }, (_each, id) =>
          request(id, 'eth_subscribe', ['newHeads']),
        ),
      );
      const answers = (await client.take()) as unknown as object[];
      return answers.filter((answer) => 'result' in answer).length;
    };
    expect(await countAccepted(150)).toBe(100);
    expect(await countAccepted(1)).toBe(0);
    client.close();
  });

  it('need a node with a WebSocket', async () => {
    const networks = [{ chainId: 31_337, nodes: [{ url: bench.nodeUrl }] }];
    const service = await startService({ networks, apiKey: KEY });
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    expect(await subscribe(client, 'newHeads')).toMatchObject({
      error: { code: -32601 },
    });
    await service.stop();
    expect(await client.closed).toBe(1001);
  });
});

describe('a lost node', () => {
  it('makes the service close client sockets with code 1013', async () => {
    const own = await startServiceBench();
    const client = await connectSocket(own.service.url, `/v3/${KEY}`);
    await subscribe(client, 'newHeads');
    await own.stopNode();
    expect(await client.closed).toBe(1013);
    await own.stop();
  });
});

// Newer methods, which nodes may lack.
describe('the client', () => {
  /** Signs a payment of 1 wei. */
  const sign = async (nonce: number): Promise<Hex> =>
    privateKeyToAccount(funded.privateKey).signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      to: owner.address,
      value: 1n,
      gas: 21_000n,
      nonce,
      maxFeePerGas: parseGwei('50'),
      maxPriorityFeePerGas: 1n,
    });

  it("returns the node's fork", async () => {
    const { current } = (await node.tryRequest('eth_config', [])) ?? {};
    expect(current).toMatchObject({
      activationTime: 0,
      chainId: '0x7a69',
      precompiles: { ECREC: '0x0000000000000000000000000000000000000001' },
    });
  });

  it('reports the methods that the node lacks', async () => {
    for (const method of ['eth_baseFee', 'eth_capabilities'] as const) {
      expect(await node.tryRequest(method, [])).toBeUndefined();
      expect(node.lacks(method)).toBe(true);
    }
  });

  it('returns the same blob base fee as the fee history', async () => {
    const now = await node.tryRequest('eth_blobBaseFee', []);
    const history = await node.request('eth_feeHistory', ['0x1', 'latest', []]);
    expect(history.baseFeePerBlobGas?.at(-1)).toBe(now);
  });

  it('returns the receipt of the transaction that it sends', async () => {
    await chain().setAutomine(true);
    const raw = await sign(9);
    const receipt = await node.tryRequest('eth_sendRawTransactionSync', [raw]);
    expect(receipt).toMatchObject({ transactionHash: keccak256(raw), status: '0x1' });
    expect(receipt).toStrictEqual(
      await node.request('eth_getTransactionReceipt', [keccak256(raw)]),
    );
  });

  it("rejects with the node's error for a used nonce", async () => {
    const sending = node.tryRequest('eth_sendRawTransactionSync', [await sign(0)]);
    await expect(sending).rejects.toThrow(/nonce too low/u);
  });
});
