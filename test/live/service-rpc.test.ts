// JSON-RPC of the service over a real chain: malformed requests, methods that are not served, and whose
// answer it is.
import { KEY, startServiceBench } from '../../dev/service/service-bench';
import type { ServiceBench } from '../../dev/service/service-bench';
import { OTHER, owner } from '../fixtures/eth/owner';

let bench: ServiceBench;

beforeAll(async () => {
  bench = await startServiceBench();
});

afterAll(async () => bench.stop());

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

const request = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' });

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
  ])('names what is wrong with those of %s %j', async (method, params, named) => {
    const { id, error } = await call(method, params);
    const code = method === 'eth_subscribe' ? -32601 : -32602;
    expect([id, error?.code]).toStrictEqual([1, code]);
    expect(error?.message).toContain(named);
  });

  it('may be deep and strange, and do no harm to others in the batch', async () => {
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

  it('may leave the block out', async () => {
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
  ])('do not hold %.20s', async (method) => {
    const { error } = await call(method, []);
    expect(error?.code).toBe(-32601);
    expect(error?.message.length).toBeLessThan(120);
  });

  it('answer uncles as null where there are none', async () => {
    expect(
      await call('eth_getUncleByBlockNumberAndIndex', ['0x1', '0x0']),
    ).toMatchObject({ result: null });
    expect(await call('eth_getUncleByBlockHashAndIndex', [HASH, '0x0'])).toMatchObject({
      result: null,
    });
  });

  it('estimate at the block that is named, and pass a revert on', async () => {
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

describe('the ids of callers', () => {
  it.each([0, -1, 1.5, null, '', 'a', '1', 2 ** 53, '__proto__'])(
    'echoes %j',
    async (id) => {
      expect((await post(request(id))).json).toEqual({
        jsonrpc: '2.0',
        id,
        result: '0x7a69',
      });
    },
  );

  it.each([[{}], [[]], [true]])('refuses %j', async (id) => {
    const { json } = await post(request(id));
    expect(json).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('keeps the order of a batch, whose ids may repeat, for many at once', async () => {
    const asking = Array.from({ length: 60 }, async (_each, id) => {
      const ids = [id, `${id}`, 7, null, 7];
      const { json } = await post(ids.map(request));
      expect(json).toMatchObject(ids.map((each) => ({ id: each, result: '0x7a69' })));
    });
    await Promise.all(asking);
  });

  it('does not answer notifications', async () => {
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
    'that is %j is not JSON',
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
  ])('that is %j is no request', async (value) => {
    const { json } = await post(value);
    expect([json].flat()[0]).toMatchObject({ error: { code: -32600 } });
  });
});
