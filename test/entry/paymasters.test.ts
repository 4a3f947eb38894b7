// The fields of a user operation that a paymaster may change, and the operation when it fails.
import type { Json } from '@metamask/utils';
import { concat, numberToHex } from 'viem';
import type { Hex } from 'viem';

import { entryPointVersions } from '../../src/eth/user-operation';
import { askedOf, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import {
  callContracts,
  createOperationBench,
  ESTIMATE,
} from '../support/operation-bench';
import { operationOf } from '../support/operations';
import {
  answerOf,
  notPayingAtLast,
  packedOf,
  paying,
  PAYMASTER,
} from '../support/paymaster-answers';
import { TO } from '../support/transactions';
import { textOf, writeView } from '../support/view';
import { without } from '../support/without';

const intent = { to: TO, value: '0x1', data: '0x' };

const SEND = 'eth_sendUserOperation';

const ESTIMATING = 'eth_estimateUserOperationGas';

/** What a paymaster has no say in, at 29.9 M gas. */
const GREEDY = {
  callGasLimit: '0x1c83c60',
  verificationGasLimit: '0x1c83c60',
  preVerificationGas: '0x1c83c60',
};

/** What a send has by {@link ESTIMATE}. */
const LIMITS = {
  callGasLimit: '0x1d4c0',
  verificationGasLimit: '0x46500',
  preVerificationGas: '0xd6d8',
};

/** Packs what pays for an operation from 0.7 on, independently. */
function pack(checkGas: bigint, postOpGas: bigint, data: Hex): Hex {
  const gas = [checkGas, postOpGas].map((each) => numberToHex(each, { size: 16 }));
  return concat([PAYMASTER as Hex, ...gas, data]);
}

/** A bundler that finds that a sponsored operation takes three times as much. */
const dearWhereSponsored: NodeAnswers = {
  eth_estimateUserOperationGas: ([operation]: Json[]) => {
    const { paymaster, paymasterAndData = '0x' } = operation as Record<string, Json>;
    const isSponsored = paymaster !== undefined || paymasterAndData !== '0x';
    if (!isSponsored) return ESTIMATE;
    return {
      callGasLimit: '0x493e0',
      verificationGasLimit: '0x927c0',
      preVerificationGas: '0x249f0',
    };
  },
};

describe('a paymaster', () => {
  it.each(entryPointVersions)(
    'changes no gas limit but its own, be it final or not (%s)',
    async (version) => {
      for (const isFinal of [true, false]) {
        const stub = { ...answerOf(version, '34'), ...GREEDY, isFinal };
        const data = { ...answerOf(version, '12'), ...GREEDY };
        const bench = await createOperationBench({
          version,
          paymaster: { pm_getPaymasterStubData: stub, pm_getPaymasterData: data },
        });
        await bench.call(SEND, [intent]);
        const paymasterAndData = packedOf(version, isFinal ? '34' : '12');
        expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData }]);
      }
    },
  );

  it('changes no gas limit in a patch', async () => {
    const paymaster = {
      ...paying(),
      pm_getPaymasterData: { ...answerOf('0.7', '12'), ...GREEDY },
    };
    const { call, address } = await createOperationBench({ paymaster });
    const draft = operationOf(address, { paymasterAndData: packedOf('0.7', '00') });
    expect(await call('eth_patchUserOperation', [draft])).toStrictEqual({
      paymasterAndData: packedOf('0.7', '12'),
    });
  });

  it.each(notPayingAtLast)(
    'leaves no gas limit behind where it fails: $how',
    async ({ paymaster, node, words }) => {
      const bench = await createOperationBench({
        paymaster,
        node,
        bundler: dearWhereSponsored,
      });
      await bench.call(SEND, [intent]);
      expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: '0x' }]);
      const view = writeView(bench.shown());
      expect(view).toContain(words);
      expect(view).toContain(textOf('payer.fallback'));
    },
  );

  it('does not pay where its contract cannot be asked', async () => {
    const eth_call = (params: Json[]): Json => {
      const plain = callContracts()(params) as string;
      if (plain.length === 66) return plain;
      throw new Error('The connection broke.');
    };
    const bench = await createOperationBench({
      paymaster: paying(),
      node: { eth_call },
    });
    await bench.call(SEND, [intent]);
    expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: '0x' }]);
    expect(writeView(bench.shown())).toContain('Its contract could not be asked');
  });

  it('leaves none behind that its final answer brought', async () => {
    const stub = { ...answerOf('0.7', '34'), ...GREEDY, isFinal: true };
    const [, deciding] = notPayingAtLast;
    const bench = await createOperationBench({
      paymaster: { pm_getPaymasterStubData: stub },
      node: deciding?.node ?? {},
      bundler: dearWhereSponsored,
    });
    await bench.call(SEND, [intent]);
    expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: '0x' }]);
  });
});

describe("the gas for a paymaster's check", () => {
  const lax = without(answerOf('0.7', '00'), 'paymasterVerificationGasLimit');

  const paymaster = {
    pm_getPaymasterStubData: lax,
    pm_getPaymasterData: without(
      answerOf('0.7', '12'),
      'paymasterVerificationGasLimit',
      'paymasterPostOpGasLimit',
    ),
  };

  const estimating = (more: Record<string, Json>): NodeAnswers => ({
    eth_estimateUserOperationGas: { ...ESTIMATE, ...more },
  });

  it('is what the bundler estimates where its service leaves it open', async () => {
    const bundler = estimating({
      paymasterVerificationGasLimit: '0x7530',
      paymasterPostOpGasLimit: '0x1',
    });
    const bench = await createOperationBench({ paymaster, bundler });
    await bench.call(SEND, [intent]);
    const packed = pack(36_000n, 0x6000n, '0x12');
    expect(bench.sent()).toMatchObject([{ ...LIMITS, paymasterAndData: packed }]);
    // The service signs for the limits that are sent.
    const asked = bench.paymaster.calls.map(({ params }) => params[0]);
    expect(asked[1]).toMatchObject({
      paymasterVerificationGasLimit: '0x8ca0',
      paymasterPostOpGasLimit: '0x6000',
    });
  });

  it('is estimated though all limits of the account are given', async () => {
    const bundler = estimating({ paymasterVerificationGasLimit: '0x7530' });
    const bench = await createOperationBench({ paymaster, bundler });
    const limits = { callGasLimit: '0x1', verificationGasLimit: '0x2' };
    const operation = { callData: '0x', ...limits, preVerificationGas: '0x3' };
    await bench.call(SEND, [operation]);
    const paymasterAndData = pack(36_000n, 0x6000n, '0x12');
    expect(bench.sent()).toMatchObject([{ ...operation, paymasterAndData }]);
  });

  it('is assumed where the bundler does not estimate it either', async () => {
    const bench = await createOperationBench({ paymaster });
    await bench.call(SEND, [intent]);
    const paymasterAndData = pack(300_000n, 0x6000n, '0x12');
    expect(bench.sent()).toMatchObject([{ paymasterAndData }]);
  });

  it('is what its service says, whatever the bundler estimates', async () => {
    const bundler = estimating({
      paymasterVerificationGasLimit: '0x1c83c60',
      paymasterPostOpGasLimit: '0x1c83c60',
    });
    const bench = await createOperationBench({ paymaster: paying(), bundler });
    await bench.call(SEND, [intent]);
    expect(bench.sent()).toMatchObject([{ paymasterAndData: packedOf('0.7', '12') }]);
  });

  it('stays as it was where the data are final: they are for that alone', async () => {
    const bundler = estimating({ paymasterVerificationGasLimit: '0x7530' });
    const final = { pm_getPaymasterStubData: { ...lax, isFinal: true } };
    const bench = await createOperationBench({ paymaster: final, bundler });
    await bench.call(SEND, [intent]);
    const paymasterAndData = pack(300_000n, 0x6000n, '0x00');
    expect(bench.sent()).toMatchObject([{ paymasterAndData }]);
  });

  const own = (address: string): Json => ({
    ...operationOf(address, {}),
    paymasterAndData: pack(1n, 2n, '0xc0ffee'),
  });

  it('is answered to sites that ask for an estimate with a paymaster of theirs', async () => {
    const bundler = estimating({
      paymasterVerificationGasLimit: '0x7530',
      paymasterPostOpGasLimit: '0x64',
    });
    const { call, address } = await createOperationBench({ bundler });
    expect(await call(ESTIMATING, [own(address)])).toStrictEqual({
      ...LIMITS,
      paymasterVerificationGasLimit: '0x8ca0',
      paymasterPostOpGasLimit: '0x78',
    });
  });

  it.each([{}, { paymasterVerificationGasLimit: null, paymasterPostOpGasLimit: null }])(
    'is what they gave where the bundler estimates none (case %#)',
    async (more) => {
      const { call, address } = await createOperationBench({
        bundler: estimating(more),
      });
      expect(await call(ESTIMATING, [own(address)])).toStrictEqual({
        ...LIMITS,
        paymasterVerificationGasLimit: '0x1',
        paymasterPostOpGasLimit: '0x2',
      });
    },
  );

  it("is answered to sites as the chain's paymaster has it", async () => {
    const bundler = estimating({ paymasterVerificationGasLimit: '0x7530' });
    const bench = await createOperationBench({ paymaster, bundler });
    expect(await bench.call(ESTIMATING, [intent])).toStrictEqual({
      ...LIMITS,
      paymasterVerificationGasLimit: '0x8ca0',
      paymasterPostOpGasLimit: '0x6000',
    });
    expect(askedOf(bench.paymaster)).toStrictEqual(['pm_getPaymasterStubData']);
  });

  it('is not answered for 0.6, which has none', async () => {
    const bundler = estimating({ paymasterVerificationGasLimit: '0x7530' });
    const { call } = await createOperationBench({ version: '0.6', bundler });
    expect(await call(ESTIMATING, [intent])).toStrictEqual(LIMITS);
  });

  it('refuses a gas that no EVM counts', async () => {
    const bundler = estimating({
      paymasterVerificationGasLimit: `0x1${'0'.repeat(16)}`,
    });
    const { call } = await createOperationBench({ paymaster, bundler });
    await expect(call(SEND, [intent])).rejects.toMatchObject({ code: -32002 });
  });
});

it('does not take a refusal of the bundler that follows for one of the paymaster', async () => {
  const fault = { code: -32500, message: 'AA25 invalid account nonce' };
  const bench = await createOperationBench({
    paymaster: paying(),
    bundler: { eth_estimateUserOperationGas: refuses(fault) },
  });
  await expect(bench.call(SEND, [intent])).rejects.toMatchObject({ code: -32500 });
  expect(bench.shown()).toStrictEqual([]);
});
