// The limits of the service: body, batch, rate, day, origin; and options that make no sense.
import { parseFlags } from '../../dev/service/options';
import { startService } from '../../dev/service/service';
import { KEY } from '../../dev/service/service-bench';
import { errorOf } from '../support/error-of';
import { answerBy, useNodeBench } from '../support/service-node';
import { connectSocket } from '../support/service-socket';

const start = useNodeBench();

const answer = answerBy({ eth_chainId: '0x1' });

const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' });

const post = async (
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
) => {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/v3/${KEY}`, init);
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as unknown,
  };
};

const limited = (seconds: number) => ({
  code: -32005,
  data: { rate: { backoff_seconds: seconds } },
});

describe('the limit of', () => {
  it('a body answers 413', async () => {
    const { service } = await start(answer, { limits: { bodyBytes: 100 } });
    const { status, json } = await post(service.url, ['x'.repeat(200)]);
    expect(status).toBe(413);
    expect(json).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('a batch is named', async () => {
    const { service, countOf } = await start(answer, { limits: { batchLength: 2 } });
    const { status, json } = await post(service.url, [1, 2, 3].map(request));
    expect([status, json]).toMatchObject([200, { error: { code: -32600 } }]);
    expect(JSON.stringify(json)).toContain('2 calls are the limit');
    expect(countOf('eth_chainId')).toBe(0);
  });

  it('the rate counts a batch of N as N + 1', async () => {
    let time = 0;
    const options = { now: () => time, limits: { ratePerSecond: 4 } };
    const { service, get } = await start(answer, options);
    expect((await post(service.url, [1, 2].map(request))).status).toBe(200);
    expect((await get('suggestedGasFees')).status).toBe(200);
    const refused = await post(service.url, request(9));
    expect(refused).toMatchObject({ status: 429, json: { id: 9, error: limited(1) } });
    expect(refused.headers.get('Retry-After')).toBe('1');
    const batch = await post(service.url, [1, 2].map(request));
    expect(batch).toMatchObject({ status: 429, json: { id: null, error: limited(1) } });
    const rest = await get('suggestedGasFees');
    expect(rest.status).toBe(429);
    expect(JSON.parse(rest.text)).toMatchObject({ error: limited(1) });
    time += 250;
    expect((await post(service.url, request(9))).status).toBe(200);
    expect((await post(service.url, request(9))).status).toBe(429);
  });

  it('the rate lets what is more than ever fits through a full bucket', async () => {
    let time = 0;
    const options = { now: () => time, limits: { ratePerSecond: 2 } };
    const { service } = await start(answer, options);
    const batch = [1, 2, 3, 4, 5].map(request);
    expect((await post(service.url, batch)).status).toBe(200);
    const refused = await post(service.url, batch);
    expect(refused).toMatchObject({ status: 429, json: { error: limited(3) } });
    time += 3_000;
    expect((await post(service.url, batch)).status).toBe(200);
  });

  it('the rate answers a WebSocket message by message', async () => {
    const options = { now: () => 0, limits: { ratePerSecond: 1 } };
    const { service } = await start(answer, options);
    const client = await connectSocket(service.url, `/ws/v3/${KEY}`);
    client.send(request(1));
    expect(await client.take()).toMatchObject({ id: 1, result: '0x1' });
    client.send(request(2));
    expect(await client.take()).toMatchObject({ id: 2, error: limited(1) });
    client.send([request(3), request(4)]);
    expect(await client.take()).toMatchObject([
      { id: 3, error: limited(1) },
      { id: 4 },
    ]);
    client.close();
  });

  it('a day answers 402 until midnight', async () => {
    let time = 86_400_000 - 10_000;
    const { service, get } = await start(answer, {
      now: () => time,
      limits: { perDay: 2 },
    });
    expect((await post(service.url, [request(1)])).status).toBe(200);
    const refused = await post(service.url, request(2));
    expect(refused).toMatchObject({ status: 402, json: { error: limited(10) } });
    expect((await get('baseFeePercentile')).status).toBe(402);
    time += 10_000;
    expect((await get('baseFeePercentile')).status).toBe(200);
  });

  it('origins answers 403, readably', async () => {
    const { service } = await start(answer, { allowOrigins: ['null'] });
    const from = async (Origin?: string) =>
      post(service.url, request(1), Origin ? { Origin } : {});
    expect((await from('null')).status).toBe(200);
    const refused = await from('https://example.org');
    expect(refused).toMatchObject({ status: 403, json: { error: { code: -32002 } } });
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect((await from()).status).toBe(403);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
  });

  it('nobody is spent by those who have no key', async () => {
    const { service } = await start(answer, {
      now: () => 0,
      limits: { ratePerSecond: 1 },
    });
    const other = `${service.url}/v3/other`;
    expect((await fetch(other, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await post(service.url, request(1))).status).toBe(200);
  });
});

describe('options', () => {
  const good = { nodeUrl: 'http://127.0.0.1:1', chainId: 1, apiKey: KEY };

  it.each<[object, string]>([
    [{ nodeUrl: 'secret-address' }, "The node's address must be"],
    [{ nodeWsUrl: 'http://127.0.0.1' }, "The node's WebSocket address must be"],
    [{ apiKey: '' }, 'The API key must be'],
    [{ apiKey: 'a/b' }, 'The API key must be'],
    [{ chainId: 1.5 }, 'The chain id must be'],
    [{ limits: { batchLength: 0 } }, 'limits.batchLength must be'],
    [{ limits: { ratePerSecond: -1 } }, 'limits.ratePerSecond must be'],
  ])('are refused where they make no sense: %j', async (option, message) => {
    const { message: said } = await errorOf(async () =>
      startService({ ...good, ...option }),
    );
    expect(said).toContain(message);
    expect(said).not.toContain('secret-address');
  });

  it.each([
    [[], '--node is missing.'],
    [['--node', 'http://x'], '--key is missing.'],
    [
      ['--node', 'http://x', '--key', 'k', '--port', 'x'],
      '--port must be a whole number',
    ],
    [
      ['--node', 'http://x', '--key', 'k', '--port', '70000'],
      '--port must be at most 65535.',
    ],
    [
      ['--node', 'http://x', '--key', 'k', '--secret', ''],
      '--secret must not be empty.',
    ],
    [['--none'], "Unknown option '--none'."],
    [['--node'], "Option '--node <value>' argument missing."],
  ])('on the command line are refused: %j', async (args, message) => {
    expect((await errorOf(() => parseFlags(args))).message).toContain(message);
  });

  it('on the command line are read', () => {
    const args =
      '--node http://x --key k --rate 6 --near-head --allow-origin null --faults';
    expect(parseFlags(args.split(' '))).toMatchObject({
      ...{ nodeUrl: 'http://x', apiKey: 'k', nearHead: true, allowOrigins: ['null'] },
      ...{ limits: { ratePerSecond: 6 }, faults: {} },
    });
    expect(parseFlags(['--help'])).toBe('help');
  });
});
