// Fees that change while a dialog is open. MetaMask shows an update up to 200 ms late, so users can
// press a button on an outdated screen after the snap sent a newer one.
import type { Json } from '@metamask/utils';

import { FEE_CHOICE, feeInputs } from '../../src/transaction/fee-editor';
import { createCallsBench } from '../support/calls-bench';
import { FEE_ANSWERS } from '../support/fees';
import { withDialog } from '../support/open-dialog';
import type { OpenDialog } from '../support/open-dialog';
import { createSendBench } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { textOf, warningsOf, writeView } from '../support/view';

const GWEI = 10n ** 9n;

/** Base fee of {@link FEE_ANSWERS}. */
const BASE = GWEI;

/** Medium level's maximum fee: 1.7 times the base fee, plus a tip of 1 % of the base fee, at most 1
 * gwei. */
const feeAt = (base: bigint): bigint => {
  const tip = base / 100n;
  return (base * 17n) / 10n + (tip < GWEI ? tip : GWEI);
};

const gwei = (wei: bigint): string => `${Number(wei) / 1e9} gwei`;

function setBaseFee({ edges }: Pick<SendBench, 'edges'>, base: bigint): void {
  const baseFee = `0x${base.toString(16)}`;
  edges.wallet.answers.eth_feeHistory = {
    ...FEE_ANSWERS.eth_feeHistory,
    baseFeePerGas: [baseFee, baseFee, baseFee],
  };
}

const sentFees = ({ signed }: SendBench): (bigint | undefined)[] =>
  signed().map(({ maxFeePerGas }) => maxFeePerGas);

const INPUT = textOf('changed.input');

const WARNING = textOf('changed.warning');

async function pressOutdated(dialog: OpenDialog, change: () => void): Promise<void> {
  const old = dialog.approval();
  change();
  await dialog.refresh();
  expect(dialog.approval()).not.toBe(old);
  await dialog.press(old);
}

describe('the button of an outdated dialog', () => {
  it('asks again if the newer fees are higher, and says what changed', async () => {
    const bench = await createSendBench();
    let notices: string[] = [];
    let shown = '';
    await withDialog(bench.app, bench.send, async (dialog) => {
      await pressOutdated(dialog, () => setBaseFee(bench, 40_000n * GWEI));
      expect(bench.pool.size).toBe(0);
      notices = warningsOf(dialog.content());
      shown = writeView(dialog.content());
    });
    expect(notices[0]).toContain(`${textOf('field.maxFee')}: 1.71 gwei → 68,001 gwei`);
    expect(shown).toContain('68,001 gwei');
    expect(sentFees(bench)).toStrictEqual([feeAt(40_000n * GWEI)]);
  });

  it("asks again if the chain's data fee rises", async () => {
    const bench = await createSendBench();
    let fee = 10n ** 14n;
    bench.edges.wallet.answers.eth_call = (params) => {
      const { data } = params[0] as { data: string };
      const isDataFee = data.startsWith('0x49948e0e');
      return `0x${(isDataFee ? fee : 0n).toString(16).padStart(64, '0')}`;
    };
    bench.edges.wallet.answers.eth_chainId = '0x2105';
    await withDialog(bench.app, bench.send, async (dialog) => {
      await pressOutdated(dialog, () => (fee *= 2n));
      expect(bench.pool.size).toBe(0);
      const [notice] = warningsOf(dialog.content());
      expect(notice).toContain(
        `${textOf('field.maxCost')}: 0.000135910000000001 ETH → 0.000235910000000001 ETH`,
      );
    });
    expect(bench.pool.size).toBe(1);
  });

  it('signs the fees that were shown with it if the newer ones are lower', async () => {
    const bench = await createSendBench();
    await withDialog(bench.app, bench.send, async (dialog) => {
      const old = dialog.approval();
      setBaseFee(bench, BASE / 2n);
      await dialog.refresh();
      expect(writeView(dialog.content())).toContain(gwei(feeAt(BASE / 2n)));
      await dialog.press(old);
      expect(sentFees(bench)).toStrictEqual([]);
    });
    expect(sentFees(bench)).toStrictEqual([feeAt(BASE)]);
  });

  it('signs the fees that were shown with it after several redraws', async () => {
    const bench = await createSendBench();
    await withDialog(bench.app, bench.send, async (dialog) => {
      const old = dialog.approval();
      for (let redraw = 0; redraw < 5; redraw += 1) await dialog.refresh();
      await dialog.press(old);
    });
    expect(sentFees(bench)).toStrictEqual([feeAt(BASE)]);
  });

  it('asks again after the user chose another level', async () => {
    const bench = await createSendBench();
    for (const [level, isSent] of [
      ['high', true],
      ['low', true],
      ['low', false],
    ] as const) {
      await withDialog(bench.app, bench.send, async (dialog) => {
        bench.edges.screens.filled = {};
        const old = dialog.approval();
        await dialog.fill(FEE_CHOICE, level, isSent);
        const count = bench.pool.size;
        await dialog.press(old);
        expect(bench.pool.size).toBe(count);
        expect(warningsOf(dialog.content())).toContain(INPUT);
      });
    }
    expect(sentFees(bench)).toStrictEqual([
      2_100_000_000n,
      1_501_000_000n,
      1_501_000_000n,
    ]);
  });

  it('asks again after the user entered other fees', async () => {
    const bench = await createSendBench();
    await withDialog(bench.app, bench.send, async (dialog) => {
      await dialog.fill(FEE_CHOICE, 'custom');
      await dialog.fill(feeInputs.maxPriorityFeePerGas, '1');
      await dialog.fill(feeInputs.maxFeePerGas, '2');
      const old = dialog.approval();
      await dialog.fill(feeInputs.maxFeePerGas, '20', false);
      await dialog.press(old);
      expect(bench.pool.size).toBe(0);
      expect(warningsOf(dialog.content())).toContain(INPUT);
      await dialog.fill(feeInputs.maxFeePerGas, 'much');
      expect(dialog.canApprove()).toBe(false);
      await dialog.press(dialog.approval());
      await dialog.press(old);
      expect(bench.pool.size).toBe(0);
      await dialog.fill(feeInputs.maxFeePerGas, '20');
    });
    expect(sentFees(bench)).toStrictEqual([20n * GWEI]);
  });

  it('asks again if there is a new warning', async () => {
    const bench = await createSendBench();
    await withDialog(bench.app, bench.send, async (dialog) => {
      await pressOutdated(dialog, () => {
        bench.edges.wallet.answers.eth_getBalance = '0x0';
      });
      expect(bench.pool.size).toBe(0);
      expect(warningsOf(dialog.content())).toContain(WARNING);
    });
    expect(sentFees(bench)).toStrictEqual([feeAt(BASE)]);
  });

  it('asks again for calls that are sent one by one', async () => {
    const bench = await createCallsBench();
    const ask = async (): Promise<Json> => bench.sendCalls();
    await withDialog(bench.app, ask, async (dialog) => {
      await pressOutdated(dialog, () => setBaseFee(bench, 3n * BASE));
      expect(bench.pool.size).toBe(0);
      expect(warningsOf(dialog.content())[0]).toContain(textOf('field.maxCost'));
    });
    expect(sentFees(bench)).toStrictEqual([feeAt(3n * BASE), feeAt(3n * BASE)]);
  });

  it('asks again for a replacement', async () => {
    const bench = await createSendBench();
    const hash = await bench.send();
    const ask = async (): Promise<Json> => bench.replace(hash, { action: 'speedUp' });
    await withDialog(bench.app, ask, async (dialog) => {
      await pressOutdated(dialog, () => setBaseFee(bench, 3n * BASE));
      expect(bench.pool.size).toBe(1);
    });
    expect(sentFees(bench)[1]).toBe(feeAt(3n * BASE));
  });
});

describe('a button that is not in the dialog', () => {
  it.each([
    'approve',
    'approve:',
    'approve:0',
    'approve:99',
    'approve:1e0',
    'approve:-1',
    'approve:1:1',
    'approve:9999999999',
    'page:0:99',
    'page:-1:1',
    'page:99:1',
  ])('signs nothing and leaves the dialog open (%s)', async (name) => {
    const bench = await createSendBench();
    await withDialog(bench.app, bench.send, async (dialog) => {
      await dialog.press(name);
      expect(bench.pool.size).toBe(0);
    });
    expect(sentFees(bench)).toStrictEqual([feeAt(BASE)]);
  });

  it("leaves a message's dialog open, too", async () => {
    const bench = await createSendBench();
    const ask = async (): Promise<Json> =>
      bench.call('personal_sign', ['Hello', bench.address]);
    let drawn: unknown;
    const signature = await withDialog(bench.app, ask, async (dialog) => {
      await dialog.press('approve:7');
      drawn = dialog.content();
    });
    expect(drawn).toBeDefined();
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/u);
  });
});

describe('a dialog whose fields cannot be read', () => {
  it('rejects an approval, and works once they can be read', async () => {
    const bench = await createSendBench();
    await withDialog(bench.app, bench.send, async (dialog) => {
      bench.edges.screens.failure = new Error('The wallet is busy.');
      await expect(dialog.press(dialog.approval())).rejects.toMatchObject({
        code: -32001,
      });
      delete bench.edges.screens.failure;
      setBaseFee(bench, 3n * BASE);
      await dialog.refresh();
      expect(writeView(dialog.content())).toContain(gwei(feeAt(3n * BASE)));
    });
    expect(sentFees(bench)).toStrictEqual([feeAt(3n * BASE)]);
  });
});
