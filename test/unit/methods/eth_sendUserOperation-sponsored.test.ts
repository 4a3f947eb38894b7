import type { Json } from '@metamask/utils';

import { entryPointVersions } from '../../../src/eth/entry-point';
import { askedOf, refuses } from '../../support/fake-node';
import type { RpcFault } from '../../support/fake-node';
import { createOperationBench, ESTIMATE } from '../../support/operation-bench';
import {
  answerOf,
  notPaying,
  packedOf,
  paying,
  PAYMASTER,
} from '../../support/paymaster-answers';
import { refusalOf } from '../../support/refusal';
import { refuse } from '../../support/test-app';
import { TO } from '../../support/transactions';
import { textOf, warningsOf, writeView } from '../../support/view';

const METHOD = 'eth_sendUserOperation';

const intent = { to: TO, value: '0x1', data: '0x' };

/** Estimate what pays itself, and refuse what is sponsored. */
function refusingSponsored(fault: RpcFault): (params: Json[]) => Json {
  return ([operation]) => {
    const isSponsored = Object.hasOwn(operation as object, 'paymaster');
    return isSponsored ? refuses(fault)() : ESTIMATE;
  };
}

describe('an operation that a paymaster pays for', () => {
  it.each(entryPointVersions)('is estimated and sent so, for %s', async (version) => {
    const paymaster = paying(version);
    const bench = await createOperationBench({ version, paymaster });
    await bench.call(METHOD, [intent]);
    expect(bench.estimated()).toMatchObject([
      { paymasterAndData: packedOf(version, '00') },
    ]);
    expect(bench.sent()).toMatchObject([{ paymasterAndData: packedOf(version, '12') }]);
    const view = writeView(bench.shown());
    expect(view).toContain('Patron');
    expect(view).toContain(PAYMASTER);
    expect(askedOf(bench.paymaster)).toStrictEqual([
      'pm_getPaymasterStubData',
      'pm_getPaymasterData',
    ]);
    const [{ params = [] } = {}] = bench.paymaster.calls;
    expect(params.slice(2)).toStrictEqual(['0x1', { plan: 7 }]);
  });

  it('is not asked for again where the first answer was final', async () => {
    const stub = { ...answerOf('0.7', '34'), isFinal: true };
    const bench = await createOperationBench({
      paymaster: { pm_getPaymasterStubData: stub },
    });
    await bench.call(METHOD, [intent]);
    expect(askedOf(bench.paymaster)).toStrictEqual(['pm_getPaymasterStubData']);
    expect(bench.sent()).toMatchObject([{ paymasterAndData: packedOf('0.7', '34') }]);
  });

  it('is paid for once, with the nonce that it is sent with', async () => {
    const bench = await createOperationBench({ paymaster: paying() });
    await Promise.all([bench.call(METHOD, [intent]), bench.call(METHOD, [intent])]);
    const nonces = bench.sent().map(({ nonce }) => nonce);
    expect(nonces).toStrictEqual(['0x7', '0x10000000000000007']);
    const asked = bench.paymaster.calls
      .filter(({ method }) => method === 'pm_getPaymasterData')
      .map(({ params }) => (params[0] as { nonce: string }).nonce);
    expect(asked).toStrictEqual(nonces);
  });

  it.each<[string, Json]>([
    ['it says so', { selfSponsored: true, params: [intent] }],
    ['its data say so', [{ callData: '0x', paymasterAndData: '0x' }]],
  ])('pays itself where %s', async (_where, params) => {
    const bench = await createOperationBench({ paymaster: paying() });
    await bench.call(METHOD, params);
    expect(askedOf(bench.paymaster)).toStrictEqual([]);
    expect(bench.sent()).toMatchObject([{ paymasterAndData: '0x' }]);
  });
});

describe('a paymaster that does not pay', () => {
  it.each(notPaying)(
    '$how: its user sees why, and can pay',
    async ({ paymaster, node, words }) => {
      const bench = await createOperationBench({ paymaster, node });
      await bench.call(METHOD, [intent]);
      expect(warningsOf(bench.shown()[0]).join('\n')).toContain(words);
      expect(writeView(bench.shown())).toContain(textOf('self'));
      expect(bench.sent()).toMatchObject([{ paymasterAndData: '0x' }]);
    },
  );

  it.each(notPaying)('$how: nothing is sent where they refuse', async (row) => {
    const { paymaster, node } = row;
    const bench = await createOperationBench({ paymaster, node });
    bench.edges.dialogs.answer = refuse;
    expect(await refusalOf(bench.call(METHOD, [intent]))).toHaveProperty('code', 4001);
    expect(bench.sent()).toStrictEqual([]);
  });

  it.each([
    ['by its code', { code: -32501, message: 'no' }],
    ['by the words of another', { code: -32500, message: 'AA33 reverted: too short' }],
  ])('the bundler finds, %s: its user sees why, and can pay', async (_how, fault) => {
    const bundler = { eth_estimateUserOperationGas: refusingSponsored(fault) };
    const bench = await createOperationBench({ paymaster: paying(), bundler });
    await bench.call(METHOD, [intent]);
    expect(warningsOf(bench.shown()[0]).join('\n')).toContain(fault.message);
    expect(writeView(bench.shown())).toContain(textOf('self'));
    expect(bench.sent()).toMatchObject([{ paymasterAndData: '0x' }]);
    expect(askedOf(bench.paymaster)).toStrictEqual(['pm_getPaymasterStubData']);
  });

  it.each([
    { code: -32521, message: 'reverted' },
    { code: -32000, message: 'busy' },
  ])('is not at fault for what else the bundler refuses: $code', async (fault) => {
    const bundler = { eth_estimateUserOperationGas: refusingSponsored(fault) };
    const bench = await createOperationBench({ paymaster: paying(), bundler });
    expect(await refusalOf(bench.call(METHOD, [intent]))).toHaveProperty(
      'code',
      fault.code,
    );
    expect(bench.shown()).toStrictEqual([]);
  });
});
