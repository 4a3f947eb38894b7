// The dialog of a transaction, drawn by the built snap, with every button and field used.
import type { Json } from '@metamask/utils';
import { parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { FEE_CHOICE, feeInputs } from '../../src/transaction/fee-editor';
import { FEE_ANSWERS } from '../support/fees';
import { DAPP, installBench, press, resultIn } from '../support/snap-bench';
import type { Answer, SnapBench } from '../support/snap-bench';
import { TO } from '../support/transactions';
import { namesOf, textOf, writeView } from '../support/view';

const node: Record<string, Json> = {
  eth_chainId: '0x1',
  eth_getTransactionCount: '0x5',
  eth_estimateGas: '0x5208',
  eth_getBalance: '0x8ac7230489e80000',
  ...FEE_ANSWERS,
};

type Open = Awaited<
  ReturnType<ReturnType<SnapBench['snap']['request']>['getInterface']>
>;

async function setup() {
  const bench = await installBench();
  for (const [method, result] of Object.entries(node)) {
    bench.snap.mockJsonRpc({ method, result });
  }
  const { address } = await bench.create();
  await bench.confirm('eth_requestAccounts');
  return {
    /** Has a transfer of 1 wei signed, and does something with its dialog, which can be had as
     * it is by then. */
    sign: async (
      use: (dialog: Open, now: () => Promise<Open>) => Promise<void>,
      fields: Record<string, Json> = {},
    ) => {
      const asking = bench.snap.request({
        origin: DAPP,
        method: 'eth_signTransaction',
        params: [{ from: address, to: TO, value: '0x1', ...fields }],
      });
      await use(await asking.getInterface(), async () => asking.getInterface());
      const { response } = await asking;
      return JSON.parse(JSON.stringify(response)) as Answer;
    },
  };
}

/** Presses the button of the current screen. */
async function approve(dialog: Open): Promise<void> {
  await press(dialog, 'approve');
}

const feesIn = (answer: Answer): object => {
  const { raw } = resultIn(answer) as { raw: Hex };
  const { maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw);
  return { maxFeePerGas, maxPriorityFeePerGas };
};

describe('the dialog of a transaction', () => {
  it('shows what it does and costs, and is signed at the level of the settings', async () => {
    const { sign } = await setup();
    let view = '';
    const answer = await sign(async (dialog) => {
      view = writeView(dialog.content);
      await approve(dialog);
    });
    for (const part of [DAPP, TO, 'Ethereum', '0.000000000000000001 ETH']) {
      expect(view).toContain(part);
    }
    expect(view).toContain(textOf('source.feeHistory'));
    expect(feesIn(answer)).toStrictEqual({
      maxFeePerGas: 1_710_000_000n,
      maxPriorityFeePerGas: 10_000_000n,
    });
  });

  it.each([
    ['low', { maxFeePerGas: 1_501_000_000n, maxPriorityFeePerGas: 1_000_000n }],
    ['medium', { maxFeePerGas: 1_710_000_000n, maxPriorityFeePerGas: 10_000_000n }],
    ['high', { maxFeePerGas: 2_100_000_000n, maxPriorityFeePerGas: 100_000_000n }],
  ])('has the level %s chosen', async (level, fees) => {
    const { sign } = await setup();
    const answer = await sign(async (dialog, now) => {
      await dialog.selectFromRadioGroup(FEE_CHOICE, level);
      await approve(await now());
    });
    expect(feesIn(answer)).toStrictEqual(fees);
  });

  it('takes typed fees, with errors beside the field', async () => {
    const { sign } = await setup();
    const answer = await sign(async (dialog, now) => {
      await dialog.selectFromRadioGroup(FEE_CHOICE, 'custom');
      const fields = await now();
      expect(namesOf(fields.content, 'Input')).toStrictEqual([
        feeInputs.maxFeePerGas,
        feeInputs.maxPriorityFeePerGas,
      ]);
      await fields.typeInField(feeInputs.maxFeePerGas, 'much');
      const wrong = await now();
      expect(writeView(wrong.content)).toContain(textOf('fee.unpriced'));
      expect(JSON.stringify(wrong.content)).toContain(textOf('fee.malformed'));
      await wrong.typeInField(feeInputs.maxFeePerGas, '2');
      await (await now()).typeInField(feeInputs.maxPriorityFeePerGas, '1');
      await approve(await now());
    });
    expect(feesIn(answer)).toStrictEqual({
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    });
  });

  it('has a gas price typed where there is no other fee', async () => {
    const { sign } = await setup();
    const answer = await sign(
      async (dialog, now) => {
        await dialog.selectFromRadioGroup(FEE_CHOICE, 'custom');
        const fields = await now();
        expect(namesOf(fields.content, 'Input')).toStrictEqual([feeInputs.gasPrice]);
        await fields.typeInField(feeInputs.gasPrice, '2.5');
        await approve(await now());
      },
      { type: '0x0' },
    );
    const { raw } = resultIn(answer) as { raw: Hex };
    expect(parseTransaction(raw).gasPrice).toBe(2_500_000_000n);
  });
});
