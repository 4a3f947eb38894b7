// The gas API of the service: addresses, credentials, methods and health.
import { KEY, SECRET, startServiceBench } from '../../dev/service/service-bench';
import type { ServiceBench } from '../../dev/service/service-bench';
import { createGate } from '../support/gate';
import { answerBy, useNodeBench } from '../support/service-node';
import { until } from '../support/ws-relay';

let bench: ServiceBench;

beforeAll(async () => {
  bench = await startServiceBench();
});

afterAll(async () => bench.stop());

const start = useNodeBench();

const basic = (text: string) => ({
  headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` },
});

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${bench.service.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
};

const FEES = '/networks/31337/suggestedGasFees';

describe('an address', () => {
  it.each([
    [`/v3/${KEY}${FEES}`, 200],
    [`/v3/${KEY}/networks/31337/baseFeePercentile`, 200],
    [`/v3/${KEY}/networks/1/suggestedGasFees`, 404],
    [`/v3/${KEY}/networks/0x7a69/suggestedGasFees`, 404],
    [`/v3/${KEY}/networks/031337/suggestedGasFees`, 404],
    [`/v3/${KEY}/networks/31337/other`, 404],
    [`/v2/${KEY}${FEES}`, 404],
    [`/v3/${KEY}${FEES}/`, 404],
    [`/v3/${KEY}x${FEES}`, 401],
    [`/v3/${'x'.repeat(190)}${FEES}`, 401],
    [`/v3/%${FEES}`, 400],
    [FEES, 401],
    ['/', 404],
  ])('%.60s answers %i with JSON', async (path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/u);
    expect(JSON.parse(answer.text)).toEqual(
      status === 200
        ? expect.any(Object)
        : {
            error: {
              code: expect.any(Number) as number,
              message: expect.any(String) as string,
            },
          },
    );
    expect(answer.text).not.toMatch(
      new RegExp(`${KEY}|${SECRET}|\\.ts|node_modules`, 'u'),
    );
  });

  it('says how to identify oneself', async () => {
    expect((await ask(FEES)).headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/u);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('takes no %s', async (method) => {
    const { status, headers } = await ask(`/v3/${KEY}${FEES}`, { method });
    expect([status, headers.get('Allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('takes JSON-RPC by POST alone', async () => {
    for (const path of [`/v3/${KEY}`, `/ws/v3/${KEY}`]) {
      expect((await ask(path)).status).toBe(405);
    }
  });
});

describe('credentials in the header', () => {
  it.each([
    [`${KEY}:${SECRET}`, 200],
    [`${KEY}:${SECRET} `, 401],
    [`${KEY}:`, 401],
    [KEY, 401],
    [`:${SECRET}`, 401],
    [`${SECRET}:${KEY}`, 401],
    ['', 401],
  ])('%j answer %i where a secret is set', async (text, status) => {
    expect((await ask(FEES, basic(text))).status).toBe(status);
  });

  it.each([
    [KEY, 200],
    [`${KEY}:`, 200],
    [`${KEY}:x`, 401],
    ['x', 401],
  ])('%j answer %i where none is set', async (text, status) => {
    const { service } = await start(answerBy({}));
    const url = `${service.url}/networks/1/suggestedGasFees`;
    expect((await fetch(url, basic(text))).status).toBe(status);
  });

  it.each(['Bearer x', 'Basic', 'Basic ====', 'basic \u00e9'])(
    '%j is none',
    async (value) => {
      expect((await ask(FEES, { headers: { Authorization: value } })).status).toBe(401);
    },
  );
});

describe('health', () => {
  it('names chain and block to anybody', async () => {
    const { status, text } = await ask('/health');
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { status: 'ok', chainId: 31_337, block: 3 },
    ]);
  });
});

describe('stopping', () => {
  it('finishes what is being answered, and can be repeated', async () => {
    const gate = createGate();
    const { service, call, node } = await start((response, arrived) => {
      void gate.opened.then(() => answerBy({ eth_chainId: '0x1' })(response, arrived));
    });
    const checks = node.arrived.length;
    const answer = call('eth_chainId');
    await until(() => node.arrived.length > checks);
    const stops = [service.stop(), service.stop()];
    gate.open();
    expect(await answer).toMatchObject({ result: '0x1' });
    await Promise.all(stops);
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  });

  it('does not wait for ever', async () => {
    const limits = { stopTimeoutMs: 50 };
    const { service, call, node } = await start(() => undefined, { limits });
    const checks = node.arrived.length;
    const answer = call('eth_chainId');
    answer.catch(() => undefined);
    await until(() => node.arrived.length > checks);
    await service.stop();
    await expect(answer).rejects.toThrow('fetch failed');
  });
});
