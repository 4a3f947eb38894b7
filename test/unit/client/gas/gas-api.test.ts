import { createGasApi, createGasEndpoint, toWire } from '../../../../src/client';
import type { GasApi, GasEndpointOptions } from '../../../../src/client';
import { gasAnswer, gasAnswerInWei } from '../../../fixtures/client/gas-answer';
import { failureOf } from '../../../support/error-of';
import { answerJson, useHttpServers } from '../../../support/http-server';
import type { HttpServer } from '../../../support/http-server';
import { without } from '../../../support/without';

const KEY = '7238211010344719ad14a89db874158c';
const SECRET = 'L9R01C1XAX1KZX4Y0JU7KS40V3D6E';
const AT = /http:\/\/127\.0\.0\.1:\d+/gu;

const serve = useHttpServers();

async function setup(
  answer: unknown,
  options: Partial<GasEndpointOptions> = {},
): Promise<{ api: GasApi; server: HttpServer }> {
  const server = await serve(answerJson(answer));
  const endpoint = createGasEndpoint({ gasBaseUrl: server.url, ...options });
  return { api: createGasApi(endpoint, { fetch }), server };
}

describe('suggestedGasFees', () => {
  it('reads the answer in wei', async () => {
    const { api, server } = await setup(gasAnswer);
    expect(await api.suggestedGasFees(59144n)).toStrictEqual(gasAnswerInWei);
    expect(server.arrived).toMatchObject([
      { method: 'GET', path: '/networks/59144/suggestedGasFees', body: '' },
    ]);
  });

  it.each([
    ['', '/networks/1/suggestedGasFees'],
    ['/', '/networks/1/suggestedGasFees'],
    ['/api/', '/api/networks/1/suggestedGasFees'],
    ['/api?a=b', '/api/networks/1/suggestedGasFees?a=b'],
  ])('is asked for under a base that ends in %j', async (end, path) => {
    const { url, arrived } = await serve(answerJson(gasAnswer));
    const endpoint = createGasEndpoint({ gasBaseUrl: `${url}${end}` });
    await createGasApi(endpoint, { fetch }).suggestedGasFees(1n);
    expect(arrived[0]?.path).toBe(path);
  });

  it('rounds decimals beyond wei up', async () => {
    const { api } = await setup({
      ...gasAnswer,
      estimatedBaseFee: '16.2840269640001',
      historicalBaseFeeRange: ['0.000000000000000001', '29.91284546399999'],
    });
    expect(await api.suggestedGasFees(1n)).toMatchObject({
      estimatedBaseFee: 16_284_026_965n,
      historicalBaseFeeRange: [1n, 29_912_845_464n],
    });
  });

  it('tolerates further fields', async () => {
    const low = { ...gasAnswer.low, note: [] };
    const { api } = await setup({ ...gasAnswer, low, version: '0.0.1' });
    expect(await api.suggestedGasFees(1n)).toMatchObject({ baseFeeTrend: 'up' });
  });

  it('keeps no word of the server', async () => {
    const words = { baseFeeTrend: `up ${KEY}`, priorityFeeTrend: SECRET };
    const { api } = await setup({ ...gasAnswer, ...words });
    const fees = JSON.stringify(toWire(await api.suggestedGasFees(1n)));
    expect(fees).not.toMatch(new RegExp(`${KEY}|${SECRET}`, 'u'));
  });

  const GWEI = 'a decimal string in gwei';

  it.each<[string, unknown, string]>([
    [
      'lacks a field',
      without(gasAnswer, 'estimatedBaseFee'),
      `suggestedGasFees.estimatedBaseFee is missing: it must be ${GWEI}.`,
    ],
    [
      'lacks a nested field',
      { ...gasAnswer, high: { ...gasAnswer.high, suggestedMaxFeePerGas: undefined } },
      `suggestedGasFees.high.suggestedMaxFeePerGas is missing: it must be ${GWEI}.`,
    ],
    [
      'has a number for a fee',
      { ...gasAnswer, estimatedBaseFee: 16.28 },
      `suggestedGasFees.estimatedBaseFee must be ${GWEI}.`,
    ],
    [
      'has a negative fee',
      { ...gasAnswer, estimatedBaseFee: '-1' },
      `suggestedGasFees.estimatedBaseFee must be ${GWEI}.`,
    ],
    [
      'has one end of a range',
      { ...gasAnswer, latestPriorityFeeRange: ['1'] },
      `suggestedGasFees.latestPriorityFeeRange[1] is missing: it must be ${GWEI}.`,
    ],
    [
      'is an error',
      { error: 'tell-nobody' },
      'suggestedGasFees.low is missing: it must be an object.',
    ],
    ['is null', null, 'suggestedGasFees must be an object.'],
    ['is a text', 'tell-nobody', 'suggestedGasFees must be an object.'],
  ])('says by its path that the answer %s', async (_what, answer, reason) => {
    const { api } = await setup(answer);
    const failure = await failureOf(() => api.suggestedGasFees(1n));
    expect({ ...failure, message: failure.message.replace(AT, 'AT') }).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message: `suggestedGasFees at AT gave an invalid answer: ${reason} Check that it is the right server.`,
      context: {},
    });
  });

  it.each([
    ['networkCongestion', { networkCongestion: 1.5 }, '1'],
    ['networkCongestion', { networkCongestion: -0.1 }, '0'],
    [
      'low.minWaitTimeEstimate',
      { low: { ...gasAnswer.low, minWaitTimeEstimate: -1 } },
      '0',
    ],
  ])('says within which bounds %s must be: %j', async (path, fields, bound) => {
    const { api } = await setup({ ...gasAnswer, ...fields });
    const { message } = await failureOf(() => api.suggestedGasFees(1n));
    const [, words = ''] = message.split(`: suggestedGasFees.${path} must be `);
    expect(words.split(/[\s.]+/u)).toContain(bound);
  });
});

describe('baseFeePercentile', () => {
  it('reads the answer in wei', async () => {
    const { api, server } = await setup({ baseFeePercentile: '23.227829059' });
    expect(await api.baseFeePercentile(1n)).toBe(23_227_829_059n);
    expect(server.arrived[0]?.path).toBe('/networks/1/baseFeePercentile');
  });

  it('says by its path what is missing', async () => {
    const { api } = await setup({});
    const { message } = await failureOf(() => api.baseFeePercentile(1n));
    expect(message.replace(AT, 'AT')).toBe(
      'baseFeePercentile at AT gave an invalid answer: ' +
        'baseFeePercentile.baseFeePercentile is missing: it must be a decimal string in gwei. ' +
        'Check that it is the right server.',
    );
  });
});

describe('the credentials', () => {
  it('arrive in the header', async () => {
    const options = { apiKey: KEY, apiKeySecret: SECRET };
    const { api, server } = await setup(gasAnswer, options);
    await api.suggestedGasFees(1n);
    const { path, headers } = server.arrived[0] ?? {};
    expect(path).toBe('/networks/1/suggestedGasFees');
    const [scheme, encoded = ''] = headers?.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    expect(Buffer.from(encoded, 'base64').toString()).toBe(`${KEY}:${SECRET}`);
  });

  it('arrive in the path, where the secret is not needed', async () => {
    const options = { gasAuth: 'path', apiKey: KEY, apiKeySecret: SECRET } as const;
    const { api, server } = await setup(gasAnswer, options);
    await api.suggestedGasFees(1n);
    const { path, headers } = server.arrived[0] ?? {};
    expect(path).toBe(`/v3/${KEY}/networks/1/suggestedGasFees`);
    expect(headers).not.toHaveProperty('authorization');
  });
});

describe('toWire', () => {
  it('writes fees as they come', () => {
    expect(toWire(gasAnswerInWei)).toStrictEqual(gasAnswer);
  });
});
