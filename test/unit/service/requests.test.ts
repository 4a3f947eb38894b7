// Requests reach the nodes, and answers reach the callers, without loss: hashes, ids, numbers,
// lists and fees, even in unusual notation.
import { KEY } from '../../../dev/stack/service-bench';
import { toRequests } from '../../support/json-rpc';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, history, useNodeBench } from '../../support/service-node';
import type { NodeAnswers, NodeBench } from '../../support/service-node';

const start = useNodeBench();

const ADDRESS = `0x${'12'.repeat(20)}`;
/** A hash with leading zeros, which would be lost if it were read as a quantity. */
const HASH = `0x${'00'.repeat(2)}${'ab'.repeat(30)}`;
const STORAGE_KEY = `0x${'00'.repeat(31)}01`;

const paramsAt = ({ node }: NodeBench, method: string) =>
  node.arrived
    .flatMap(toRequests)
    .filter((each) => each.method === method)
    .map(({ params }) => params);

describe('a block', () => {
  const call = { to: ADDRESS };
  const methods: [string, (block: unknown) => unknown[]][] = [
    ['eth_getBlockReceipts', (block) => [block]],
    ['eth_getBalance', (block) => [ADDRESS, block]],
    ['eth_getCode', (block) => [ADDRESS, block]],
    ['eth_getTransactionCount', (block) => [ADDRESS, block]],
    ['eth_getStorageAt', (block) => [ADDRESS, '0x0', block]],
    ['eth_getProof', (block) => [ADDRESS, [STORAGE_KEY, '0xA'], block]],
    ['eth_call', (block) => [call, block]],
    ['eth_createAccessList', (block) => [call, block]],
    ['eth_estimateGas', (block) => [call, block]],
    ['eth_feeHistory', (block) => ['0x1', block, []]],
    ['eth_simulateV1', (block) => [{ blockStateCalls: [] }, block]],
    ['eth_getBlockByNumber', (block) => [block, false]],
    ['eth_getBlockTransactionCountByNumber', (block) => [block]],
    ['eth_getTransactionByBlockNumberAndIndex', (block) => [block, '0x0']],
    ['eth_getUncleByBlockNumberAndIndex', (block) => [block, '0x00']],
    ['eth_getUncleCountByBlockNumber', (block) => [block]],
  ];

  it.each(methods)('reaches the node unchanged in %s', async (method, paramsOf) => {
    const bench = await start(answerBy({}));
    // Discards the requests of the first check.
    await bench.call('eth_chainId');
    bench.node.arrived.length = 0;
    const blocks = [
      HASH,
      HASH.toUpperCase().replace('0X', '0x'),
      { blockHash: HASH },
      { blockHash: HASH, requireCanonical: true },
      { blockNumber: '0x0f' },
      { blockNumber: 'latest' },
      '0x0f',
    ];
    for (const block of blocks) {
      const { error } = await bench.call(method, paramsOf(block));
      expect(error ?? {}).not.toHaveProperty('code', -32602);
    }
    expect(paramsAt(bench, method)).toEqual(blocks.map(paramsOf));
  });

  it('reaches the node unchanged from rollup_estimateGas', async () => {
    const bench = await start(answerBy({ eth_estimateGas: '0x5208' }));
    const block = { blockHash: HASH };
    await bench.call('rollup_estimateGas', [call, block]);
    expect(paramsAt(bench, 'eth_estimateGas')).toEqual([[call, block]]);
  });

  it.each([
    [{}],
    [{ blockHash: '0x1' }],
    [{ blockNumber: 'safe' }],
    [{ blockNumber: '0x1', blockHash: HASH }],
    [{ blockHash: HASH, requireCanonical: 'yes' }],
    [[HASH]],
  ])('is rejected as %j', async (block) => {
    const bench = await start(answerBy({}));
    expect(await bench.call('eth_getBalance', [ADDRESS, block])).toHaveProperty(
      'error.code',
      -32602,
    );
    expect(paramsAt(bench, 'eth_getBalance')).toEqual([]);
  });

  it.each([{ blockNumber: '0x1' }, { blockNumber: 'earliest' }, { blockHash: HASH }])(
    'is rejected as %j if it is old and only blocks near the head are served',
    async (block) => {
      const old = { number: '0x1', hash: HASH, timestamp: '0x1' };
      const bench = await start(
        answerBy({ eth_blockNumber: '0x1000', eth_getBlockByHash: old }),
        { nearHead: true },
      );
      expect(await bench.call('eth_getBalance', [ADDRESS, block])).toHaveProperty(
        'error.code',
        -32002,
      );
    },
  );

  it('is not cached as final if an object names it by a tag', async () => {
    let number = 5;
    const bench = await start(
      answerBy({
        eth_blockNumber: '0x100',
        eth_getBlockByNumber: { number: '0x80', hash: HASH, timestamp: '0x1' },
        eth_getBlockReceipts: () => [{ blockNumber: `0x${number}`, blockHash: HASH }],
      }),
    );
    const ask = async () =>
      bench.call('eth_getBlockReceipts', [{ blockNumber: 'finalized' }]);
    for (; number < 9; number += 1) {
      expect(await ask()).toHaveProperty('result.0.blockNumber', `0x${number}`);
    }
  });
});

describe('a number', () => {
  const post = async (bench: NodeBench, body: string) => {
    const init = { method: 'POST', body };
    return (await fetch(`${bench.service.url}/v3/${KEY}`, init)).text();
  };

  it.each(['9007199254740993', '-12345678901234567890', '1e30', '1E999', '3'])(
    'is returned as written if it is an id: %s',
    async (id) => {
      const bench = await start(answerBy({ eth_chainId: '0x1' }));
      const one = `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`;
      const answer = `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`;
      expect(await post(bench, one)).toBe(answer);
      expect(await post(bench, `[${one},${one}]`)).toBe(`[${answer},${answer}]`);
      const limited = await start(answerBy({}), { limits: { ratePerSecond: 1 } });
      await post(limited, one);
      expect(await post(limited, one)).toContain(`"id":${id},"error":{"code":-32005`);
    },
  );

  it('is unchanged within a string', async () => {
    const bench = await start(answerBy({ eth_chainId: '0x1' }));
    const id = '"\\"a\\": 12345678901234567890"';
    const text = `{"id":${id},"jsonrpc":"2.0","method":"eth_chainId","x":12345678901234567890}`;
    expect(await post(bench, text)).toContain(`"id":${id},"result"`);
  });

  it('keeps all its digits if a node or the cache returns it', async () => {
    const row = `{"number":"0x1","hash":"${HASH}","timestamp":"0x1","score":123456789012345678901}`;
    const bench = await start((response, { body }) => {
      const { id, method } = JSON.parse(body) as WireRequest;
      const result = method === 'eth_getBlockByNumber' ? row : '"0x1"';
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    });
    const ask = `{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}`;
    for (let round = 0; round < 3; round += 1) {
      expect(await post(bench, ask)).toBe(`{"jsonrpc":"2.0","id":1,"result":${row}}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe('a list that a node returns as null', () => {
  const block = { number: '0x1', hash: HASH, timestamp: '0x1', gasUsed: '0x0' };
  const bloom = `0x${'00'.repeat(256)}`;
  const proof = { accountProof: null, storageProof: [{ key: '0x0', proof: null }] };
  const rows: [call: [string, unknown[]], given: unknown, expected: unknown][] = [
    [['eth_getLogs', [{}]], null, []],
    [['eth_getLogs', [{}]], [{ topics: null }], [{ topics: [] }]],
    [
      ['eth_getBlockByNumber', ['0x1', true]],
      { ...block, transactions: null, uncles: null, withdrawals: null },
      { ...block, transactions: [], uncles: [] },
    ],
    [
      ['eth_getBlockByNumber', ['0x1', true]],
      { ...block, transactions: [{ accessList: null, type: '0x0' }] },
      { ...block, transactions: [{ type: '0x0' }] },
    ],
    [
      ['eth_getBlockReceipts', ['0x1']],
      [{ logs: null, logsBloom: bloom }],
      [{ logs: [], logsBloom: bloom }],
    ],
    [
      ['eth_getProof', [ADDRESS, [], 'latest']],
      proof,
      { accountProof: [], storageProof: [{ key: '0x0', proof: [] }] },
    ],
  ];

  it.each(rows)('is empty in %j', async ([method, params], given, expected) => {
    const bench = await start(answerBy({ [method]: given }));
    expect(await bench.call(method, params)).toHaveProperty('result', expected);
  });

  it.each<[string, unknown[], unknown]>([
    ['eth_simulateV1', [{ blockStateCalls: [] }], null],
    ['eth_createAccessList', [{ to: ADDRESS }], { accessList: null }],
    ['eth_feeHistory', ['0x1', 'latest', []], { ...history, baseFeePerGas: null }],
    ['eth_feeHistory', ['0x1', 'latest', []], { ...history, gasUsedRatio: null }],
    [
      'eth_getBlockByNumber',
      ['0x1', false],
      { ...block, gasUsed: '0x1', transactions: null },
    ],
    ['eth_getBlockReceipts', ['0x1'], [{ logs: null, logsBloom: `0x01` }]],
  ])(
    'is an error in %s(%j) if null cannot mean empty',
    async (method, params, given) => {
      const bench = await start(answerBy({ [method]: given }));
      expect(await bench.call(method, params)).toHaveProperty('error.code', -32603);
    },
  );
});

describe('a transaction that is sent with its receipt', () => {
  it.each<[string, unknown]>([
    ['is null', null],
    [
      'contradicts its list of logs',
      { logs: null, logsBloom: `0x${'01'.repeat(256)}` },
    ],
    ['is about an old block', { blockNumber: '0x1' }],
  ])('gets the answer of its node even if that %s', async (_what, receipt) => {
    const answers: NodeAnswers = {
      eth_chainId: '0x1',
      eth_blockNumber: new Error('', { cause: { code: -32_000, message: 'none' } }),
      eth_sendRawTransactionSync: receipt,
    };
    const bench = await start(answerBy(answers), { nearHead: true });
    const raw = `0x02${'ab'.repeat(100)}`;
    const answer = await bench.call('eth_sendRawTransactionSync', [raw]);
    expect(answer).toHaveProperty('result');
    if (receipt !== null) expect(answer.result).toMatchObject(receipt as object);
  });
});

describe('fees', () => {
  const huge = `0x${'f'.repeat(64)}`;
  it.each<[string, NodeAnswers]>([
    ['base fee', { eth_feeHistory: { ...history, baseFeePerGas: [huge, huge] } }],
    ['past base fee', { eth_feeHistory: { ...history, baseFeePerGas: [huge, '0x1'] } }],
    ['reward', { eth_feeHistory: { ...history, reward: [Array(5).fill(huge)] } }],
    [
      'highest reward',
      { eth_feeHistory: { ...history, reward: [['0x1', '0x1', '0x1', '0x1', huge]] } },
    ],
    ['gas ratio', { eth_feeHistory: { ...history, gasUsedRatio: [1e300] } }],
    ['negative gas ratio', { eth_feeHistory: { ...history, gasUsedRatio: [-5] } }],
    [
      'block time',
      {
        eth_getBlockByNumber: ({ params: [number] }: WireRequest) => ({
          number,
          timestamp: number === '0x0' ? '0x0' : huge,
          hash: HASH,
        }),
      },
    ],
  ])('do not break the service with an absurd %s', async (_what, answers) => {
    const bench = await start(answerBy(answers));
    for (const resource of ['suggestedGasFees', 'baseFeePercentile']) {
      const { status, text } = await bench.get(resource);
      expect([200, 502]).toContain(status);
      if (status === 502) expect(JSON.parse(text)).toHaveProperty('error.code', -32603);
    }
    const { error } = await bench.call('rollup_estimateGas', [{ to: ADDRESS }]);
    expect(error ?? { code: -32603 }).toHaveProperty('code', -32603);
  });

  it('belong to the block that the service reports', async () => {
    const bench = await start(answerBy({ eth_blockNumber: '0x64' }));
    await bench.get('suggestedGasFees');
    expect(paramsAt(bench, 'eth_feeHistory').map(([, block]) => block)).toEqual([
      '0x64',
    ]);
  });
});
