// The client for one chain, against real servers; and the transport that falls back from a
// WebSocket to HTTP.
import { WebSocket as UndiciSocket } from 'undici';

import {
  createFallbackTransport,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from '../../../packages/client/src';
import type { RpcCall, WebSocketClass } from '../../../packages/client/src';
import { UnavailableError } from '../../../src/core/errors';
import { gasAnswer, gasAnswerInWei } from '../../fixtures/client/gas-answer';
import { answerChainId, useClients, WsClass } from '../../support/client-bench';
import { failureOf } from '../../support/error-of';
import { createFakeTime } from '../../support/fake-time';
import { answerJson, findDeadUrl, useHttpServers } from '../../support/http-server';
import { answerRequests } from '../../support/json-rpc';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const KEY = '7238211010344719ad14a89db874158c';
const HASH = `0x${'ab'.repeat(32)}` as const;

const serve = useHttpServers();
const serveSocket = useSocketServers();
const open = useClients();

describe('a client', () => {
  it('sends its key to the gas API, in a header or in the path', async () => {
    const server = await serve(answerJson({ ...gasAnswer, baseFeePercentile: '1' }));
    const options = { gasBaseUrl: server.url, apiKey: KEY, apiKeySecret: 's3cret' };
    const client = open({ ...options, chainId: 'eip155:5' });
    expect(client.chainId).toBe(5n);
    expect(await client.suggestedGasFees()).toMatchObject(gasAnswerInWei);
    expect(await client.baseFeePercentile()).toBe(1_000_000_000n);
    await open({ ...options, gasAuth: 'path' }).baseFeePercentile();
    const basic = `Basic ${Buffer.from(`${KEY}:s3cret`).toString('base64')}`;
    expect(
      server.arrived.map(({ path, headers }) => [path, headers.authorization]),
    ).toStrictEqual([
      ['/networks/5/suggestedGasFees', basic],
      ['/networks/5/baseFeePercentile', basic],
      [`/v3/${KEY}/networks/1/baseFeePercentile`, undefined],
    ]);
  });

  it('sends calls to the node in batches over HTTP', async () => {
    const server = await serve(answerChainId);
    const client = open({ rpcUrl: server.url, apiKey: KEY, batchLimit: 2 });
    const calls = [1, 2, 3].map(async () => client.request('eth_chainId', []));
    expect(await Promise.all(calls)).toStrictEqual(['0x1', '0x1', '0x1']);
    const paths = server.arrived.map(({ path }) => path);
    expect(paths).toStrictEqual([`/v3/${KEY}`, `/v3/${KEY}`]);
  });

  it.each([
    ['ws', WsClass],
    ['undici', UndiciSocket as unknown as WebSocketClass],
  ])('calls the node over a WebSocket from the package %s', async (_name, own) => {
    const server = await serveSocket(answerSocket('0x2'));
    const client = open({ wsUrl: `${server.url}/ws`, apiKey: KEY, WebSocket: own });
    expect(await client.request('eth_chainId', [])).toBe('0x2');
    expect(server.paths).toStrictEqual([`/ws/v3/${KEY}`]);
  });

  it.each(['the server', 'the client'])(
    'prefers the WebSocket to HTTP until %s closes it',
    async (who) => {
      const server = await serveSocket(answerSocket('0x2'));
      const node = await serve(answerChainId);
      const client = open({ wsUrl: server.url, rpcUrl: node.url });
      expect(await client.request('eth_chainId', [])).toBe('0x2');
      await (who === 'the server' ? server : { stop: client.close }).stop();
      expect(await client.request('eth_chainId', [])).toBe('0x1');
      expect(server.paths).toHaveLength(1);
    },
  );

  it('says which configuration is missing', async () => {
    const client = open({});
    const cases: [() => unknown, string][] = [
      [client.suggestedGasFees, 'gas API is configured: the client needs gasBaseUrl'],
      [client.baseFeePercentile, 'gas API is configured: the client needs gasBaseUrl'],
      [
        async () => client.request('eth_chainId', []),
        'node is configured: the client needs rpcUrl or wsUrl',
      ],
      [
        async () => client.watchHeads(() => undefined),
        'WebSocket is configured: the client needs wsUrl',
      ],
    ];
    for (const [ask, what] of cases) {
      const failure = { name: 'UnavailableError', message: `No ${what}.` };
      expect(await failureOf(ask)).toMatchObject(failure);
    }
    await expect(client.watchHeads('x' as never)).rejects.toThrow(
      new Error('onHead must be a function.'),
    );
    await client.close();
  });

  it("finds the status of a transaction according to its chain's rules", async () => {
    const { url: rpcUrl } = await serve(
      answerRequests((requests) =>
        requests.map(({ id, method }) => ({
          id,
          result: method === 'eth_blockNumber' ? '0x100' : null,
        })),
      ),
    );
    const tracked = { hash: HASH, sentAt: 1n };
    const onBnbTestnet = await open({ chainId: 97, rpcUrl }).findInclusion(tracked);
    const onMainnet = await open({ rpcUrl }).findInclusion(tracked);
    expect([onBnbTestnet.status, onMainnet.status]).toStrictEqual([
      'unknown',
      'absent',
    ]);
  });

  it.each([1, '0x1', undefined, -1n, BigInt(Date.UTC(2025, 0, 1))])(
    'rejects %p as the block at which a transaction was sent',
    async (sentAt) => {
      const tracked = { hash: HASH, sentAt: sentAt as bigint };
      const client = open({ rpcUrl: 'https://node.invalid' });
      const message = `sentAt ${sentAt === undefined ? 'is missing: it must' : 'must'} be the number of the newest block when it was sent, a bigint.`;
      expect(await failureOf(async () => client.findInclusion(tracked))).toMatchObject({
        name: 'InvalidParamsError',
        message,
      });
    },
  );

  it('reports new blocks until it is stopped', async () => {
    const server = await serveSocket(answerSocket(() => '0xsub'));
    const heads: string[] = [];
    let resolveAll = (): void => undefined;
    const reported = new Promise<void>((resolve) => (resolveAll = resolve));
    const stop = await open({ wsUrl: server.url }).watchHeads(({ number }) => {
      if (heads.push(number) === 2) resolveAll();
    });
    const [socket] = server.open();
    for (const number of ['0x1', '0x2']) {
      const result = { number, hash: HASH, timestamp: '0x1' };
      const params = { subscription: '0xsub', result };
      socket?.send(JSON.stringify({ method: 'eth_subscription', params }));
    }
    await reported;
    await stop();
    expect(heads).toStrictEqual(['0x1', '0x2']);
    expect(server.arrived.at(-1)?.method).toBe('eth_unsubscribe');
  });

  it('applies the given limits to HTTP and to the WebSocket', async () => {
    const [slow, long] = [await serve(() => undefined), await serve(answerChainId)];
    const [mute, wordy] = [
      await serveSocket(() => undefined),
      await serveSocket(answerSocket('x'.repeat(500))),
    ];
    const cases: [object, string][] = [
      [{ rpcUrl: slow.url, timeoutMs: 100 }, 'within 100 ms'],
      [{ wsUrl: mute.url, timeoutMs: 100 }, 'within 100 ms'],
      [{ rpcUrl: long.url, maxBytes: 10 }, 'than 10 bytes'],
      [{ wsUrl: wordy.url, maxBytes: 100 }, 'than 100 bytes'],
    ];
    for (const [options, words] of cases) {
      const client = open({ retry: { maxAttempts: 1 }, ...options });
      await expect(client.request('eth_chainId', [])).rejects.toThrow(words);
    }
  });

  it('uses the given attempts, clock and random source, and defaults for undefined', async () => {
    const { waits, sleep, random } = createFakeTime();
    const services = { sleep, random, now: undefined as never };
    const retry = { maxAttempts: 2, budgetMs: undefined as never };
    const client = open({ rpcUrl: await findDeadUrl(), retry, services });
    await expect(client.request('eth_chainId', [])).rejects.toThrow('tried 2 times');
    expect(waits).toStrictEqual([125]);
  });
});

const PLACE = { label: 'a at First' };
const AFTER_SENDING = { ...PLACE, mayBeDone: true };

const safe: RpcCall = { method: 'a', params: [], idempotent: true };
const unsafe: RpcCall = { method: 'eth_sendRawTransaction', params: [] };

describe('a transport with a fallback', () => {
  /** Sets up a first transport that fails with each failure in turn, and then answers undefined. */
  function setup(...failures: Error[]) {
    const asked: string[] = [];
    const state = { isUnavailable: false };
    const services = createFakeTime();
    const first = {
      label: 'First',
      isUnavailable: () => state.isUnavailable,
      requestOnce: async () => {
        asked.push('first');
        const failure = failures.shift();
        return failure ? Promise.reject(failure) : Promise.resolve(undefined);
      },
    };
    const second = {
      label: 'Second',
      request: async () => {
        asked.push('second');
        return Promise.resolve('second');
      },
    };
    const transport = createFallbackTransport(first, second, { services });
    return { asked, waits: services.waits, state, transport };
  }

  it('has the label of the fallback, and accepts undefined from the first transport', async () => {
    const { transport, asked } = setup();
    expect(transport.label).toBe('Second');
    expect(await transport.request(safe)).toBeUndefined();
    expect(await transport.request(unsafe)).toBeUndefined();
    expect(asked).toStrictEqual(['first', 'first']);
  });

  it('works without options', async () => {
    const requestOnce = async () => Promise.resolve();
    const first = { label: 'First', isUnavailable: () => true, requestOnce };
    const second = { label: 'Second', request: async () => Promise.resolve('second') };
    expect(await createFallbackTransport(first, second).request(safe)).toBe('second');
  });

  it('skips the first transport while it is unavailable', async () => {
    const { transport, asked, state } = setup();
    state.isUnavailable = true;
    expect(await transport.request(unsafe)).toBe('second');
    expect(asked).toStrictEqual(['second']);
  });

  it.each([
    ['could not be reached', new NetworkError(PLACE), new NetworkError(AFTER_SENDING)],
    ['did not answer', new TimeoutError(PLACE, 9), new TimeoutError(AFTER_SENDING, 9)],
    [
      'was closed',
      new UnavailableError('Closed.'),
      new UnavailableError('Closed.', { context: { mayBeDone: true } }),
    ],
  ])(
    'uses the fallback if the first transport %s, unless the call may have been executed',
    async (_what, ...failures) => {
      const [before, after] = failures;
      const { transport, asked, waits } = setup(before, before, after);
      expect(await transport.request(safe)).toBe('second');
      expect(await transport.request(unsafe)).toBe('second');
      await expect(transport.request(unsafe)).rejects.toBe(after);
      expect(asked).toStrictEqual(['first', 'second', 'first', 'second', 'first']);
      expect(waits).toStrictEqual([]);
    },
  );

  it.each([
    new RpcError(PLACE, { code: 3, message: 'reverted' }),
    new InvalidResponseError(PLACE, 'it is junk.'),
    new Error('Enough.'),
  ])('passes on an error of the first transport: %s', async (failure) => {
    const { transport, asked } = setup(failure, failure);
    await expect(transport.request(safe)).rejects.toStrictEqual(failure);
    await expect(transport.request(unsafe)).rejects.toBe(failure);
    expect(asked).toStrictEqual(['first', 'first']);
  });

  it('waits as long as the server asks, and reports how many attempts failed', async () => {
    const limited = new RateLimitError(PLACE, 2);
    const { transport, waits } = setup(limited);
    expect(await transport.request(safe)).toBeUndefined();
    expect(waits).toStrictEqual([2_125]);
    const { transport: other } = setup(limited, limited, limited, limited);
    await expect(other.request(safe)).rejects.toThrow(
      'a at First is rate limited. It was tried 3 times. Try again in 2 s.',
    );
    await expect(other.request(unsafe)).rejects.toBe(limited);
  });

  it('uses the fallback if the first transport becomes unavailable during a wait', async () => {
    const { transport, state } = setup(new RateLimitError(PLACE, 2));
    const call = transport.request(safe);
    state.isUnavailable = true;
    expect(await call).toBe('second');
  });
});
