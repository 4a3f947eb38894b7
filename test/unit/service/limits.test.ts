// Limits of the service: body size, batch length, rate, daily requests and origins.
import { KEY } from '../../../dev/stack/service-bench';
import { answerBy, useNodeBench } from '../../support/service-node';
import { connectSocket } from '../../support/service-socket';

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

const HOUR = 3_600_000;

const setClock = (start = 1_000 * HOUR) => {
  let time = start;
  jest.spyOn(Date, 'now').mockImplementation(() => time);
  return (ms: number) => (time += ms);
};

afterEach(() => jest.restoreAllMocks());

const limited = (seconds: number) => ({
  code: -32005,
  data: { rate: { backoff_seconds: seconds } },
});

describe('the service', () => {
  it('answers 413 to a body that is too large', async () => {
    const { service } = await start(answer, { limits: { bodyBytes: 100 } });
    const { status, json } = await post(service.url, ['x'.repeat(200)]);
    expect(status).toBe(413);
    expect(json).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('names the limit when it rejects a batch that is too long', async () => {
    const { service, countOf } = await start(answer, { limits: { batchLength: 2 } });
    const { status, json } = await post(service.url, [1, 2, 3].map(request));
    expect([status, json]).toMatchObject([200, { error: { code: -32600 } }]);
    expect(JSON.stringify(json)).toContain('at most 2 calls are allowed');
    // Only the check at start-up reached the node.
    expect(countOf('eth_chainId')).toBe(1);
  });

  it('counts a batch of N as N + 1 toward the rate', async () => {
    const pass = setClock();
    const { service, get } = await start(answer, { limits: { ratePerSecond: 4 } });
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
    pass(1_000);
    expect((await post(service.url, request(9))).status).toBe(200);
  });

  it('can count the rate over more than a second', async () => {
    const pass = setClock();
    const limits = { ratePerSecond: 1, rateSeconds: 3 };
    const { service } = await start(answer, { limits });
    expect((await post(service.url, [1, 2].map(request))).status).toBe(200);
    pass(1_500);
    const refused = await post(service.url, request(9));
    expect(refused).toMatchObject({ status: 429, json: { error: limited(2) } });
    pass(1_500);
    expect((await post(service.url, request(9))).status).toBe(200);
  });

  it('accepts a batch larger than the rate allows, and then makes the caller wait', async () => {
    const pass = setClock();
    const { service } = await start(answer, { limits: { ratePerSecond: 2 } });
    const batch = [1, 2, 3, 4, 5].map(request);
    expect((await post(service.url, batch)).status).toBe(200);
    const refused = await post(service.url, batch);
    expect(refused).toMatchObject({ status: 429, json: { error: limited(3) } });
    pass(2_999);
    expect((await post(service.url, request(9))).status).toBe(429);
    pass(1);
    expect((await post(service.url, batch)).status).toBe(200);
  });

  it('answers every WebSocket message above the rate with an error', async () => {
    setClock();
    const { service } = await start(answer, { limits: { ratePerSecond: 1 } });
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

  it('answers 402 until midnight once the daily limit is used up', async () => {
    const pass = setClock(24 * HOUR - 10_000);
    const { service, get } = await start(answer, { limits: { perDay: 2 } });
    expect((await post(service.url, [request(1)])).status).toBe(200);
    const refused = await post(service.url, request(2));
    expect(refused).toMatchObject({ status: 402, json: { error: limited(10) } });
    expect((await get('baseFeePercentile')).status).toBe(402);
    pass(9_999);
    expect((await get('baseFeePercentile')).status).toBe(402);
    pass(1);
    expect((await get('baseFeePercentile')).status).toBe(200);
  });

  it('rejects a batch above the daily limit, even if it is the first request', async () => {
    setClock(24 * HOUR - 10_000);
    const { service } = await start(answer, { limits: { perDay: 2 } });
    const refused = await post(service.url, [1, 2].map(request));
    expect(refused).toMatchObject({ status: 402, json: { error: limited(10) } });
    expect((await post(service.url, [request(1)])).status).toBe(200);
  });

  it('does not count rejected requests toward the daily limit', async () => {
    setClock();
    const limits = { ratePerSecond: 3, perDay: 4 };
    const { service } = await start(answer, { limits });
    expect((await post(service.url, [1, 2].map(request))).status).toBe(200);
    expect((await post(service.url, [1].map(request))).status).toBe(429);
    setClock(1_001 * HOUR);
    expect((await post(service.url, [1].map(request))).status).toBe(402);
    expect((await post(service.url, request(1))).status).toBe(200);
  });

  it('answers 403 to other origins, in a form that pages can read', async () => {
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

  it("does not count requests with an unknown key toward another key's limit", async () => {
    setClock();
    const { service } = await start(answer, { limits: { ratePerSecond: 1 } });
    const other = `${service.url}/v3/other`;
    expect((await fetch(other, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await post(service.url, request(1))).status).toBe(200);
  });
});
