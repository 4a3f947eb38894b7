// The fees of transactions while their confirmation is open: what the user chooses, and what
// the market does meanwhile. Each snapshot keeps the transactions that it shows.
import { toCaip2 } from '../eth/chain';
import { larger, sum } from '../eth/hex';
import { feesOf as listFees, maxCostOf, maxPriceOf } from '../eth/transaction';
import type { FeeName, Transaction, TypedFees } from '../eth/transaction';
import { weiToGwei } from '../eth/units';
import { feesOf, priceAsTyped, priceAtLevel } from '../fees/fee-choice';
import type { FeeChoice, FeeSubject, Priced } from '../fees/fee-choice';
import type { Measures } from '../fees/guard-rails';
import { ageOf } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import type {
  Confirmation,
  Cost,
  DialogValues,
  Draw,
  Snapshot,
} from '../sites/dialogs';
import { toShownCoins, toShownCount, toShownFee } from '../ui/format';
import { levelNames } from '../ui/words';
import type { LevelName } from '../ui/words';
import { FEE_CHOICE, feeInputs, feeLabels } from './fee-section';
import type { FeeInput, FeeOption, FeeSectionView } from './fee-section';

/** How often the market is looked at while a confirmation is open. */
const REFRESH_MS = 10_000;

/** What fees are chosen of, and by what. */
export type FeeEditing = {
  /** At least one; all leave the same fields open. */
  subjects: readonly FeeSubject[];
  /** The level at which they were filled. */
  level: LevelName;
  /** Known if any field is open. */
  levels: FeeLevels | undefined;
  measures: Measures | undefined;
  /** Measures anew; gives undefined where nothing can be had. */
  remeasure: () => Promise<Measures | undefined>;
  now: () => number;
};

/** Transactions as they would be signed, and what they are measured by. */
type PricedTransactions = {
  transactions: readonly Transaction[];
  measures: Measures | undefined;
  /** Undefined where nothing can be chosen. */
  fees: FeeSectionView | undefined;
  /** Whether fees are typed that cannot be signed. */
  isUnpriced: boolean;
};

/** The state while fees are chosen. */
type State = {
  levels: FeeLevels;
  measures: Measures | undefined;
  choice: FeeChoice;
  /** The last that could be signed. */
  transactions: readonly Transaction[];
  /** Fields for fees in the dialog; undefined before the first snapshot. */
  inputs: readonly FeeName[] | undefined;
};

/** Gives a drawing, and the names of its warnings. */
type ToDrawing = (priced: PricedTransactions) => {
  draw: Draw;
  warnings: readonly string[];
};

/** Creates a dialog in which fees can be chosen that the caller left out; they follow the market
 * until they are approved. The approval covers what the snapshot shows. */
export function toFeeConfirmation(
  editing: FeeEditing,
  toDrawing: ToDrawing,
): Confirmation<readonly Transaction[]> {
  const { subjects, level, levels, measures } = editing;
  const transactions = subjects.map(({ transaction }) => transaction);
  const open = subjects[0]?.open ?? [];
  if (!levels || open.length === 0) {
    const fixed = { transactions, measures, fees: undefined, isUnpriced: false };
    return {
      takeSnapshot: () => ({
        ...toDrawing(fixed),
        costs: listCosts(transactions),
        approve: () => transactions,
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
  { subjects, now }: FeeEditing,
  toDrawing: ToDrawing,
): Snapshot<readonly Transaction[]> {
  const { levels, choice, measures, inputs: before } = state;
  const open = subjects[0]?.open ?? [];
  const priced = subjects.map((subject) => priceAsChosen(subject, choice, levels));
  const found = findTransactions(priced);
  const transactions = found ?? state.transactions;
  const inputs = choice.name === 'custom' ? open : [];
  const drawn = { choice, priced, inputs };
  const fees = toFeeSection(drawn, before, { subjects, levels, now: now() });
  Object.assign(state, { transactions, inputs });
  return {
    ...toDrawing({ transactions, measures, fees, isUnpriced: found === undefined }),
    costs: listCosts(transactions),
    approve: (values) => {
      state.choice = readChoice(values, choice, { open, transactions });
      return isSameChoice(state.choice, choice) ? found : undefined;
    },
  };
}

// The costs of transactions of one chain: what they cost at most, then the parts.
function listCosts(transactions: readonly Transaction[]): Cost[] {
  const amount = sum(transactions.map(maxCostOf));
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

function priceAsChosen(
  subject: FeeSubject,
  { name, typed }: FeeChoice,
  levels: FeeLevels,
): Priced {
  if (name === 'custom') return priceAsTyped(subject, typed);
  return { transaction: priceAtLevel(subject, levels, name) };
}

/** Lists the transactions of prices; undefined if one cannot be signed. */
function findTransactions(priced: readonly Priced[]): Transaction[] | undefined {
  const found = priced.flatMap((each) =>
    'transaction' in each ? [each.transaction] : [],
  );
  return found.length === priced.length ? found : undefined;
}

function toFeeSection(
  {
    choice,
    priced,
    inputs,
  }: { choice: FeeChoice; priced: readonly Priced[]; inputs: readonly FeeName[] },
  before: readonly FeeName[] | undefined,
  market: { subjects: readonly FeeSubject[]; levels: FeeLevels; now: number },
): FeeSectionView {
  const { subjects, levels, now } = market;
  const [problems = {}] = priced.flatMap((each) =>
    'problems' in each ? [each.problems] : [],
  );
  return {
    options: levelNames.map((name) => toOption(name, subjects, levels)),
    // A value that is set again would undo the user's input.
    value: before ? undefined : choice.name,
    inputs: inputs.map((name): FeeInput => ({
      name,
      value: before?.includes(name) ? undefined : (choice.typed[name] ?? ''),
      problem: problems[name],
    })),
    source: levels.source,
    passedOver: levels.passedOver,
    age: ageOf(levels, now),
  };
}

function toOption(
  name: LevelName,
  subjects: readonly FeeSubject[],
  levels: FeeLevels,
): FeeOption {
  const prices = subjects.map((subject) =>
    maxPriceOf(priceAtLevel(subject, levels, name)),
  );
  return { name, fee: prices.reduce(larger, 0n), wait: levels.market?.waits[name] };
}

/** Reads the choice from the values of the dialog; a missing value stays as it was. Typed
 * fees begin with those of the transactions. */
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
