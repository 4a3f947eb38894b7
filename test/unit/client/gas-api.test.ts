// The gas API (docs/reference/service.md#suggested-gas-fees, #base-fee-percentile, #gas-api): its
// requests, and every field of its answers.
import { createGasApi, createGasEndpoint } from '../../../packages/client/src';
import type { GasEndpointOptions } from '../../../packages/client/src';
import { toWire } from '../../../packages/client/src/gas-api';
import { gasAnswer, gasAnswerInWei } from '../../fixtures/client/gas-answer';
import { failureOf } from '../../support/error-of';
import { answering, createFakeNetwork } from '../../support/fake-fetch';

const BASE = 'https://gas.example';

function setup(answer: unknown = gasAnswer, options: Partial<GasEndpointOptions> = {}) {
  const network = createFakeNetwork();
  network.serve(BASE, answering(answer as never));
  const endpoint = createGasEndpoint({ gasBaseUrl: BASE, ...options });
  return { ...createGasApi(endpoint, network), sent: network.sent };
}

/** Copies the sample answer with a different value at a path; undefined omits the field. */
function withValue(path: string, value: unknown): unknown {
  const copy = structuredClone(gasAnswer) as Record<string, unknown>;
  const [last = '', ...names] = path.split('.').reverse();
  const parent = names.reduceRight(
    (each, name) => each[name] as Record<string, unknown>,
    copy,
  );
  parent[last] = value;
  return copy;
}

async function refusalOf(answer: unknown): Promise<string> {
  const { name, code, message } = await failureOf(async () =>
    setup(answer).suggestedGasFees(1n),
  );
  expect([name, code]).toStrictEqual(['InvalidResponseError', -32002]);
  const [, reason = message] = message.split(
    `suggestedGasFees at ${BASE} gave an invalid answer: suggestedGasFees`,
  );
  return reason.replace(' Check that it is the right server.', '');
}

describe('the gas API', () => {
  it.each([
    ['', '/networks/1/suggestedGasFees'],
    ['/', '/networks/1/suggestedGasFees'],
    ['/api/', '/api/networks/1/suggestedGasFees'],
    ['/api?a=b', '/api/networks/1/suggestedGasFees?a=b'],
  ])('has its path appended to a base URL that ends in %j', async (end, path) => {
    const { suggestedGasFees, sent } = setup(gasAnswer, {
      gasBaseUrl: `${BASE}${end}`,
    });
    expect(await suggestedGasFees(1n)).toStrictEqual(gasAnswerInWei);
    expect(sent).toMatchObject([
      { method: 'GET', url: `${BASE}${path}`, body: undefined },
    ]);
  });

  it('returns the base fee percentile in wei', async () => {
    const answer = { baseFeePercentile: '23.227829059', version: '1' };
    const { baseFeePercentile, sent } = setup(answer);
    expect(await baseFeePercentile(1n)).toBe(23_227_829_059n);
    expect(sent[0]?.url).toBe(`${BASE}/networks/1/baseFeePercentile`);
  });

  it.each<unknown>([59_144n, 59_144, '0xe708', '0xE708', '59144', 'eip155:59144'])(
    'accepts the chain id %p',
    async (chainId) => {
      const { suggestedGasFees, sent } = setup();
      await suggestedGasFees(chainId as never);
      expect(sent[0]?.url).toBe(`${BASE}/networks/59144/suggestedGasFees`);
    },
  );

  it.each<unknown>([
    0n,
    -1n,
    2n ** 64n,
    0,
    -1,
    1.5,
    NaN,
    2 ** 53,
    '',
    '0',
    '0x',
    '-1',
    '1.5',
    'one',
    '1/../2',
    'eip155:',
    'eip155:0',
    'eip155:eip155:1',
    'solana:1',
    'bip122:000000000019d6689c085ae165831e93',
    '0x0',
    // Above the maximum of EIP-2294.
    9_223_372_036_854_775_772n.toString(),
    null,
    [1n],
    {},
  ])('rejects the chain id %p before any request', async (chainId) => {
    const { suggestedGasFees, sent } = setup();
    expect(
      await failureOf(async () => suggestedGasFees(chainId as never)),
    ).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message:
        'chainId must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
      context: { path: 'chainId' },
    });
    expect(sent).toStrictEqual([]);
  });

  it('has fees converted back to its wire format', () => {
    expect(toWire(gasAnswerInWei)).toStrictEqual(gasAnswer);
  });
});

const GWEI = 'a decimal string in gwei';
const WAIT = 'a number of milliseconds, 0 or more';
const TREND = 'one of "up", "down"';

const badFees = [null, 5, 1.5, '', '-1', '+1', '1e9', '0x1', ' 1', '1,5', [], {}];
const badWaits = [null, '15000', -1, [], {}];

const fields: [path: string, expected: string, bad: unknown[]][] = [
  ['low', 'an object', [null, '1', 7]],
  ['low.suggestedMaxPriorityFeePerGas', GWEI, badFees],
  ['medium.suggestedMaxFeePerGas', GWEI, badFees],
  ['medium.minWaitTimeEstimate', WAIT, badWaits],
  ['high.maxWaitTimeEstimate', WAIT, badWaits],
  ['latestPriorityFeeRange', 'an array', [null, '1', {}, 7]],
  ['historicalPriorityFeeRange.0', GWEI, badFees],
  ['historicalBaseFeeRange.1', GWEI, badFees],
  ['estimatedBaseFee', GWEI, badFees],
  ['networkCongestion', 'a number from 0 to 1', [null, '0.5', -0.1, 1.1, [], {}]],
  ['priorityFeeTrend', TREND, [null, 1, true, [], {}]],
  ['baseFeeTrend', TREND, [null, 1, true, [], {}]],
];

describe.each(fields)('the field %s', (path, expected, bad) => {
  const where = `.${path.replace(/\.(\d)/u, '[$1]')}`;

  it('is reported if it is missing', async () => {
    // JSON cannot omit an array entry: it becomes null.
    const reason = /\d$/u.test(path)
      ? `must be ${expected}`
      : `is missing: it must be ${expected}`;
    expect(await refusalOf(withValue(path, undefined))).toBe(`${where} ${reason}.`);
  });

  it('is rejected if it is malformed', async () => {
    const errors = await Promise.all(
      bad.map(async (value) => refusalOf(withValue(path, value))),
    );
    expect(errors).toStrictEqual(bad.map(() => `${where} must be ${expected}.`));
  });
});

describe('an answer of the gas API', () => {
  it.each<[string, unknown, string]>([
    ['an error', { error: 'top-secret' }, '.low is missing: it must be an object.'],
    ['null', null, ' must be an object.'],
    ['a string', 'top-secret', ' must be an object.'],
    [
      'a range with three values',
      withValue('historicalBaseFeeRange', ['1', '2', '3']),
      '.historicalBaseFeeRange[2] is not expected here.',
    ],
    [
      'a range with one value',
      withValue('latestPriorityFeeRange', ['1']),
      `.latestPriorityFeeRange[1] is missing: it must be ${GWEI}.`,
    ],
  ])('is rejected: %s', async (_what, answer, reason) => {
    expect(await refusalOf(answer)).toBe(reason);
  });

  it.each<[string, unknown, unknown]>([
    ['version', '0.0.1', '0.0.1'],
    ['low.note', null, null],
    ['networkCongestion', 0, 0],
    ['networkCongestion', 1, 1],
    ['low.minWaitTimeEstimate', 0, 0],
    ['low.maxWaitTimeEstimate', 1.5, 1.5],
    ['estimatedBaseFee', '9'.repeat(60), BigInt(`${'9'.repeat(60)}000000000`)],
    // Fractions of a wei are rounded up.
    ['estimatedBaseFee', '16.28402696400000000001', 16_284_026_965n],
    ['estimatedBaseFee', '0', 0n],
    ['historicalBaseFeeRange', ['10.5', '9'], [9_000_000_000n, 10_500_000_000n]],
    ['historicalBaseFeeRange', ['0.000000000000000001', '9'], [1n, 9_000_000_000n]],
    // Every trend becomes "up" or "down".
    ...['up', 'UP'].map((word): [string, string, string] => [
      'baseFeeTrend',
      word,
      'up',
    ]),
    ...['down', 'level', '', 'up no'].map((word): [string, string, string] => [
      'priorityFeeTrend',
      word,
      'down',
    ]),
  ])('is accepted with %s = %j', async (path, value, read) => {
    const fees = await setup(withValue(path, value)).suggestedGasFees(1n);
    expect(fees).toHaveProperty(path, read);
  });

  it.each<[unknown, string]>([
    [{}, `.baseFeePercentile is missing: it must be ${GWEI}.`],
    [{ baseFeePercentile: 5 }, `.baseFeePercentile must be ${GWEI}.`],
    [null, ' must be an object.'],
  ])('is rejected as a base fee percentile: %j', async (answer, reason) => {
    const { baseFeePercentile } = setup(answer);
    expect((await failureOf(async () => baseFeePercentile(1n))).message).toBe(
      `baseFeePercentile at ${BASE} gave an invalid answer: baseFeePercentile${reason} ` +
        'Check that it is the right server.',
    );
  });
});
