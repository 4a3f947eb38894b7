import { answerChainId, useClients } from '../../support/client-bench';
import { failureOf } from '../../support/error-of';
import { answerJson, findDeadUrl, useHttpServers } from '../../support/http-server';
import { answerSocket, useSocketServers } from '../../support/ws-server';

const HASH = `0x${'ab'.repeat(32)}` as const;

const quick = { retry: { maxAttempts: 1 } };

const serve = useHttpServers();
const serveSocket = useSocketServers();
const open = useClients();

describe('the limits of a client', () => {
  it('hold for HTTP', async () => {
    const slow = await serve(() => undefined);
    const long = await serve(answerJson({ id: 1, result: 'x'.repeat(500) }));
    const late = open({ rpcUrl: slow.url, timeoutMs: 50, ...quick });
    const much = open({ rpcUrl: long.url, maxBytes: 100, ...quick });
    await expect(late.request('eth_chainId', [])).rejects.toThrow('within 50 ms');
    await expect(much.request('eth_chainId', [])).rejects.toThrow('than 100 bytes');
  });

  it('hold for the socket', async () => {
    const slow = await serveSocket(() => undefined);
    const long = await serveSocket(answerSocket('x'.repeat(500)));
    const late = open({ wsUrl: slow.url, timeoutMs: 100, ...quick });
    const much = open({ wsUrl: long.url, maxBytes: 100, ...quick });
    await expect(late.request('eth_chainId', [])).rejects.toThrow('within 100 ms');
    await expect(much.request('eth_chainId', [])).rejects.toThrow('than 100 bytes');
  });

  it('are the given ones for attempts, time and chance; undefined is left out', async () => {
    const rpcUrl = await findDeadUrl();
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    const services = { sleep, random: () => 0, now: undefined as never };
    const retry = { maxAttempts: 2, budgetMs: undefined as never };
    const client = open({ rpcUrl, retry, services });
    await expect(client.request('eth_chainId', [])).rejects.toThrow('tried 2 times');
    expect(waits).toStrictEqual([125]);
  });

  it('leave the fetching to the function that is given', async () => {
    const fetch = async (): Promise<Response> =>
      Promise.resolve(Response.json({ id: 1, result: '0x9' }));
    const client = open({ rpcUrl: 'http://nowhere.invalid', fetch });
    expect(await client.request('eth_chainId', [])).toBe('0x9');
  });
});

describe('watching for blocks', () => {
  it('tells every block until it is ended', async () => {
    const server = await serveSocket(answerSocket(() => '0xsub'));
    const client = open({ wsUrl: server.url });
    const heads: string[] = [];
    const block = (number: string): void =>
      server.open().forEach((socket) => {
        const result = { number, hash: HASH, timestamp: '0x1' };
        const params = { subscription: '0xsub', result };
        socket.send(JSON.stringify({ method: 'eth_subscription', params }));
      });
    const told = new Promise<void>((resolve) => {
      void client
        .watchHeads(({ number }) => {
          heads.push(number);
          if (heads.length === 2) resolve();
        })
        .then(() => ['0x1', '0x2'].forEach(block));
    });
    await told;
    expect(heads).toStrictEqual(['0x1', '0x2']);
  });

  it('needs a socket and a function', async () => {
    const server = await serve(answerChainId);
    const client = open({ rpcUrl: server.url });
    const watch = async (): Promise<unknown> => client.watchHeads(() => undefined);
    expect((await failureOf(watch)).message).toBe(
      'No WebSocket is configured: the client needs wsUrl.',
    );
    const junk = async (): Promise<unknown> => client.watchHeads('x' as never);
    expect(await failureOf(junk)).toMatchObject({
      name: 'InvalidParamsError',
      message: 'onHead must be a function.',
    });
  });
});
