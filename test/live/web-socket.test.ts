// The transport over real sockets to a real node.
import {
  createClient,
  createRpcEndpoint,
  createSocketOpener,
  WebSocketTransport,
} from '../../packages/client/src';
import type { Head } from '../../packages/client/src';
import { watchHeads } from '../../packages/client/src/rpc/heads';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { WsClass } from '../support/client-bench';
import { startRelay, until } from '../support/ws-relay';
import type { Relay } from '../support/ws-relay';

let chain: TestChain;
let relay: Relay;

beforeAll(async () => {
  chain = await startAnvil();
  relay = await startRelay(chain.url);
});

afterAll(async () => {
  await relay?.stop();
  chain?.stop();
});

/** Mine a block, and get its number. */
async function mine(): Promise<number> {
  const ask = async (method: string): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(chain.url, { method: 'POST', headers, body });
    return ((await response.json()) as { result: string }).result;
  };
  await ask('evm_mine');
  return Number(await ask('eth_blockNumber'));
}

it('asks the node over its own WebSocket', async () => {
  const wsUrl = chain.url.replace('http', 'ws');
  const client = createClient({ chainId: 31337, wsUrl, WebSocket: WsClass });
  const answers = [1, 2, 3].map(async () => client.request('eth_chainId', []));
  expect(await Promise.all(answers)).toStrictEqual(Array(3).fill('0x7a69'));
  const call = client.request('eth_call', [{ data: '0xfe' }, 'latest']);
  await expect(call).rejects.toThrow(/^eth_call at ws:\/\/127\.0\.0\.1:\d+ failed: /u);
  await client.close();
});

it('tells of mined blocks, over a connection that was killed, too', async () => {
  const { url } = relay;
  const open = createSocketOpener(WsClass);
  const transport = new WebSocketTransport(createRpcEndpoint(url), { open });
  const seen: Head[] = [];
  const heads = await watchHeads(transport, (head) => seen.push(head));
  const first = await mine();
  await until(() => seen.length === 1);
  expect(Number(heads.latest()?.number)).toBe(first);
  const asked = transport.request({
    method: 'eth_chainId',
    params: [],
    idempotent: true,
  });
  relay.drop();
  expect(heads.latest() === undefined || relay.open() > 0).toBe(true);
  expect(await asked).toBe('0x7a69');
  await until(() => transport.findSubscription('newHeads') !== undefined);
  expect(heads.latest()).toBeUndefined();
  const second = await mine();
  await until(() => heads.latest() !== undefined);
  expect(Number(heads.latest()?.number)).toBe(second);
  expect(seen.map(({ number }) => Number(number))).toStrictEqual([first, second]);
  await heads.stop();
  await mine();
  expect(await transport.request({ method: 'eth_chainId', params: [] })).toBe('0x7a69');
  expect(seen).toHaveLength(2);
  await transport.close();
  await until(() => relay.open() === 0);
  expect(relay.methods.filter((method) => method.includes('subscribe'))).toStrictEqual([
    'eth_subscribe',
    'eth_subscribe',
    'eth_unsubscribe',
  ]);
});
