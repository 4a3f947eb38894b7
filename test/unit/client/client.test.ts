import { WebSocket as UndiciSocket } from 'undici';

import type { WebSocketClass } from '../../../src/client';
import { gasAnswer, gasAnswerInWei } from '../../fixtures/client/gas-answer';
import { answerChainId, useClients, WsClass } from '../../support/client-bench';
import { failureOf } from '../../support/error-of';
import { answerJson, useHttpServers } from '../../support/http-server';
import { answerRequests } from '../../support/json-rpc';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const KEY = '7238211010344719ad14a89db874158c';

const HASH = `0x${'ab'.repeat(32)}` as const;

const serve = useHttpServers();
const serveSocket = useSocketServers();
const open = useClients();

describe('the gas API of a client', () => {
  it.each([
    [{}, '/networks/1/suggestedGasFees', undefined],
    [
      { apiKey: KEY },
      '/networks/1/suggestedGasFees',
      `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
    ],
    [
      { apiKey: KEY, apiKeySecret: 's3cret', gasAuth: 'basic' as const },
      '/networks/1/suggestedGasFees',
      `Basic ${Buffer.from(`${KEY}:s3cret`).toString('base64')}`,
    ],
    [
      { apiKey: KEY, gasAuth: 'path' as const },
      `/v3/${KEY}/networks/1/suggestedGasFees`,
      undefined,
    ],
  ])('is asked with %j', async (options, path, authorization) => {
    const server = await serve(answerJson(gasAnswer));
    const fees = await open({ gasBaseUrl: server.url, ...options }).suggestedGasFees();
    expect(fees).toStrictEqual(gasAnswerInWei);
    expect(server.arrived[0]).toMatchObject({ method: 'GET', path });
    expect(server.arrived[0]?.headers.authorization).toBe(authorization);
  });

  it('tells the percentile', async () => {
    const server = await serve(answerJson({ baseFeePercentile: '23.227829059' }));
    const client = open({ gasBaseUrl: server.url, chainId: 'eip155:5' });
    expect(client.chainId).toBe(5n);
    expect(await client.baseFeePercentile()).toBe(23_227_829_059n);
    expect(server.arrived[0]?.path).toBe('/networks/5/baseFeePercentile');
  });

  it('is missing where none is configured', async () => {
    const client = open({});
    for (const call of [client.suggestedGasFees, client.baseFeePercentile]) {
      expect(await failureOf(call)).toMatchObject({
        name: 'UnavailableError',
        message: 'No gas API is configured: the client needs gasBaseUrl.',
      });
    }
  });
});

describe('the node of a client', () => {
  it('is asked by HTTP, the calls of a tick together', async () => {
    const server = await serve(answerChainId);
    const client = open({ rpcUrl: server.url, apiKey: KEY });
    const calls = [1, 2, 3].map(async () => client.request('eth_chainId', []));
    expect(await Promise.all(calls)).toStrictEqual(['0x1', '0x1', '0x1']);
    expect(server.arrived.map(({ path }) => path)).toStrictEqual([`/v3/${KEY}`]);
  });

  it('is asked in batches of the length that is given', async () => {
    const server = await serve(answerChainId);
    const client = open({ rpcUrl: server.url, batchLimit: 2 });
    await Promise.all([1, 2, 3].map(async () => client.request('eth_chainId', [])));
    expect(server.arrived).toHaveLength(2);
  });

  it.each([
    ['ws', WsClass],
    ['undici', UndiciSocket as unknown as WebSocketClass],
  ])(
    'is asked over a WebSocket of %s, with the key in its path',
    async (_name, own) => {
      const server = await serveSocket(answerSocket('0x2'));
      const client = open({ wsUrl: `${server.url}/ws`, apiKey: KEY, WebSocket: own });
      expect(await client.request('eth_chainId', [])).toBe('0x2');
      expect(server.paths).toStrictEqual([`/ws/v3/${KEY}`]);
    },
  );

  it('is asked over the socket where there are both, else by HTTP', async () => {
    const server = await serveSocket(answerSocket('0x2'));
    const node = await serve(answerChainId);
    const client = open({ wsUrl: server.url, rpcUrl: node.url });
    expect(await client.request('eth_chainId', [])).toBe('0x2');
    await server.stop();
    expect(await client.request('eth_chainId', [])).toBe('0x1');
  });

  it('goes on by HTTP after the client closed its socket', async () => {
    const server = await serveSocket(answerSocket('0x2'));
    const node = await serve(answerChainId);
    const client = open({ wsUrl: server.url, rpcUrl: node.url });
    await client.request('eth_chainId', []);
    await client.close();
    expect(await client.request('eth_chainId', [])).toBe('0x1');
    expect(server.paths).toHaveLength(1);
  });

  it('is missing where none is configured', async () => {
    const client = open({});
    const ask = async (): Promise<unknown> => client.request('eth_chainId', []);
    expect(await failureOf(ask)).toMatchObject({
      name: 'UnavailableError',
      message: 'No node is configured: the client needs rpcUrl or wsUrl.',
    });
    await client.close();
  });

  it('tells what became of a transaction', async () => {
    const server = await serve(
      answerRequests((requests) =>
        requests.map(({ id, method }) => ({
          id,
          result: method === 'eth_blockNumber' ? '0x100' : null,
        })),
      ),
    );
    const tracked = { hash: HASH, sentAt: 1n };
    const { url: rpcUrl } = server;
    const [near, other] = [open({ chainId: 97, rpcUrl }), open({ rpcUrl })];
    expect(await near.findInclusion(tracked)).toStrictEqual({
      status: 'unknown',
      reason: 'near-head only',
    });
    expect(await other.findInclusion(tracked)).toStrictEqual({ status: 'absent' });
  });
});
