// Failures reported for other proxies and node providers. Each row names its public report.
import { setTimeout as sleep } from 'node:timers/promises';

import { keccak256, toHex } from 'viem';

import { KEY } from '../../../dev/stack/service-bench';
import { answerJson, answerText, useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { toRequests } from '../../support/json-rpc';
import type { WireRequest } from '../../support/json-rpc';
import { answerBy, history } from '../../support/service-node';
import type { NodeAnswers } from '../../support/service-node';
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
const ZERO_HASH = `0x${'00'.repeat(32)}`;
const unchecked = { limits: { nodeCheckMs: 3_600_000 } };

type Call = [method: string, ...params: unknown[]];

const at100 = (more: NodeAnswers = {}) => nodeAt(() => 100, more);

const withStatus =
  (method: string, status: number, answer: object): Answer =>
  (response, arrived) => {
    const [request] = toRequests(arrived);
    const row = { jsonrpc: '2.0', id: request?.id, ...answer };
    const given =
      request?.method === method ? answerJson(row, status) : answerBy(at100());
    given(response, arrived);
  };

describe('a result', () => {
  const found = { result: '0x64' };
  const balance: Call = ['eth_getBalance', ADDRESS, '0x1'];
  const logs: Call = ['eth_getLogs', { fromBlock: '0x1', toBlock: '0x2' }];
  const call: Call = ['eth_call', { to: ADDRESS }, '0x80'];
  const range = (code: number, message: string) =>
    at100({ eth_getLogs: rpcError(code, message) });
  const pending = {
    blockHash: ZERO_HASH,
    blockNumber: null,
    transactionIndex: '0x0',
    from: ADDRESS,
    gas: '0x5208',
    gasPrice: '0x1',
    hash: HASH,
    input: '0x',
    nonce: '0x0',
    r: '0x1',
    s: '0x1',
    to: ADDRESS,
    type: '0x0',
    v: '0x1b',
    value: '0x0',
  };

  it.each<
    [report: string, nodes: (NodeAnswers | Answer)[], call: Call, expected: object]
  >([
    [
      'is empty if all nodes find nothing (erpc/erpc/issues/214)',
      [at100({ eth_getLogs: [] }), at100({ eth_getLogs: [] })],
      logs,
      { result: [] },
    ],
    [
      'is accepted with any HTTP status (erpc/erpc/pull/163)',
      [withStatus('eth_getBalance', 500, found)],
      balance,
      found,
    ],
    [
      'comes from another node if one refuses with 400 (erpc/erpc/pull/163)',
      [
        withStatus('eth_getBalance', 400, {
          error: { code: -32_600, message: 'Unsupported method: eth_getBalance' },
        }),
        at100(),
      ],
      balance,
      found,
    ],
    [
      'is an error, not null, for methods that always have a result (ethereum-optimism/infra/issues/666)',
      [at100({ eth_call: null }), at100({ eth_call: null })],
      call,
      { error: { code: -32_603 } },
    ],
    [
      'comes from another node if the first returns null (ethereum-optimism/infra/issues/666)',
      [at100({ eth_call: null }), at100({ eth_call: '0x01' })],
      ['eth_call', { to: ADDRESS }, '0x1'],
      { result: '0x01' },
    ],
    [
      'is null for a future block (ethereum-optimism/infra/pull/552)',
      [at100(), at100()],
      ['eth_getBlockByNumber', '0x1000', false],
      { result: null },
    ],
    [
      'is not taken from a bare JSON string (emeraldpay/dshackle/issues/233)',
      [
        (response, arrived) => {
          const isAsked = arrived.body.includes('eth_getBalance');
          const text = answerText('"No response or no available upstream"');
          (isAsked ? text : answerBy(at100()))(response, arrived);
        },
        at100(),
      ],
      balance,
      found,
    ],
    [
      'is an error if the node answers `error: true` (ethereum/go-ethereum/issues/289)',
      [
        withStatus('eth_getBalance', 200, {
          error: true,
          errortext: 'Error: Could not parse request',
        }),
      ],
      balance,
      { error: { code: -32_000 } },
    ],
    [
      'comes from a node that accepts the range (INFURA/infura/issues/237)',
      [range(-32_602, 'range 1000000 exceeds limit of 10000'), at100()],
      logs,
      { result: [{ data: '0x1' }] },
    ],
    [
      'comes from a node that accepts more blocks (boundless-xyz/boundless/issues/838)',
      [
        withStatus('eth_getLogs', 400, {
          error: {
            code: -32_600,
            message:
              'You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x1a30dfd, 0x1a30ff0]',
          },
        }),
        at100(),
      ],
      logs,
      { result: [{ data: '0x1' }] },
    ],
    [
      'comes from a node with a higher result limit (aurora-is-near/aurora-relayer/pull/327)',
      [range(-32_005, 'query returned more than 10000 results'), at100()],
      logs,
      { result: [{ data: '0x1' }] },
    ],
    [
      'comes from a node that has the header (gakonst/ethers-rs/pull/1706)',
      [at100({ eth_getBalance: rpcError(-32_000, 'header not found') }), at100()],
      ['eth_getBalance', ADDRESS, 'latest'],
      found,
    ],
    [
      'has no block while the transaction is pending (INFURA/infura/issues/30)',
      [at100({ eth_getTransactionByHash: pending })],
      ['eth_getTransactionByHash', HASH],
      { result: { blockHash: null, blockNumber: null, transactionIndex: null } },
    ],
    [
      'is null for a receipt without a block (openethereum/parity-ethereum/issues/3569)',
      [at100({ eth_getTransactionReceipt: { transactionHash: HASH, gasUsed: '0x1' } })],
      ['eth_getTransactionReceipt', HASH],
      { result: null },
    ],
  ])('%s', async (...row) => {
    const [, nodes, [method, ...params], expected] = row;
    const bench = await start(nodes, unchecked);
    expect(await bench.call(method, ...params)).toMatchObject(expected);
  });

  it('is requested with empty percentiles if the caller omits them (eth_feeHistory, matter-labs/zksync-era/issues/4885)', async () => {
    const strict = at100({
      eth_feeHistory: ({ params: [, , percentiles] }: WireRequest) =>
        Array.isArray(percentiles) ? history : rpcError(-32_602, 'invalid argument 2'),
    });
    const { call: ask } = await start([strict], unchecked);
    expect(await ask('eth_feeHistory', '0x1', 'latest')).toHaveProperty(
      'result',
      history,
    );
  });
});

describe('an error', () => {
  it.each([
    [500, 'rsksmart/rskj/issues/1387'],
    [400, 'besu-eth/besu/issues/549'],
  ])(
    'is passed on despite HTTP status %i if it has the id of its call (%s)',
    async (status) => {
      const error = { code: -32_602, message: 'Invalid params' };
      const node = withStatus('eth_getBalance', status, { error });
      const { call, metrics } = await start([node], unchecked);
      for (let round = 0; round < 4; round += 1) {
        expect(await call('eth_getBalance', ADDRESS, '0x1')).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error,
        });
      }
      expect(await metrics()).toMatch(/node_up\{[^}]+\} 1/u);
    },
  );

  it('makes the service send calls one by one if it answers a batch (ethereum-optimism/optimism/issues/2021)', async () => {
    const error = { code: -32_700, message: 'parse error' };
    const { post } = await start(
      [
        (response, arrived) => {
          const isBatch = toRequests(arrived).length > 1;
          const refusal = answerJson({ jsonrpc: '2.0', error, id: null });
          (isBatch ? refusal : answerBy(at100()))(response, arrived);
        },
      ],
      unchecked,
    );
    const batch = [83, 84].map((id) => {
      const params = [ADDRESS, '0x1'];
      return { jsonrpc: '2.0', id, method: 'eth_getBalance', params };
    });
    expect(await post(batch)).toEqual(
      [83, 84].map((id) => ({ jsonrpc: '2.0', id, result: '0x64' })),
    );
  });
});

describe('a node', () => {
  it('is still queried for other blocks if it has no finalized block (drpcorg/nodecore/issues/162)', async () => {
    const node = at100({
      eth_getBlockByNumber: ({ params: [block] }: WireRequest) =>
        block === 'finalized'
          ? rpcError(-32_603, 'finalized block not found')
          : { number: block, hash: hashOf('', block), timestamp: '0x1' },
    });
    const { call, metrics } = await start([node, node]);
    for (let round = 0; round < 3; round += 1) {
      expect(await call('eth_getBlockByNumber', '0x1', false)).toHaveProperty(
        'result.hash',
        hashOf('', '0x1'),
      );
      await sleep(60);
    }
    expect((await metrics()).match(/node_up\{[^}]+\} 1/gu)).toHaveLength(2);
  });

  it('is not used if its head is block 0 (emeraldpay/dshackle/issues/259)', async () => {
    const { call, nodes } = await start([nodeAt(() => 0), at100()]);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    expect(await call('eth_getBalance', ADDRESS)).toHaveProperty('result', '0x64');
    const [first] = nodes;
    expect(first && countOf(first, 'eth_getBalance')).toBe(0);
  });

  it('does not hold up the others if it is stuck (drpcorg/dshackle/pull/82)', async () => {
    let head = 100;
    const { call } = await start([nodeAt(() => 100), nodeAt(() => head)]);
    for (; head < 130; head += 10) {
      await sleep(120);
      expect(await call('eth_blockNumber')).toHaveProperty('result', toHex(head));
      expect(await call('eth_getBalance', ADDRESS)).toHaveProperty(
        'result',
        toHex(head),
      );
    }
  });

  it('is ignored if its finalized block is older (EspressoSystems/espresso-network/pull/2741)', async () => {
    let final = 90;
    let isDead = false;
    const finalAt = (find: () => number) =>
      at100({
        eth_getBlockByNumber: ({ params: [block] }: WireRequest) => {
          const number = block === 'finalized' ? toHex(find()) : block;
          return { number, hash: hashOf('', number), timestamp: '0x1' };
        },
      });
    const first = answerBy(finalAt(() => final));
    const { call } = await start([
      (response, arrived) => (isDead ? response.destroy() : first(response, arrived)),
      finalAt(() => 80),
    ]);
    const ask = async () => call('eth_getBlockByNumber', 'finalized', false);
    expect(await ask()).toHaveProperty('result.number', '0x5a');
    final = 70;
    expect(await ask()).toHaveProperty('result.number', '0x5a');
    isDead = true;
    expect(await ask()).toHaveProperty('result.hash', hashOf('', '0x5a'));
  });
});

describe('a transaction', () => {
  const raw = `0x02${'ab'.repeat(100)}` as const;

  it.each([
    ['nonce too low', true],
    ['nonce too low', false],
    ['nonce too low: already used', false],
    ['Transaction nonce is too low. Try incrementing the nonce.', true],
  ])(
    'counts as sent after “%s” only if the node has it: %s (erpc/erpc/pull/336)',
    async (message, isKnown) => {
      const hash = keccak256(raw);
      const node = at100({
        eth_sendRawTransaction: rpcError(-32_000, message),
        eth_getTransactionByHash: isKnown ? { hash } : null,
      });
      const { call } = await start([node], unchecked);
      expect(await call('eth_sendRawTransaction', raw)).toMatchObject(
        isKnown ? { result: hash } : { error: { code: -32_000, message } },
      );
    },
  );
});

describe('gas fees', () => {
  const block = { number: '0x64', hash: HASH, timestamp: '0x1' };
  const { baseFeePerGas: _none, ...feeless } = history;

  it.each<[status: number, report: string, history: object]>([
    [
      200,
      'if all rewards are null (evmos/ethermint/pull/970)',
      { ...history, reward: [[null, null, null, null, null, null]] },
    ],
    [
      200,
      'if there are no rewards (besu-eth/besu/issues/3201)',
      { ...history, reward: undefined },
    ],
    [502, 'if there are no base fees (MetaMask/core/pull/703)', feeless],
    [
      502,
      'if the fee history is empty (foundry-rs/foundry/issues/7084)',
      { gasUsedRatio: [], oldestBlock: '0x0', reward: [] },
    ],
  ])('are answered with status %i %s', async (status, _report, given) => {
    const node = at100({ eth_feeHistory: given, eth_getBlockByNumber: block });
    const { service } = await start([node], unchecked);
    for (const resource of ['suggestedGasFees', 'baseFeePercentile']) {
      const url = `${service.url}/v3/${KEY}/networks/1/${resource}`;
      expect((await fetch(url)).status).toBe(status);
    }
  });
});

describe('a WebSocket', () => {
  const startSocket = async () => {
    const sockets = await startSockets(answerSocket('0x1'));
    const { url } = await serve(answerBy(chainAt(() => 100)));
    const bench = await start([], {
      networks: [{ chainId: 1, nodes: [{ url, wsUrl: sockets.url }], blockMs: 0 }],
      ...unchecked,
    });
    const client = await connectSocket(bench.service.url, `/v3/${KEY}`);
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe' };
    client.send({ ...subscribe, params: ['newHeads'] });
    await client.take();
    const send = (text: string | Buffer) =>
      sockets.open().forEach((socket) => socket.send(text));
    const announce = (number: number, fork = '') => {
      const result = {
        number: toHex(number),
        hash: hashOf(fork, number),
        timestamp: '0x1',
      };
      const params = { subscription: '0x1', result };
      send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
      return result;
    };
    return { ...bench, client, send, announce };
  };

  it('survives messages that are empty or broken (emeraldpay/dshackle/pull/207)', async () => {
    const { client, send, announce } = await startSocket();
    for (const text of ['', '{', 'null', '[]', '{"method":"eth_subscription"}', '1']) {
      send(text);
    }
    send(Buffer.from([0xff, 0x00]));
    const head = announce(101);
    expect(await client.take()).toHaveProperty('params.result', head);
    client.close();
  });

  it.each<[report: string, blocks: [number, string][]]>([
    [
      'NethermindEth/nethermind/issues/3444',
      [
        [101, ''],
        [102, ''],
        [101, 'b'],
        [103, 'b'],
      ],
    ],
    [
      'ethereum/go-ethereum/issues/26953',
      [
        [101, ''],
        [101, 'b'],
        [101, 'c'],
      ],
    ],
  ])('forwards every block of a reorganisation (%s)', async (_report, blocks) => {
    const { client, announce, call } = await startSocket();
    for (const [number, fork] of blocks) {
      const head = announce(number, fork);
      expect(await client.take()).toHaveProperty('params.result', head);
    }
    const [last = 0] = blocks.at(-1) ?? [];
    expect(await call('eth_blockNumber')).toHaveProperty('result', toHex(last));
    client.close();
  });
});
