import type { Json } from '@metamask/utils';
import { encodeErrorResult, getContractAddress, parseAbi } from 'viem';

import { entryPoints, entryPointVersions } from '../../../src/eth/entry-point';
import type { EntryPointVersion } from '../../../src/eth/entry-point';
import { computePreVerificationGas } from '../../../src/eth/pre-verification-gas';
import { hashUserOperation } from '../../../src/eth/sign-user-operation';
import type { UserOperation, GasLimits } from '../../../src/eth/user-operation';
import { encodeAccountValidation } from '../../../src/eth/validation-calls';
import { toInitCode } from '../../../src/fees/operation-state';
import { simulateOperation } from '../../../src/fees/simulate-operation';
import { breaking } from '../../support/fake-fetch';
import type { FakeNode } from '../../support/fake-node';
import {
  createOperationBench,
  partsOf,
  PAYMASTER,
  simulated,
} from '../../support/fill-operation-bench';
import type { OperationBench } from '../../support/fill-operation-bench';
import { OPERATION, packPaymaster } from '../../support/plain-operation';
import { smartRecord } from '../../support/records';
import { contextOf, refusalOf } from '../../support/refusal';

const CHAIN_ID = 5n;

type Bench = Pick<OperationBench, 'network'> & {
  node: FakeNode;
  simulate: (
    changes?: Partial<UserOperation>,
    version?: EntryPointVersion,
  ) => Promise<GasLimits>;
};

function setup(answer: Json): Bench {
  const bench = createOperationBench({ node: { eth_simulateV1: answer } });
  return {
    node: bench.nodeSide,
    network: bench.network,
    simulate: async (changes = {}, version = '0.6') => {
      const place = { chainId: CHAIN_ID, version, node: bench.node };
      return simulateOperation({ ...OPERATION, ...changes }, place);
    },
  };
}

const CALLS = [{ gas: 50_000 }, { gas: 60_000 }];

const validationOf = (operation: UserOperation, version: EntryPointVersion): string => {
  const domain = { chainId: CHAIN_ID, entryPoint: version };
  const hash = hashUserOperation(operation, domain);
  return encodeAccountValidation(operation, hash, version);
};

describe.each(entryPointVersions)('a simulation of %s', (version) => {
  const { entryPoint: from } = entryPoints[version];
  const account = smartRecord({
    entryPoint: version,
    factory: entryPoints[version].factory,
  });
  const { sender: to } = OPERATION;

  it('has the account validate and act, as the EntryPoint, with money', async () => {
    const { node, simulate } = setup(simulated(...CALLS));
    await simulate({}, version);
    const [simulation, block] = node.calls[0]?.params ?? [];
    expect(block).toBe('latest');
    expect(simulation).toStrictEqual({
      blockStateCalls: [
        {
          stateOverrides: { [to]: { balance: `0x7${'f'.repeat(63)}` } },
          calls: [
            { from, to, data: validationOf(OPERATION, version) },
            { from, to, data: OPERATION.callData },
          ],
        },
      ],
      validation: false,
    });
  });

  it('has the account deployed first, by the contract that the EntryPoint has for it', async () => {
    const { node, simulate } = setup(simulated({ gas: 200_000 }, ...CALLS));
    const initCode = toInitCode(account, false);
    await simulate({ initCode }, version);
    const { factory, call } = partsOf(initCode);
    expect(node.calls[0]?.params[0]).toHaveProperty('blockStateCalls.0.calls.0', {
      from: getContractAddress({ from: from, nonce: 1n }).toLowerCase(),
      to: factory,
      data: call,
    });
  });

  it('gives the gas of the steps without that of transactions', async () => {
    const { simulate } = setup(simulated({ gas: 221_000 }, ...CALLS));
    const initCode = toInitCode(account, false);
    const operation = { ...OPERATION, initCode };
    expect(await simulate({ initCode }, version)).toStrictEqual({
      callGasLimit: 39_000n,
      verificationGasLimit: 200_000n + 29_000n + 30_000n,
      preVerificationGas: computePreVerificationGas(operation, version),
    });
  });
});

describe('the gas for verification', () => {
  it('is that of a paymaster of 0.6 too', async () => {
    const { simulate } = setup(simulated(...CALLS));
    const limits = await simulate({ paymasterAndData: PAYMASTER });
    expect(limits.verificationGasLimit).toBe(29_000n + 30_000n + 150_000n);
  });

  it.each(['0.7', '0.8'] as const)(
    'is not that of a paymaster of %s, which has its own',
    async (version) => {
      const { simulate } = setup(simulated(...CALLS));
      const paymasterAndData = packPaymaster(PAYMASTER);
      const limits = await simulate({ paymasterAndData }, version);
      expect(limits.verificationGasLimit).toBe(29_000n + 30_000n);
    },
  );

  it('is never less than what the EntryPoint does', async () => {
    const { simulate } = setup(simulated({ gas: 20_000 }, { gas: 20_999 }));
    expect(await simulate()).toMatchObject({
      callGasLimit: 0n,
      verificationGasLimit: 30_000n,
    });
  });
});

describe('a step that reverts', () => {
  const reverts = encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    args: ['not yours'],
  });
  const initCode = toInitCode(smartRecord(), false);

  it.each([
    ['deployment', [{ reverts }, ...CALLS]],
    ['validation', [{ gas: 50_000 }, { reverts }, { gas: 50_000 }]],
    ['calls', [{ gas: 50_000 }, { gas: 50_000 }, { reverts }]],
  ])('is named: the %s', async (what, steps) => {
    const { simulate } = setup(simulated(...steps));
    expect(await refusalOf(simulate({ initCode }))).toStrictEqual({
      code: what === 'calls' ? -32521 : -32500,
      message: `The operation's ${what} would revert: not yours.`,
    });
  });

  it('gives what the contract gave', async () => {
    const { simulate } = setup(simulated({ gas: 50_000 }, { reverts: '0x1234abcd' }));
    expect(await contextOf(simulate())).toStrictEqual({ data: '0x1234abcd' });
  });
});

describe('a node that does not simulate', () => {
  it('is not there', async () => {
    const { network, simulate } = setup([]);
    network.serve('https://node.example', breaking);
    expect(await refusalOf(simulate())).toStrictEqual({
      code: -32002,
      message:
        'eth_simulateV1 at https://node.example could not be reached. ' +
        'Check the address and the connection.',
    });
  });

  it('left out a step', async () => {
    const { simulate } = setup(simulated({ gas: 50_000 }));
    expect(await refusalOf(simulate())).toStrictEqual({
      code: -32002,
      message: 'https://node.example did not simulate the whole operation.',
    });
  });

  it('does not hide a fault of ours', async () => {
    const fault = new Error('a fault');
    const node = { label: 'a node', request: () => Promise.reject(fault) };
    const place = { chainId: CHAIN_ID, version: '0.6', node } as const;
    await expect(simulateOperation(OPERATION, place)).rejects.toBe(fault);
  });
});
