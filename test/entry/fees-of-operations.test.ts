// What a user operation is filled with, from a bundler or from a simulation, and what its user
// is warned of: on a chain with a base fee of 1 gwei and a medium level of 1.71 gwei.
import type { Json } from '@metamask/utils';
import { encodeErrorResult, numberToHex, parseAbi } from 'viem';

import { entryPoints } from '../../src/eth/user-operation';
import { answering, breaking } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { askedOf, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import {
  BUNDLER_URL,
  callContracts,
  createOperationBench,
} from '../support/operation-bench';
import type { OperationBenchOptions } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { refusalOf } from '../support/refusal';
import { TO } from '../support/transactions';
import { textOf, warningsOf } from '../support/view';

type Fields = Record<string, Json>;

const SEND = 'eth_sendUserOperation';

const ESTIMATING = 'eth_estimateUserOperationGas';

const intent = { to: TO, value: '0x1', data: '0xa9' };

const hex = (value: bigint | number): string => numberToHex(value);

const MEDIUM = 1_710_000_000n;

const TIP = 10_000_000n;

/** What the bundler estimates, with the margins and gas for the prefund. */
const LIMITS = {
  callGasLimit: hex(120_000),
  verificationGasLimit: hex(288_000),
  preVerificationGas: hex(55_000),
};

const both = (maximum: bigint | number, priority: bigint | number): Fields => ({
  maxFeePerGas: hex(maximum),
  maxPriorityFeePerGas: hex(priority),
});

const refusing = (code: number, message = 'no') => refuses({ code, message });

/** Has an intent, or an operation, sent. */
async function send(params: Fields = intent, options: OperationBenchOptions = {}) {
  const bench = await createOperationBench(options);
  await bench.call(SEND, [params]);
  return bench.sent()[0] ?? {};
}

/** A simulation whose steps took so much gas, or reverted. */
const simulated = (...steps: (number | string)[]): Json => [
  {
    calls: steps.map((step) =>
      typeof step === 'number'
        ? { status: '0x1', gasUsed: hex(step), returnData: '0x', logs: [] }
        : { status: '0x0', gasUsed: '0x0', returnData: step, logs: [] },
    ),
  },
];

describe('what a user operation lacks', () => {
  it.each<[Fields, Fields, Fields]>([
    [{}, { maxPriorityFeePerGas: '0x1' }, both(MEDIUM, TIP)],
    [{}, { maxPriorityFeePerGas: hex(TIP + 30n) }, both(MEDIUM + 30n, TIP + 30n)],
    [{ maxFeePerGas: '0x5' }, { maxPriorityFeePerGas: '0x20' }, both(5, 5)],
    [
      { maxFeePerGas: hex(2n * TIP) },
      { maxPriorityFeePerGas: hex(TIP + 1n) },
      both(2n * TIP, TIP + 1n),
    ],
    [{ maxPriorityFeePerGas: '0x50' }, {}, both(MEDIUM - TIP + 80n, 80)],
    [
      { maxPriorityFeePerGas: '0x1' },
      { maxPriorityFeePerGas: '0x20' },
      both(MEDIUM - TIP + 1n, 1),
    ],
    [both(0, 0), { maxPriorityFeePerGas: '0x20' }, both(0, 0)],
    [both(1, 2), {}, both(1, 2)],
  ])(
    'of fees beside %j, where the bundler wants %j, is %j',
    async (given, floor, fees) => {
      const { maxPriorityFeePerGas: least = refusing(-32601) } = floor;
      const bundler = { rundler_maxPriorityFeePerGas: least as never };
      const operation = { callData: '0xb61d27f6', ...given };
      expect(await send(operation, { bundler })).toMatchObject(fees);
    },
  );

  it.each(Object.keys(LIMITS))('is found beside a given %s', async (name) => {
    const operation = { callData: '0xb61d27f6', [name]: '0x1' };
    expect(await send(operation)).toMatchObject({ ...LIMITS, [name]: '0x1' });
  });

  it('adds nothing if every field is given, and does not estimate', async () => {
    const given = {
      callData: '0xb61d27f6',
      callGasLimit: '0x1',
      verificationGasLimit: '0x2',
      preVerificationGas: '0x3',
      ...both(5, 4),
      nonce: '0x7',
      paymasterAndData: '0x',
    };
    const bench = await createOperationBench();
    await bench.call(SEND, [given]);
    expect(bench.sent()).toMatchObject([given]);
    expect(askedOf(bench.bundler)).not.toContain(ESTIMATING);
  });

  it.each<[string, NodeAnswers, number]>([
    ["twice the node's estimate", {}, 100_000 + 40_000],
    ['cannot be estimated', { eth_estimateGas: refusing(3) }, 500_000 + 40_000],
  ])(
    'of gas for calls of an account without code: what %s',
    async (_what, node, gas) => {
      const sent = await send(intent, { node: { eth_getCode: '0x', ...node } });
      expect(sent.callGasLimit).toBe(hex((gas * 120) / 100));
      expect((sent.initCode as string).toLowerCase()).toContain(
        entryPoints['0.7'].factory.slice(2).toLowerCase(),
      );
    },
  );

  it.each<[string, OperationBenchOptions, string]>([
    ['EntryPoint', { node: { eth_call: '0x' } }, 'There is no EntryPoint 0.7 at'],
    ['node', { node: { eth_getCode: refusing(-32000, 'busy') } }, 'eth_getCode at'],
    [
      'bundler',
      { bundler: { [ESTIMATING]: refusing(-32602, 'bad') } },
      `${ESTIMATING} at`,
    ],
  ])('cannot be found without its %s', async (_what, options, words) => {
    const { message } = await refusalOf(send(intent, options));
    expect(message).toContain(words);
  });
});

describe('a bundler that does not estimate', () => {
  const node = { eth_simulateV1: simulated(31_000, 61_000) };

  /** Half on top of 40,000, and of 10,000, 30,000 for the EntryPoint, 40,000 for the prefund. */
  const SIMULATED = { callGasLimit: hex(60_000), verificationGasLimit: hex(120_000) };

  it.each<[string, NodeAnswers[string] | undefined, Server | undefined]>([
    ['has no such method', refusing(-32601), undefined],
    ['asks for money first', refusing(-32500, "AA21 didn't pay prefund"), undefined],
    ['is not there', undefined, breaking],
    ['is overloaded', undefined, answering(null, 503)],
    ['asks for patience', undefined, answering(null, 429)],
  ])('leaves it to a simulation: it %s', async (_what, estimate, server) => {
    const bundler = estimate === undefined ? {} : { [ESTIMATING]: estimate };
    const bench = await createOperationBench({ node, bundler });
    if (server) bench.edges.network.serve(BUNDLER_URL, server);
    const gas = await bench.call(ESTIMATING, [intent]);
    expect(gas).toMatchObject(SIMULATED);
    const [simulation, block] =
      bench.edges.wallet.calls.find(({ method }) => method === 'eth_simulateV1')
        ?.params ?? [];
    const { entryPoint: from } = entryPoints['0.7'];
    expect([simulation, block]).toMatchObject([
      {
        blockStateCalls: [
          {
            stateOverrides: { [bench.address]: { balance: `0x7${'f'.repeat(63)}` } },
            calls: [
              { from, to: bench.address },
              { from, to: bench.address },
            ],
          },
        ],
        validation: false,
      },
      'latest',
    ]);
  });

  it.each<[number, string]>([
    [-32521, 'execution reverted: no'],
    [-32500, 'AA25 invalid account nonce'],
    [-32501, 'AA31 paymaster deposit too low'],
    [-32602, 'missing userOp field'],
  ])('but refuses has the last word: %i', async (code, words) => {
    const bench = await createOperationBench({
      node,
      bundler: { [ESTIMATING]: refusing(code, words) },
    });
    const { message, ...refusal } = await refusalOf(bench.call(ESTIMATING, [intent]));
    expect([refusal.code, message.includes(words)]).toStrictEqual([code, true]);
    expect(askedOf(bench.edges.wallet)).not.toContain('eth_simulateV1');
    bench.edges.network.serve(BUNDLER_URL, answering(null, 401));
    expect((await refusalOf(bench.call(ESTIMATING, [intent]))).message).toContain(
      '401',
    );
  });

  const reverts = encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    args: ['not yours'],
  });

  it.each<[Json, number, string]>([
    [simulated(31_000), -32500, 'cannot pay for the gas'],
    [[], -32500, 'cannot pay for the gas'],
    ['later', -32500, 'cannot pay for the gas'],
    [
      simulated(reverts, 61_000),
      -32500,
      "The operation's validation would revert: not yours.",
    ],
    [
      simulated(31_000, reverts),
      -32521,
      "The operation's calls would revert: not yours.",
    ],
    [simulated(31_000, '0x'), -32521, "The operation's calls would revert."],
  ])(
    'is used unless a simulation reports more (%#)',
    async (eth_simulateV1, code, words) => {
      const bundler = { [ESTIMATING]: refusing(-32500, "AA21 didn't pay prefund") };
      const bench = await createOperationBench({ node: { eth_simulateV1 }, bundler });
      const refusal = await refusalOf(bench.call(ESTIMATING, [intent]));
      expect([refusal.code, refusal.message.includes(words)]).toStrictEqual([
        code,
        true,
      ]);
    },
  );

  it('has an account deployed first where it is not', async () => {
    const bundler = { [ESTIMATING]: refusing(-32601) };
    const eth_simulateV1 = simulated(221_000, 50_000, 60_000);
    const bench = await createOperationBench({
      node: { eth_getCode: '0x', eth_simulateV1, eth_estimateGas: '0x5208' },
      bundler,
    });
    expect(await bench.call(ESTIMATING, [intent])).toMatchObject({
      callGasLimit: hex(58_500),
      verificationGasLimit: hex((299_000 * 150) / 100),
    });
    // A step that takes less than a transaction does counts for nothing.
    bench.edges.wallet.answers.eth_simulateV1 = simulated(221_000, 20_000, 60_000);
    expect(await bench.call(ESTIMATING, [intent])).toMatchObject({
      verificationGasLimit: hex((270_000 * 150) / 100),
    });
  });
});

describe('data of a paymaster', () => {
  const NOW = 1_700_000_000n;

  const PAYMASTER = `0x${'bb'.repeat(20)}`;

  const paymaster = {
    pm_getPaymasterStubData: {
      paymaster: PAYMASTER,
      paymasterData: '0xc0ffee',
      paymasterVerificationGasLimit: '0x64',
      paymasterPostOpGasLimit: '0x1',
    },
    pm_getPaymasterData: { paymaster: PAYMASTER, paymasterData: '0xbeef' },
  };

  const verdictOf = (until: bigint, after: bigint, failed = 0n): Json => {
    const verdict = (after << 208n) | (until << 160n) | failed;
    const word = (value: bigint): string => value.toString(16).padStart(64, '0');
    return `0x${word(64n)}${word(verdict)}${word(0n)}`;
  };

  it.each<[string, Json | (() => never), boolean]>([
    ['until the next second', verdictOf(NOW + 1n, 0n), true],
    ['from now on, by a clock that is ahead', verdictOf(0n, NOW + 60n), true],
    ['for ever', verdictOf(0n, 0n), true],
    ['to the end of time', verdictOf(2n ** 48n - 1n, 0n), true],
    ['until now', verdictOf(NOW, 0n), false],
    ['later', verdictOf(0n, NOW + 61n), false],
    ['for another operation', verdictOf(0n, 0n, 1n), false],
    ['by an aggregator', verdictOf(0n, 0n, 0xabcdefn), false],
    ['of no contract', '0x', false],
    ['nowhere', refusing(3, 'execution reverted: no'), false],
  ])('are taken if they are valid %s', async (_when, verdict, isTaken) => {
    const eth_call = (params: Json[]): Json => {
      const plain = callContracts()(params) as string;
      if (plain.length === 66) return plain;
      return typeof verdict === 'function' ? verdict() : verdict;
    };
    const sent = await send(intent, { node: { eth_call }, paymaster });
    expect(sent.paymasterAndData !== '0x').toBe(isTaken);
  });
});

describe('what a user is warned of', () => {
  const HIGH = 2_100_000_000n;

  const fee = (wei: string): string =>
    textOf('alert.fee', { fee: `${wei} gwei`, high: '2.1 gwei' });

  const own = {
    callData: '0xb61d27f6',
    callGasLimit: '0x186a0',
    verificationGasLimit: '0x30d40',
    preVerificationGas: '0xc350',
  };

  const cost = 350_000n * HIGH;

  const unchecked = textOf('alert.unchecked');

  it.each<[string, Fields, NodeAnswers, { has?: string; hasNot?: string }]>([
    [
      'three times the current high level',
      both(3n * HIGH, 1),
      {},
      { hasNot: fee('≈ 6.3') },
    ],
    ['more', both(3n * HIGH + 1n, 1), {}, { has: fee('≈ 6.3') }],
    [
      'all that there is',
      both(HIGH, 1),
      { eth_getBalance: hex(cost) },
      { hasNot: 'This can cost' },
    ],
    [
      'a wei more',
      both(HIGH, 1),
      { eth_getBalance: hex(cost - 1n) },
      { has: 'This can cost' },
    ],
    [
      'is unknown',
      both(HIGH, 1),
      { eth_getBalance: refusing(-32000) },
      { has: unchecked },
    ],
    ['as usual', both(HIGH, 1), {}, { hasNot: unchecked }],
  ])('by an operation that pays %s', async (...[, fees, node, { has, hasNot }]) => {
    const bench = await createOperationBench({ node });
    await bench.call(SEND, [{ ...own, ...fees }]);
    const warnings = warningsOf(bench.shown()[0]).join('\n');
    if (has !== undefined) expect(warnings).toContain(has);
    if (hasNot !== undefined) expect(warnings).not.toContain(hasNot);
  });

  it('by a limit far above a simulation before the account is deployed', async () => {
    const eth_simulateV1 = simulated(121_000, 50_000, 31_000);
    const node = { eth_getCode: '0x', eth_estimateGas: '0x5208', eth_simulateV1 };
    const bench = await createOperationBench({ node });
    await bench.call(SEND, [intent]);
    const field = textOf('field.callGas');
    expect(warningsOf(bench.shown()[0])).toStrictEqual([
      textOf('alert.gasEstimate', { field, gas: '120,000', estimate: '10,000' }),
    ]);
  });

  it.each<[string, NodeAnswers, string[]]>([
    ['chain cannot be reached', { eth_chainId: '0x5' }, []],
    [
      'node returns no fees',
      {
        eth_feeHistory: refusing(-32000),
        eth_gasPrice: refusing(-32000),
        eth_getBalance: '0x0',
      },
      ['This can cost'],
    ],
  ])('of the known fields for an operation whose %s', async (...row) => {
    const [, node, words] = row;
    const bench = await createOperationBench({ node });
    const params = [operationOf(bench.address)];
    await bench.call('eth_signUserOperation', { scope: 'eip155:1', params });
    // The first is about the call data, which need no node.
    expect(warningsOf(bench.shown()[0]).slice(1)).toStrictEqual([
      ...words.map((each) => expect.stringContaining(each) as string),
      unchecked,
    ]);
  });

  it.each<[string, string, NodeAnswers]>([
    ['alert.undeployed', '0x', { eth_getCode: '0x' }],
    ['alert.factory', `0x${'fa'.repeat(20)}01`, { eth_getCode: '0x' }],
    ['alert.deployed', `0x${'fa'.repeat(20)}01`, {}],
  ])('by an operation that deploys wrongly: %s', async (key, initCode, node) => {
    const bench = await createOperationBench({ node });
    await bench
      .call('eth_signUserOperation', [
        {
          sender: bench.address,
          nonce: '0x7',
          ...own,
          ...both(HIGH, 1),
          initCode,
          paymasterAndData: '0x',
          signature: '0x',
        },
      ])
      .catch(() => undefined);
    expect(warningsOf(bench.shown()[0])).toContain(textOf(key as 'alert.factory'));
  });
});
