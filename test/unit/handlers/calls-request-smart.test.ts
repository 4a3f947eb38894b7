// What a site is told of calls of a smart account (EIP-5792): of the user operation alone,
// whatever else the transaction did that carried it.
import type { Json } from '@metamask/utils';

import { callReceiptOf, createCallsBench, LOG } from '../../support/calls-bench';
import type { CallsBench } from '../../support/calls-bench';
import { RECEIPT } from '../../support/receipts';

/** One user operation with two transfers. */
async function setup(): Promise<CallsBench & { hash: `0x${string}` }> {
  const bench = await createCallsBench();
  await bench.sendCalls({ id: 'mine', from: bench.smart.address });
  const hash = bench.batches()[0]?.hashes[0] ?? '0x';
  // The EntryPoint's next nonce: the operation has used the one before.
  const count = `0x${'1'.padStart(64, '0')}`;
  bench.edges.wallet.answers.eth_call = count;
  return { ...bench, hash };
}

describe('the status of calls of a smart account', () => {
  const told = { version: '2.0.0', id: 'mine', chainId: '0x1', atomic: true };

  it('is pending while the operation is', async () => {
    const { status } = await setup();
    expect(await status('mine')).toStrictEqual({ ...told, status: 100 });
  });

  it.each([
    [true, 200, '0x1'],
    [false, 500, '0x0'],
  ])(
    'has the success (%j) and the logs of the operation',
    async (success, code, own) => {
      const { status, include, hash } = await setup();
      include(hash, { success });
      const { address, data, topics } = LOG;
      const receipt = {
        ...callReceiptOf(RECEIPT.transactionHash, own),
        logs: [{ address, data, topics }],
      };
      const answer = { ...told, status: code, receipts: [receipt] };
      expect(await status('mine')).toStrictEqual(answer);
    },
  );

  it('leaves out what is no log, and says what is known of the gas', async () => {
    const { status, include, hash } = await setup();
    const { gasUsed: gas, ...receipt } = RECEIPT;
    expect(gas).not.toBe('0x64');
    include(hash, { receipt, logs: [1, LOG] });
    const { receipts } = (await status('mine')) as {
      receipts: { logs: Json[]; gasUsed: string }[];
    };
    expect(receipts[0]?.logs).toHaveLength(1);
    expect(receipts[0]?.gasUsed).toBe('0x64');
  });

  it('is asked of the bundler for what is not remembered', async () => {
    const { status, include, hash, app } = await setup();
    await app.services.store.update((state) => ({ ...state, activity: {} }));
    expect(await status('mine')).toStrictEqual({ ...told, status: 400 });
    include(hash);
    expect(await status('mine')).toHaveProperty('status', 200);
  });
});
