// Every field of the gas API's answers (spec 2.1, 2.2), missing and malformed.
import { createGasApi, createGasEndpoint } from '../../../../src/client';
import type { GasApi } from '../../../../src/client';
import { gasAnswer } from '../../../fixtures/client/gas-answer';
import { failureOf } from '../../../support/error-of';
import { answering, createFakeNetwork } from '../../../support/fake-fetch';

const BASE = 'https://gas.example';

function setup(answer: unknown): GasApi {
  const network = createFakeNetwork();
  network.serve(BASE, answering(answer as never));
  const { fetch } = network;
  return createGasApi(createGasEndpoint({ gasBaseUrl: BASE }), { fetch });
}

/** Copy an answer with another value at a path; undefined leaves the field out. */
function withValue(path: string, value: unknown): unknown {
  const copy = structuredClone(gasAnswer) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce(
    (each, name) => each[name] as Record<string, unknown>,
    copy,
  );
  parent[last] = value;
  return copy;
}

const GWEI = 'a decimal string in gwei';
const WAIT = 'a number of milliseconds, 0 or more';
const TREND = 'one of "up", "down"';

type Field = [path: string, words: string, bad: unknown[]];

const badFees = [null, 5, 1.5, '', '-1', '+1', '1e9', '0x1', ' 1', '1,5', [], {}];
const badWaits = [null, '15000', -1, [], {}];
const badRanges = [null, '1', {}, 7];

const levels: Field[] = ['low', 'medium', 'high'].flatMap((level): Field[] => [
  [level, 'an object', [null, '1', 7]],
  [`${level}.suggestedMaxPriorityFeePerGas`, GWEI, badFees],
  [`${level}.suggestedMaxFeePerGas`, GWEI, badFees],
  [`${level}.minWaitTimeEstimate`, WAIT, badWaits],
  [`${level}.maxWaitTimeEstimate`, WAIT, badWaits],
]);

const ranges: Field[] = [
  'latestPriorityFeeRange',
  'historicalPriorityFeeRange',
  'historicalBaseFeeRange',
].flatMap((range): Field[] => [
  [range, 'an array', badRanges],
  [`${range}.0`, GWEI, badFees],
  [`${range}.1`, GWEI, badFees],
]);

const fields: Field[] = [
  ...levels,
  ...ranges,
  ['estimatedBaseFee', GWEI, badFees],
  ['networkCongestion', 'a number from 0 to 1', [null, '0.5', -0.1, 1.1, [], {}]],
  ['priorityFeeTrend', TREND, [null, 1, true, [], {}]],
  ['baseFeeTrend', TREND, [null, 1, true, [], {}]],
];

const toPath = (path: string): string => path.replace(/\.(\d)/u, '[$1]');

async function refusalOf(answer: unknown): Promise<string> {
  const failure = await failureOf(() => setup(answer).suggestedGasFees(1n));
  expect(failure).toMatchObject({ name: 'InvalidResponseError', code: -32002 });
  return failure.message;
}

const saying = (path: string, words: string): string =>
  `suggestedGasFees at ${BASE} gave an invalid answer: ` +
  `suggestedGasFees.${toPath(path)} ${words}. Check that it is the right server.`;

describe.each(fields)('%s', (path, words, bad) => {
  it('is missed', async () => {
    const message = await refusalOf(withValue(path, undefined));
    // JSON has no gaps: what is left out of a list is null there.
    const isItem = /\d$/u.test(path);
    const must = isItem ? `must be ${words}` : `is missing: it must be ${words}`;
    expect(message).toBe(saying(path, must));
  });

  it.each(bad)('is not %j', async (value) => {
    expect(await refusalOf(withValue(path, value))).toBe(
      saying(path, `must be ${words}`),
    );
  });
});

describe('a range', () => {
  it('has two ends and no more', async () => {
    const answer = withValue('historicalBaseFeeRange', ['1', '2', '3']);
    expect(await refusalOf(answer)).toBe(
      saying('historicalBaseFeeRange.2', 'is not expected here'),
    );
  });

  it('is put in order, however it comes', async () => {
    const api = setup(withValue('historicalBaseFeeRange', ['10.5', '9']));
    expect(await api.suggestedGasFees(1n)).toMatchObject({
      historicalBaseFeeRange: [9_000_000_000n, 10_500_000_000n],
    });
  });
});

describe('a trend', () => {
  it.each([
    ['up', 'up'],
    ['UP', 'up'],
    ['down', 'down'],
    ['level', 'down'],
    ['', 'down'],
    ['x'.repeat(1_000), 'down'],
  ])('that is %j is told as %s', async (word, told) => {
    const api = setup({ ...gasAnswer, priorityFeeTrend: word, baseFeeTrend: word });
    expect(await api.suggestedGasFees(1n)).toMatchObject({
      priorityFeeTrend: told,
      baseFeeTrend: told,
    });
  });
});

describe('what is tolerated', () => {
  it.each<[string, unknown]>([
    ['version', '0.0.1'],
    ['low.note', null],
    ['networkCongestion', 0],
    ['networkCongestion', 1],
    ['low.minWaitTimeEstimate', 0],
    ['low.maxWaitTimeEstimate', 1.5],
  ])('is %s of %j', async (path, value) => {
    const api = setup(withValue(path, value));
    expect(await api.suggestedGasFees(1n)).toHaveProperty('estimatedBaseFee');
  });

  it.each([
    ['9'.repeat(60), BigInt(`${'9'.repeat(60)}000000000`)],
    ['16.28402696400000000001', 16_284_026_965n],
    ['0', 0n],
  ])('is the fee %s', async (fee, wei) => {
    const api = setup(withValue('estimatedBaseFee', fee));
    expect((await api.suggestedGasFees(1n)).estimatedBaseFee).toBe(wei);
  });
});

describe('baseFeePercentile', () => {
  it.each<[string, unknown, string]>([
    [
      'is missing',
      {},
      '.baseFeePercentile is missing: it must be a decimal string in gwei.',
    ],
    ...badFees.map((fee): [string, unknown, string] => [
      `is ${JSON.stringify(fee)}`,
      { baseFeePercentile: fee },
      '.baseFeePercentile must be a decimal string in gwei.',
    ]),
    ['is nowhere', null, ' must be an object.'],
    ['is a text', '1', ' must be an object.'],
  ])('%s', async (_what, answer, reason) => {
    const { message } = await failureOf(() => setup(answer).baseFeePercentile(1n));
    expect(message).toBe(
      `baseFeePercentile at ${BASE} gave an invalid answer: baseFeePercentile${reason} ` +
        'Check that it is the right server.',
    );
  });

  it('may come with more', async () => {
    const api = setup({ baseFeePercentile: '23.227829059', version: '1' });
    expect(await api.baseFeePercentile(1n)).toBe(23_227_829_059n);
  });
});
