import { entryPoints } from '../../../src/eth/entry-point';
import { maxCostOf } from '../../../src/eth/operation-cost';
import { hashUserOperation } from '../../../src/eth/sign-user-operation';
import { encodePaymasterValidation } from '../../../src/eth/validation-calls';
import { fetchSponsorship, fetchStub } from '../../../src/fees/sponsor-operation';
import type { Sponsored } from '../../../src/fees/sponsor-operation';
import { failureOf } from '../../support/error-of';
import { breaking } from '../../support/fake-fetch';
import { refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import {
  createOperationBench,
  NOW_S,
  PAYMASTER,
  verdictOf,
} from '../../support/fill-operation-bench';
import type { OperationBench } from '../../support/fill-operation-bench';
import { OPERATION } from '../../support/plain-operation';

const DATA = `${PAYMASTER}c0ffee` as const;

type Bench = OperationBench & { sponsor: () => Promise<Sponsored> };

const CHAIN_ID = 5n;

function setup({
  verdict = verdictOf({}),
  answer = {},
}: {
  verdict?: NodeAnswers[string];
  answer?: Record<string, string>;
} = {}): Bench {
  const bench = createOperationBench({
    node: { eth_call: verdict },
    paymaster: { pm_getPaymasterData: { paymasterAndData: DATA, ...answer } },
  });
  const { node, paymaster } = bench;
  const now = (): number => NOW_S * 1000 + 999;
  const place = { chainId: CHAIN_ID, version: '0.6', node, paymaster, now } as const;
  return { ...bench, sponsor: async () => fetchSponsorship(OPERATION, place) };
}

const WHERE = 'https://paymaster.example: the paymaster does not pay.';
const ADVICE = 'Ask the paymaster, or send the operation without one.';

describe('a stub', () => {
  it('is asked for with the context', async () => {
    const { node, paymaster, paymasterSide } = createOperationBench({
      paymaster: { pm_getPaymasterStubData: { paymasterAndData: DATA } },
    });
    const now = (): number => 0;
    const place = { chainId: CHAIN_ID, version: '0.6', node, paymaster, now } as const;
    expect(await fetchStub(OPERATION, place)).toStrictEqual({
      paymasterAndData: DATA,
      isFinal: false,
    });
    const [call] = paymasterSide.calls;
    expect(call?.params.slice(1)).toStrictEqual([
      entryPoints['0.6'].entryPoint,
      '0x5',
      { policy: 'p' },
    ]);
  });
});

describe('data that the contract takes', () => {
  it('are given', async () => {
    expect(await setup().sponsor()).toStrictEqual({ paymasterAndData: DATA });
  });

  it('are checked and given without the gas limits that the paymaster changed', async () => {
    const limits = { callGasLimit: '0x1', verificationGasLimit: '0x2' };
    const answer = { ...limits, preVerificationGas: '0x3' };
    const { sponsor, nodeSide } = setup({ answer });
    expect(await sponsor()).toStrictEqual({ paymasterAndData: DATA });
    const operation = { ...OPERATION, paymasterAndData: DATA };
    const hash = hashUserOperation(operation, {
      chainId: CHAIN_ID,
      entryPoint: '0.6',
    });
    const maxCost = maxCostOf(operation, '0.6');
    const call = {
      from: entryPoints['0.6'].entryPoint,
      to: PAYMASTER,
      data: encodePaymasterValidation(operation, { hash, maxCost }, '0.6'),
    };
    expect(nodeSide.calls.map(({ params }) => params)).toStrictEqual([
      [call, 'latest'],
    ]);
  });

  it.each([
    ['until the next second', { validUntil: NOW_S + 1 }],
    ['from now on', { validAfter: NOW_S }],
    ['from now on, by a clock ahead of ours', { validAfter: NOW_S + 60 }],
    ['for ever', { validUntil: 0, validAfter: 0 }],
    ['to the end of time', { validUntil: 2 ** 48 - 1 }],
  ])('are valid %s', async (_name, range) => {
    const { sponsor } = setup({ verdict: verdictOf(range) });
    expect(await sponsor()).toStrictEqual({ paymasterAndData: DATA });
  });
});

describe('data that the contract does not take', () => {
  it.each([
    [
      'are for another operation',
      verdictOf({ failed: 1 }),
      `Its contract ${PAYMASTER} does not take the data for this operation.`,
    ],
    [
      'need an aggregator',
      verdictOf({ failed: 0xabcdef }),
      `Its contract ${PAYMASTER} does not take the data for this operation.`,
    ],
    ['have expired', verdictOf({ validUntil: NOW_S }), 'Its data have expired.'],
    ['are early', verdictOf({ validAfter: NOW_S + 61 }), 'Its data are not valid yet.'],
    ['name no contract', '0x', `${PAYMASTER} is no paymaster.`],
    [
      'make it revert',
      refuses({ code: 3, message: 'execution reverted: no' }),
      'Its contract refuses the operation: eth_call at https://node.example failed: ' +
        'execution reverted: no.',
    ],
  ])('%s', async (_name, verdict, what) => {
    const { sponsor } = setup({ verdict });
    expect(await failureOf(sponsor)).toStrictEqual({
      name: 'PaymasterError',
      code: -32000,
      message: `${WHERE} ${what} ${ADVICE}`,
      context: {},
    });
  });
});

describe('a look at the contract', () => {
  it('that fails leaves the operation unpaid', async () => {
    const { sponsor, network } = setup();
    network.serve('https://node.example', breaking);
    const { name, message } = await failureOf(sponsor);
    expect(name).toBe('PaymasterError');
    expect(message).toContain(
      'Its contract could not be asked: eth_call at https://node.example could not be',
    );
  });

  it('does not hide a fault of ours', async () => {
    const { paymaster } = setup();
    const fault = new Error('a fault');
    const node = { label: 'a node', request: () => Promise.reject(fault) };
    const now = (): number => 0;
    const place = { chainId: CHAIN_ID, version: '0.6', node, paymaster, now } as const;
    await expect(fetchSponsorship(OPERATION, place)).rejects.toBe(fault);
  });
});
