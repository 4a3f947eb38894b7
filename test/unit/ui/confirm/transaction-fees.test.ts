import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { FeeProblem } from '../../../../src/eth/fee-fields';
import type { Hex } from '../../../../src/eth/hex';
import type { Transaction } from '../../../../src/eth/transaction';
import { FEE_CHOICE, feeInputs } from '../../../../src/ui/confirm/fee-section';
import type { FeeSectionView } from '../../../../src/ui/confirm/fee-section';
import { TransactionConfirmation } from '../../../../src/ui/confirm/transaction';
import type { TransactionView } from '../../../../src/ui/confirm/transaction';
import { danger } from '../../../../src/ui/notice';
import { TO } from '../../../support/transactions';
import {
  drawPage,
  elementsOf,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const body = {
  from: FROM as Hex,
  to: TO as Hex | null,
  value: 1_500_000_000_000_000_000n,
  data: '0xa9059cbb' as Hex,
  chainId: 1n,
  nonce: 7n,
  gasLimit: 100_000n,
};

const legacy: Transaction = { ...body, type: '0x0', gasPrice: 20_000_000_001n };

const dynamic: Transaction = {
  ...body,
  type: '0x2',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  accessList: [],
};

const draw = (
  transaction: Transaction,
  about: Partial<TransactionView> = {},
): JSXElement =>
  drawPage(
    TransactionConfirmation({
      translate,
      title: 'transaction.title',
      alerts: [],
      isNonceOpen: false,
      origin: 'https://dapp.example',
      chain: 'eip155:1',
      transaction,
      ...about,
    }),
  );

/** Get what stands beside a label. */
function fieldOf(content: JSXElement, label: string): string | undefined {
  const texts = textsOf(content);
  const index = texts.indexOf(label);
  return index < 0 ? undefined : texts[index + 1];
}

const coins = (amount: string): string => `${amount} ETH`;
const gwei = (amount: string): string => textOf('unit.gwei', { amount });

describe('the cost and the fees of a transaction', () => {
  it('tells what is left afterwards where that is known and not below nothing', () => {
    const left = textOf('field.balanceAfter');
    const balance = 2n * 10n ** 18n;
    expect(fieldOf(draw(dynamic, { balance }), left)).toBe(coins('0.497'));
    expect(textsOf(draw(dynamic, { balance: 10n ** 18n }))).not.toContain(left);
    expect(textsOf(draw(dynamic))).not.toContain(left);
  });

  it('sorts what it does, its cost and what else is known by how bad it is', () => {
    const content = draw(
      { ...legacy, to: `0x${'00'.repeat(20)}` },
      {
        alerts: [{ kind: 'lowFee', fee: 1n, base: 10n ** 9n }, { kind: 'unchecked' }],
        notices: [danger('a look-alike')],
      },
    );
    expect(warningsOf(content)).toStrictEqual([
      textOf('alert.nobody', { value: coins('1.5') }),
      'a look-alike',
      textOf('alert.unchecked'),
      textOf('alert.lowFee', { fee: gwei('0.000000001'), base: gwei('1') }),
    ]);
  });

  it.each(['speedUp', 'cancel'] as const)(
    'says what it is to replace: %s',
    (action) => {
      const hash: Hex = `0x${'ab'.repeat(32)}`;
      const content = draw(dynamic, {
        replacement: { action, hash, transaction: legacy },
      });
      expect(fieldOf(content, textOf('field.replaces'))).toBe(hash);
      expect(fieldOf(content, textOf('field.replacedFee'))).toBe(gwei('20.000000001'));
      expect(warningsOf(content)).toStrictEqual([textOf(`replacement.${action}`)]);
    },
  );

  it('draws fees that can be chosen, and cannot be approved while they are wrong', () => {
    const fees: FeeSectionView = {
      options: [
        { name: 'low', fee: 10n ** 9n, wait: { min: 15_000, max: 60_000 } },
        { name: 'high', fee: 2n * 10n ** 9n },
      ],
      value: 'low',
      inputs: [
        { name: 'maxFeePerGas', value: 'x', problem: { kind: 'malformed' } },
        { name: 'maxPriorityFeePerGas' },
      ],
      source: 'gas-api',
      age: 12_000,
    };
    const content = draw(dynamic, { fees, isUnpriced: true, balance: 10n ** 18n });
    expect(textsOf(content)).toEqual(
      expect.arrayContaining([
        textOf('fee.optionWait', { level: 'Low', fee: gwei('1'), wait: '1 min' }),
        textOf('fee.option', { level: 'High', fee: gwei('2') }),
        textOf('fee.custom'),
        textOf('fee.sourceAge', { source: textOf('source.gasApi'), age: '12 sec' }),
      ]),
    );
    expect(fieldOf(content, textOf('field.maxCost'))).toBe(textOf('fee.unpriced'));
    const props = (type: string): unknown[] =>
      elementsOf(content)
        .filter((each) => each.type === type)
        .map((each) => each.props);
    expect(props('RadioGroup')).toMatchObject([{ name: FEE_CHOICE, value: 'low' }]);
    expect(props('Input')).toStrictEqual([
      { name: feeInputs.maxFeePerGas, type: 'text', value: 'x' },
      { name: feeInputs.maxPriorityFeePerGas, type: 'text' },
    ]);
    expect(props('Field')).toMatchObject([{}, { error: textOf('fee.malformed') }, {}]);
    expect(props('Button')).toMatchObject([{}, { name: 'approve:1', disabled: true }]);
  });

  it.each<[FeeProblem, string]>([
    [{ kind: 'tooLow', least: 10n ** 9n }, textOf('fee.tooLow', { least: gwei('1') })],
    [
      { kind: 'tooHigh', bound: 10n ** 9n },
      textOf('fee.tooHigh', { bound: gwei('1') }),
    ],
    [
      { kind: 'aboveMaximum', maximum: 10n ** 9n },
      textOf('fee.aboveMaximum', { maximum: gwei('1') }),
    ],
  ])('says what is wrong with a fee: %p', (problem, error) => {
    const inputs = [{ name: 'gasPrice' as const, problem }];
    const fees = { options: [], inputs, source: 'gas-price', age: 0 } as const;
    const fields = elementsOf(draw(legacy, { fees })).filter(
      ({ type }) => type === 'Field',
    );
    expect(fields.map(({ props }) => props.error)).toStrictEqual([undefined, error]);
  });
});
