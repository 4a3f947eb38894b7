import type { Json } from '@metamask/utils';

import { askedOf } from '../../support/fake-node';
import { createOperationBench } from '../../support/operation-bench';
import { operationOf } from '../../support/operations';
import { notPayingAtLast, packedOf, paying } from '../../support/paymaster-answers';
import { refusalOf } from '../../support/refusal';

describe('eth_patchUserOperation with a paymaster', () => {
  const operation = (sender: string, paymasterAndData: string): Json =>
    operationOf(sender, { paymasterAndData });

  it('puts its data where the stub was', async () => {
    const { call, address } = await createOperationBench({ paymaster: paying() });
    const draft = operation(address, packedOf('0.7', '00'));
    expect(await call('eth_patchUserOperation', [draft])).toStrictEqual({
      paymasterAndData: packedOf('0.7', '12'),
    });
  });

  it('asks nobody for an operation that pays itself', async () => {
    const bench = await createOperationBench({ paymaster: paying() });
    const draft = operation(bench.address, '0x');
    expect(await bench.call('eth_patchUserOperation', [draft])).toStrictEqual({
      paymasterAndData: '0x',
    });
    expect(askedOf(bench.paymaster)).toStrictEqual([]);
  });

  it('keeps a paymaster that is not ours to ask', async () => {
    const { call, address } = await createOperationBench();
    const paymasterAndData = packedOf('0.7', '99');
    const draft = operation(address, paymasterAndData);
    expect(await call('eth_patchUserOperation', [draft])).toStrictEqual({
      paymasterAndData,
    });
  });

  it.each(notPayingAtLast)('tells it: $how', async ({ paymaster, node, words }) => {
    const { call, address } = await createOperationBench({ paymaster, node });
    const draft = operation(address, packedOf('0.7', '00'));
    const { message } = await refusalOf(call('eth_patchUserOperation', [draft]));
    expect(message).toContain(words);
  });
});
