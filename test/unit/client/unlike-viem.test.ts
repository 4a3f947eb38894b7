// Four faults of other clients, side by side with viem 2.56.8: what viem does today, and
// what ours does, over the same real servers.
import { createPublicClient, http, webSocket } from 'viem';
import type { Hash, PublicClient } from 'viem';
import { WebSocket as WsSocket } from 'ws';

import { createClient } from '../../../src/client';
import type { WebSocketClass } from '../../../src/client';
import { errorOf, toWholeText } from '../../support/error-of';
import { answerJson, findDeadUrl, useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { answerRequests } from '../../support/json-rpc';
import type { WireRequest } from '../../support/json-rpc';
import { useSocketServers } from '../../support/ws-server';

const KEY = '7238211010344719ad14a89db874158c';

const ADDRESSES = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}` as const);

const serve = useHttpServers();
const serveSocket = useSocketServers();

/** The balance of an address, which tells whose it is. */
const balanceOf = ({ id, params: [address] }: WireRequest): object => ({
  jsonrpc: '2.0',
  id,
  result: String(address).slice(0, 4),
});

/** Ask for three balances at once, and tell what each caller gets. */
async function askAll(
  ask: (address: Hash) => Promise<bigint | string>,
): Promise<string[]> {
  const settled = await Promise.allSettled(ADDRESSES.map(ask));
  return settled.map((each) =>
    each.status === 'fulfilled' ? `0x${BigInt(each.value).toString(16)}` : 'failed',
  );
}

async function compareBatch(
  spoil: (answers: object[]) => object[],
): Promise<{ viem: string[]; ours: string[] }> {
  const { url } = await serve(
    answerRequests((requests) => spoil(requests.map(balanceOf))),
  );
  const viem = createPublicClient({
    transport: http(url, { batch: true, retryCount: 0 }),
  });
  const ours = createClient({ chainId: 1, rpcUrl: url });
  return {
    viem: await askAll(async (address) => viem.getBalance({ address })),
    ours: await askAll(async (address) =>
      ours.request('eth_getBalance', [address, 'latest']),
    ),
  };
}

describe('a batch of three balances', () => {
  it('without the first answer: viem gives a caller the balance of another', async () => {
    const { viem, ours } = await compareBatch((answers) => answers.slice(1));
    expect({ viem, ours }).toStrictEqual({
      viem: ['0xbb', '0xcc', 'failed'],
      ours: ['failed', '0xbb', '0xcc'],
    });
  });

  it('in another order: both give each caller its own', async () => {
    const { viem, ours } = await compareBatch((answers) => [...answers].reverse());
    expect({ viem, ours }).toStrictEqual({
      viem: ['0xaa', '0xbb', '0xcc'],
      ours: ['0xaa', '0xbb', '0xcc'],
    });
  });
});

describe('a server that is limited until a date', () => {
  it('is asked again at once by viem, and not before the date by ours', async () => {
    const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
    const times: number[] = [];
    const { url } = await serve((response, arrived) => {
      times.push(Date.now());
      const isFirst = times.length % 2 === 1;
      const answer: Answer = isFirst
        ? answerJson({}, 429, { 'Retry-After': at.toUTCString() })
        : answerRequests(([each]) => ({ id: each?.id, result: '0x1' }));
      answer(response, arrived);
    });
    const viem = createPublicClient({ transport: http(url, { retryDelay: 10 }) });
    expect(await viem.request({ method: 'eth_chainId' })).toBe('0x1');
    const [first = 0, second = 0] = times;
    expect(second - first).toBeLessThan(5_000);
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    const retry = { budgetMs: 120_000 };
    const ours = createClient({ chainId: 1, rpcUrl: url, retry, services: { sleep } });
    const asked = Date.now();
    expect(await ours.request('eth_chainId', [])).toBe('0x1');
    expect(waits).toHaveLength(1);
    expect(asked + (waits[0] ?? 0)).toBeGreaterThanOrEqual(at.getTime());
  });
});

describe('an error', () => {
  it('shows the API key of the path in viem, and not in ours', async () => {
    const url = await findDeadUrl();
    const viem = createPublicClient({
      transport: http(`${url}/v3/${KEY}`, { retryCount: 0 }),
    });
    const ours = createClient({
      chainId: 1,
      rpcUrl: url,
      apiKey: KEY,
      retry: { maxAttempts: 1 },
    });
    const theirs = await errorOf(() => viem.request({ method: 'eth_chainId' }));
    const error = await errorOf(() => ours.request('eth_chainId', []));
    expect(theirs.message).toContain(KEY);
    expect(toWholeText(error)).not.toContain(KEY);
    expect(error.message).toBe(
      `eth_chainId at ${url} could not be reached. Check the address and the connection.`,
    );
  });
});

describe('a transaction that was sent when the socket dropped', () => {
  const raw = '0x02f8';

  async function countSent(
    send: (url: string) => Promise<unknown>,
  ): Promise<{ sent: number; error: Error }> {
    const { url, arrived } = await serveSocket((socket) => socket.terminate());
    const error = await errorOf(() => send(url));
    const sent = arrived.filter(({ method }) => method === 'eth_sendRawTransaction');
    return { sent: sent.length, error };
  }

  it("is sent again by viem's request, though by its sendRawTransaction no more", async () => {
    const asRequest = await countSent(async (url) =>
      withViemSocket(url, async (viem) =>
        viem.request({ method: 'eth_sendRawTransaction', params: [raw] }),
      ),
    );
    expect(asRequest.sent).toBeGreaterThan(1);
    const asAction = await countSent(async (url) =>
      withViemSocket(url, async (viem) =>
        viem.sendRawTransaction({ serializedTransaction: raw }),
      ),
    );
    expect(asAction.sent).toBe(1);
  });

  it('is not sent again by ours, which says what is not known', async () => {
    const { sent, error } = await countSent(async (url) => {
      const client = createClient({
        chainId: 1,
        wsUrl: url,
        WebSocket: WsSocket as unknown as WebSocketClass,
      });
      return client.request('eth_sendRawTransaction', [raw]).finally(client.close);
    });
    expect(sent).toBe(1);
    expect(error.message).toMatch(
      /could not be reached\. Whether it was carried out is not known: look before you send it again\.$/u,
    );
  });

  it("is sent again by viem's request over HTTP too, and not by ours", async () => {
    const server = await serve((response) => void response.socket?.destroy());
    const viem = createPublicClient({
      transport: http(server.url, { retryDelay: 10 }),
    });
    const params: [Hash] = [raw];
    await errorOf(() => viem.request({ method: 'eth_sendRawTransaction', params }));
    expect(server.arrived).toHaveLength(4);
    server.arrived.length = 0;
    const ours = createClient({ chainId: 1, rpcUrl: server.url });
    await errorOf(() => ours.request('eth_sendRawTransaction', params));
    expect(server.arrived).toHaveLength(1);
  });
});

async function withViemSocket(
  url: string,
  send: (viem: PublicClient) => Promise<unknown>,
): Promise<unknown> {
  const transport = webSocket(url, { retryDelay: 100, reconnect: { delay: 1 } });
  const viem: PublicClient = createPublicClient({ transport });
  try {
    return await send(viem);
  } finally {
    // It would reconnect to a server that is gone, and keep the process alive.
    const socket = await transport({ retryCount: 0 }).value?.getRpcClient();
    socket?.close();
  }
}
