// Callers see one chain, even if one of the nodes is behind, limits requests, lacks history or a
// method, or accepts no batches. Comments link to the public report of a case.
import { setTimeout as sleep } from 'node:timers/promises';

import { keccak256 } from 'viem';

import { KEY } from '../../../dev/stack/service-bench';
import { answerJson, answerText, useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { toRequests } from '../../support/json-rpc';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy } from '../../support/service-node';
import {
  chainAt,
  countOf,
  rpcError,
  hashOf,
  nodeAt,
  useNodes,
} from '../../support/service-nodes';
import { connectSocket } from '../../support/service-socket';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const start = useNodes();
const serve = useHttpServers();
const startSockets = useSocketServers();

const ADDRESS = `0x${'12'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;

/** Disables node checks, so the service learns about nodes only from their answers. */
const unchecked = { limits: { nodeCheckMs: 3_600_000 } };

const dead: Answer = (response) => response.destroy();

const numberOf = (answer: { result?: unknown }) =>
  Number((answer.result as { number: string }).number);

describe('the newest block', () => {
  it.each([
    // https://github.com/erpc/erpc/issues/276
    99,
    // https://github.com/ethereum/go-ethereum/issues/27353
    97,
  ])('never goes back, even if the first node falls back to %i', async (older) => {
    let [first, second] = [100, 100];
    const nodes = [nodeAt(() => first), nodeAt(() => second)];
    const { call } = await start(nodes, unchecked);
    second = 101;
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    first = 101;
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x65');
    first = older;
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x65');
    expect(numberOf(await call('eth_getBlockByNumber', 'latest', false))).toBe(101);
    expect(await call('eth_getBalance', ADDRESS, 'latest')).toHaveProperty(
      'result',
      '0x65',
    );
    // If all nodes are behind, the service keeps the number.
    second = older;
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x65');
  });

  it('never goes back when the node that reported it dies', async () => {
    let isDead = false;
    let head = 99;
    const first = answerBy(nodeAt(() => 100));
    const { call } = await start([
      (response, arrived) => (isDead ? dead : first)(response, arrived),
      nodeAt(() => head),
    ]);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    isDead = true;
    await sleep(200);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    const asked = call('eth_getBlockByNumber', 'latest', false);
    await sleep(100);
    head = 100;
    expect(numberOf(await asked)).toBe(100);
  });

  it('is never older in the answer to a hedged request', async () => {
    let delay = 0;
    const quick = answerBy(nodeAt(() => 99));
    const slow = answerBy(nodeAt(() => 100));
    const { call } = await start(
      [
        (...args) => void sleep(delay).then(() => slow(...args)),
        (...args) => quick(...args),
      ],
      { limits: { ...unchecked.limits, hedgeMs: 10 } },
    );
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    delay = 200;
    for (const method of ['eth_getBalance', 'eth_getTransactionCount']) {
      const { result } = await call(method, ADDRESS, 'latest');
      expect([undefined, null, '0x64']).toContain(result);
    }
    expect(numberOf(await call('eth_getBlockByNumber', 'latest', false))).toBe(100);
  });

  it('never comes from a node on the wrong chain', async () => {
    const foreign = { ...nodeAt(() => 5_000), eth_chainId: '0x5' };
    const { call, metrics } = await start([nodeAt(() => 100), foreign]);
    while (!/node_up\{[^}]+\} 0/u.test(await metrics())) await sleep(10);
    await sleep(100);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    expect((await metrics()).match(/node_up\{[^}]+\} 1/gu)).toHaveLength(1);
  });

  it('is the same block if a node writes its hash in upper case', async () => {
    const upper = {
      ...chainAt(() => 100),
      eth_getBlockByNumber: ({ params: [number] }: WireRequest) => ({
        number,
        hash: hashOf('', number).toUpperCase().replace('0X', '0x'),
        timestamp: '0x1',
      }),
    };
    const { metrics } = await start([chainAt(() => 100), upper]);
    await sleep(300);
    expect((await metrics()).match(/node_up\{[^}]+\} 1/gu)).toHaveLength(2);
  });
});

describe('a node without the block', () => {
  it.each<[method: string, params: unknown[]]>([
    // https://github.com/ethereum/go-ethereum/issues/24078
    ['eth_getLogs', [{ fromBlock: '0x60', toBlock: '0x64' }]],
    // https://github.com/bobanetwork/boba_legacy/issues/239
    ['eth_getLogs', [{ fromBlock: '0x60' }]],
    // https://github.com/INFURA/infura/issues/43
    ['eth_getBlockByNumber', ['0x64', false]],
    ['eth_getBalance', [ADDRESS, '0x64']],
    ['eth_getBalance', [ADDRESS, { blockNumber: '0x64' }]],
    ['eth_call', [{ to: ADDRESS }, 'latest']],
    ['eth_feeHistory', ['0x1', '0x64', []]],
  ])('is not asked: %s(%j)', async (method, params) => {
    let first = 100;
    const answers = { [method]: 'asked' };
    const nodes = [nodeAt(() => first, answers), nodeAt(() => 100, answers)];
    const bench = await start(nodes, unchecked);
    await bench.call('eth_blockNumber');
    first = 98;
    // The node reports its lower head.
    await bench.call('eth_blockNumber');
    const counts = () => bench.nodes.map((node) => countOf(node, method));
    const [before = 0, otherBefore = 0] = counts();
    await bench.call(method, ...params);
    expect(counts()).toEqual([before, otherBefore + 1]);
  });

  it('is not trusted with an empty list for a hash that it does not know', async () => {
    // https://github.com/shutter-network/rolling-shutter/issues/459
    const lacking = nodeAt(() => 100, { eth_getLogs: [], eth_getBlockByHash: null });
    const logs = [{ data: '0x1' }];
    const having = nodeAt(() => 100, { eth_getLogs: logs });
    const two = await start([lacking, having], unchecked);
    const filter = { blockHash: HASH };
    expect(await two.call('eth_getLogs', filter)).toHaveProperty('result', logs);
    const none = await start([lacking, lacking], unchecked);
    expect(await none.call('eth_getLogs', filter)).toHaveProperty('error');
    const block = { number: '0x1', hash: HASH, timestamp: '0x1' };
    const empty = { ...lacking, eth_getBlockByHash: block };
    const both = await start([empty, empty], unchecked);
    expect(await both.call('eth_getLogs', filter)).toHaveProperty('result', []);
  });

  it('has time to catch up with a block that its WebSocket announced', async () => {
    // https://github.com/succinctlabs/rsp/pull/109
    let head = 100;
    const sockets = await startSockets(answerSocket('0x1'));
    const { url } = await serve(answerBy(nodeAt(() => head)));
    const { service, call } = await start([], {
      networks: [{ chainId: 1, nodes: [{ url, wsUrl: sockets.url }], blockMs: 0 }],
      ...unchecked,
    });
    await call('eth_blockNumber');
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_subscribe',
      params: ['newHeads'],
    });
    await client.take();
    const result = { number: '0x65', hash: HASH, timestamp: '0x1' };
    const params = { subscription: '0x1', result };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
    sockets.open().forEach((socket) => socket.send(text));
    await client.take();
    const asked = call('eth_getBlockByNumber', '0x65', false);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x65');
    await sleep(100);
    head = 101;
    expect(numberOf(await asked)).toBe(101);
    client.close();
  });
});

describe('a call that one node cannot answer', () => {
  const lacks = (code: number, message: string): Answer =>
    answerBy(nodeAt(() => 100, { eth_getBalance: rpcError(code, message) }));
  const status = (code: number, body: string, headers = {}): Answer => {
    const usual = answerBy(nodeAt(() => 100));
    const refusal = answerText(body, code, headers);
    return (response, arrived) =>
      (arrived.body.includes('eth_getBalance') ? refusal : usual)(response, arrived);
  };

  const limited = (error: object, headers: Record<string, string> = {}): Answer => {
    const usual = answerBy(nodeAt(() => 100));
    return (response, arrived) => {
      const [{ id, method } = { id: 0, method: '' }] = toRequests(arrived);
      const refusal = answerJson({ jsonrpc: '2.0', id, error }, 429, headers);
      (method === 'eth_getBalance' ? refusal : usual)(response, arrived);
    };
  };

  it.each<[what: string, Answer]>([
    ['status 429 with HTML', status(429, '<h1>Too Many Requests</h1>')],
    // https://github.com/emeraldpay/dshackle/issues/251
    ['status 429 with any error', limited({ code: -32000, message: 'whatever' })],
    // https://github.com/emeraldpay/dshackle/issues/212
    ['status 503', status(503, '')],
    ['status 200 with plain text', status(200, 'Too many requests')],
    ['error -32005', lacks(-32_005, 'limit')],
    ['error -32007', lacks(-32_007, '50/second')],
    ['error -32016', lacks(-32_016, 'over')],
    ['error -32029', lacks(-32_029, 'over')],
    ['error -32097', lacks(-32_097, 'over')],
    [
      'an error message about rates',
      lacks(-32_000, 'Your app has exceeded its compute units per second capacity'),
    ],
    ['missing state', lacks(-32_000, 'missing trie node 1a2b (path )')],
    // https://github.com/OffchainLabs/go-ethereum/pull/139
    [
      'missing state, recognized by its code',
      lacks(-32_001, 'I seem to be missing it'),
    ],
    // https://github.com/paradigmxyz/reth/pull/16780
    ['pruned history', lacks(4_444, 'pruned history unavailable')],
    // https://github.com/paradigmxyz/reth/pull/4092
    ['pruned state', lacks(-32_603, 'State at block #11052984 is pruned')],
    // https://github.com/erigontech/erigon/issues/13198
    ['old data', lacks(-32_000, 'data before txNum=2662500000 is not available')],
    // https://github.com/NethermindEth/nethermind/issues/12089
    ['old receipts', lacks(-32_000, 'Receipt not available for From block 14319330.')],
    [
      "missing state in geth's wording",
      lacks(-32_000, 'required historical state unavailable (reexec=128)'),
    ],
    ['a block ahead', lacks(-32_000, 'request beyond head block: requested 9, head 8')],
    // https://github.com/tradingstrategy-ai/web3-ethereum-defi/pull/627
    [
      'a future block',
      lacks(-32_603, 'upstream does not have the requested block yet'),
    ],
    ['archive data', lacks(-32_000, 'Archive data is only for paying customers')],
    [
      'an unknown method',
      lacks(-32_601, 'the method eth_getBalance does not exist/is not available'),
    ],
    [
      'a method that is not whitelisted',
      lacks(-32_601, 'rpc method is not whitelisted'),
    ],
    ['an unsupported method', lacks(-32_004, 'Unsupported')],
  ])('goes to another node: %s', async (_what, answer) => {
    const { call } = await start([answer, nodeAt(() => 100)], unchecked);
    for (let round = 0; round < 2; round += 1) {
      expect(await call('eth_getBalance', ADDRESS, '0x1')).toHaveProperty(
        'result',
        '0x64',
      );
    }
    const alone = await start([answer], unchecked);
    expect(await alone.call('eth_getBalance', ADDRESS, '0x1')).toHaveProperty('error');
  });

  it('does not go to another node if the call reverts', async () => {
    const reverting = nodeAt(() => 100, {
      eth_call: rpcError(3, 'execution reverted: history of archive'),
    });
    const { call, nodes } = await start([reverting, nodeAt(() => 100)], unchecked);
    expect(await call('eth_call', { to: ADDRESS })).toHaveProperty('error.code', 3);
    const [, other] = nodes;
    expect(other && countOf(other, 'eth_call')).toBe(0);
  });

  it('gets an error, not null, if all nodes have pruned the data', async () => {
    const pruned = nodeAt(() => 100, {
      eth_getBlockReceipts: rpcError(4_444, 'pruned history unavailable'),
    });
    const { call } = await start([pruned, pruned], unchecked);
    expect(await call('eth_getBlockReceipts', '0x1')).toHaveProperty(
      'error.code',
      4_444,
    );
  });

  it.each<[what: string, headers: Record<string, string>, data: object]>([
    ['Retry-After in seconds', { 'Retry-After': '3600' }, {}],
    [
      'Retry-After with a date',
      { 'Retry-After': new Date(Date.now() + 3_600_000).toUTCString() },
      {},
    ],
    ['the error data', {}, { rate: { backoff_seconds: 3_600 } }],
  ])('avoids that node for the time in %s', async (_what, headers, data) => {
    const error = { code: -32_005, message: 'limit', data };
    const { call, nodes } = await start([limited(error, headers), nodeAt(() => 100)]);
    for (let round = 0; round < 5; round += 1) {
      await call('eth_getBalance', ADDRESS, '0x1');
      await sleep(60);
    }
    const [first] = nodes;
    expect(first && countOf(first, 'eth_getBalance')).toBe(1);
  });

  const withoutBatches = (refuse: (requests: WireRequest[]) => Answer): Answer => {
    const usual = answerBy(nodeAt(() => 100));
    return (response, arrived) => {
      const requests = toRequests(arrived);
      const answer = requests.length > 1 ? refuse(requests) : usual;
      answer(response, arrived);
    };
  };
  const refusal = { code: -32_600, message: 'batch requests are not supported' };
  const tooLarge = { code: -32_003, message: 'response too large' };
  const whole = (error: object, code = 200) =>
    withoutBatches(() => answerJson({ jsonrpc: '2.0', id: null, error }, code));
  const each = (error: object) =>
    withoutBatches((requests) =>
      answerJson(requests.map(({ id }) => ({ jsonrpc: '2.0', id, error }))),
    );

  it.each<[what: string, Answer]>([
    // https://github.com/hemilabs/ui-monorepo/pull/887
    ['status 500', whole(refusal, 500)],
    ['status 403', whole(refusal, 403)],
    ['one error for the batch', whole(refusal)],
    // https://github.com/NethermindEth/nethermind/pull/5122
    ['an error for each call', each(refusal)],
    ['a response that is too large', each(tooLarge)],
    ['status 413', withoutBatches(() => answerText('too large', 413))],
    ['an empty array', withoutBatches(() => answerJson([]))],
  ])('is sent alone if its batch is refused with %s', async (_what, answer) => {
    const { post } = await start([answer], unchecked);
    const batch = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBalance',
      params: [ADDRESS, '0x1'],
    }));
    expect(await post(batch)).toEqual(
      batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x64' })),
    );
  });
});

describe('a transaction', () => {
  const raw = `0x02${'ab'.repeat(100)}` as const;
  const other = `0x71${'ab'.repeat(100)}` as const;
  const known = rpcError(-32_000, 'already known');
  const send = (answer: unknown) =>
    nodeAt(() => 100, { eth_sendRawTransaction: answer });

  it.each([0x71, 0x7e, 0x05, 0x00])(
    'gets the hash that its node returns for the type %i',
    async (type) => {
      const { call } = await start([send(HASH), send(HASH)], unchecked);
      const bytes = `0x${type.toString(16).padStart(2, '0')}${'ab'.repeat(50)}`;
      expect(await call('eth_sendRawTransaction', bytes)).toHaveProperty(
        'result',
        HASH,
      );
    },
  );

  it('goes to only one node if its type is custom, even if the answer is lost', async () => {
    const lost: Answer = (response, arrived) => {
      if (arrived.body.includes('eth_sendRaw')) response.destroy();
      else answerBy(nodeAt(() => 100))(response, arrived);
    };
    const { call, nodes } = await start([lost, send(HASH)], unchecked);
    expect(await call('eth_sendRawTransaction', other)).toHaveProperty('error');
    const [, second] = nodes;
    expect(second && countOf(second, 'eth_sendRawTransaction')).toBe(0);
  });

  it.each([null, '0x', true, {}, '0x12'])(
    'gets an error if the node returns the hash %j',
    async (result) => {
      const { call } = await start([send(result)], unchecked);
      expect(await call('eth_sendRawTransaction', other)).toHaveProperty('error');
    },
  );

  it('keeps a hash that its node writes in upper case', async () => {
    const hash = keccak256(raw).toUpperCase().replace('0X', '0x');
    const { call, nodes } = await start([send(hash), send(hash)], unchecked);
    expect(await call('eth_sendRawTransaction', raw)).toHaveProperty('result', hash);
    const [, second] = nodes;
    expect(second && countOf(second, 'eth_sendRawTransaction')).toBe(0);
  });

  it.each([
    // https://github.com/ethereum/execution-apis/issues/245, https://github.com/decred/dcrdex/pull/3498
    'already known',
    'AlreadyKnown',
    'ALREADY_EXISTS: already known',
    'known transaction: 0x1',
    'transaction already imported',
  ])('counts as sent if its node answers “%s”', async (message) => {
    const { call } = await start([send(rpcError(-32_000, message))], unchecked);
    expect(await call('eth_sendRawTransaction', raw)).toHaveProperty(
      'result',
      keccak256(raw),
    );
  });

  it.each([
    rpcError(-32_005, 'rate limit exceeded'),
    rpcError(-32_601, 'the method eth_sendRawTransaction does not exist'),
  ])('goes to the next node if one rejects it (case %#)', async (error) => {
    const hash = keccak256(raw);
    const { call } = await start([send(error), send(hash)], unchecked);
    expect(await call('eth_sendRawTransaction', raw)).toHaveProperty('result', hash);
    expect(await call('eth_sendRawTransaction', other)).toHaveProperty('result', hash);
  });

  it('is included in the pending nonce', async () => {
    const counting = (count: string) => ({
      ...nodeAt(() => 100),
      eth_sendRawTransaction: keccak256(raw),
      eth_getTransactionCount: count,
    });
    let isDead = true;
    const first = answerBy(counting('0x4'));
    const { call } = await start(
      [
        (response, arrived) =>
          (isDead && arrived.body.includes('eth_sendRaw') ? dead : first)(
            response,
            arrived,
          ),
        counting('0x5'),
      ],
      unchecked,
    );
    const pending = async () =>
      call('eth_getTransactionCount', ADDRESS, { blockNumber: 'pending' });
    expect(await pending()).toHaveProperty('result', '0x4');
    expect(await call('eth_sendRawTransaction', raw)).toHaveProperty('result');
    expect(await pending()).toHaveProperty('result', '0x5');
    isDead = false;
    expect(await call('eth_sendRawTransaction', raw)).toHaveProperty('result');
    // The first node has only the second transaction, and the second node only the first.
    expect(await pending()).toHaveProperty('result', '0x5');
    expect(await call('eth_getTransactionCount', ADDRESS, 'latest')).toHaveProperty(
      'result',
      '0x4',
    );
  });

  it('is answered with its hash if it is already known and its receipt does not come in time', async () => {
    const node = nodeAt(() => 100, { eth_sendRawTransactionSync: known });
    const { call } = await start([node], unchecked);
    expect(await call('eth_sendRawTransactionSync', raw)).toMatchObject({
      error: { code: 4, data: keccak256(raw) },
    });
  });
});

describe('a final block', () => {
  it('is not cached if its node calls the latest block final', async () => {
    // https://github.com/erpc/erpc/issues/223
    let fork = 'a';
    const node = nodeAt(() => 100, {
      eth_getBlockByNumber: ({ params: [block] }: WireRequest) => {
        const number = String(block).startsWith('0x') ? block : '0x64';
        return { number, hash: hashOf(fork, number), timestamp: '0x1' };
      },
    });
    const { call } = await start([node], unchecked);
    const fetchHash = async (block: string) => {
      const { result } = await call('eth_getBlockByNumber', block, false);
      return (result as { hash: string }).hash;
    };
    for (const block of ['0x64', '0x5f']) {
      expect(await fetchHash(block)).toBe(hashOf('a', block));
    }
    await sleep(50);
    fork = 'b';
    for (const block of ['0x64', '0x5f']) {
      expect(await fetchHash(block)).toBe(hashOf('b', block));
    }
  });
});
