// The service with nodes that answer incompletely, late or wrongly.
import { servedMethods } from '../../packages/service/src/methods';
import { block } from '../fixtures/client/block';
import { methodRows } from '../fixtures/client/method-rows';
import { receipt, transaction } from '../fixtures/client/node-answers';
import { answerJson, answerText, findDeadUrl } from '../support/http-server';
import { answerEach } from '../support/json-rpc';
import type { WireRequest } from '../support/json-rpc';
import { answerBy, history, isCheck, useNodeBench } from '../support/service-node';
import type { NodeAnswers } from '../support/service-node';
import { without } from '../support/without';

const start = useNodeBench();

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'12'.repeat(20)}`;

afterEach(() => jest.restoreAllMocks());

const waiting = { blockHash: null, blockNumber: null, transactionIndex: null };

describe('the service', () => {
  it.each([
    ['answers 500', answerText('<h1>/v3/node-secret-key</h1>', 500), 502],
    ['returns nonsense', answerText('nonsense'), 502],
    ['returns another object', answerJson({ hello: 1 }), 502],
    ['returns an empty batch', answerJson([]), 502],
    ['returns other ids', answerJson({ jsonrpc: '2.0', id: 'x', result: '0x1' }), 502],
    ['never answers', () => undefined, 504],
    [
      'cuts the connection',
      (response: { destroy: () => void }) => response.destroy(),
      502,
    ],
  ])(
    "reports a node's failure without its address when the node %s",
    async (_what, answer, status) => {
      const { call, get, node } = await start(answer, {
        limits: { nodeTimeoutMs: 200 },
      });
      const [rpc, rest] = await Promise.all([
        call('eth_chainId'),
        get('suggestedGasFees'),
      ]);
      expect(rpc).toMatchObject({ error: { code: -32603 } });
      expect(rest.status).toBe(status);
      expect(JSON.parse(rest.text)).toMatchObject({ error: { code: -32603 } });
      const text = JSON.stringify(rpc) + rest.text;
      expect(text).not.toMatch(/node-secret-key|127\.0\.0\.1| at |\.ts/u);
      expect(text).not.toContain(new URL(node.url).port);
    },
  );

  it('is unhealthy if its node is down', async () => {
    const nodeUrl = await findDeadUrl();
    const { call, get, service } = await start(answerEach, { nodeUrl });
    expect(await call('eth_chainId')).toMatchObject({ error: { code: -32603 } });
    expect(await get('baseFeePercentile')).toMatchObject({ status: 502 });
    const health = await fetch(`${service.url}/health`);
    expect([health.status, await health.json()]).toEqual([
      503,
      {
        status: 'unavailable',
        chainId: 1,
        reason: 'the newest block is not known',
        nodes: [{ name: 'node 1', notes: ['left out: ECONNREFUSED'] }],
      },
    ]);
  });

  it("relays a node's own errors without its address", async () => {
    const data = { at: 'http://127.0.0.1/v3/node-secret-key' };
    const cause = { code: 3, message: 'reverted at node-secret-key', data };
    const { call } = await start(
      answerBy({ eth_estimateGas: new Error('', { cause }) }),
    );
    for (const method of [
      'eth_estimateGas',
      'rollup_estimateGas',
      'linea_estimateGas',
    ]) {
      const { error } = await call(method, [{ to: ADDRESS }]);
      expect(error).toMatchObject({ code: 3, message: 'reverted at [redacted]' });
      expect(JSON.stringify(error)).not.toContain('node-secret-key');
    }
  });
});

describe('a request', () => {
  it.each(Object.entries(methodRows).filter(([name]) => servedMethods.has(name)))(
    'for %s is forwarded with every form of params that the client accepts',
    async (method, { params }) => {
      const { call, countOf } = await start(answerBy({}));
      // The service requests the chain id when it starts.
      const before = countOf(method);
      const refusals = await Promise.all(
        (params as unknown[][]).map(async (each) => {
          const { error } = await call(method, each);
          return (error as { code?: number } | undefined)?.code === -32602;
        }),
      );
      expect(refusals).not.toContain(true);
      const counted = (params as unknown[][]).filter(
        (each) => !isCheck({ method, params: each }),
      );
      expect(countOf(method) - before).toBe(counted.length);
    },
  );
});

describe("a node's answer", () => {
  it("is normalized to the specification's encoding", async () => {
    const { call } = await start(
      answerBy({
        eth_getTransactionByHash: {
          ...transaction,
          r: '0x1',
          s: '0xab',
          value: '0x00',
        },
        eth_getTransactionReceipt: { ...receipt, status: '0x01', gasUsed: '0x005208' },
      }),
    );
    const found = await call('eth_getTransactionByHash', [HASH]);
    expect(found.result).toMatchObject({
      r: `0x${'00'.repeat(31)}01`,
      s: `0x${'00'.repeat(31)}ab`,
      value: '0x0',
    });
    expect((await call('eth_getTransactionReceipt', [HASH])).result).toMatchObject({
      status: '0x1',
      gasUsed: '0x5208',
    });
  });

  it('is rejected without a required field, which the error names', async () => {
    const { call } = await start(
      answerBy({ eth_getUncleByBlockHashAndIndex: without(block, 'stateRoot') }),
    );
    const { error } = await call('eth_getUncleByBlockHashAndIndex', [HASH, '0x0']);
    expect(error).toEqual({
      code: -32603,
      message:
        'The node returned an invalid answer. result.stateRoot is missing: ' +
        'it must be a 32-byte value in hex (0x and 64 digits).',
    });
  });
});

describe('the near-head rule', () => {
  const row = (blockNumber: string | null) =>
    answerBy({
      eth_blockNumber: '0x100',
      eth_getTransactionByHash: {
        ...transaction,
        ...(blockNumber === null ? waiting : { blockNumber }),
      },
      eth_getTransactionReceipt: { ...receipt, blockNumber },
    });

  it.each([
    ['0x81', true, { blockNumber: '0x81' }],
    ['0x80', true, null],
    ['0x0', true, null],
    ['0x0', false, { blockNumber: '0x0' }],
    [null, true, { blockNumber: null }],
  ])('handles block %s with nearHead: %s', async (number, nearHead, expected) => {
    const { call } = await start(row(number), { nearHead });
    const { result } = await call('eth_getTransactionByHash', [HASH]);
    if (expected === null) expect(result).toBeNull();
    else expect(result).toMatchObject(expected);
    if (number === null) return;
    const found = await call('eth_getTransactionReceipt', [HASH]);
    if (expected === null) expect(found.result).toBeNull();
    else expect(found.result).toMatchObject(expected);
  });

  const OLD_HASH = `0x${'0d'.repeat(32)}`;
  const state = { from: ADDRESS };

  /** Methods with a block parameter, and their params for a block. */
  const blockMethods: [string, (block: string) => unknown[]][] = [
    ['eth_call', (at) => [state, at]],
    ['eth_createAccessList', (at) => [state, at]],
    ['eth_estimateGas', (at) => [state, at]],
    ['rollup_estimateGas', (at) => [state, at]],
    ['linea_estimateGas', (at) => [state, at]],
    ['eth_feeHistory', (at) => ['0x1', at, []]],
    ['eth_getBalance', (at) => [ADDRESS, at]],
    ['eth_getBlockByNumber', (at) => [at, false]],
    ['eth_getBlockReceipts', (at) => [at]],
    ['eth_getBlockTransactionCountByNumber', (at) => [at]],
    ['eth_getCode', (at) => [ADDRESS, at]],
    ['eth_getLogs', (at) => [{ fromBlock: at }]],
    ['eth_getProof', (at) => [ADDRESS, [], at]],
    ['eth_getStorageAt', (at) => [ADDRESS, '0x0', at]],
    ['eth_getTransactionByBlockNumberAndIndex', (at) => [at, '0x0']],
    ['eth_getTransactionCount', (at) => [ADDRESS, at]],
    ['eth_getUncleByBlockNumberAndIndex', (at) => [at, '0x0']],
    ['eth_getUncleCountByBlockNumber', (at) => [at]],
    ['eth_simulateV1', (at) => [{ blockStateCalls: [], validation: false }, at]],
  ];

  const blockHashMethods: [string, (hash: string) => unknown[]][] = [
    ['eth_getBlockByHash', (hash) => [hash, false]],
    ['eth_getBlockTransactionCountByHash', (hash) => [hash]],
    ['eth_getLogs', (hash) => [{ blockHash: hash }]],
    ['eth_getTransactionByBlockHashAndIndex', (hash) => [hash, '0x0']],
    ['eth_getUncleByBlockHashAndIndex', (hash) => [hash, '0x0']],
    ['eth_getUncleCountByBlockHash', (hash) => [hash]],
  ];

  const refusal = {
    code: -32002,
    message:
      'Archive requests are not served: this one is about a block before the latest 128.',
  };

  const blocks = answerBy({
    eth_blockNumber: '0x100',
    eth_getBlockByHash: ({ params: [hash] }: WireRequest) => ({
      number: hash === OLD_HASH ? '0x80' : '0x81',
    }),
    eth_getBlockByNumber: { number: '0x81' },
  });

  it.each(blockMethods)(
    'refuses %s before the latest 128 blocks',
    async (method, paramsOf) => {
      const { call, countOf } = await start(blocks, { nearHead: true });
      for (const at of ['0x80', '0x1', 'earliest']) {
        expect(await call(method, paramsOf(at))).toMatchObject({ error: refusal });
      }
      expect(countOf(method)).toBe(0);
      for (const at of ['0x81', '0x100', '0x1000', 'latest', 'pending', 'finalized']) {
        const { error } = await call(method, paramsOf(at));
        expect(error).not.toEqual(refusal);
      }
    },
  );

  it.each(blockHashMethods)(
    'refuses %s for the hash of an older block',
    async (method, paramsOf) => {
      const { call } = await start(blocks, { nearHead: true });
      expect(await call(method, paramsOf(OLD_HASH))).toMatchObject({ error: refusal });
      const { error } = await call(method, paramsOf(HASH));
      expect(error).not.toEqual(refusal);
    },
  );

  it('refuses a fee history and a finalized block before the latest 128 blocks', async () => {
    const { call } = await start(
      answerBy({ eth_blockNumber: '0x100', eth_getBlockByNumber: { number: '0x80' } }),
      { nearHead: true },
    );
    expect(await call('eth_feeHistory', ['0x81', 'latest', []])).toMatchObject({
      error: refusal,
    });
    expect(await call('eth_feeHistory', ['0x80', 'latest', []])).toHaveProperty(
      'result',
    );
    expect(await call('eth_getBalance', [ADDRESS, 'finalized'])).toMatchObject({
      error: refusal,
    });
  });

  it('is off by default', async () => {
    const { call } = await start(blocks);
    for (const [method, paramsOf] of blockMethods) {
      const { error } = await call(method, paramsOf('0x1'));
      expect(error).not.toEqual(refusal);
    }
  });

  it('is tested for every limited method', () => {
    const named = [...blockMethods, ...blockHashMethods].map(([method]) => method);
    const limited = [...servedMethods].filter(([, { reach }]) => reach);
    expect(named).toStrictEqual(
      expect.arrayContaining(limited.map(([method]) => method)),
    );
  });
});

describe('suggested fees', () => {
  it('need one fee history per block for all callers', async () => {
    let number = 1;
    let time = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => time);
    const { get, countOf } = await start(
      answerBy({ eth_blockNumber: () => `0x${number.toString(16)}` }),
      { limits: { headMaxAgeMs: 10 } },
    );
    const requestAll = async () =>
      Promise.all(
        Array.from({ length: 20 }, async (_each, index) =>
          get(index % 2 ? 'suggestedGasFees' : 'baseFeePercentile'),
        ),
      );
    await requestAll();
    await requestAll();
    time += 10;
    await requestAll();
    expect([countOf('eth_feeHistory'), countOf('eth_blockNumber')]).toStrictEqual([
      1, 2,
    ]);
    [number, time] = [2, time + 10];
    await requestAll();
    expect([countOf('eth_feeHistory'), countOf('eth_blockNumber')]).toStrictEqual([
      2, 3,
    ]);
  });

  it("have wait estimates that scale with the chain's block time", async () => {
    const { get } = await start(
      answerBy({
        eth_blockNumber: '0x3e8',
        eth_getBlockByNumber: ({ params: [tag] }: WireRequest) => {
          const number = String(tag).startsWith('0x') ? String(tag) : '0x3e8';
          return { number, timestamp: `0x${(BigInt(number) * 2n).toString(16)}` };
        },
      }),
    );
    const { text } = await get('suggestedGasFees');
    expect(JSON.parse(text)).toMatchObject({
      low: { minWaitTimeEstimate: 2_000, maxWaitTimeEstimate: 16_000 },
      high: { minWaitTimeEstimate: 2_000, maxWaitTimeEstimate: 6_000 },
    });
  });

  it('come from a new fee history after a failure', async () => {
    const answers = [null, history];
    const { get } = await start(answerBy({ eth_feeHistory: () => answers.shift() }));
    expect((await get('suggestedGasFees')).status).toBe(502);
    expect((await get('suggestedGasFees')).status).toBe(200);
  });

  it.each([
    ['without a base fee', []],
    ['with an absurd base fee', ['0x5af3107a4000']],
  ])('are unavailable on a chain %s', async (_what, baseFeePerGas) => {
    const unusable = { ...history, baseFeePerGas };
    const { get } = await start(answerBy({ eth_feeHistory: unusable }));
    expect((await get('suggestedGasFees')).status).toBe(502);
  });

  it.each<[string, NodeAnswers, object]>([
    [
      'use the last nonzero base fee',
      { eth_feeHistory: { ...history, baseFeePerGas: ['0x3b9aca00', '0x0'] } },
      { estimatedBaseFee: '1', low: { suggestedMaxFeePerGas: '1.501' } },
    ],
    [
      "use the node's priority fee if it is above the fee history",
      { eth_maxPriorityFeePerGas: '0x6fc23ac00' },
      { low: { suggestedMaxPriorityFeePerGas: '30' } },
    ],
    [
      'ignore a malformed priority fee',
      { eth_maxPriorityFeePerGas: { fee: 1 } },
      { low: { suggestedMaxPriorityFeePerGas: '0.001' } },
    ],
  ])('%s', async (_what, answers, expected) => {
    const { get } = await start(answerBy(answers));
    expect(JSON.parse((await get('suggestedGasFees')).text)).toMatchObject(expected);
  });
});
