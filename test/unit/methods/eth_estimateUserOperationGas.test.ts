import { DUMMY_SIGNATURE } from '../../../src/eth/user-operation';
import { refuses } from '../../support/fake-node';
import { createOperationBench } from '../../support/operation-bench';
import { operationOf } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { TO } from '../../support/transactions';

const METHOD = 'eth_estimateUserOperationGas';

const intent = { to: TO, value: '0x1', data: '0x' };

const LIMITS = {
  callGasLimit: '0x1d4c0',
  verificationGasLimit: '0x46500',
  preVerificationGas: '0xd6d8',
};

describe('eth_estimateUserOperationGas', () => {
  it('answers for intents what a send would have; nobody is asked', async () => {
    const { call, shown, sent } = await createOperationBench();
    expect(await call(METHOD, [intent])).toStrictEqual(LIMITS);
    expect([shown(), sent()]).toStrictEqual([[], []]);
  });

  it('answers for an operation, whatever limits it has', async () => {
    const { call, address, estimated } = await createOperationBench();
    const operation = operationOf(address, { callGasLimit: '0x1' });
    expect(await call(METHOD, [operation])).toStrictEqual(LIMITS);
    expect(estimated()).toMatchObject([
      { nonce: '0x7', maxFeePerGas: '0x77359400', callData: '0xb61d27f6' },
    ]);
  });

  it('has the limits of a paymaster beside them from 0.7 on', async () => {
    const { call } = await createOperationBench({
      paymaster: {
        pm_getPaymasterStubData: {
          paymaster: TO,
          paymasterData: '0x12',
          paymasterVerificationGasLimit: '0x5000',
          paymasterPostOpGasLimit: '0x6000',
        },
      },
    });
    expect(await call(METHOD, [intent])).toStrictEqual({
      ...LIMITS,
      paymasterVerificationGasLimit: '0x5000',
      paymasterPostOpGasLimit: '0x6000',
    });
  });

  it('asks no paymaster for an operation that its caller is to sign without one', async () => {
    const { call, address, paymaster, estimated } = await createOperationBench({
      paymaster: {
        pm_getPaymasterStubData: refuses({ code: -32001, message: 'budget spent' }),
      },
    });
    const operation = { sender: address, callData: '0xb61d27f6' };
    const stub = { ...operation, signature: DUMMY_SIGNATURE };
    expect(await call(METHOD, [stub])).toStrictEqual(LIMITS);
    expect(estimated()).toMatchObject([{ paymasterAndData: '0x' }]);
    expect(paymaster.calls).toStrictEqual([]);
    expect(await refusalOf(call(METHOD, [operation]))).toHaveProperty('code', -32001);
  });

  it('tells why the paymaster does not pay, and how to go on without', async () => {
    const { call } = await createOperationBench({
      paymaster: {
        pm_getPaymasterStubData: refuses({ code: -32001, message: 'budget spent' }),
      },
    });
    const { code, message } = await refusalOf(call(METHOD, [intent]));
    expect(code).toBe(-32001);
    expect(message).toContain('budget spent');
    expect(message).toContain('"selfSponsored": true');
    expect(await call(METHOD, { selfSponsored: true, params: [intent] })).toStrictEqual(
      LIMITS,
    );
  });

  it('tells a revert as the bundler does', async () => {
    const fault = { code: -32521, message: 'execution reverted', data: '0x' };
    const { call } = await createOperationBench({
      bundler: { [METHOD]: refuses(fault) },
    });
    expect(await refusalOf(call(METHOD, [intent]))).toHaveProperty('code', -32521);
  });
});
