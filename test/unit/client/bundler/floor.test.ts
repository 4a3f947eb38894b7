import { createBundlerClient } from '../../../../src/client';
import type { AbsentMethods, BundlerClient } from '../../../../src/client';
import { createServiceBench } from '../../../support/bundler-bench';
import type { ServiceBench } from '../../../support/bundler-bench';
import { failureOf } from '../../../support/error-of';
import { answering, breaking } from '../../../support/fake-fetch';
import type { Server } from '../../../support/fake-fetch';
import { refuses } from '../../../support/fake-node';
import type { NodeAnswers } from '../../../support/fake-node';

const METHODS = [
  'pimlico_getUserOperationGasPrice',
  'zd_getUserOperationGasPrice',
  'skandha_getGasPrice',
  'biconomy_getGasFeeValues',
  'rundler_maxPriorityFeePerGas',
];

const price = (max: number, priority: number): object => ({
  maxFeePerGas: `0x${max.toString(16)}`,
  maxPriorityFeePerGas: `0x${priority.toString(16)}`,
});

const levels = { slow: price(20, 2), standard: price(30, 3), fast: price(40, 4) };

function setup(
  answers: object = {},
  server?: Server,
): ServiceBench & { bundler: BundlerClient; absent: AbsentMethods } {
  const bench = createServiceBench(answers as NodeAnswers, server);
  const absent: AbsentMethods = new Set();
  return { ...bench, absent, bundler: createBundlerClient(bench.transport, absent) };
}

describe('the lowest fees that a bundler takes', () => {
  it.each<[string, object, object]>([
    [
      'pimlico_getUserOperationGasPrice',
      levels,
      { maxFeePerGas: 20n, maxPriorityFeePerGas: 2n },
    ],
    [
      'zd_getUserOperationGasPrice',
      { standard: price(30, 3) },
      { maxFeePerGas: 30n, maxPriorityFeePerGas: 3n },
    ],
    [
      'skandha_getGasPrice',
      price(5, 1),
      { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n },
    ],
    [
      'biconomy_getGasFeeValues',
      { maxFeePerGas: '100000000', maxPriorityFeePerGas: '100000000' },
      { maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 100_000_000n },
    ],
    [
      'biconomy_getGasFeeValues',
      levels,
      { maxFeePerGas: 20n, maxPriorityFeePerGas: 2n },
    ],
  ])('are those of %s', async (method, answer, expected) => {
    const { bundler } = setup({ [method]: answer });
    expect(await bundler.findFloor()).toStrictEqual(expected);
  });

  it('are those of rundler_maxPriorityFeePerGas, which tells one of the two', async () => {
    const { bundler } = setup({ rundler_maxPriorityFeePerGas: '0x9' });
    expect(await bundler.findFloor()).toStrictEqual({ maxPriorityFeePerGas: 9n });
  });

  it.each<[object, object]>([
    [
      { skandha_getGasPrice: price(50, 4), rundler_maxPriorityFeePerGas: '0x9' },
      { maxFeePerGas: 50n, maxPriorityFeePerGas: 9n },
    ],
    [
      { skandha_getGasPrice: price(50, 1), pimlico_getUserOperationGasPrice: levels },
      { maxFeePerGas: 50n, maxPriorityFeePerGas: 2n },
    ],
  ])('are the highest of %j', async (answers, expected) => {
    expect(await setup(answers).bundler.findFloor()).toStrictEqual(expected);
  });

  it('are asked for in one request, but by no method a second time that is not there', async () => {
    const { bundler, transport, absent, sent } = setup({
      skandha_getGasPrice: price(5, 1),
    });
    await bundler.findFloor();
    await createBundlerClient(transport, absent).findFloor();
    expect(sent()).toStrictEqual([METHODS, ['skandha_getGasPrice']]);
  });

  it('are asked for by each client anew that shares nothing', async () => {
    const { transport, sent } = createServiceBench();
    await createBundlerClient(transport).findFloor();
    await createBundlerClient(transport).findFloor();
    expect(sent()).toStrictEqual([METHODS, METHODS]);
  });

  it('are unknown where the bundler has no method, and not asked for again', async () => {
    const { bundler, sent } = setup();
    expect(await bundler.findFloor()).toBeUndefined();
    expect(await bundler.findFloor()).toBeUndefined();
    expect(sent()).toStrictEqual([METHODS]);
  });

  it.each<[string, object]>([
    ['a refusal', { skandha_getGasPrice: refuses({ code: -32000, message: 'no' }) }],
    ['what is no price', { skandha_getGasPrice: { fast: '1 gwei' } }],
    [
      'what no EntryPoint takes',
      { rundler_maxPriorityFeePerGas: `0x1${'0'.repeat(30)}` },
    ],
  ])('are unknown after %s, and asked for again', async (_what, answers) => {
    const { bundler, sent } = setup(answers);
    expect(await bundler.findFloor()).toBeUndefined();
    await bundler.findFloor();
    expect(sent()[1]).toStrictEqual(Object.keys(answers));
  });

  it('are unknown where the server refuses such methods by a status', async () => {
    const { bundler } = setup({}, answering({ error: 'unknown method' }, 403));
    expect(await bundler.findFloor()).toBeUndefined();
  });

  it.each<[string, Server]>([
    ['NetworkError', breaking],
    ['HttpStatusError', answering({}, 500)],
    ['RateLimitError', answering({}, 429)],
  ])('cannot be told by a %s', async (name, server) => {
    const { bundler } = setup({}, server);
    expect((await failureOf(bundler.findFloor)).name).toBe(name);
  });

  it('are those that one method tells while another has an outage', async () => {
    const limited = refuses({ code: -32005, message: 'later' });
    const { bundler } = setup({
      pimlico_getUserOperationGasPrice: limited,
      skandha_getGasPrice: price(5, 1),
    });
    expect(await bundler.findFloor()).toStrictEqual({
      maxFeePerGas: 5n,
      maxPriorityFeePerGas: 1n,
    });
  });
});
