// What a user sees and does of the choice of fees: pure.
import type { Json } from '@metamask/utils';

import type { FeeName, TypedFees } from '../eth/fee-fields';
import { weiToGwei } from '../eth/gwei';
import { larger } from '../eth/hex';
import type { Transaction } from '../eth/transaction';
import { maxPriceOf } from '../eth/transaction-cost';
import { feesOf, priceAsTyped, priceAtLevel } from '../fees/fee-choice';
import type { FeeChoice, FeeSubject, Priced } from '../fees/fee-choice';
import { ageOf, levelNames } from '../fees/level';
import type { FeeLevels, LevelName } from '../fees/level';
import { FEE_CHOICE, feeInputs } from '../ui/confirm/fee-section';
import type { FeeInput, FeeOption, FeeSectionView } from '../ui/confirm/fee-section';

/** What was drawn: the choice, what came of it, and the fields that were there. */
export type Drawn = {
  choice: FeeChoice;
  priced: readonly Priced[];
  inputs: readonly FeeName[];
};

/** Price a transaction as chosen. */
export function priceAsChosen(
  subject: FeeSubject,
  { name, typed }: FeeChoice,
  levels: FeeLevels,
): Priced {
  if (name === 'custom') return priceAsTyped(subject, typed);
  return { transaction: priceAtLevel(subject, levels, name) };
}

/** List the transactions of prices; undefined if one cannot be signed. */
export function findTransactions(
  priced: readonly Priced[],
): readonly Transaction[] | undefined {
  const found = priced.flatMap((each) =>
    'transaction' in each ? [each.transaction] : [],
  );
  return found.length === priced.length ? found : undefined;
}

/** Make the view of a choice. */
export function toFeeSection(
  { choice, priced, inputs }: Drawn,
  before: Drawn | undefined,
  market: { subjects: readonly FeeSubject[]; levels: FeeLevels; now: number },
): FeeSectionView {
  const { subjects, levels, now } = market;
  const [problems = {}] = priced.flatMap((each) =>
    'problems' in each ? [each.problems] : [],
  );
  return {
    options: levelNames.map((name) => toOption(name, subjects, levels)),
    // What is given again would undo what the user did meanwhile.
    value: before ? undefined : choice.name,
    inputs: inputs.map((name): FeeInput => ({
      name,
      value: before?.inputs.includes(name) ? undefined : (choice.typed[name] ?? ''),
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

/**
 * Read the choice from what is filled in; what is missing there stays as it was.
 *
 * @param drawn - The transactions that were drawn last: what is typed begins with their
 * fees.
 */
export function readChoice(
  values: Readonly<Record<string, Json>>,
  before: FeeChoice,
  { open, drawn }: { open: readonly FeeName[]; drawn: readonly Transaction[] },
): FeeChoice {
  const chosen = [...levelNames, 'custom'].find((name) => name === values[FEE_CHOICE]);
  const name = (chosen ?? before.name) as FeeChoice['name'];
  if (name !== 'custom') return { name, typed: before.typed };
  const start = before.name === 'custom' ? before.typed : toTyped(open, drawn);
  const typed = open.map((each) => {
    const value = values[feeInputs[each]];
    return [each, typeof value === 'string' ? value : (start[each] ?? '')];
  });
  return { name, typed: Object.fromEntries(typed) as TypedFees };
}

/** Tell whether two choices come to the same. */
export function isSameChoice(one: FeeChoice, other: FeeChoice): boolean {
  if (one.name !== other.name) return false;
  if (one.name !== 'custom') return true;
  const names = Object.keys(one.typed) as FeeName[];
  return names.every((name) => one.typed[name] === other.typed[name]);
}

function toTyped(
  open: readonly FeeName[],
  transactions: readonly Transaction[],
): TypedFees {
  const fees = transactions.map((transaction) => feesOf(transaction));
  return Object.fromEntries(
    open.map((name) => [
      name,
      weiToGwei(fees.map((each) => each[name] ?? 0n).reduce(larger, 0n)),
    ]),
  );
}
