// Internal errors are thrown; falling back to the next source would hide them.
import { createNodeClient } from '../../../packages/client/src';
import type { FeeHistory } from '../../../packages/client/src';
import { implementations } from '../../../src/core/authorization';
import { InternalError } from '../../../src/core/errors';
import { toDelegatedCode } from '../../../src/eth/delegation';
import { simulateOperation } from '../../../src/fees/estimate-operation';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
} from '../../../src/fees/fee-history';
import {
  assertPaymasterAccepts,
  fillOperation,
} from '../../../src/fees/fill-user-operation';
import { fetchLevels, fetchSuggestedFees } from '../../../src/fees/level-sources';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import { calledMethods } from '../../support/fake-node';
import { createFeeBench } from '../../support/fee-bench';
import {
  OPERATION,
  packPaymaster,
  PAYMASTER,
  SENDER,
} from '../../support/plain-operation';
import { without } from '../../support/without';

it.each([
  ['a programming error', new TypeError('x is not a function')],
  ['an internal error', new InternalError('This cannot be.')],
])('does not treat %s as a failed source', async (_what, fault) => {
  const { chainOf, node } = createFeeBench(answering(gasAnswer));
  const fail = async (): Promise<never> => Promise.reject(fault);
  const gas = { suggestedGasFees: fail, baseFeePercentile: fail };
  const options = { note: () => undefined, blockTimes: new Map() };
  await expect(fetchLevels({ ...chainOf(), gas }, options)).rejects.toBe(fault);
  expect(calledMethods(node)).toStrictEqual([
    'eth_feeHistory',
    'eth_maxPriorityFeePerGas',
  ]);
  await expect(fetchSuggestedFees({ ...chainOf(), gas })).rejects.toBe(fault);
  const broken = createNodeClient({ label: 'node', request: fail });
  await expect(
    fetchLevels({ ...createFeeBench().chainOf(), node: broken }, options),
  ).rejects.toBe(fault);
});

it('does not treat a programming error as a refused user operation', async () => {
  const fault = new TypeError('x is not a function');
  const fail = async (): Promise<never> => Promise.reject(fault);
  const [{ address: delegate, entryPoint } = { address: SENDER }] = implementations;
  const { node } = createFeeBench(undefined, {
    eth_getCode: toDelegatedCode(delegate),
    eth_gasPrice: '0x1',
    eth_call: `0x${'00'.repeat(32)}`,
  }).chainOf();
  const paymaster = { client: { label: 'paymaster', fetchStub: fail } };
  const findFork = async (): Promise<string> => Promise.resolve('prague');
  const common = { chainId: 1n, version: '0.7', paymaster, findFork, now: Date.now };
  const broken = {
    ...common,
    node: createNodeClient({ label: 'node', request: fail }),
  } as never;
  const account = { address: SENDER, entryPoint };
  const request = without(OPERATION, 'paymasterAndData') as never;
  const sponsored = { ...OPERATION, paymasterAndData: packPaymaster(PAYMASTER) };
  await expect(simulateOperation(OPERATION, broken)).rejects.toBe(fault);
  await expect(assertPaymasterAccepts(sponsored, broken)).rejects.toBe(fault);
  const sources = { ...common, account, node } as never;
  await expect(fillOperation(request, sources)).rejects.toBe(fault);
});

it('does not compute fees from an empty fee history', () => {
  const empty: FeeHistory = { oldestBlock: '0x0', baseFeePerGas: [], gasUsedRatio: [] };
  expect(() => computeSuggestedFees(empty)).toThrow(RangeError);
  expect(() => computeBaseFeePercentile(empty)).toThrow(RangeError);
});
