// The service over nodes that say too little, too late, or nonsense.
import { answerJson, answerText, findDeadUrl } from '../support/http-server';
import { answerEach } from '../support/json-rpc';
import { answerBy, history, useNodeBench } from '../support/service-node';

const start = useNodeBench();

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'12'.repeat(20)}`;

describe('a node that fails', () => {
  it.each([
    ['answers 500', answerText('<h1>/v3/node-secret-key</h1>', 500), 502],
    ['answers nonsense', answerText('nonsense'), 502],
    ['answers something else', answerJson({ hello: 1 }), 502],
    ['answers an empty batch', answerJson([]), 502],
    ['answers other ids', answerJson({ jsonrpc: '2.0', id: 'x', result: '0x1' }), 502],
    ['answers nothing', () => undefined, 504],
    [
      'cuts the connection',
      (response: { destroy: () => void }) => response.destroy(),
      502,
    ],
  ])('is named without its address when it %s', async (_what, answer, status) => {
    const { call, get, node } = await start(answer, { limits: { nodeTimeoutMs: 200 } });
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
  });

  it('is unhealthy when nobody listens', async () => {
    const nodeUrl = await findDeadUrl();
    const { call, get, service } = await start(answerEach, { nodeUrl });
    expect(await call('eth_chainId')).toMatchObject({ error: { code: -32603 } });
    expect(await get('baseFeePercentile')).toMatchObject({ status: 502 });
    const health = await fetch(`${service.url}/health`);
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'unavailable', chainId: 1 },
    ]);
  });

  it('has its own errors passed on, without its address', async () => {
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

describe('a node that says too little', () => {
  it('has receipts completed', async () => {
    const log = { address: ADDRESS, data: '0x', topics: [] };
    const receipt = { transactionHash: HASH, blockNumber: '0x1', logs: [log] };
    const { call } = await start(
      answerBy({
        eth_getTransactionReceipt: receipt,
        eth_getTransactionByHash: { gasPrice: '0x7' },
      }),
    );
    const { result } = await call('eth_getTransactionReceipt', [HASH]);
    expect(result).toMatchObject({
      contractAddress: null,
      to: null,
      type: '0x0',
      effectiveGasPrice: '0x7',
      logs: [{ ...log, removed: false, transactionHash: HASH, blockNumber: '0x1' }],
    });
  });

  it('has waiting transactions and uncles completed', async () => {
    const { call } = await start(
      answerBy({
        eth_getTransactionByHash: { hash: HASH, maxFeePerGas: '0x9', yParity: '0x1' },
        eth_getUncleByBlockHashAndIndex: {
          hash: HASH,
          number: '0x1',
          transactions: [],
        },
        eth_getUncleByBlockNumberAndIndex: {
          hash: `0x${'00'.repeat(32)}`,
          nonce: '0x0',
        },
      }),
    );
    const waiting = { blockHash: null, blockNumber: null, transactionIndex: null };
    expect((await call('eth_getTransactionByHash', [HASH])).result).toMatchObject({
      ...waiting,
      ...{ to: null, gasPrice: '0x9', v: '0x1', type: '0x0' },
    });
    const { result } = await call('eth_getUncleByBlockHashAndIndex', [HASH, '0x0']);
    expect(result).toMatchObject({ totalDifficulty: null, uncles: [], hash: HASH });
    expect(result).toHaveProperty('mixHash', `0x${'00'.repeat(32)}`);
    expect(result).not.toHaveProperty('transactions');
    const pending = await call('eth_getUncleByBlockNumberAndIndex', ['pending', '0x0']);
    const none = { number: null, hash: null, nonce: null, logsBloom: null };
    expect(pending.result).toMatchObject(none);
  });

  it('has null passed on as null', async () => {
    const { call } = await start(answerBy({}));
    expect(await call('eth_getTransactionReceipt', [HASH])).toMatchObject({
      result: null,
    });
  });
});

describe('the near-head rule', () => {
  const row = (blockNumber: string | null) =>
    answerBy({
      eth_blockNumber: '0x100',
      eth_getTransactionByHash: { hash: HASH, blockHash: HASH, blockNumber },
    });

  it.each([
    ['0x81', true, { blockNumber: '0x81' }],
    ['0x80', true, null],
    ['0x0', true, null],
    ['0x0', false, { blockNumber: '0x0' }],
    [null, true, { blockNumber: null }],
  ])('answers for block %s under the rule %s', async (number, nearHead, expected) => {
    const { call } = await start(row(number), { nearHead });
    const { result } = await call('eth_getTransactionByHash', [HASH]);
    if (expected === null) expect(result).toBeNull();
    else expect(result).toMatchObject(expected);
  });
});

describe('the history of fees', () => {
  it('is asked for once a block, whoever asks and however many', async () => {
    let number = 1;
    let time = 0;
    const { get, countOf } = await start(
      answerBy({ eth_blockNumber: () => `0x${number.toString(16)}` }),
      { now: () => time, limits: { headMaxAgeMs: 10 } },
    );
    const ask = async () =>
      Promise.all(
        Array.from({ length: 20 }, async (_each, index) =>
          get(index % 2 ? 'suggestedGasFees' : 'baseFeePercentile'),
        ),
      );
    await ask();
    await ask();
    time += 10;
    await ask();
    expect([countOf('eth_feeHistory'), countOf('eth_blockNumber')]).toStrictEqual([
      1, 2,
    ]);
    [number, time] = [2, time + 10];
    await ask();
    expect([countOf('eth_feeHistory'), countOf('eth_blockNumber')]).toStrictEqual([
      2, 3,
    ]);
  });

  it('is asked for again after a failure', async () => {
    const answers = [null, history];
    const { get } = await start(answerBy({ eth_feeHistory: () => answers.shift() }));
    expect((await get('suggestedGasFees')).status).toBe(502);
    expect((await get('suggestedGasFees')).status).toBe(200);
  });

  it('is missing on a chain without a base fee', async () => {
    const none = { ...history, baseFeePerGas: [] };
    const { get } = await start(answerBy({ eth_feeHistory: none }));
    expect((await get('suggestedGasFees')).status).toBe(502);
  });
});
