import type { Json } from '@metamask/utils';
import { parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { refusalOf } from '../../support/refusal';
import { createSendBench, RECIPIENT } from '../../support/send-bench';
import type { SendBench } from '../../support/send-bench';
import { writeView } from '../../support/view';

const ROOT = 'tollkeeper_replaceTransaction: params';

async function setup(fields: Record<string, Json> = {}): Promise<
  SendBench & {
    hash: Json;
    replace: (options: Json) => Promise<Json>;
    sent: (hash: Json) => ReturnType<typeof parseTransaction>;
  }
> {
  const bench = await createSendBench();
  const hash = await bench.send(fields);
  return {
    ...bench,
    hash,
    replace: async (options) =>
      bench.call('tollkeeper_replaceTransaction', [hash, options]),
    sent: (each) => parseTransaction(bench.pool.get(each as Hex) as Hex),
  };
}

describe('tollkeeper_replaceTransaction', () => {
  it('speeds up by a tenth at least, and changes nothing else', async () => {
    const { hash, replace, sent } = await setup({ data: '0xa9059cbb', gas: 50_000 });
    const before = sent(hash);
    const after = sent(await replace({ action: 'speedUp' }));
    const fees = { maxFeePerGas: 1_485_000_003n, maxPriorityFeePerGas: 3n };
    const { r, s, v, yParity, ...same } = before;
    expect(after).toMatchObject({ ...same, ...fees });
    expect([r, s, v, yParity]).not.toStrictEqual([
      after.r,
      after.s,
      after.v,
      after.yParity,
    ]);
  });

  it('cancels by sending nothing to oneself', async () => {
    const { replace, sent, address } = await setup({ data: '0xa9059cbb', gas: 50_000 });
    const after = sent(await replace({ action: 'cancel' }));
    expect(after).toMatchObject({ nonce: 5, to: address, gas: 21_000n });
    expect([after.value ?? 0n, after.data ?? '0x']).toStrictEqual([0n, '0x']);
  });

  it('takes the fees of now where they are higher', async () => {
    const { replace, sent } = await setup({
      maxFeePerGas: '0x2',
      maxPriorityFeePerGas: '0x1',
    });
    expect(sent(await replace({ action: 'speedUp' }))).toMatchObject({
      maxFeePerGas: 1_350_000_002n,
      maxPriorityFeePerGas: 2n,
    });
  });

  it('takes fees that are given', async () => {
    const { replace, sent } = await setup();
    const fees = { maxFeePerGas: '2000000000', maxPriorityFeePerGas: '0x10' };
    expect(sent(await replace({ action: 'speedUp', ...fees }))).toMatchObject({
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 16n,
    });
  });

  it('replaces a gas price by a gas price', async () => {
    const { replace, sent } = await setup({ gasPrice: 5_000_000_000 });
    const after = sent(await replace({ action: 'cancel' }));
    expect(after).toMatchObject({ type: 'legacy', gasPrice: 5_500_000_000n });
  });

  it.each<[Json, string]>([
    [
      { action: 'speedUp', maxFeePerGas: '0x1' },
      '[1].maxFeePerGas must be at least 0x58834d43: a tenth above that of the transaction that is to be replaced.',
    ],
    [
      { action: 'speedUp', maxPriorityFeePerGas: 2 },
      '[1].maxPriorityFeePerGas must be at least 0x3: a tenth above that of the transaction that is to be replaced.',
    ],
    [
      { action: 'cancel', gasPrice: '0x1' },
      '[1].gasPrice is not expected here: the pending transaction has maxFeePerGas and maxPriorityFeePerGas.',
    ],
    [
      {
        action: 'speedUp',
        maxFeePerGas: 2_000_000_000,
        maxPriorityFeePerGas: 3_000_000_000,
      },
      '[1].maxFeePerGas must be at least 0xb2d05e00, the priority fee.',
    ],
    [{ action: 'drop' }, '[1].action must be one of "speedUp", "cancel".'],
    [{}, '[1].action is missing: it must be one of "speedUp", "cancel".'],
    [{ action: 'cancel', gas: '0x1' }, '[1].gas is not expected here.'],
  ])('refuses %j, and sends nothing', async (options, reason) => {
    const { replace, pool } = await setup();
    expect(await refusalOf(replace(options))).toStrictEqual({
      code: -32602,
      message: `${ROOT}${reason}`,
    });
    expect(pool.size).toBe(1);
  });

  it('raises the maximum to a priority fee that is given', async () => {
    const { replace, sent } = await setup();
    const fee = { maxPriorityFeePerGas: 3_000_000_000 };
    expect(sent(await replace({ action: 'speedUp', ...fee }))).toMatchObject({
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 3_000_000_000n,
    });
  });

  it('shows which of the two it is', async () => {
    const { replace, edges } = await setup();
    await replace({ action: 'cancel' });
    const view = writeView(edges.dialogs.shown.slice(-1));
    expect(view).toContain('Cancel a transaction');
    expect(view).not.toContain(RECIPIENT);
  });

  it('refuses what is pending no more', async () => {
    const { hash, replace, mine, poll } = await setup();
    mine(hash);
    await poll(3_000);
    expect(await refusalOf(replace({ action: 'cancel' }))).toStrictEqual({
      code: -32602,
      message: `${ROOT}[0] must be the hash of a pending transaction that can be replaced; it is included.`,
    });
  });

  it('tells of the one that was replaced when the other is included', async () => {
    const { hash, replace, mine, poll, edges, pool } = await setup();
    const after = await replace({ action: 'speedUp' });
    pool.delete(hash as Hex);
    mine(after);
    await poll(3_000);
    const { activity } = edges.backend.document as {
      activity: Record<string, Record<string, Json>>;
    };
    expect(activity[after as string]).toMatchObject({
      status: 'included',
      replaces: hash,
    });
    expect(activity[hash as string]).toMatchObject({
      status: 'replaced',
      replacedBy: after,
    });
    expect(edges.told).toStrictEqual([
      "2 transactions were settled, 1 of them not as hoped. Tollkeeper's page lists them.",
    ]);
  });
});
