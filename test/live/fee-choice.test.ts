// A choice made in a dialog, over a real chain: what is chosen there is signed, mined and
// shown in the activity.
import type { Hash } from 'viem';

import { approveAll, type Dialog, leaveOpen } from '../../dev/wallet/user';
import { FEE_CHOICE, feeInputs } from '../../src/transaction/fee-section';
import { setupLiveSendBench } from '../support/live-send-bench';
import { until } from '../support/ws-relay';

const live = setupLiveSendBench();

const GWEI = 10n ** 9n;

type Fees = {
  maxFeePerGas: bigint | undefined;
  maxPriorityFeePerGas: bigint | undefined;
};

/** Get the fees that the chain has of a transaction. */
async function minedFees(hash: Hash): Promise<Fees> {
  await live.mine();
  const mined = await live.node.getTransaction({ hash });
  expect(mined.blockNumber).not.toBeNull();
  const { maxFeePerGas, maxPriorityFeePerGas } = mined;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** Read the fees that a dialog shows beside their labels, in wei. */
function shownFees({ text }: Dialog): Fees {
  const read = (label: string): bigint | undefined => {
    const found = new RegExp(`${label}\\s+([\\d.,]+) gwei`, 'u').exec(text)?.[1];
    if (found === undefined) return undefined;
    const [whole = '0', fraction = ''] = found.replaceAll(',', '').split('.');
    return BigInt(whole + fraction.padEnd(9, '0'));
  };
  return {
    maxFeePerGas: read('Max fee'),
    maxPriorityFeePerGas: read('Priority fee'),
  };
}

async function expectInActivity(hash: Hash): Promise<void> {
  await live.poll();
  const [newest] = await live.activity();
  expect(newest).toMatchObject({ hash, status: 'included' });
}

describe('a choice of fees', () => {
  afterEach(() => {
    live.wallet.user.onDialog = approveAll;
  });

  it('of another level is signed as it stood on the screen', async () => {
    let before: Fees | undefined;
    let after: Fees | undefined;
    live.wallet.user.onDialog = async (dialog) => {
      before = shownFees(dialog);
      await dialog.fill(FEE_CHOICE, 'high');
      after = shownFees(dialog);
      await dialog.approve();
    };
    const hash = await live.send();
    expect(after?.maxFeePerGas).toBeGreaterThan(before?.maxFeePerGas ?? 0n);
    expect(await minedFees(hash)).toStrictEqual(after);
    await expectInActivity(hash);
  });

  it('is as typed, once that can be signed', async () => {
    live.wallet.user.onDialog = async (dialog) => {
      await dialog.fill(FEE_CHOICE, 'custom');
      await dialog.fill(feeInputs.maxFeePerGas, '33.5');
      await dialog.fill(feeInputs.maxPriorityFeePerGas, '40');
      // It is above the maximum.
      await expect(dialog.approve()).rejects.toThrow('is disabled');
      expect(JSON.stringify(dialog.content)).toContain('not be above the max fee');
      await dialog.fill(feeInputs.maxPriorityFeePerGas, '2');
      await dialog.approve();
    };
    const hash = await live.send();
    expect(live.wallet.user.errors).toStrictEqual([]);
    expect(await minedFees(hash)).toStrictEqual({
      maxFeePerGas: (335n * GWEI) / 10n,
      maxPriorityFeePerGas: 2n * GWEI,
    });
    await expectInActivity(hash);
  });

  it("is each dialog's own where two are open", async () => {
    const { user } = live.wallet;
    user.onDialog = leaveOpen;
    const opened = user.dialogs.length;
    const sending = [live.send({ value: '0x5' }), live.send({ value: '0x6' })];
    await until(() => user.dialogs.length === opened + 2);
    const dialogs = user.dialogs.slice(opened);
    for (const [index, dialog] of dialogs.entries()) {
      await dialog.fill(FEE_CHOICE, 'custom');
      await dialog.fill(feeInputs.maxFeePerGas, String(30 + index));
      await dialog.fill(feeInputs.maxPriorityFeePerGas, '1');
    }
    const values = dialogs.map(({ text }) =>
      text.includes('000000005 ETH') ? 5n : 6n,
    );
    for (const dialog of [...dialogs].reverse()) await dialog.approve();
    const hashes = await Promise.all(sending);
    await live.mine();
    const mined = await Promise.all(
      hashes.map(async (hash) => live.node.getTransaction({ hash })),
    );
    const chosen = mined.map(({ value, maxFeePerGas }) => [value, maxFeePerGas]);
    expect(new Map(chosen as [bigint, bigint][])).toStrictEqual(
      new Map(values.map((value, index) => [value, (30n + BigInt(index)) * GWEI])),
    );
  });

  it('refused sends nothing', async () => {
    const pool = await live.pool();
    live.wallet.user.onDialog = async (dialog) => {
      await dialog.fill(FEE_CHOICE, 'low');
      await dialog.refuse();
    };
    await expect(live.send()).rejects.toMatchObject({ code: 4001 });
    expect(await live.pool()).toStrictEqual(pool);
  });
});
