// Nodes whose faults show only in comparison with others, and callers with large requests. The
// nodes are fakes, because no real node fails like this on demand.
import { setTimeout as sleep } from 'node:timers/promises';

import { jest } from '@jest/globals';
import { keccak256, toHex } from 'viem';

import { KEY } from '../../../dev/stack/service-bench';
import { createGate } from '../../support/gate';
import { useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { answerBy } from '../../support/service-node';
import {
  chainAt,
  countOf,
  rpcError,
  hashOf,
  useNodes,
} from '../../support/service-nodes';
import { connectSocket } from '../../support/service-socket';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const serve = useHttpServers();
const start = useNodes();
const startSockets = useSocketServers();

afterEach(() => jest.restoreAllMocks());

const ADDRESS = `0x${'12'.repeat(20)}`;

describe('a node', () => {
  it('is not checked again after the service stops during a check', async () => {
    const checkMs = 7;
    const { opened: asked, open } = createGate();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const countChecks = () =>
      timers.mock.calls.filter(([, ms]) => ms === checkMs).length;
    const answer = answerBy(chainAt(() => 100));
    const watched: Answer = (response, arrived) => {
      if (countChecks() > 0) open();
      answer(response, arrived);
    };
    const { service } = await start([watched], { limits: { nodeCheckMs: checkMs } });
    await asked;
    await service.stop();
    timers.mockClear();
    await sleep(200);
    expect(countChecks()).toBe(0);
  });

  it('is never used if it is on the wrong chain, not even for the first request', async () => {
    const foreign = {
      ...chainAt(() => 100),
      eth_chainId: '0x5',
      eth_getBalance: '0x9',
    };
    const alone = await start([foreign]);
    expect(await alone.call('eth_getBalance', ADDRESS)).toHaveProperty(
      'error.code',
      -32603,
    );
    expect((await fetch(`${alone.service.url}/health`)).status).toBe(503);
    const [first] = alone.nodes;
    expect(first && countOf(first, 'eth_getBalance')).toBe(0);
    const both = await start([foreign, chainAt(() => 100)]);
    expect(await both.call('eth_getBalance', ADDRESS)).toHaveProperty('result', '0x1');
  });

  it('is not used on the wrong chain even while the check of another node hangs', async () => {
    const foreign = {
      ...chainAt(() => 100),
      eth_chainId: '0x5',
      eth_getBalance: '0x9',
    };
    const hanging: Answer = () => undefined;
    const limits = { nodeSlowMs: 20, nodeTimeoutMs: 1_000, nodeCheckMs: 3_600_000 };
    const { call } = await start([foreign, hanging], { limits });
    expect(await call('eth_getBalance', ADDRESS)).toHaveProperty('error.code', -32603);
    const refusing = {
      ...chainAt(() => 100),
      eth_sendRawTransaction: rpcError(-32000, 'insufficient funds'),
    };
    const right = await start([foreign, hanging, refusing], { limits });
    // Nothing was sent to the wrong chain, so the refusal is final.
    expect(await right.call('eth_sendRawTransaction', '0xf86b')).toMatchObject({
      error: { message: expect.stringContaining('insufficient funds') as string },
    });
    expect(await right.call('eth_getBalance', ADDRESS)).toHaveProperty('result', '0x1');
  });

  it('does not confirm a lost transaction if it is on the wrong chain', async () => {
    const raw = '0xf86b';
    const lost = rpcError(-32005, 'busy');
    const main = { ...chainAt(() => 100), eth_sendRawTransaction: lost };
    const foreign = {
      ...chainAt(() => 100),
      eth_chainId: '0x5',
      eth_getTransactionByHash: { hash: keccak256(raw) },
    };
    const { call } = await start([main, foreign]);
    expect(await call('eth_sendRawTransaction', raw)).toHaveProperty('error');
  });

  it('is excluded if it is on a fork, wherever it is in the list', async () => {
    const main = chainAt(() => 100);
    const { call, metrics } = await start([chainAt(() => 100, 'fork'), main, main]);
    while (!/node_up\{[^}]+\} 0/u.test(await metrics())) await sleep(10);
    for (let round = 0; round < 5; round += 1) {
      expect(await call('eth_getBalance', ADDRESS)).toHaveProperty('result', '0x1');
    }
    expect((await metrics()).match(/node_up\{[^}]+\} 1/gu)).toHaveLength(2);
  });

  it('is excluded if it is the second of two nodes that disagree', async () => {
    const main = chainAt(() => 100);
    const { call, metrics } = await start([main, chainAt(() => 100, 'fork')]);
    while (!/node_up\{[^}]+\} 0/u.test(await metrics())) await sleep(10);
    expect(await call('eth_getBalance', ADDRESS)).toHaveProperty('result', '0x1');
  });

  it('is excluded if its head goes back, or followed if all heads go back', async () => {
    let [head, other] = [100, 100];
    const both = [chainAt(() => head), chainAt(() => other)];
    const limits = { nodeCheckMs: 50, headMaxAgeMs: 1 };
    const { service, call, metrics } = await start(both, { limits });
    head = 90;
    while (!/node_up\{[^}]+\} 0/u.test(await metrics())) await sleep(10);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x64');
    other = 90;
    while (/node_up\{[^}]+\} 0/u.test(await metrics())) await sleep(10);
    expect(await call('eth_blockNumber')).toHaveProperty('result', '0x5a');
    const health = await fetch(`${service.url}/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', block: 90 });
  });

  it('is replaced by the next one if its WebSocket falls silent', async () => {
    let head = 100;
    const [silent, other] = [
      await startSockets(answerSocket('0x1')),
      await startSockets(answerSocket('0x2')),
    ];
    const nodes = await Promise.all(
      [silent, other].map(async ({ url: wsUrl }) => ({
        url: (await serve(answerBy(chainAt(() => head)))).url,
        wsUrl,
      })),
    );
    const networks = [{ chainId: 1, nodes, blockMs: 0 }];
    const { service } = await start([], { networks });
    const client = await connectSocket(service.url, `/v3/${KEY}`);
    client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_subscribe',
      params: ['newHeads'],
    });
    expect(await client.take()).toHaveProperty('result');
    await sleep(150);
    head = 120;
    expect(await client.closed).toBe(1013);
    while (other.arrived.length === 0) await sleep(10);
  });

  it('is not excluded for being slow if all nodes are slow', async () => {
    const main = chainAt(() => 100);
    const limits = { nodeCheckMs: 20, nodeSlowMs: 1 };
    const { service, nodes } = await start(
      [main, main].map((answers) => ({
        ...answers,
        eth_chainId: () => {
          // Blocks the event loop, as on a busy machine.
          const begin = performance.now();
          while (performance.now() - begin < 5);
          return '0x1';
        },
      })),
      { limits },
    );
    const [first] = nodes;
    while (first && countOf(first, 'eth_chainId') < 3) await sleep(10);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
  });

  it('has a unique name even if two nodes have the same address', async () => {
    const main = chainAt(() => 100);
    const { metrics } = await start([main, main, main], {}, ['a', 'a', 'b']);
    const names = [...(await metrics()).matchAll(/node_up\{chain="1",node="(.+?)"/gu)];
    expect(names.map(([, name]) => name)).toEqual(['a', 'a#2', 'b']);
  });

  it('is not trusted if it returns receipts of the wrong block', async () => {
    const nodes = ['0x11', '0x10'].map((blockNumber) => {
      const position = { blockNumber, blockHash: hashOf('', blockNumber) };
      const receipts = [{ ...position, transactionHash: hashOf('', 1) }];
      return { ...chainAt(() => 100), eth_getBlockReceipts: receipts };
    });
    const { call } = await start(nodes);
    for (const block of ['0x10', hashOf('', '0x10')]) {
      expect(await call('eth_getBlockReceipts', block)).toHaveProperty(
        'result.0.blockNumber',
        '0x10',
      );
    }
  });
});

describe('a batch', () => {
  it('is answered in order if it is partly cached', async () => {
    const limits = { nodeCheckMs: 3_600_000 };
    const { nodes, post, call } = await start([chainAt(() => 100)], { limits });
    const blocks = Array.from({ length: 40 }, (_each, index) => toHex(index + 1));
    // Fetches every other block first, so that the service caches it.
    const even = blocks.filter((_each, index) => index % 2 === 0);
    for (const block of even) await call('eth_getBlockByNumber', block, false);
    while ((await call('eth_getBlockByNumber', '0x1', false)).result === undefined);
    await sleep(50);
    const [node] = nodes;
    const before = node ? countOf(node, 'eth_getBlockByNumber') : 0;
    const batch = blocks.flatMap((block, id) => [
      { jsonrpc: '2.0', id, method: 'eth_getBlockByNumber', params: [block, false] },
      { jsonrpc: '2.0', id: `${id}`, method: 'eth_chainId' },
    ]);
    expect(await post(batch)).toEqual(
      blocks.flatMap((number, id) => [
        {
          jsonrpc: '2.0',
          id,
          result: { number, hash: hashOf('', number), timestamp: '0x1' },
        },
        { jsonrpc: '2.0', id: `${id}`, result: '0x1' },
      ]),
    );
    expect(node && countOf(node, 'eth_getBlockByNumber') - before).toBe(20);
  });
});

describe('a transaction', () => {
  it('is sent once for each caller, even if all send it at the same moment', async () => {
    const raw = `0x02${'ab'.repeat(100)}` as const;
    const hash = keccak256(raw);
    let sent = 0;
    const send = () => ((sent += 1) === 1 ? hash : rpcError(-32000, 'known'));
    const { call } = await start([
      { ...chainAt(() => 100), eth_sendRawTransaction: send },
      { ...chainAt(() => 100), eth_sendRawTransaction: send },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => call('eth_sendRawTransaction', raw)),
    );
    // Each call reached a node once: a node's error does not cause another attempt.
    expect(sent).toBe(20);
    expect(answers.filter(({ result }) => result === hash)).toHaveLength(1);
    expect(answers.filter(({ error }) => error !== undefined)).toHaveLength(19);
  });

  it.each([
    ['nested lists', `0x03${'c1'.repeat(400_000)}`],
    ['long lists', `0x03${'f9ffff'.repeat(150_000)}`],
    ['one long string', `0x${'ab'.repeat(490_000)}`],
    ['an odd number of digits', '0x123'],
  ])('does not block other requests if it has %s', async (_what, raw) => {
    const { call } = await start([chainAt(() => 100)]);
    const begin = performance.now();
    const sending = call('eth_sendRawTransaction', raw);
    expect(await call('eth_chainId')).toHaveProperty('result', '0x1');
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect(await sending).toHaveProperty('error');
  });
});
