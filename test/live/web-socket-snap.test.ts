// The built snap's sockets, opened by a wallet made of MetaMask's packages.
import type { Json } from '@metamask/utils';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { waitFor } from '../fixtures/stack/requests';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { startHttpServer } from '../support/http-server';
import type { HttpServer } from '../support/http-server';
import { answerRequests } from '../support/json-rpc';
import { createNode } from '../support/smart-world';
import { startRelay } from '../support/ws-relay';
import type { Relay } from '../support/ws-relay';

const HASH = `0x${'ab'.repeat(32)}`;

const CHAIN_ID = 31337;

let chain: TestChain;
let http: HttpServer;
let relay: Relay;
let wallet: Wallet;
let companion: SnapSite;

beforeAll(async () => {
  chain = await startAnvil();
  http = await startHttpServer(
    answerRequests((requests) =>
      requests.map(({ id, method }) => ({
        id,
        result: method === 'eth_chainId' ? '0x7a69' : null,
      })),
    ),
  );
  wallet = await startWallet({ chain });
  companion = createSnapSite(wallet, COMPANION_ORIGIN);
});

beforeEach(async () => {
  relay = await startRelay(chain.url);
  await configure({ rpcUrl: http.url, wsUrl: relay.url });
  http.arrived.length = 0;
});

afterEach(async () => {
  await configure({ wsUrl: null });
  await relay.stop();
});

afterAll(async () => {
  await wallet?.stop();
  await http?.stop();
  chain?.stop();
});

async function configure(row: Record<string, Json>): Promise<void> {
  await companion.snap('tollkeeper_setChain', [{ chainId: CHAIN_ID, ...row }]);
}

async function lookUp(): Promise<Json> {
  return companion.snap('eth_getTransactionByHash', [HASH]);
}

it('looks up a transaction over a socket, and reuses the socket after the worker stops', async () => {
  expect(await lookUp()).toBeNull();
  expect(relay.methods).toContain('eth_getTransactionByHash');
  const before = relay.methods.length;
  await wallet.stopSnap();
  expect(relay.openCount()).toBe(1);
  expect(await lookUp()).toBeNull();
  expect(relay.methods.length).toBeGreaterThan(before);
  expect(relay.connectionCount()).toBe(1);
  expect(http.arrived).toStrictEqual([]);
});

it('ignores a late answer to an earlier worker', async () => {
  await lookUp();
  await wallet.stopSnap();
  const looking = lookUp();
  for (let id = 0; id < 100; id += 1) relay.broadcast({ id, result: { junk: true } });
  expect(await looking).toBeNull();
});

it('looks up a transaction over HTTP after the socket breaks', async () => {
  await lookUp();
  const before = relay.methods.length;
  await relay.stop();
  expect(await lookUp()).toBeNull();
  expect(relay.methods).toHaveLength(before);
  expect(http.arrived.length).toBeGreaterThan(0);
});

it('opens another socket after the socket breaks', async () => {
  await lookUp();
  relay.drop();
  await waitFor(() => relay.openCount() === 0);
  // After a failure, the snap uses HTTP for a while.
  await waitFor(() => {
    lookUp().catch(() => undefined);
    return relay.connectionCount() === 2;
  });
  await waitFor(() => relay.openCount() === 1);
  expect(await lookUp()).toBeNull();
});

it('wakes once for a socket without listeners, and closes it', async () => {
  await lookUp();
  await wallet.stopSnap();
  const params = { subscription: '0xold', result: {} };
  relay.broadcast({ jsonrpc: '2.0', method: 'eth_subscription', params });
  await waitFor(() => relay.openCount() === 0);
  await waitFor(() => wallet.isRunning());
  await wallet.stopSnap();
  relay.broadcast({ jsonrpc: '2.0', method: 'eth_subscription', params });
  expect(wallet.isRunning()).toBe(false);
});

it("cancels an earlier worker's subscriptions when it takes over that worker's socket", async () => {
  await lookUp();
  await wallet.stopSnap();
  await lookUp();
  const params = { subscription: '0xold', result: {} };
  relay.broadcast({ jsonrpc: '2.0', method: 'eth_subscription', params });
  await waitFor(() => relay.methods.includes('eth_unsubscribe'));
  expect(relay.openCount()).toBe(1);
});

it('follows new blocks while no request is open', async () => {
  const countHistories = (): number =>
    relay.methods.filter((method) => method === 'eth_feeHistory').length;
  await companion.snap('tollkeeper_getFeeLevels');
  await waitFor(() => relay.methods.includes('eth_subscribe'));
  await lookUp();
  for (let round = 0; round < 3; round += 1) {
    // Waits for the last fetch, because a block during a fetch does not cause another fetch.
    await companion.snap('tollkeeper_getFeeLevels');
    const before = countHistories();
    await createNode(chain.url).mine({ blocks: 1 });
    await waitFor(() => countHistories() > before);
  }
});

it.each([
  ['the worker that opened it', async () => Promise.resolve()],
  ['a later worker', async () => wallet.stopSnap()],
])(
  'closes the socket in %s when its URL changes or is cleared',
  async (_who, between) => {
    await lookUp();
    const other = await startRelay(chain.url);
    await between();
    await configure({ wsUrl: other.url });
    await waitFor(() => relay.openCount() === 0);
    await lookUp();
    expect(other.openCount()).toBe(1);
    await between();
    await configure({ wsUrl: null });
    await waitFor(() => other.openCount() === 0);
    await lookUp();
    expect(other.connectionCount()).toBe(1);
    await other.stop();
  },
);
