// Faults on demand: each does what its name says, to those who asked and to nobody else.
import { faultNames } from '../../dev/service/faults';
import type { FaultName } from '../../dev/service/faults';
import { KEY } from '../../dev/service/service-bench';
import { answerBy, useNodeBench } from '../support/service-node';
import { connectSocket } from '../support/service-socket';

const start = useNodeBench();

const DELAY_MS = 150;

const open = async () =>
  start(answerBy({ eth_chainId: '0x1' }), { faults: { delayMs: DELAY_MS } });

const batch = JSON.stringify(
  [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })),
);

const ask = async (base: string, headers: Record<string, string> = {}) => {
  const signal = AbortSignal.timeout(10 * DELAY_MS);
  const init = { method: 'POST', body: batch, headers, signal };
  const response = await fetch(`${base}/v3/${KEY}`, init);
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  };
};

const fine = [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: '0x1' }));
const [first, second] = fine;
const limited = { error: { code: -32005, data: { rate: { backoff_seconds: 1 } } } };

describe('over HTTP', () => {
  it.each<[FaultName, unknown]>([
    ['wrong-id', [{ id: 1_000_001 }, second]],
    ['reordered-answers', [second, first]],
    ['missing-answer', [second]],
    ['duplicated-answer', [first, second, first]],
    [
      'wrong-types',
      [
        { id: 1, result: true },
        { id: 2, result: true },
      ],
    ],
    ['missing-fields', [{ jsonrpc: '2.0', id: 1 }, { id: 2 }]],
    ['rpc-limited', [limited, limited]],
    ['slow-headers', fine],
    ['slow-body', fine],
  ])('%s changes what is answered', async (name, expected) => {
    const { service } = await open();
    expect(JSON.parse((await ask(service.faults.url(name))).text)).toMatchObject(
      expected as object,
    );
    expect(JSON.parse((await ask(service.url)).text)).toEqual(fine);
  });

  it.each<[FaultName, string]>([
    ['stalled-headers', 'timeout'],
    ['stalled-body', 'timeout'],
    ['dropped-body', 'terminated'],
    ['dropped-socket', 'fetch failed'],
  ])('%s ends in %s', async (name, error) => {
    const { service } = await open();
    await expect(ask(service.faults.url(name))).rejects.toThrow(error);
    expect(JSON.parse((await ask(service.url)).text)).toEqual(fine);
  });

  it.each<[FaultName, number, RegExp | null]>([
    ['http-400', 400, null],
    ['http-500', 500, null],
    ['http-502', 502, null],
    ['http-503', 503, null],
    ['http-429', 429, /^1$/u],
    ['http-429-date', 429, / GMT$/u],
  ])('%s answers %i', async (name, status, retryAfter) => {
    const { service } = await open();
    const answer = await ask(service.faults.url(name));
    expect(answer.status).toBe(status);
    if (retryAfter) expect(answer.headers.get('Retry-After')).toMatch(retryAfter);
  });

  it.each<FaultName>(['truncated-json', 'not-json'])('%s is no JSON', async (name) => {
    const { service } = await open();
    const { status, text } = await ask(service.faults.url(name));
    expect(status).toBe(200);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  it('spoils the gas API, where the fault makes sense', async () => {
    const { service } = await open();
    const get = async (name: FaultName): Promise<unknown> =>
      (
        await fetch(
          `${service.faults.url(name)}/v3/${KEY}/networks/1/baseFeePercentile`,
        )
      ).json();
    expect(await get('wrong-types')).toEqual({ baseFeePercentile: true });
    expect(await get('missing-fields')).toEqual({});
    expect(await get('missing-answer')).toEqual({ baseFeePercentile: '1' });
  });
});

describe('asking', () => {
  it('goes by header, query and program', async () => {
    const { service } = await open();
    expect((await ask(service.url, { 'X-Fault': 'http-502' })).status).toBe(502);
    const url = `${service.url}/v3/${KEY}?fault=http-503`;
    expect((await fetch(url, { method: 'POST', body: batch })).status).toBe(503);
    service.faults.next('http-500', 2);
    service.faults.next('http-502');
    const statuses = [];
    for (let each = 0; each < 4; each += 1) {
      statuses.push((await ask(service.url)).status);
    }
    expect(statuses).toStrictEqual([500, 500, 502, 200]);
  });

  it('for what is none answers 400', async () => {
    const { service } = await open();
    expect((await ask(service.url, { 'X-Fault': 'toString' })).status).toBe(400);
  });

  it('does nothing in a service without faults', async () => {
    const { service } = await start(answerBy({ eth_chainId: '0x1' }));
    expect((await ask(service.url, { 'X-Fault': 'http-502' })).status).toBe(200);
    expect((await ask(`${service.url}/fault/http-502`)).status).toBe(404);
  });
});

describe('over a WebSocket', () => {
  it.each(
    faultNames.filter(
      (name) => !name.startsWith('http') && !/dropped|stalled|json/u.test(name),
    ),
  )('%s keeps the connection', async (name) => {
    const { service } = await open();
    const client = await connectSocket(service.faults.url(name), `/ws/v3/${KEY}`);
    client.send(batch);
    const answer = await client.take();
    expect(Array.isArray(answer)).toBe(true);
    client.close();
  });

  it.each<FaultName>(['dropped-socket', 'dropped-body'])(
    '%s ends the connection',
    async (name) => {
      const { service } = await open();
      const client = await connectSocket(service.url, `/v3/${KEY}`);
      service.faults.next(name);
      client.send(batch);
      expect(await client.closed).toBe(1006);
    },
  );
});
