// The fees of transactions while their dialog is open. They follow the user's choice and the
// market. Each snapshot holds the transactions that it shows.
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

import type { DialogValues } from '../core/dialog';
import type { SigningTask, Transaction } from '../core/payload';
import { feesOf as listFees } from '../core/transaction';
import type { FeeField } from '../core/transaction';
import { toCaip2 } from '../eth/chain';
import { larger, sum } from '../eth/hex';
import { maxCostOf, maxPriceOf } from '../eth/transaction';
import type { FeeName, FeeProblem, TypedFees } from '../eth/transaction';
import { weiToGwei } from '../eth/units';
import { feesOf, priceAsTyped, priceAtLevel } from '../fees/fee-choice';
import type { FeeChoice, FeeSubject, Priced } from '../fees/fee-choice';
import { dataFeeOf } from '../fees/guard-rails';
import type { Measures } from '../fees/guard-rails';
import { ageOf } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import { writeWorth } from '../review/screen/changes';
import type { AmountContext } from '../review/screen/changes';
import type { Confirmation, Cost, Draw, Snapshot } from '../sites/consent';
import { Field } from '../ui/components';
import { toShownCoins, toShownCount, toShownDuration, toShownFee } from '../ui/format';
import { levelNames, writeSource } from '../ui/i18n';
import type { LevelName, ShownSource, TextKey, Translate } from '../ui/i18n';

/** How often the market is polled while a dialog is open, in ms. */
const REFRESH_MS = 10_000;

export type FeeEditing = {
  /** At least one transaction. All of them leave the same fee fields open. */
  subjects: readonly FeeSubject[];
  /** The fee level at which the transactions were filled in. */
  level: LevelName;
  /** Undefined only if no fee is open. */
  levels: FeeLevels | undefined;
  measures: Measures | undefined;
  /** Native currency that leaves the account, in wei, if the transactions' values do not show
   * it. */
  value?: bigint;
  /** Measures again. Resolves to undefined if there is no chain, or no answer in time. */
  remeasure: () => Promise<Measures | undefined>;
  now: () => number;
};

type PricedTransactions = {
  transactions: readonly Transaction[];
  measures: Measures | undefined;
  /** Undefined if nothing can be chosen. */
  fees: FeeSectionView | undefined;
  /** Whether the typed fees are invalid. */
  isUnpriced: boolean;
};

type State = {
  levels: FeeLevels;
  measures: Measures | undefined;
  choice: FeeChoice;
  /** The last valid transactions. */
  transactions: readonly Transaction[];
  /** The dialog's fee fields. Undefined before the first snapshot. */
  inputs: readonly FeeName[] | undefined;
};

type ToDrawing = (priced: PricedTransactions) => {
  tasks: readonly SigningTask[];
  draw: Draw;
  warnings: readonly string[];
};

/** Creates a dialog in which the user can choose the fees that the caller left out. Unless typed,
 * they follow the market until the approval, which covers the fees that the snapshot shows. */
export function createFeeConfirmation(
  editing: FeeEditing,
  toDrawing: ToDrawing,
): Confirmation {
  const { subjects, level, levels, measures, value } = editing;
  const transactions = subjects.map(({ transaction }) => transaction);
  const open = subjects[0]?.open ?? [];
  if (!levels || open.length === 0) {
    const fixed = { transactions, measures, fees: undefined, isUnpriced: false };
    return {
      takeSnapshot: () => ({
        ...toDrawing(fixed),
        costs: listCosts({ transactions, measures, value }),
      }),
    };
  }
  const choice: FeeChoice = { name: level, typed: {} };
  const state: State = { levels, measures, choice, transactions, inputs: undefined };
  return {
    takeSnapshot: () => takeSnapshot(state, editing, toDrawing),
    onInput: ({ name, value }) => {
      const before = state.choice;
      state.choice = readChoice({ [name]: value }, before, { ...state, open });
      return !isSameChoice(state.choice, before);
    },
    refresh: {
      everyMs: REFRESH_MS,
      run: async () => {
        const found = await editing.remeasure();
        if (found) Object.assign(state, { measures: found, levels: found.levels });
      },
    },
  };
}

function takeSnapshot(
  state: State,
  { subjects, value, now }: FeeEditing,
  toDrawing: ToDrawing,
): Snapshot {
  const { levels, choice, measures, inputs: before } = state;
  const open = subjects[0]?.open ?? [];
  const { name, typed } = choice;
  const priced = subjects.map((subject): Priced =>
    name === 'custom'
      ? priceAsTyped(subject, typed)
      : { transaction: priceAtLevel(subject, levels, name) },
  );
  const [problems] = priced.flatMap((each) =>
    'problems' in each ? [each.problems] : [],
  );
  const found = problems
    ? undefined
    : priced.flatMap((each) => ('transaction' in each ? [each.transaction] : []));
  const transactions = found ?? state.transactions;
  const inputs = name === 'custom' ? open : [];
  const fees: FeeSectionView = {
    options: levelNames.map((level) => ({
      name: level,
      fee: subjects
        .map((subject) => maxPriceOf(priceAtLevel(subject, levels, level)))
        .reduce(larger, 0n),
      wait: levels.market?.waits[level],
    })),
    // Setting the value again would undo the user's input.
    value: before ? undefined : name,
    inputs: inputs.map((input) => ({
      name: input,
      value: before?.includes(input) ? undefined : (typed[input] ?? ''),
      problem: problems?.[input],
    })),
    source: levels.source,
    passedOver: levels.passedOver,
    age: ageOf(levels, now()),
  };
  Object.assign(state, { transactions, inputs });
  return {
    ...toDrawing({ transactions, measures, fees, isUnpriced: found === undefined }),
    costs: listCosts({ transactions, measures, value }),
    isShown: (values) => {
      state.choice = readChoice(values, choice, { open, transactions });
      return found !== undefined && isSameChoice(state.choice, choice);
    },
  };
}

// The costs of transactions on one chain: the maximum first, then each transaction's fees and gas
// limit.
function listCosts({
  transactions,
  measures,
  value = sum(transactions.map((each) => each.value)),
}: {
  transactions: readonly Transaction[];
  measures: Measures | undefined;
  value: bigint | undefined;
}): Cost[] {
  const fee = sum(transactions.map((each) => maxCostOf(each) - each.value));
  const amount = value + fee + dataFeeOf(transactions, measures);
  const chain = transactions[0] && toCaip2(transactions[0].chainId);
  return [
    {
      label: 'field.maxCost',
      amount,
      write: (each, translate) => toShownCoins(each, translate, chain),
    },
    ...transactions.flatMap((transaction): Cost[] => [
      ...listFees(transaction).map(([name, fee]): Cost => {
        return { label: feeLabels[name], amount: fee, write: toShownFee };
      }),
      { label: 'field.gasLimit', amount: transaction.gasLimit, write: toShownCount },
    ]),
  ];
}

/** A missing value keeps its last state. Typed fees start with those of the transactions. */
function readChoice(
  values: DialogValues,
  before: FeeChoice,
  {
    open,
    transactions,
  }: { open: readonly FeeName[]; transactions: State['transactions'] },
): FeeChoice {
  const chosen = [...levelNames, 'custom'].find((name) => name === values[FEE_CHOICE]);
  const name = (chosen ?? before.name) as FeeChoice['name'];
  if (name !== 'custom') return { name, typed: before.typed };
  const start = before.name === 'custom' ? before.typed : toTyped(open, transactions);
  const typed = open.map((each) => {
    const value = values[feeInputs[each]];
    return [each, typeof value === 'string' ? value : (start[each] ?? '')];
  });
  return { name, typed: Object.fromEntries(typed) as TypedFees };
}

function isSameChoice(one: FeeChoice, other: FeeChoice): boolean {
  if (one.name !== other.name) return false;
  if (one.name !== 'custom') return true;
  const names = Object.keys(one.typed) as FeeName[];
  return names.every((name) => one.typed[name] === other.typed[name]);
}

function toTyped(
  open: readonly FeeName[],
  transactions: readonly Transaction[],
): TypedFees {
  const fees = transactions.map(feesOf);
  const typed = open.map((name) => {
    const highest = fees.map((each) => each[name] ?? 0n).reduce(larger, 0n);
    return [name, weiToGwei(highest)];
  });
  return Object.fromEntries(typed) as TypedFees;
}

/** Name of the level field in events and values. */
export const FEE_CHOICE = 'fee.choice';

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

type FeeOption = {
  name: keyof typeof optionLabels;
  /** Maximum price of a unit of gas, in wei. */
  fee: bigint;
  /** Time until inclusion in ms, if the market is known. */
  wait?: { min: number; max: number } | undefined;
};

type FeeInput = {
  name: FeeName;
  /** Initial value, in gwei. An existing field keeps its text. */
  value?: string | undefined;
  problem?: FeeProblem | undefined;
};

export type FeeSectionView = ShownSource & {
  options: readonly FeeOption[];
  /** Initial choice. Setting it again would undo the user's choice. */
  value?: FeeOption['name'] | 'custom' | undefined;
  inputs: readonly FeeInput[];
  /** Age of the levels, in ms. */
  age: number;
};

/** `gas` is the total gas limit. */
export function drawFeeSection(
  { options, value, inputs }: FeeSectionView,
  gas: bigint,
  money: AmountContext,
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
  money: AmountContext,
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
