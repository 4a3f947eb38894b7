// The development service over a real chain: its addresses, asked by our own client and as a page
// asks.
import { createPublicClient, http, parseGwei, toHex } from 'viem';

import { KEY, SECRET, startServiceBench } from '../../dev/service/service-bench';
import type { ServiceBench } from '../../dev/service/service-bench';
import type { GasEndpointOptions } from '../../packages/client/src';
import { gasAnswer, shapeOf } from '../fixtures/client/gas-answer';
import { OTHER, owner } from '../fixtures/eth/owner';
import { errorOf, failureOf, toWholeText } from '../support/error-of';

const CHAIN = 31_337n;

let bench: ServiceBench;

beforeAll(async () => {
  bench = await startServiceBench();
});

afterAll(async () => bench.stop());

/** Asks the chain itself for the base fee of every block, and of the next one at the end. */
const fetchBaseFees = async () => {
  const chain = createPublicClient({ transport: http(bench.nodeUrl) });
  const asked = { blockCount: 100, rewardPercentiles: [] };
  return (await chain.getFeeHistory(asked)).baseFeePerGas;
};

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${bench.service.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
};

const FEES = '/networks/31337/suggestedGasFees';

const forms: [string, Partial<GasEndpointOptions>][] = [
  ['a header', { apiKey: KEY, apiKeySecret: SECRET }],
  ['the path', { gasAuth: 'path', apiKey: KEY }],
];

describe.each(forms)('the gas API with credentials in %s', (_form, options) => {
  it('suggests fees in wei that follow from the chain', async () => {
    const { low, medium, high, ...market } = await bench
      .connectGas(options)
      .suggestedGasFees(CHAIN);
    const base = (await fetchBaseFees()).at(-1) ?? 0n;
    expect(market.estimatedBaseFee).toBe(base);
    const priorities = [low, medium, high].map(
      (each) => each.suggestedMaxPriorityFeePerGas,
    );
    // One, two and three gwei were paid, and there was room for more.
    expect(priorities).toStrictEqual(['1', '1', '1'].map((gwei) => parseGwei(gwei)));
    const covered = (base * 3n + 1n) / 2n;
    expect(low.suggestedMaxFeePerGas).toBe(covered + parseGwei('1'));
    expect(market.latestPriorityFeeRange).toStrictEqual([
      parseGwei('1'),
      parseGwei('3'),
    ]);
    expect(market.networkCongestion).toBeGreaterThan(0);
    expect(market.baseFeeTrend).toBe('down');
  });

  it('returns the median of past base fees in wei', async () => {
    const fees = (await fetchBaseFees()).slice(0, -1);
    const found = await bench.connectGas(options).baseFeePercentile(CHAIN);
    const below = fees.filter((fee) => fee <= found).length;
    expect(fees).toContain(found);
    expect(below).toBeGreaterThanOrEqual(fees.length / 2);
    expect(fees.filter((fee) => fee < found).length).toBeLessThan(fees.length / 2);
  });

  it('knows no other chain', async () => {
    expect(
      await failureOf(() => bench.connectGas(options).suggestedGasFees(1n)),
    ).toMatchObject({
      name: 'HttpStatusError',
      context: { status: 404 },
    });
  });
});

describe('the gas API', () => {
  it('writes the fields of the specification, fees as decimal gwei', async () => {
    const url = `${bench.service.url}/v3/${KEY}/networks/31337/suggestedGasFees`;
    const answer: unknown = await (await fetch(url)).json();
    expect(shapeOf(answer)).toEqual(shapeOf(gasAnswer));
  });

  it.each<[string, Partial<GasEndpointOptions>]>([
    ['none', {}],
    ['another key', { apiKey: 'other', apiKeySecret: SECRET }],
    ['another secret', { apiKey: KEY, apiKeySecret: 'other' }],
    ['no secret', { apiKey: KEY }],
    ['another key in the path', { gasAuth: 'path', apiKey: 'other' }],
    ['the secret in the path', { gasAuth: 'path', apiKey: SECRET }],
  ])('refuses as credentials %s', async (_what, options) => {
    const error = await errorOf(() =>
      bench.connectGas(options).suggestedGasFees(CHAIN),
    );
    expect(error).toMatchObject({ name: 'HttpStatusError', status: 401 });
    expect(toWholeText(error)).not.toContain(SECRET);
  });
});

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

it.each(['Bearer x', 'Basic', 'Basic ====', 'basic \u00e9'])(
  'takes %j for no credentials',
  async (Authorization) => {
    expect((await ask(FEES, { headers: { Authorization } })).status).toBe(401);
  },
);

describe('JSON-RPC', () => {
  it('forwards what the chain can answer, single and in a batch', async () => {
    const node = bench.connectNode(KEY);
    expect(await node.request('eth_chainId', [])).toBe('0x7a69');
    const [receipt, transaction, count, none] = await Promise.all([
      node.request('eth_getTransactionReceipt', [bench.hash]),
      node.request('eth_getTransactionByHash', [bench.hash]),
      node.request('eth_getTransactionCount', [owner.address, 'latest']),
      node.request('eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`]),
    ]);
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    expect(transaction).toMatchObject({ hash: bench.hash, nonce: '0x0' });
    expect([count, none]).toStrictEqual(['0x9', null]);
  });

  it('estimates as a rollup does, with the cost of the calldata', async () => {
    const node = bench.connectNode(KEY);
    const call = { from: owner.address, to: OTHER, value: '0x1' } as const;
    const base = (await fetchBaseFees()).at(-1) ?? 0n;
    const [plain, heavy] = await Promise.all([
      node.request('rollup_estimateGas', [call]),
      node.request('rollup_estimateGas', [{ ...call, data: `0x${'ab'.repeat(500)}` }]),
    ]);
    expect(plain).toStrictEqual({
      baseFeePerGas: toHex(base),
      gasLimit: '0x5208',
      priorityFeePerGas: toHex(parseGwei('1')),
    });
    expect(heavy.baseFeePerGas).toBe(toHex(base));
    const dataFee = (16n * 500n * base) / BigInt(heavy.gasLimit);
    expect(BigInt(heavy.priorityFeePerGas)).toBe(parseGwei('1') + dataFee);
  });

  it('passes on the error of the chain to the caller that it is for', async () => {
    const node = bench.connectNode(KEY);
    const [failed, fine] = await Promise.allSettled([
      node.request('eth_estimateGas', [{ from: OTHER, data: '0xfe' }]),
      node.request('eth_chainId', []),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'RpcError' } });
    expect(fine).toStrictEqual({ status: 'fulfilled', value: '0x7a69' });
  });
});

describe('a page of any origin', () => {
  it.each([`/v3/${KEY}`, '/networks/31337/suggestedGasFees', '/nowhere'])(
    'may read what %s answers, also when it refuses',
    async (path) => {
      const url = `${bench.service.url}${path}`;
      const { headers } = await fetch(url, { headers: { Origin: 'null' } });
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    },
  );

  it('may send credentials and JSON', async () => {
    const { ok, headers } = await fetch(`${bench.service.url}/v3/${KEY}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'null',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    expect([ok, headers.get('Access-Control-Allow-Origin')]).toStrictEqual([true, '*']);
    expect(headers.get('Access-Control-Allow-Methods')).toContain('POST');
    // A star would not cover Authorization.
    expect(headers.get('Access-Control-Allow-Headers')).toMatch(/authorization/iu);
  });
});
