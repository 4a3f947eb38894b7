// Operations that a paymaster is to pay for.
import { packPaymaster } from '../../../src/eth/packed-fields';
import type { FilledOperation } from '../../../src/fees/fill-user-operation';
import { answering, breaking } from '../../support/fake-fetch';
import { refuses } from '../../support/fake-node';
import {
  callPaymaster,
  createOperationBench,
  LIMITS,
  PAYMASTER,
  verdictOf,
} from '../../support/fill-operation-bench';
import type {
  OperationAnswers,
  OperationBench,
} from '../../support/fill-operation-bench';
import { smartRecord } from '../../support/records';

const DATA = `${PAYMASTER}c0ffee` as const;

const STUB = { paymasterAndData: DATA, sponsor: { name: 'Payer' } };

type Bench = OperationBench & { fillSponsored: () => Promise<FilledOperation> };

function setup(stub: object, node: OperationAnswers['node'] = {}): Bench {
  const bench = createOperationBench({
    paymaster: { pm_getPaymasterStubData: stub as never },
    node,
  });
  const { fill, paymaster } = bench;
  return { ...bench, fillSponsored: async () => fill({}, { paymaster }) };
}

describe('a paymaster’s stub', () => {
  it('stands in the operation that is estimated', async () => {
    const { fillSponsored, bundlerSide, askedBy } = setup(STUB);
    const { operation, sponsorship, sponsorFailure } = await fillSponsored();
    expect(operation).toMatchObject({ paymasterAndData: DATA, ...LIMITS });
    expect(sponsorship).toStrictEqual({ ...STUB, isFinal: false });
    expect(sponsorFailure).toBeUndefined();
    expect(bundlerSide.calls[0]?.params[0]).toHaveProperty('paymasterAndData', DATA);
    expect(askedBy('paymaster')).toStrictEqual([['pm_getPaymasterStubData']]);
    expect(askedBy('node')).toHaveLength(1);
  });

  it('is packed with its own gas limits from 0.7 on', async () => {
    const { fill, paymaster } = setup({
      paymaster: PAYMASTER,
      paymasterData: '0xc0ffee',
      paymasterVerificationGasLimit: '0x64',
      paymasterPostOpGasLimit: '0x0',
    });
    const account = smartRecord({ entryPoint: '0.7' });
    const { operation } = await fill({}, { paymaster, account });
    expect(operation.paymasterAndData).toBe(
      packPaymaster({
        paymaster: PAYMASTER,
        verificationGasLimit: 100n,
        postOpGasLimit: 0n,
        data: '0xc0ffee',
      }),
    );
  });

  it('does not settle the limits of the operation', async () => {
    const { fillSponsored } = setup({ ...STUB, callGasLimit: '0x1' });
    expect((await fillSponsored()).operation).toMatchObject(LIMITS);
  });
});

describe('a stub that is final', () => {
  const taken = { eth_call: callPaymaster(() => verdictOf({})) };

  it('is looked at, since nobody asks again', async () => {
    const { fillSponsored, askedBy } = setup({ ...STUB, isFinal: true }, taken);
    const { operation, sponsorship } = await fillSponsored();
    expect(operation).toMatchObject({ paymasterAndData: DATA, ...LIMITS });
    expect(sponsorship?.isFinal).toBe(true);
    expect(askedBy('node').slice(1)).toStrictEqual([['eth_call']]);
  });

  it('does not settle the limits of the operation either', async () => {
    const limits = { callGasLimit: '0x1', preVerificationGas: '0x2' };
    const { fill, paymaster } = setup({ ...STUB, ...limits, isFinal: true }, taken);
    const { operation } = await fill({ preVerificationGas: 9n }, { paymaster });
    expect(operation).toMatchObject({ ...LIMITS, preVerificationGas: 9n });
  });

  it('leaves the operation to its account if the contract does not take it', async () => {
    const eth_call = callPaymaster(() => verdictOf({ failed: 1 }));
    const { fillSponsored } = setup({ ...STUB, isFinal: true }, { eth_call });
    const { operation, sponsorship, sponsorFailure } = await fillSponsored();
    expect(operation).toMatchObject({ paymasterAndData: '0x', ...LIMITS });
    expect(sponsorship).toBeUndefined();
    expect(sponsorFailure?.message).toContain('does not take the data');
  });
});

describe('a paymaster that does not pay', () => {
  it('leaves the operation to its account, and says why', async () => {
    const { fillSponsored } = setup(refuses({ code: -32001, message: 'not you' }));
    const { operation, sponsorship, sponsorFailure } = await fillSponsored();
    expect(operation).toMatchObject({ paymasterAndData: '0x', ...LIMITS });
    expect(sponsorship).toBeUndefined();
    expect(sponsorFailure).toMatchObject({
      name: 'PaymasterError',
      code: -32001,
      message:
        'pm_getPaymasterStubData at https://paymaster.example: the paymaster does not ' +
        'pay. It said: not you. Ask the paymaster, or send the operation without one.',
    });
  });

  it.each([
    ['is not there', breaking],
    ['fails', answering(null, 500)],
  ])('is no obstacle if it %s', async (_name, server) => {
    const { fillSponsored, network } = setup(STUB);
    network.serve('https://paymaster.example', server);
    const { operation, sponsorFailure } = await fillSponsored();
    expect(operation).toMatchObject({ paymasterAndData: '0x', ...LIMITS });
    expect(sponsorFailure?.message).toContain('https://paymaster.example');
  });

  it('does not hide a fault of ours', async () => {
    const { fill, paymaster } = setup(STUB);
    const fault = new Error('a fault');
    const client = { ...paymaster.client, fetchStub: () => Promise.reject(fault) };
    const filling = fill({}, { paymaster: { ...paymaster, client } });
    await expect(filling).rejects.toBe(fault);
  });
});
