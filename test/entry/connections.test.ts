// Connections to servers that the snap keeps between requests.
import { jest } from '@jest/globals';
import type { OnTransactionHandler } from '@metamask/snaps-sdk';

import type { ChainRow } from '../../src/state/chain-row';
import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import {
  createCallsBench,
  PAYMASTER_URL,
  sendCallsParam,
} from '../support/calls-bench';
import { serving } from '../support/fake-fetch';
import { createFakeNode } from '../support/fake-node';
import type { FakeNode } from '../support/fake-node';
import { answerSockets } from '../support/fake-socket';
import { FEE_ANSWERS } from '../support/fees';
import { settle } from '../support/gate';
import { storeChains } from '../support/given';
import { openHome } from '../support/home-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  RELEASE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { textOf, warningsOf } from '../support/view';

const NODE = 'https://node.example';
const OTHER = 'https://other.example';
const SOCKET = 'wss://node.example/ws';

type Bench = Callers & { app: TestApp; node: FakeNode };

async function setup(row: ChainRow = { rpcUrl: NODE }): Promise<Bench> {
  const app = createTestApp();
  const node = createFakeNode({
    eth_chainId: '0x1',
    eth_getBalance: '0x1',
    eth_getCode: '0x',
    ...FEE_ANSWERS,
  });
  app.edges.network.serve(NODE, serving(node));
  await storeChains(app, { 'eip155:1': row });
  return { ...callersOf(app), app, node };
}

function batchesTo({ app }: Bench, url: string): string[][] {
  return app.edges.network.sent
    .filter((sent) => sent.url.startsWith(url))
    .map(({ body = '' }) =>
      [JSON.parse(body) as { method: string }[]].flat().map(({ method }) => method),
    );
}

describe('calls to one chain', () => {
  it('are sent as one batch for ten accounts on the home page', async () => {
    const bench = await setup();
    const smart = { type: 'eip155:erc4337', scopes: ['eip155:1'] };
    for (let each = 0; each < 5; each += 1) {
      await createAccount(bench.app);
      await createAccount(bench.app, smart);
    }
    const home = await openHome(bench.app);
    bench.app.edges.network.sent.length = 0;
    await home.click('home.frame.tab:accounts');
    const batches = batchesTo(bench, NODE);
    expect(batches).toHaveLength(1);
    expect(batches.flat().sort()).toStrictEqual([
      ...Array.from({ length: 10 }, () => 'eth_getBalance'),
      ...Array.from({ length: 5 }, () => 'eth_getCode'),
    ]);
  });

  it('go to a new node as soon as it is configured', async () => {
    const bench = await setup();
    await bench.rpc(DAPP, 'tollkeeper_getFeeLevels');
    bench.app.edges.network.serve(OTHER, serving(createFakeNode(bench.node.answers)));
    await bench.rpc(COMPANION, 'tollkeeper_setChain', [{ chainId: 1, rpcUrl: OTHER }]);
    bench.app.edges.network.sent.length = 0;
    bench.app.edges.clock.time += 60_000;
    await bench.rpc(DAPP, 'tollkeeper_getFeeLevels');
    expect(batchesTo(bench, NODE)).toStrictEqual([]);
    expect(batchesTo(bench, OTHER).length).toBeGreaterThan(0);
  });

  it('do not wait for unanswered calls of an earlier handler', async () => {
    const bench = await setup();
    const { network } = bench.app.edges;
    network.serve(NODE, async () => new Promise(() => undefined));
    expect(warningsOf((await timeOutInsight(bench)).content)).toStrictEqual([
      textOf('insight.unchecked'),
    ]);
    network.serve(NODE, serving(bench.node));
    const levels = bench.rpc(DAPP, 'tollkeeper_getFeeLevels');
    expect(await resultOrPending(levels)).toMatchObject({ source: 'fee-history' });
  });
});

describe('the block subscription', () => {
  it('restarts if the handler that opened it has ended', async () => {
    const bench = await setup({ rpcUrl: NODE, wsUrl: SOCKET });
    const { sockets } = bench.app.edges;
    // The server never confirms the subscription.
    expect(warningsOf((await timeOutInsight(bench)).content)).toStrictEqual([
      textOf('insight.unchecked'),
    ]);
    expect(sockets.last().sent.map(({ method }) => method)).toContain('eth_subscribe');
    answerSockets(sockets, { ...bench.node.answers, eth_subscribe: '0x1' });
    const levels = bench.rpc(DAPP, 'tollkeeper_getFeeLevels');
    expect(await resultOrPending(levels)).toMatchObject({ source: 'fee-history' });
    expect(sockets.opened.map(({ isClosed }) => isClosed)).toStrictEqual([true, false]);
    bench.app.edges.clock.time += 60_000;
    expect(
      await resultOrPending(bench.rpc(DAPP, 'tollkeeper_getFeeLevels')),
    ).toMatchObject({
      source: 'fee-history',
    });
    expect(sockets.opened).toHaveLength(2);
  });
});

/** Requests an insight, and advances the clock to its time limit. */
async function timeOutInsight({ app }: Bench): Promise<{ content: unknown }> {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const insight = app.entry.onTransaction({
      chainId: 'eip155:1',
      transaction: { from: TO, to: TO, value: '0x1', data: '0x', gas: '0x5208' },
    } as unknown as Parameters<OnTransactionHandler>[0]);
    await settle();
    jest.advanceTimersByTime(5_000);
    // When the handler ends, its timers end too, which stops its pending work.
    return (await insight) as { content: unknown };
  } finally {
    jest.useRealTimers();
  }
}

const TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

async function resultOrPending(call: Promise<unknown>): Promise<unknown> {
  const timeout = settle()
    .then(settle)
    .then(() => 'still pending');
  return Promise.race([call, timeout]);
}

describe("a site's paymaster", () => {
  async function send(url: string, config?: typeof RELEASE): Promise<unknown> {
    const bench = await createCallsBench();
    bench.edges.network.serve(url, serving(bench.paymaster));
    const app = createTestApp(bench.edges, config);
    const capabilities = { paymasterService: { url } };
    const params = [sendCallsParam(bench.smart.address, { capabilities })];
    return callersOf(app).rpc(DAPP, 'wallet_sendCalls', params);
  }

  const LOOPBACK = [
    'http://127.0.0.1:4337',
    'http://localhost:4337/rpc',
    'http://[::1]:4337',
  ];

  it.each(LOOPBACK)('is refused by release builds without https: %s', async (url) => {
    expect(await refusalOf(send(url, RELEASE))).toStrictEqual({
      code: -32602,
      message:
        'capabilities.paymasterService.url must begin with https://; http:// is for ' +
        'development builds of the snap.',
    });
  });

  it.each(LOOPBACK)('may be on loopback in development: %s', async (url) => {
    expect(await send(url)).toHaveProperty('id');
  });

  it.each([PAYMASTER_URL, 'https://192.168.1.7/rpc'])(
    'is accepted by release builds with https: %s',
    async (url) => {
      expect(await send(url, RELEASE)).toHaveProperty('id');
    },
  );

  it.each([
    'http://192.168.1.7/rpc',
    'http://paymaster.example',
    'https://user:word@paymaster.example',
    'ftp://paymaster.example',
    'paymaster.example',
  ])('is refused by all builds at %s', async (url) => {
    for (const config of [undefined, RELEASE]) {
      await expectRefusal(send(url, config), -32602, 'paymasterService.url');
    }
  });
});
