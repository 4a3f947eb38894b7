import type { Hex } from 'viem';

import { callContracts, createOperationBench } from '../../support/operation-bench';
import type { OperationBench } from '../../support/operation-bench';
import { refusalOf } from '../../support/refusal';
import { TO } from '../../support/transactions';
import { writeView } from '../../support/view';

const METHOD = 'eth_sendUserOperation';

const intent = { to: TO, value: '0x1', data: '0xa9059cbb' };

const activityOf = async ({ app }: OperationBench): Promise<object[]> =>
  app.services.ledger.list();

describe('eth_sendUserOperation, in its course', () => {
  it('deploys an account that has no code', async () => {
    const { call, sent, shown } = await createOperationBench({
      node: { eth_getCode: '0x' },
    });
    await call(METHOD, [intent]);
    expect(sent()).toStrictEqual([
      expect.objectContaining({
        initCode: expect.stringMatching(/^0x\w{150,}$/u) as string,
      }),
    ]);
    expect(writeView(shown())).toContain('Deploys');
  });

  it('simulates where the bundler does not estimate', async () => {
    const { bundler, call, sent } = await createOperationBench({
      node: {
        eth_call: callContracts(),
        eth_simulateV1: [
          {
            calls: [
              { status: '0x1', gasUsed: '0x9c40', returnData: '0x' },
              { status: '0x1', gasUsed: '0xc350', returnData: '0x' },
            ],
          },
        ],
      },
    });
    delete bundler.answers.eth_estimateUserOperationGas;
    await call(METHOD, [intent]);
    // 29,000 for the calls and 19,000 + 30,000 + 40,000 for verifying, and half as much more.
    expect(sent()).toMatchObject([
      { callGasLimit: '0xa9ec', verificationGasLimit: '0x2097c' },
    ]);
  });

  it('settles with the chain what became of it', async () => {
    const bench = await createOperationBench();
    const hash = (await bench.call(METHOD, [intent])) as Hex;
    await bench.poll(3_000);
    expect(await activityOf(bench)).toMatchObject([{ status: 'pending' }]);
    bench.bundler.answers.eth_getUserOperationReceipt = {
      userOpHash: hash,
      sender: bench.address,
      nonce: '0x7',
      success: true,
      actualGasUsed: '0x64',
      actualGasCost: '0x1f4',
      logs: [],
      receipt: {
        transactionHash: `0x${'12'.repeat(32)}`,
        blockHash: `0x${'34'.repeat(32)}`,
        blockNumber: '0x10',
      },
    };
    bench.edges.wallet.answers.eth_call = callContracts(8n);
    await bench.poll(3_000);
    expect(await activityOf(bench)).toMatchObject([
      { status: 'included', inclusion: { success: true, cost: '0x1f4' } },
    ]);
    expect(bench.edges.told).toHaveLength(1);
    expect(await bench.call('eth_getUserOperationReceipt', [hash])).toMatchObject({
      userOpHash: hash,
    });
  });

  it('cannot be replaced as a transaction is, and it is said how', async () => {
    const { call } = await createOperationBench();
    const hash = await call(METHOD, [intent]);
    const replacing = call('tollkeeper_replaceTransaction', [
      hash,
      { action: 'cancel' },
    ]);
    expect(await refusalOf(replacing)).toStrictEqual({
      code: -32602,
      message:
        'tollkeeper_replaceTransaction: params[0] must be the hash of a pending transaction ' +
        'that can be replaced; it is a user operation, in whose place eth_sendUserOperation ' +
        'sends another with its nonce.',
    });
  });
});
