import { TimeoutError } from '../../../src/client';
import type { GasLimits } from '../../../src/eth/user-operation';
import { estimateOperation } from '../../../src/fees/estimate-operation';
import { answering, breaking } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { askedOf, refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import {
  createOperationBench,
  LIMITS,
  simulated,
} from '../../support/fill-operation-bench';
import type {
  OperationAnswers,
  OperationBench,
} from '../../support/fill-operation-bench';
import { OPERATION } from '../../support/plain-operation';
import { refusalOf } from '../../support/refusal';

type Bench = OperationBench & { estimate: (callGas?: bigint) => Promise<GasLimits> };

function setup(answers: OperationAnswers = {}, server?: Server): Bench {
  const bench = createOperationBench(answers);
  if (server) bench.network.serve('https://bundler.example', server);
  const { node, bundler } = bench;
  const sources = {
    chainId: 1n,
    version: '0.6',
    node,
    bundler: bundler.client,
  } as const;
  return {
    ...bench,
    estimate: async (callGas = 0n) =>
      estimateOperation(OPERATION, { ...sources, callGas }),
  };
}

const says = (code: number, message: string): NodeAnswers => ({
  eth_estimateUserOperationGas: refuses({ code, message }),
});

const SIMULATION = {
  eth_simulateV1: simulated({ gas: 21_000 + 10_000 }, { gas: 21_000 + 40_000 }),
};

/** 10,000 and 30,000 for the EntryPoint, 40,000 for the prefund; half on top. */
const SIMULATED = { callGasLimit: 60_000n, verificationGasLimit: 120_000n };

describe('the gas limits of an operation', () => {
  it('are the bundler’s and the prefund, a fifth on top, a tenth on what is paid in full', async () => {
    const { estimate, nodeSide } = setup();
    expect(await estimate()).toStrictEqual(LIMITS);
    expect(askedOf(nodeSide)).toStrictEqual([]);
  });

  it('cover the calls that the bundler cannot see', async () => {
    expect(await setup().estimate(1_000_000n)).toStrictEqual({
      ...LIMITS,
      callGasLimit: 1_200_000n,
    });
  });
});

describe('without a bundler’s estimate', () => {
  const bundlers: [string, NodeAnswers, Server | undefined][] = [
    ['does not estimate', says(-32601, 'no such method'), undefined],
    ['asks for money first', says(-32500, "AA21 didn't pay prefund"), undefined],
    ['is not there', {}, breaking],
    ['fails', {}, answering(null, 500)],
    ['is overloaded', {}, answering(null, 503)],
    ['asks for patience', {}, answering(null, 429)],
  ];

  it.each(bundlers)('a simulation counts: it %s', async (_name, bundler, server) => {
    const { estimate } = setup({ node: SIMULATION, bundler }, server);
    const { preVerificationGas, ...limits } = await estimate();
    expect(limits).toStrictEqual(SIMULATED);
    expect(preVerificationGas).toBeGreaterThan(43_230n);
  });

  it('a simulation counts: it takes too long', async () => {
    const { node, bundler } = createOperationBench({ node: SIMULATION });
    const label = 'eth_estimateUserOperationGas at https://bundler.example';
    const late = new TimeoutError({ label }, 10_000);
    const limits = await estimateOperation(OPERATION, {
      chainId: 1n,
      version: '0.6',
      node,
      bundler: { ...bundler.client, estimate: () => Promise.reject(late) },
      callGas: 0n,
    });
    expect(limits).toMatchObject(SIMULATED);
  });

  const answers: [string, number, string][] = [
    ['a reverting call', -32521, 'execution reverted: no'],
    ['another code of the EntryPoint', -32500, 'AA25 invalid account nonce'],
    ['a paymaster without a deposit', -32501, 'AA31 paymaster deposit too low'],
    ['params that are wrong', -32602, 'missing userOp field'],
  ];

  it.each(answers)('%s is what the bundler says', async (_name, code, message) => {
    const { estimate, nodeSide } = setup({
      node: SIMULATION,
      bundler: says(code, message),
    });
    const refusal = await refusalOf(estimate());
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(message);
    expect(askedOf(nodeSide)).toStrictEqual([]);
  });

  it('a key that the bundler does not know is said', async () => {
    const { estimate, nodeSide } = setup({ node: SIMULATION }, answering(null, 401));
    expect((await refusalOf(estimate())).message).toContain('HTTP status 401');
    expect(askedOf(nodeSide)).toStrictEqual([]);
  });

  const nodes: [string, NodeAnswers][] = [
    ['does not know the method', {}],
    [
      'refuses it in its own way',
      { eth_simulateV1: refuses({ code: -32000, message: 'unsupported method' }) },
    ],
    ['answers otherwise', { eth_simulateV1: 'later' }],
    ['leaves out a step', { eth_simulateV1: simulated({ gas: 50_000 }) }],
    ['answers nothing', { eth_simulateV1: [] }],
  ];

  it.each(nodes)('the bundler’s words count where the node %s', async (_name, node) => {
    const { estimate } = setup({
      node,
      bundler: says(-32500, "AA21 didn't pay prefund"),
    });
    expect(await refusalOf(estimate())).toStrictEqual({
      code: -32500,
      message:
        'eth_estimateUserOperationGas at https://bundler.example failed: the account ' +
        'cannot pay for the gas. Send it money, or use a paymaster. ' +
        "The bundler said: AA21 didn't pay prefund.",
    });
  });

  it('a simulated revert is said', async () => {
    const { estimate } = setup(
      { node: { eth_simulateV1: simulated({ gas: 50_000 }, { reverts: '0x' }) } },
      breaking,
    );
    expect(await refusalOf(estimate())).toStrictEqual({
      code: -32521,
      message: "The operation's calls would revert.",
    });
  });
});
