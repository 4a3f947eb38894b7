// The fees of a transaction, where the user can choose them: a level that follows the market
// until it is approved, or fees as typed.
import {
  CollapsibleSection,
  Field as FormField,
  Input,
  Radio,
  RadioGroup,
} from '@metamask/snaps-sdk/jsx';
import type {
  CollapsibleSectionElement,
  FieldElement,
  GenericSnapElement,
  RowElement,
} from '@metamask/snaps-sdk/jsx';

import type { FeeField, FeeName, FeeProblem } from '../eth/transaction';
import { writeWorth } from '../review/screen/changes';
import type { Money } from '../review/screen/changes';
import { Field } from '../ui/components';
import { toShownDuration, toShownFee } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { writeSource } from '../ui/words';
import type { ShownSource } from '../ui/words';

/** Name of the choice between levels, as events and values carry it. */
export const FEE_CHOICE = 'fee.choice';

/** Names of the fields for fees, as events and values carry them. */
export const feeInputs: Record<FeeName, string> = {
  gasPrice: 'fee.gasPrice',
  maxFeePerGas: 'fee.maxFeePerGas',
  maxPriorityFeePerGas: 'fee.maxPriorityFeePerGas',
};

export const feeLabels: Record<FeeField, TextKey> = {
  gasPrice: 'field.gasPrice',
  maxFeePerGas: 'field.maxFee',
  maxPriorityFeePerGas: 'field.priorityFee',
  maxFeePerBlobGas: 'field.maxBlobFee',
};

const optionLabels = {
  low: 'fee.low',
  medium: 'fee.medium',
  high: 'fee.high',
} as const satisfies Record<string, TextKey>;

export type FeeOption = {
  name: keyof typeof optionLabels;
  /** What a unit of gas costs at most, in wei. */
  fee: bigint;
  /** Time until inclusion in ms, if the market is known. */
  wait?: { min: number; max: number } | undefined;
};

export type FeeInput = {
  name: FeeName;
  /** Initial value, in gwei; an existing field keeps its text. */
  value?: string | undefined;
  problem?: FeeProblem | undefined;
};

export type FeeSectionView = ShownSource & {
  options: readonly FeeOption[];
  /** Initial choice; set again, it would undo the user's choice. */
  value?: FeeOption['name'] | 'custom' | undefined;
  /** Fields for the fees, where the user types them. */
  inputs: readonly FeeInput[];
  /** How old the levels are, in ms. */
  age: number;
};

/** Draws the choice of fees: each level by what it costs at most, and how long it takes. `gas` is
 * all that is paid for. */
export function drawFeeSection(
  { options, value, inputs }: FeeSectionView,
  gas: bigint,
  money: Money,
): CollapsibleSectionElement {
  const { translate } = money;
  const fields = [
    <FormField label={translate('fee.title')}>
      <RadioGroup name={FEE_CHOICE} {...(value !== undefined && { value })}>
        {options.map((option) => (
          <Radio value={option.name}>{writeOption(option, gas, money)}</Radio>
        ))}
        <Radio value="custom">{translate('fee.custom')}</Radio>
      </RadioGroup>
    </FormField>,
    ...inputs.map((input) => drawInput(input, translate)),
  ];
  return (
    <CollapsibleSection label={translate('fee.change')} isExpanded={inputs.length > 0}>
      {fields as GenericSnapElement[]}
    </CollapsibleSection>
  );
}

export function drawFeeSource(view: FeeSectionView, translate: Translate): RowElement {
  const source = writeSource(view, translate);
  const age = toShownDuration(view.age, translate);
  const value = translate('fee.sourceAge', { source, age });
  return <Field label={translate('fee.source')} value={value} />;
}

function writeOption(
  { name, fee, wait }: FeeOption,
  gas: bigint,
  money: Money,
): string {
  const { translate } = money;
  const level = translate(optionLabels[name]);
  const shown = { level, fee: writeWorth(fee * gas, money) };
  if (!wait) return translate('fee.option', shown);
  const longest = toShownDuration(wait.max, translate);
  return translate('fee.optionWait', { ...shown, wait: longest });
}

function drawInput(
  { name, value, problem }: FeeInput,
  translate: Translate,
): FieldElement {
  return (
    <FormField
      label={translate('fee.inGwei', { fee: translate(feeLabels[name]) })}
      {...(problem && { error: writeProblem(problem, translate) })}
    >
      <Input
        name={feeInputs[name]}
        type="text"
        {...(value !== undefined && { value })}
      />
    </FormField>
  );
}

function writeProblem({ kind, ...amounts }: FeeProblem, translate: Translate): string {
  const values = Object.entries(amounts).map(([name, amount]: [string, bigint]) => [
    name,
    toShownFee(amount, translate),
  ]);
  return translate(`fee.${kind}`, Object.fromEntries(values) as Record<string, string>);
}
