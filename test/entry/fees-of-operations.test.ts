// Fees and gas limits of user operations, from a bundler or a simulation; the data fees of rollups;
// and the dialogs of requests whose estimate fails. The chain has a base fee of 1 gwei and a medium
// level of 1.71 gwei.
import type { Json } from '@metamask/utils';
import {
  encodeErrorResult,
  numberToHex,
  parseAbi,
  decodeFunctionData,
  formatEther,
  parseTransaction,
  serializeTransaction,
  size,
} from 'viem';
import type { Hex, TransactionSerializable } from 'viem';

import { entryPoints } from '../../src/core/entry-points';
import { CALLS, createCallsBench } from '../support/calls-bench';
import { answering, unreachableServer } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { calledMethods, refuses } from '../support/fake-node';
import type { NodeAnswers, RpcFault } from '../support/fake-node';
import { storeActivity } from '../support/given';
import {
  BUNDLER_URL,
  answerContractCalls,
  createOperationBench,
  ESTIMATE,
} from '../support/operation-bench';
import type { OperationBenchOptions, OperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { expectRefusal } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { activityOf } from '../support/sent-transactions';
import { TO } from '../support/transactions';
import { textOf, warningsOf, textsOf, writeView } from '../support/view';
import { without } from '../support/without';

type Fields = Record<string, Json>;

const SEND = 'eth_sendUserOperation';

const ESTIMATING = 'eth_estimateUserOperationGas';

const intent = { to: TO, value: '0x1', data: '0xa9' };

const hex = (value: bigint | number): string => numberToHex(value);

const BALANCE = 10n ** 19n;

const MEDIUM = 1_710_000_000n;

const TIP = 10_000_000n;

/** The bundler's estimates, plus margins and the gas of the prefund. */
const LIMITS = {
  callGasLimit: hex(120_000),
  verificationGasLimit: hex(288_000),
  preVerificationGas: hex(55_000),
};

const toFees = (maximum: bigint | number, priority: bigint | number): Fields => ({
  maxFeePerGas: hex(maximum),
  maxPriorityFeePerGas: hex(priority),
});

const failsWith = (code: number, message = 'no') => refuses({ code, message });

/** Sends an intent or an operation, and returns the operation that the bundler received. */
async function send(params: Fields = intent, options: OperationBenchOptions = {}) {
  const bench = await createOperationBench(options);
  await bench.call(SEND, [params]);
  return bench.sent()[0] ?? {};
}

/** Creates a simulation's answer. Each step is the gas that it uses, or its revert data. */
const simulationOf = (...steps: (number | string)[]): Json => [
  {
    calls: steps.map((step) =>
      typeof step === 'number'
        ? { status: '0x1', gasUsed: hex(step), returnData: '0x', logs: [] }
        : { status: '0x0', gasUsed: '0x0', returnData: step, logs: [] },
    ),
  },
];

describe('missing fields of a user operation', () => {
  it.each<[Fields, Fields, Fields]>([
    [{}, { maxPriorityFeePerGas: '0x1' }, toFees(MEDIUM, TIP)],
    [{}, { maxPriorityFeePerGas: hex(TIP + 30n) }, toFees(MEDIUM + 30n, TIP + 30n)],
    [{ maxFeePerGas: '0x5' }, { maxPriorityFeePerGas: '0x20' }, toFees(5, 5)],
    [
      { maxFeePerGas: hex(2n * TIP) },
      { maxPriorityFeePerGas: hex(TIP + 1n) },
      toFees(2n * TIP, TIP + 1n),
    ],
    [{ maxPriorityFeePerGas: '0x50' }, {}, toFees(MEDIUM - TIP + 80n, 80)],
    [
      { maxPriorityFeePerGas: '0x1' },
      { maxPriorityFeePerGas: '0x20' },
      toFees(MEDIUM - TIP + 1n, 1),
    ],
    [toFees(0, 0), { maxPriorityFeePerGas: '0x20' }, toFees(0, 0)],
    [toFees(1, 2), {}, toFees(1, 2)],
  ])(
    "are derived from the fees %j and the bundler's price %j: %j",
    async (given, floor, fees) => {
      const { maxPriorityFeePerGas: minimum = failsWith(-32601) } = floor;
      const bundler = { rundler_maxPriorityFeePerGas: minimum as never };
      const operation = { callData: '0xb61d27f6', ...given };
      expect(await send(operation, { bundler })).toMatchObject(fees);
    },
  );

  it.each(Object.keys(LIMITS))('are filled in if only %s is given', async (name) => {
    const operation = { callData: '0xb61d27f6', [name]: '0x1' };
    expect(await send(operation)).toMatchObject({ ...LIMITS, [name]: '0x1' });
  });

  it.each<[string, NodeAnswers, number]>([
    ['estimates the call', {}, 100_000 + 40_000],
    ['cannot estimate the call', { eth_estimateGas: failsWith(3) }, 500_000 + 40_000],
  ])('include gas for a new account if the node %s', async (_what, node, gas) => {
    const sent = await send(intent, { node: { eth_getCode: '0x', ...node } });
    expect(sent.callGasLimit).toBe(hex((gas * 120) / 100));
    expect((sent.initCode as string).toLowerCase()).toContain(
      entryPoints['0.7'].factory.slice(2).toLowerCase(),
    );
  });

  it.each<[string, OperationBenchOptions, string]>([
    ['EntryPoint', { node: { eth_call: '0x' } }, 'There is no EntryPoint 0.7 at'],
    ['node', { node: { eth_getCode: failsWith(-32000, 'busy') } }, 'eth_getCode at'],
    [
      'bundler',
      { bundler: { [ESTIMATING]: failsWith(-32602, 'bad') } },
      `${ESTIMATING} at`,
    ],
  ])('cannot be filled in without a working %s', async (_what, options, message) => {
    await expect(send(intent, options)).rejects.toThrow(message);
  });
});

it('does not estimate a complete user operation', async () => {
  const given = {
    callData: '0xb61d27f6',
    callGasLimit: '0x1',
    verificationGasLimit: '0x2',
    preVerificationGas: '0x3',
    ...toFees(5, 4),
    nonce: '0x7',
    paymasterAndData: '0x',
  };
  const bench = await createOperationBench();
  await bench.call(SEND, [given]);
  expect(bench.sent()).toMatchObject([given]);
  expect(calledMethods(bench.bundler)).not.toContain(ESTIMATING);
});

describe('a bundler that does not estimate', () => {
  const node = { eth_simulateV1: simulationOf(31_000, 61_000) };

  /**
   * 1.5 times the gas of each step beyond 21,000. The verification also covers the EntryPoint
   * (30,000) and the prefund (40,000).
   */
  const SIMULATED = { callGasLimit: hex(60_000), verificationGasLimit: hex(120_000) };

  it.each<[string, NodeAnswers[string] | undefined, Server | undefined]>([
    ['lacks the method', failsWith(-32601), undefined],
    ['needs the prefund', failsWith(-32500, "AA21 didn't pay prefund"), undefined],
    ['cannot be reached', undefined, unreachableServer],
    ['is overloaded', undefined, answering(null, 503)],
    ['limits the rate', undefined, answering(null, 429)],
  ])('is replaced by a simulation if it %s', async (_what, estimate, server) => {
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
  ])('is not replaced if it rejects with %i or 401', async (code, message) => {
    const bench = await createOperationBench({
      node,
      bundler: { [ESTIMATING]: failsWith(code, message) },
    });
    await expectRefusal(bench.call(ESTIMATING, [intent]), code, message);
    expect(calledMethods(bench.edges.wallet)).not.toContain('eth_simulateV1');
    bench.edges.network.serve(BUNDLER_URL, answering(null, 401));
    await expect(bench.call(ESTIMATING, [intent])).rejects.toThrow('401');
  });

  const reverts = encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    args: ['not yours'],
  });

  it.each<[Json, number, string]>([
    [simulationOf(31_000), -32500, 'cannot pay for the gas'],
    [[], -32500, 'cannot pay for the gas'],
    ['later', -32500, 'cannot pay for the gas'],
    [
      simulationOf(reverts, 61_000),
      -32500,
      "The operation's validation would revert: not yours.",
    ],
    [
      simulationOf(31_000, reverts),
      -32521,
      "The operation's calls would revert: not yours.",
    ],
    [simulationOf(31_000, '0x'), -32521, "The operation's calls would revert."],
  ])(
    'is replaced by a simulation, whose error is returned (%#)',
    async (eth_simulateV1, code, message) => {
      const bundler = { [ESTIMATING]: failsWith(-32500, "AA21 didn't pay prefund") };
      const bench = await createOperationBench({ node: { eth_simulateV1 }, bundler });
      await expectRefusal(bench.call(ESTIMATING, [intent]), code, message);
    },
  );

  it('is replaced by a simulation that deploys the account first', async () => {
    const bundler = { [ESTIMATING]: failsWith(-32601) };
    const eth_simulateV1 = simulationOf(221_000, 50_000, 60_000);
    const bench = await createOperationBench({
      node: { eth_getCode: '0x', eth_simulateV1, eth_estimateGas: '0x5208' },
      bundler,
    });
    expect(await bench.call(ESTIMATING, [intent])).toMatchObject({
      callGasLimit: hex(58_500),
      verificationGasLimit: hex((299_000 * 150) / 100),
    });
    // A step that uses less than 21,000 gas counts as zero.
    bench.edges.wallet.answers.eth_simulateV1 = simulationOf(221_000, 20_000, 60_000);
    expect(await bench.call(ESTIMATING, [intent])).toMatchObject({
      verificationGasLimit: hex((270_000 * 150) / 100),
    });
  });
});

describe('paymaster data', () => {
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

  const validationDataOf = (until: bigint, after: bigint, failed = 0n): Json => {
    const validationData = (after << 208n) | (until << 160n) | failed;
    const word = (value: bigint): string => value.toString(16).padStart(64, '0');
    return `0x${word(64n)}${word(validationData)}${word(0n)}`;
  };

  it.each<[string, Json | (() => never), boolean]>([
    ['are used if valid until the next second', validationDataOf(NOW + 1n, 0n), true],
    [
      'are used if they become valid 60 s from now',
      validationDataOf(0n, NOW + 60n),
      true,
    ],
    ['are used if always valid', validationDataOf(0n, 0n), true],
    ['are used if valid until 2^48 - 1', validationDataOf(2n ** 48n - 1n, 0n), true],
    ['are not used if valid until now', validationDataOf(NOW, 0n), false],
    [
      'are not used if they become valid only 61 s from now',
      validationDataOf(0n, NOW + 61n),
      false,
    ],
    [
      'are not used if valid for another operation',
      validationDataOf(0n, 0n, 1n),
      false,
    ],
    ['are not used with an aggregator', validationDataOf(0n, 0n, 0xabcdefn), false],
    ['are not used if the paymaster has no code', '0x', false],
    [
      'are not used if validation reverts',
      failsWith(3, 'execution reverted: no'),
      false,
    ],
  ])('%s', async (_what, validationData, isUsed) => {
    const eth_call = (params: Json[]): Json => {
      const plain = answerContractCalls()(params) as string;
      if (plain.length === 66) return plain;
      return typeof validationData === 'function' ? validationData() : validationData;
    };
    const sent = await send(intent, { node: { eth_call }, paymaster });
    expect(sent.paymasterAndData !== '0x').toBe(isUsed);
  });
});

describe('the warnings of a user operation', () => {
  const HIGH = 2_100_000_000n;

  const fee = (wei: string): string =>
    textOf('alert.fee', { fee: `${wei} gwei`, high: '2.1 gwei' });

  const operation = { callData: '0xb61d27f6', ...ESTIMATE };

  const cost = 350_000n * HIGH;

  const RICH = hex(BALANCE);

  const unchecked = textOf('alert.unchecked');

  it.each<[string, bigint, NodeAnswers[string], boolean, string]>([
    ['three times the current high level', 3n * HIGH, RICH, false, fee('≈ 6.3')],
    ['more than three times the high level', 3n * HIGH + 1n, RICH, true, fee('≈ 6.3')],
    ['the whole balance', HIGH, hex(cost), false, 'This can cost'],
    ['a wei more than the balance', HIGH, hex(cost - 1n), true, 'This can cost'],
    ['from an unknown balance', HIGH, failsWith(-32000), true, unchecked],
    ['a usual fee', HIGH, RICH, false, unchecked],
  ])(
    'depend on the cost: an operation that pays %s',
    async (...[, maximum, eth_getBalance, isWarned, text]) => {
      const bench = await createOperationBench({ node: { eth_getBalance } });
      await bench.call(SEND, [{ ...operation, ...toFees(maximum, 1) }]);
      const warnings = warningsOf(bench.shown()[0]).join('\n');
      expect(warnings.includes(text)).toBe(isWarned);
    },
  );

  it('include a gas limit far above the simulated gas of an undeployed account', async () => {
    const eth_simulateV1 = simulationOf(121_000, 50_000, 31_000);
    const node = { eth_getCode: '0x', eth_estimateGas: '0x5208', eth_simulateV1 };
    const bench = await createOperationBench({ node });
    await bench.call(SEND, [intent]);
    const field = textOf('field.callGas');
    expect(warningsOf(bench.shown()[0])).toStrictEqual([
      textOf('alert.gasEstimate', { field, gas: '120,000', estimate: '10,000' }),
      textOf('alert.unknownEffect'),
    ]);
  });

  it.each<[string, NodeAnswers, string[]]>([
    ['chain cannot be reached', { eth_chainId: '0x5' }, []],
    [
      'node returns no fees',
      {
        eth_feeHistory: failsWith(-32000),
        eth_gasPrice: failsWith(-32000),
        eth_getBalance: '0x0',
      },
      ['This can cost'],
    ],
  ])('cover the known fields of an operation whose %s', async (...row) => {
    const [, node, texts] = row;
    const bench = await createOperationBench({ node });
    const params = [operationOf(bench.address)];
    await bench.call('eth_signUserOperation', { scope: 'eip155:1', params });
    // The first warning is about the call data, so it does not need a node.
    expect(warningsOf(bench.shown()[0]).slice(1)).toStrictEqual([
      ...texts.map((each) => expect.stringContaining(each) as string),
      unchecked,
    ]);
  });

  it.each<[string, string, NodeAnswers]>([
    ['alert.undeployed', '0x', { eth_getCode: '0x' }],
    ['alert.factory', `0x${'fa'.repeat(20)}01`, { eth_getCode: '0x' }],
    ['alert.deployed', `0x${'fa'.repeat(20)}01`, {}],
  ])('include %s for a wrong deployment', async (key, initCode, node) => {
    const bench = await createOperationBench({ node });
    const operation = operationOf(bench.address, { ...toFees(HIGH, 1), initCode });
    await bench.call('eth_signUserOperation', [operation]).catch(() => undefined);
    expect(warningsOf(bench.shown()[0])).toContain(textOf(key as 'alert.factory'));
  });
});

/** Estimates 100,000 gas for calls and for validation. The block gas limit is 30 million. */
const NODE: NodeAnswers = {
  eth_estimateGas: '0x186a0',
  eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', gasLimit: '0x1c9c380' },
};

/** Becomes 999,999 with the 10 % margin. */
const GREEDY = { preVerificationGas: numberToHex(909_090) };

async function listWarnings(estimate: Record<string, Json>, node: NodeAnswers = {}) {
  const bench = await createOperationBench({
    node: { ...NODE, ...node },
    bundler: { [ESTIMATING]: { ...ESTIMATE, ...estimate } },
  });
  await bench.call(SEND, [{ ...intent, data: '0x' }]);
  return warningsOf(bench.shown()[0]);
}

const gasWarning = (
  field: 'callGas' | 'verificationGas',
  gas: string,
  estimate: string,
): string =>
  textOf('alert.gasEstimate', { field: textOf(`field.${field}`), gas, estimate });

describe('a gas limit of a user operation', () => {
  it("causes no warning if it is near the node's estimate", async () => {
    expect(await listWarnings({})).toStrictEqual([]);
  });

  it('causes a warning if the bundler wants 29.9 million gas for the calls', async () => {
    // The margin adds 20 %.
    const callGasLimit = hex(24_900_000);
    expect(await listWarnings({ callGasLimit })).toStrictEqual([
      gasWarning('callGas', '29,880,000', '100,000'),
    ]);
  });

  it("causes a warning if the bundler wants twice the node's estimate for validation", async () => {
    // The EntryPoint (30,000) and the prefund (40,000) add to the node's 100,000.
    const estimate = '170,000';
    const fitting = { verificationGasLimit: numberToHex(243_000) };
    expect(await listWarnings(fitting)).toStrictEqual([]);
    expect(
      await listWarnings({ verificationGasLimit: numberToHex(250_000) }),
    ).toStrictEqual([gasWarning('verificationGas', '348,000', estimate)]);
  });

  it('causes a warning if the bundler wants 999,999 gas for itself, even if the node cannot estimate', async () => {
    const dead = { eth_estimateGas: failsWith(-32601) };
    for (const node of [NODE, dead]) {
      expect(await listWarnings(GREEDY, node)).toStrictEqual([
        textOf('alert.preVerificationGas', { gas: '999,999', estimate: '50,058' }),
      ]);
    }
  });

  it('is compared with the block gas limit if the node cannot estimate', async () => {
    const eth_estimateGas = failsWith(-32601);
    const field = textOf('field.callGas');
    const warnings = async (gas: number, limits: Fields): Promise<string[]> => {
      const eth_getBlockByNumber = { number: '0x1', timestamp: '0x1', ...limits };
      const node = { eth_estimateGas, eth_getBlockByNumber };
      return listWarnings({ callGasLimit: hex(gas) }, node);
    };
    const small = { gasLimit: hex(5_000_000) };
    expect(await warnings(4_160_000, small)).toStrictEqual([]);
    expect(await warnings(4_170_000, small)).toStrictEqual([
      textOf('alert.gasLimit', { field, gas: '5,004,000', bound: '5,000,000' }),
    ]);
    // Without a block gas limit, Ethereum's applies.
    expect(await warnings(26_000_000, {})).toStrictEqual([
      textOf('alert.gasLimit', { field, gas: '31,200,000', bound: '30,000,000' }),
    ]);
  });

  it("is included in the dialog's maximum cost, along with the value", async () => {
    const bench = await createOperationBench({ node: NODE });
    await bench.call(SEND, [{ to: TO, value: hex(10n ** 15n), data: '0x' }]);
    const gas = Object.values(LIMITS).reduce((all, limit) => all + BigInt(limit), 0n);
    const cost = gas * MEDIUM;
    const texts = textsOf(bench.shown().at(-1));
    const shown = texts.filter((_, at) => texts[at - 1] === textOf('field.maxCost'));
    expect(shown).toContain(`${formatEther(cost + 10n ** 15n)} ETH`);
    expect(shown).not.toContain(`${formatEther(cost)} ETH`);
  });

  it('causes a warning if the site wants 29.9 million gas for the calls', async () => {
    const callGasLimit = hex(29_900_000);
    const bench = await createOperationBench({ node: NODE });
    await bench.call(SEND, [{ callData: '0xb61d27f6', callGasLimit }]);
    expect(warningsOf(bench.shown()[0])).toContain(
      gasWarning('callGas', '29,900,000', '100,000'),
    );
  });
});

const ORACLE = '0x420000000000000000000000000000000000000f';

const BASE = '0x2105';

/** 0.00025 ether. */
const FEE = 250_000_000_000_000n;

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });

const abi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
  'function tokenRatio() view returns (uint256)',
]);

type OracleAnswer = Json | (() => Json);

/** Answers from an oracle; the operator fee depends on the gas. */
type Oracle = {
  address?: string;
  getL1Fee?: OracleAnswer;
  getOperatorFee?: (gas: bigint) => Json;
  tokenRatio?: OracleAnswer;
};

async function setup(
  chainId: string,
  getL1Fee: OracleAnswer,
  others: Oracle = {},
): Promise<SendBench> {
  const bench = await createSendBench();
  serveOracle(bench, chainId, { getL1Fee, ...others });
  return bench;
}

function serveOracle(
  { edges }: Pick<SendBench, 'edges'>,
  chainId: string,
  { address = ORACLE, ...oracle }: Oracle,
): void {
  const { answers } = edges.wallet;
  const { eth_call: others = '0x' } = answers;
  Object.assign(answers, {
    eth_chainId: chainId,
    eth_call: (params: Json[]) => {
      const { to, data } = params[0] as { to: string; data: Hex };
      if (to !== address) return typeof others === 'function' ? others(params) : others;
      const { functionName, args } = decodeFunctionData({ abi, data });
      if (functionName === 'getOperatorFee') {
        return oracle.getOperatorFee?.(args[0]) ?? '0x';
      }
      const answer = oracle[functionName] ?? '0x';
      return typeof answer === 'function' ? answer() : answer;
    },
  });
}

function oracleInputs({ edges }: Pick<SendBench, 'edges'>, oracle = ORACLE): Hex[] {
  return edges.wallet.calls
    .filter(({ method }) => method === 'eth_call')
    .map(({ params }) => params[0] as { to: string; data: Hex })
    .filter(({ to }) => to === oracle)
    .map(({ data }) => decodeFunctionData({ abi, data }))
    .flatMap(({ functionName, args }) => (functionName === 'getL1Fee' ? args : []));
}

/** Marks sent transactions as included, so that repeating them causes no warning. */
const markIncluded = async ({ app, edges }: Pick<SendBench, 'app' | 'edges'>) =>
  storeActivity(
    app,
    activityOf(edges).map((sent) => ({
      ...sent,
      status: 'included',
      settledAt: edges.clock.time,
    })),
  );

const dialogOf = ({ edges }: Pick<SendBench, 'edges'>) => edges.dialogs.shown.at(-1);

function fieldOf(
  bench: Pick<SendBench, 'edges'>,
  label: 'maxCost' | 'dataFee' | 'balanceAfter',
): string {
  const texts = textsOf(dialogOf(bench));
  // The exact amount is in the collapsed section.
  const index = texts.lastIndexOf(textOf(`field.${label}`));
  return index < 0 ? '' : (texts[index + 1] ?? '');
}

const inEther = (wei: bigint): string => `${formatEther(wei)} ETH`;

function costOf({ signed }: Pick<SendBench, 'signed'>): bigint {
  return signed().reduce((total, { gas = 0n, maxFeePerGas, gasPrice, value = 0n }) => {
    return total + gas * (maxFeePerGas ?? gasPrice ?? 0n) + value;
  }, 0n);
}

/** Serializes a sent transaction without its signature, as the oracle expects it. */
function unsignedOf(raw: Hex): Hex {
  const unsigned = without(parseTransaction(raw), 'r', 's', 'v', 'yParity');
  return serializeTransaction(unsigned as TransactionSerializable);
}

describe('the L1 data fee of a transaction', () => {
  it('is added to the maximum cost, and deducted from the remaining balance', async () => {
    const bench = await setup(BASE, word(FEE));
    await bench.send({ data: `0x${'ab'.repeat(500)}` });
    const cost = costOf(bench) + FEE;
    expect(fieldOf(bench, 'dataFee')).toBe(inEther(FEE));
    expect(fieldOf(bench, 'maxCost')).toBe(inEther(cost));
    expect(fieldOf(bench, 'balanceAfter')).toBe(inEther(BALANCE - cost));
  });

  it('is included in the cost that the balance must cover', async () => {
    const bench = await setup(BASE, word(FEE));
    await bench.send();
    const cost = costOf(bench);
    const answers = bench.edges.wallet.answers;
    answers.eth_getBalance = numberToHex(cost + FEE);
    await markIncluded(bench);
    await bench.send({ nonce: '0x6' });
    expect(warningsOf(dialogOf(bench))).toStrictEqual([]);
    await markIncluded(bench);
    answers.eth_getBalance = numberToHex(cost + FEE - 1n);
    await bench.send({ nonce: '0x7' });
    expect(warningsOf(dialogOf(bench))).toStrictEqual([
      textOf('alert.balance', {
        cost: inEther(cost + FEE),
        balance: inEther(cost + FEE - 1n),
      }),
    ]);
    expect(fieldOf(bench, 'balanceAfter')).toBe('');
  });

  it.each<[string, Record<string, Json>]>([
    ['an EIP-1559 transaction', { data: `0x${'ab'.repeat(300)}` }],
    ['an EIP-1559 transaction with gas and nonce', { gas: '0x5208', nonce: '0x5' }],
    ['a legacy transaction', { gasPrice: '0x77359400', value: '0x64' }],
    [
      'an EIP-2930 transaction',
      { gasPrice: '0x77359400', accessList: [{ address: RECIPIENT, storageKeys: [] }] },
    ],
    ['a contract creation', { to: null, data: `0x60${'01'.repeat(99)}` }],
  ])('is requested for the bytes of %s', async (_what, fields) => {
    const bench = await setup(BASE, word(FEE));
    await bench.send(fields);
    const [raw = '0x'] = bench.pool.values();
    const [input = '0x'] = oracleInputs(bench);
    const sent = unsignedOf(raw);
    // Fields that are filled in later take a few bytes.
    expect(Math.abs(size(input) - size(sent))).toBeLessThan(16);
    const [actual, expected] = [input, sent].map((each) => parseTransaction(each));
    for (const name of ['type', 'to', 'value', 'data'] as const) {
      expect([name, actual?.[name]]).toStrictEqual([name, expected?.[name]]);
    }
    expect(fieldOf(bench, 'maxCost')).toBe(inEther(costOf(bench) + FEE));
  });

  it('is requested with the blob hashes of a transaction that is only signed', async () => {
    const bench = await setup('0x1e0f3', word(FEE));
    bench.edges.wallet.answers.eth_blobBaseFee = '0x5';
    const blobVersionedHashes = [`0x01${'ab'.repeat(31)}`];
    await bench.call('eth_signTransaction', [
      { from: bench.address, to: RECIPIENT, value: '0x1', blobVersionedHashes },
    ]);
    const [input = '0x'] = oracleInputs(bench);
    expect(parseTransaction(input as `0x03${string}`)).toMatchObject({
      type: 'eip4844',
      blobVersionedHashes,
    });
    expect(fieldOf(bench, 'dataFee')).toContain(formatEther(FEE));
  });

  it.each<[string, OracleAnswer]>([
    ['returns nothing', '0x'],
    ['reverts', refuses({ code: 3, message: 'execution reverted' })],
    ['returns two bytes', '0x1234'],
    ['returns an object', { fee: 1 }],
    ['cannot be called', failsWith(-32601)],
    ['fails', refuses('no')],
  ])('is omitted with a warning if the oracle %s', async (_what, answer) => {
    for (const [chainId, warning] of [
      ['0x1e0f3', textOf('alert.unknownNetwork', { chain: 'eip155:123123' })],
      [BASE, textOf('alert.unchecked')],
    ] as const) {
      const bench = await setup(chainId, answer);
      await bench.send();
      expect(fieldOf(bench, 'dataFee')).toBe('');
      expect(warningsOf(dialogOf(bench))).toStrictEqual([warning]);
      expect(fieldOf(bench, 'balanceAfter') === '').toBe(chainId === BASE);
    }
  });

  it.each([
    ['Ethereum', '0x1'],
    ['Arbitrum One, where the gas includes it', '0xa4b1'],
  ])('is not requested on %s', async (_what, chainId) => {
    const bench = await setup(chainId, word(FEE));
    await bench.send();
    expect(oracleInputs(bench)).toStrictEqual([]);
    expect(fieldOf(bench, 'dataFee')).toBe('');
  });

  it('causes a warning if it exceeds any balance', async () => {
    const bench = await setup(BASE, `0x${'ff'.repeat(32)}`);
    await bench.send();
    expect(warningsOf(dialogOf(bench))).toHaveLength(1);
    expect(fieldOf(bench, 'balanceAfter')).toBe('');
  });
});

/** Operator fees by gas limit, as oracles compute them. */
const operators = {
  isthmus: (gas: bigint) => (gas * 1_234_567_891n) / 1_000_000n + 777n,
  jovian: (gas: bigint) => gas * 100_000_000n * 100n + 5n,
  constant: () => 42_000_000_000_000n,
};

const MANTLE = '0x1388';

const SCROLL_ORACLE = '0x5300000000000000000000000000000000000002';

describe("a chain's data fee", () => {
  it.each<[string, string, keyof typeof operators]>([
    ['OP Mainnet before Jovian', '0xa', 'isthmus'],
    ['Base since Jovian', BASE, 'jovian'],
    ['Soneium, for any amount of gas', '0x74c', 'constant'],
  ])('includes the operator fee on %s', async (_what, chainId, operator) => {
    const feeOf = operators[operator];
    const bench = await setup(chainId, word(FEE), {
      getOperatorFee: (gas) => word(feeOf(gas)),
    });
    await bench.send({ data: '0x4e71d92d' });
    const gas = bench.signed()[0]?.gas ?? 0n;
    const fee = FEE + feeOf(gas);
    const cost = costOf(bench) + fee;
    expect(fieldOf(bench, 'dataFee')).toBe(inEther(fee));
    expect(fieldOf(bench, 'maxCost')).toBe(inEther(cost));
    const { answers } = bench.edges.wallet;
    answers.eth_getCode = '0x6001';
    for (const [balance, nonce] of [
      [cost, '0x6'],
      [cost - 1n, '0x7'],
    ] as const) {
      answers.eth_getBalance = numberToHex(balance);
      await markIncluded(bench);
      await bench.send({ data: '0x4e71d92d', nonce });
      const [unknown, ...others] = warningsOf(dialogOf(bench));
      expect(unknown).toBe(textOf('alert.unknownEffect'));
      expect(others).toHaveLength(balance < cost ? 1 : 0);
    }
  });

  it.each<[string, (gas: bigint) => Json, bigint]>([
    ['returns nothing', () => '0x', 0n],
    ['reverts', refuses({ code: 3, message: 'execution reverted' }), 0n],
    ['returns less for more gas', (gas) => word(gas === 0n ? 5n : 0n), 5n],
  ])('includes no operator fee per gas if the oracle %s', async (...row) => {
    const [, getOperatorFee, constant] = row;
    const bench = await setup(BASE, word(FEE), { getOperatorFee });
    await bench.send();
    expect(fieldOf(bench, 'dataFee')).toBe(inEther(FEE + constant));
    expect(warningsOf(dialogOf(bench))).toStrictEqual([]);
  });

  it.each<[string, OracleAnswer, bigint]>([
    ['at its rate', word(3_000n), 3_000n],
    ['at par without a rate', '0x', 1n],
    ['at par for a rate of zero', word(0n), 1n],
  ])("is converted to Mantle's native currency %s", async (...row) => {
    const [, tokenRatio, rate] = row;
    const getOperatorFee = (gas: bigint): Json => word(gas * 10n ** 10n);
    const bench = await setup(MANTLE, word(FEE), { getOperatorFee, tokenRatio });
    await bench.send();
    const fee = FEE * rate + 21_000n * 10n ** 10n;
    expect(fieldOf(bench, 'dataFee')).toBe(`${formatEther(fee)} MNT`);
  });

  it.each([
    ['Scroll', '0x82750'],
    ['Scroll Sepolia', '0x8274f'],
  ])('is requested from a separate oracle on %s', async (_what, chainId) => {
    const bench = await setup(chainId, word(FEE), { address: SCROLL_ORACLE });
    await bench.send();
    expect(oracleInputs(bench)).toStrictEqual([]);
    expect(fieldOf(bench, 'dataFee')).toBe(inEther(FEE));
    // This oracle counts the signature, too.
    const [input = '0x'] = oracleInputs(bench, SCROLL_ORACLE);
    const [raw = '0x'] = bench.pool.values();
    expect(Math.abs(size(input) - size(raw))).toBeLessThan(16);
    const cost = costOf(bench) + FEE;
    bench.edges.wallet.answers.eth_getBalance = numberToHex(cost - 1n);
    await markIncluded(bench);
    await bench.send({ nonce: '0x6' });
    expect(warningsOf(dialogOf(bench))).toStrictEqual([
      textOf('alert.balance', { cost: inEther(cost), balance: inEther(cost - 1n) }),
    ]);
  });

  const failing = refuses({ code: -32000, message: 'header not found' });

  it.each<[string, string, Oracle]>([
    ['the operator fee', BASE, { getOperatorFee: failing }],
    ["Mantle's rate", MANTLE, { tokenRatio: failing }],
    ["Mantle's rate (implausible)", MANTLE, { tokenRatio: word(10n ** 15n) }],
  ])(
    'causes a warning if the node does not provide %s',
    async (_what, chainId, oracle) => {
      const bench = await setup(chainId, word(FEE), oracle);
      await bench.send();
      expect(warningsOf(dialogOf(bench))).toStrictEqual([textOf('alert.unchecked')]);
    },
  );

  it("causes a warning on Scroll if Scroll's oracle does not answer", async () => {
    const bench = await setup('0x82750', word(FEE));
    await bench.send();
    expect(warningsOf(dialogOf(bench))).toStrictEqual([textOf('alert.unchecked')]);
  });
});

describe('the L1 data fee of a batch', () => {
  it('is the sum over its calls', async () => {
    const bench = await createCallsBench();
    const { edges } = bench;
    serveOracle(bench, BASE, { getL1Fee: word(FEE) });
    await bench.sendCalls({ chainId: BASE });
    const cost = costOf(bench) + 2n * FEE;
    expect(oracleInputs(bench)).toHaveLength(CALLS.length);
    expect(fieldOf(bench, 'dataFee')).toBe(inEther(2n * FEE));
    expect(fieldOf(bench, 'maxCost')).toBe(inEther(cost));
    expect(fieldOf(bench, 'balanceAfter')).toBe(inEther(BALANCE - cost));
    edges.wallet.answers.eth_getBalance = numberToHex(cost - 1n);
    await bench.sendCalls({ chainId: BASE });
    expect(warningsOf(dialogOf(bench))).toContain(
      textOf('alert.balance', { cost: inEther(cost), balance: inEther(cost - 1n) }),
    );
  });
});

const errors = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error Broke()',
]);

const REVERT = {
  code: 3,
  message: 'execution reverted: no allowance',
  data: encodeErrorResult({ abi: errors, errorName: 'Error', args: ['no allowance'] }),
} satisfies RpcFault;

const BROKE = encodeErrorResult({ abi: errors, errorName: 'Broke' });

const revertOf = (data: Hex) => ({ code: 3, message: 'execution reverted', data });

const willFail = (reason: string): string => textOf('alert.willFail', { reason });

const sentGas = ({ signed }: SendBench): string[] =>
  signed().map(({ gas }) => String(gas));

describe('a transaction whose estimate fails', () => {
  async function setup(fault: RpcFault = REVERT): Promise<SendBench> {
    const bench = await createSendBench();
    bench.edges.wallet.answers.eth_estimateGas = refuses(fault);
    return bench;
  }

  it.each<[string, RpcFault, string]>([
    ['an Error(string)', REVERT, willFail('no allowance')],
    [
      'a panic',
      revertOf(encodeErrorResult({ abi: errors, errorName: 'Panic', args: [17n] })),
      willFail('panic 17: arithmetic overflow or underflow'),
    ],
    [
      'a custom error',
      revertOf(BROKE),
      willFail(`execution reverted (custom error ${BROKE})`),
    ],
    [
      'empty revert data',
      { code: 3, message: '', data: '0x' },
      willFail('execution reverted'),
    ],
    [
      "the node's message",
      { code: -32000, message: 'insufficient funds for transfer' },
      willFail('insufficient funds for transfer'),
    ],
    [
      'nested data',
      { code: -32015, message: 'VM error', data: { data: REVERT.data } },
      willFail('no allowance'),
    ],
    [
      'a temporary error',
      { code: -32000, message: 'header not found' },
      textOf('alert.mayFail', { reason: 'header not found' }),
    ],
  ])('is shown with the reason from %s', async (_what, fault, text) => {
    const bench = await setup(fault);
    await bench.send();
    expect(warningsOf(dialogOf(bench))).toContain(text);
  });

  it('is sent with an assumed gas limit, marked in the dialog, if the user approves', async () => {
    const bench = await setup();
    await bench.send();
    expect(writeView(dialogOf(bench))).toContain(
      textOf('gas.assumed', { gas: '500,000' }),
    );
    expect(sentGas(bench)).toStrictEqual(['500000']);
  });

  it.each<[string, Record<string, Json>, number]>([
    ['calldata', { data: `0x${'ab'.repeat(50_000)}` }, 2_500_000],
    ['init code', { to: null, data: `0x${'60'.repeat(20_000)}` }, 5_300_000],
  ])('gets gas for the bytes of its %s', async (_what, fields, gas) => {
    const bench = await setup();
    await bench.send(fields);
    expect(sentGas(bench)).toStrictEqual([String(gas)]);
  });

  it("keeps the site's gas limit, and is estimated with it", async () => {
    const bench = await setup({ code: -32000, message: 'intrinsic gas too low' });
    await bench.send({ gas: '0x5207' });
    const view = writeView(dialogOf(bench));
    expect(view).toContain(willFail('intrinsic gas too low'));
    expect(view).not.toContain(textOf('gas.assumed', { gas: '20,999' }));
    expect(sentGas(bench)).toStrictEqual(['20999']);
    const estimates = bench.edges.wallet.calls.filter(
      ({ method }) => method === 'eth_estimateGas',
    );
    expect(estimates.map(({ params }) => params[0])).toMatchObject([{ gas: '0x5207' }]);
  });

  it('is shown on a rollup, even if every field is given', async () => {
    const bench = await setup();
    bench.edges.wallet.answers.eth_chainId = '0xe708';
    bench.edges.wallet.answers.linea_estimateGas = refuses(REVERT);
    await bench.send();
    expect(warningsOf(dialogOf(bench))).toContain(willFail('no allowance'));
    await bench.send({ gas: '0x5208', gasPrice: '0x1', nonce: '0x9' });
    expect(warningsOf(dialogOf(bench))).toContain(willFail('no allowance'));
  });

  it('is shown with a shortened reason without control characters', async () => {
    const reason = `ok\n\u202e\u0000 ${'x'.repeat(5_000)}`;
    const data = encodeErrorResult({ abi: errors, errorName: 'Error', args: [reason] });
    const bench = await setup(revertOf(data));
    await bench.send();
    const [warning = ''] = warningsOf(dialogOf(bench));
    expect(warning).toMatch(/^This will fail, .*: ok /u);
    expect(warning.length).toBeLessThan(300);
    expect(warning).not.toMatch(/[\n\u202e\0]/u);
  });

  it.each<[string, RpcFault]>([
    ['lacks the method', { code: -32601, message: 'no such method' }],
    ['rejects the params', { code: -32602, message: 'invalid argument 0' }],
    ['limits the rate', { code: -32005, message: 'too many' }],
  ])('is rejected if the node %s', async (_what, fault) => {
    const bench = await setup(fault);
    const shown = bench.edges.dialogs.shown.length;
    await expectRefusal(bench.send(), fault.code);
    expect(bench.edges.dialogs.shown).toHaveLength(shown);
  });

  it('causes an error in eth_fillTransaction', async () => {
    const { address, call, edges } = await setup();
    const shown = edges.dialogs.shown.length;
    const transaction = { from: address, to: RECIPIENT, value: '0x1' };
    await expectRefusal(call('eth_fillTransaction', [transaction]), 3, 'no allowance');
    expect(edges.dialogs.shown).toHaveLength(shown);
  });

  it('is shown with its reason in a batch, and sent if the user approves', async () => {
    const bench = await createCallsBench();
    bench.edges.wallet.answers.eth_estimateGas = refuses(REVERT);
    await bench.sendCalls();
    const warnings = warningsOf(dialogOf(bench));
    const about = (number: string, text: string): string =>
      textOf('calls.about', { number, text });
    expect(warnings).toContain(about('1', willFail('no allowance')));
    // The second call may depend on the first.
    expect(warnings).toContain(about('2', textOf('warning.notEstimated')));
    expect(sentGas(bench)).toStrictEqual(['500000', '500000']);
  });
});

describe('a user operation whose estimate fails', () => {
  const intent = { to: TO, value: '0x1', data: '0xa9059cbb' };

  /** Answers from a bundler that rejects calls, but estimates an operation without calls. */
  const rejectingCalls = (
    fault: RpcFault,
    estimateWithoutCalls: () => Json = () => ESTIMATE,
  ): OperationBench['bundler']['answers'] => ({
    [ESTIMATING]: ([operation]: Json[]) =>
      (operation as { callData: Hex }).callData === '0x'
        ? estimateWithoutCalls()
        : refuses(fault)(),
  });

  const reverted = { ...REVERT, code: -32521 };

  it('is shown with the reason if its calls fail, and can be sent', async () => {
    const bench = await createOperationBench({ bundler: rejectingCalls(reverted) });
    await bench.call(SEND, [intent]);
    const [dialog] = bench.shown();
    expect(warningsOf(dialog)).toContain(willFail('no allowance'));
    const [sent = {}] = bench.sent();
    expect(sent).toMatchObject({
      // 500,000, the gas of four bytes, and the account's own work.
      callGasLimit: '0x83e00',
      verificationGasLimit: '0x46500',
    });
    expect(writeView(dialog)).toContain(textOf('gas.assumed', { gas: '540,160' }));
    // The bundler's estimate does not include the bytes of the calls.
    expect(Number(sent.preVerificationGas)).toBeGreaterThan(0xd6d8);
    expect(Number(sent.preVerificationGas)).toBeLessThan(0xd6d8 * 1.5);
  });

  it('pays the bundler for the bytes of failing calls, even if its estimate is tiny', async () => {
    const tiny = { ...ESTIMATE, preVerificationGas: '0x1' };
    const bundler = rejectingCalls(reverted, () => tiny);
    const bench = await createOperationBench({ bundler });
    await bench.call(SEND, [intent]);
    expect(bench.sent()).toMatchObject([{ preVerificationGas: '0x3' }]);
  });

  it("keeps the site's gas limit if its calls fail", async () => {
    const bench = await createOperationBench({ bundler: rejectingCalls(reverted) });
    const callData = '0xb61d27f6';
    await bench.call(SEND, [{ callData, callGasLimit: '0x5555' }]);
    expect(bench.sent()).toMatchObject([{ callData, callGasLimit: '0x5555' }]);
    expect(writeView(bench.shown())).not.toContain(
      textOf('gas.assumed', { gas: '21,845' }),
    );
  });

  it('gets at most 5 million gas for many failing calls', async () => {
    const bench = await createOperationBench({ bundler: rejectingCalls(reverted) });
    await bench.call(SEND, Array(20).fill(intent) as Json);
    expect(bench.sent()).toMatchObject([{ callGasLimit: '0x4c4b40' }]);
  });

  it('is shown with the reason if its calls fail only at the node', async () => {
    const node = {
      eth_estimateGas: ([call]: Json[]) => {
        const { from = '', data = '' } = call as Record<string, string>;
        const isExecution = from.startsWith('0x0000000071727De2') && data.length < 400;
        return isExecution ? refuses(REVERT)() : '0x186a0';
      },
    };
    const bench = await createOperationBench({ node });
    await bench.call(SEND, [intent]);
    expect(warningsOf(bench.shown()[0])).toContain(willFail('no allowance'));
  });

  it.each<[string, Hex, string]>([
    ['the reason', REVERT.data, 'no allowance'],
    ['no reason', '0x', 'execution reverted'],
  ])('is shown with %s if a simulation fails', async (_what, data, reason) => {
    const fault = { code: -32500, message: "AA21 didn't pay prefund" };
    const bench = await createOperationBench({
      node: { eth_simulateV1: simulationOf(31_000, data) },
      bundler: rejectingCalls(fault),
    });
    await bench.call(SEND, [intent]);
    expect(warningsOf(bench.shown()[0])).toContain(willFail(reason));
  });

  it.each<[string, RpcFault]>([
    ['the account does not validate it', { code: -32500, message: 'AA23 no' }],
    ['its signature is wrong', { code: -32507, message: 'AA24 signature error' }],
  ])('is rejected if %s', async (_what, fault) => {
    const bundler = { [ESTIMATING]: refuses(fault) };
    const bench = await createOperationBench({ bundler });
    await expectRefusal(bench.call(SEND, [intent]), fault.code);
    expect(bench.shown()).toStrictEqual([]);
  });

  it('is rejected if it fails validation without its calls', async () => {
    const bundler = rejectingCalls(reverted, failsWith(-32500, 'AA23 reverted'));
    const bench = await createOperationBench({ bundler });
    await expectRefusal(bench.call(SEND, [intent]), -32500);
    expect(bench.shown()).toStrictEqual([]);
  });

  it.each([ESTIMATING, 'eth_prepareUserOperation'])(
    'causes an error in %s if its calls fail',
    async (method) => {
      const bench = await createOperationBench({ bundler: rejectingCalls(reverted) });
      await expectRefusal(bench.call(method, [intent]), -32521, 'no allowance');
      expect(bench.shown()).toStrictEqual([]);
    },
  );

  it('is shown with the reason in wallet_sendCalls, too', async () => {
    const bench = await createCallsBench();
    Object.assign(bench.bundler.answers, rejectingCalls(reverted));
    bench.edges.wallet.answers.eth_getCode = '0x6080';
    await bench.sendCalls({ from: bench.smart.address, atomicRequired: true });
    expect(warningsOf(dialogOf(bench))).toContain(willFail('no allowance'));
    expect(bench.operations.size).toBe(1);
  });
});
