import type { Json } from '@metamask/utils';

import { entryPoints } from '../../../src/eth/entry-point';
import { createOperationBench } from '../../support/operation-bench';
import { refusalOf } from '../../support/refusal';
import { TO } from '../../support/transactions';
import { textOf, warningsOf } from '../../support/view';

const METHOD = 'eth_sendUserOperation';

const intent = { to: TO, value: '0x1', data: '0x' };

describe('params of eth_sendUserOperation', () => {
  it.each<[string, Json]>([
    ['none', []],
    ['neither an intent nor an operation', [{ callGasLimit: '0x1' }]],
    ['a third one', [{ callData: '0x' }, entryPoints['0.7'].entryPoint, 7]],
    ['another entry point', [{ callData: '0x' }, entryPoints['0.6'].entryPoint]],
    ['a field too much', [{ callData: '0x', more: 1 }]],
    ['a nonce key beyond its bits', { nonceKey: `0x1${'0'.repeat(48)}`, params: [] }],
    ['no array', { selfSponsored: 'yes', params: [intent] }],
    ['101 intents', Array<Json>(101).fill(intent)],
  ])('are refused: %s', async (_what, params) => {
    const bench = await createOperationBench();
    expect(await refusalOf(bench.call(METHOD, params))).toHaveProperty('code', -32602);
    expect(bench.shown()).toHaveLength(0);
  });

  it('say what the operation is to do', async () => {
    const { call, address } = await createOperationBench();
    expect(await refusalOf(call(METHOD, [{ sender: address }]))).toStrictEqual({
      code: -32602,
      message: 'callData is missing: what is the operation to do?',
    });
  });

  it('take no nonce key where there is none', async () => {
    const { call } = await createOperationBench();
    const params = { nonceKey: '0x1', params: ['0x', TO] };
    expect(await refusalOf(call('personal_sign', params))).toStrictEqual({
      code: -32602,
      message: 'personal_sign: params.nonceKey is not expected here.',
    });
  });

  it('say who sends: it must be granted', async () => {
    const { call } = await createOperationBench();
    const refusal = await refusalOf(call(METHOD, [{ sender: TO, callData: '0x' }]));
    expect(refusal).toHaveProperty('code', 4100);
  });

  it('can carry calls that nobody can read', async () => {
    const bench = await createOperationBench();
    await bench.call(METHOD, [{ callData: '0x12345678' }]);
    expect(warningsOf(bench.shown()[0])).toContain(textOf('alert.opaque'));
    expect(await bench.app.services.ledger.list()).toMatchObject([
      { to: null, value: '0x0' },
    ]);
  });
});
