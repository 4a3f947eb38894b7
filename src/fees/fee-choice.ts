// Chooses the fees of a transaction or user operation. The caller's fees are kept. Missing fees
// come from a level or the user, and are raised above those of a replaced transaction.
import type { FeeFloor } from '../../packages/client/src';
import { InvalidParamsError } from '../core/errors';
import type { Transaction } from '../core/payload';
import { larger, smaller, toQuantity } from '../eth/hex';
import type { FeeName, FeeProblem, TypedFees } from '../eth/transaction';
import { GweiStruct, gweiToWei } from '../eth/units';
import { matches } from '../schema/parse';
import type { LevelName } from '../ui/i18n';
import { MAX_PLAUSIBLE_FEE, percentOf } from './level';
import type { FeeLevels, FeePair, FeeSource } from './level';

/** Fees in wei per gas. */
export type GivenFees = Partial<Record<FeeName, bigint>>;

export type FoundFees = { source: FeeSource; estimatedBaseFee: bigint; pair: FeePair };

export function needsFees(given: GivenFees): boolean {
  if (given.gasPrice !== undefined) return false;
  return given.maxFeePerGas === undefined || given.maxPriorityFeePerGas === undefined;
}

/** Converts a level's fees. `priorityFloor` is the priority fee that a rollup charges for the
 * calldata on its base layer, whatever the level. */
export function toFoundFees(
  levels: FeeLevels,
  level: LevelName,
  priorityFloor = 0n,
): FoundFees {
  const { source, estimatedBaseFee } = levels;
  const priority = larger(levels[level].maxPriorityFeePerGas, priorityFloor);
  return { source, estimatedBaseFee, pair: withPriority(levels[level], priority) };
}

/** Fills in missing fees. A missing priority fee is at most a given maximum; a missing maximum
 * covers a given priority fee and is at least `leastMaxFee`. */
export function fillFees(
  { maxFeePerGas, maxPriorityFeePerGas }: GivenFees,
  market: FeePair,
  leastMaxFee = 0n,
): FeePair {
  if (maxFeePerGas !== undefined) {
    const own = smaller(market.maxPriorityFeePerGas, maxFeePerGas);
    return { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? own };
  }
  const pair = withPriority(
    market,
    maxPriorityFeePerGas ?? market.maxPriorityFeePerGas,
  );
  return { ...pair, maxFeePerGas: larger(pair.maxFeePerGas, leastMaxFee) };
}

/** Chooses a user operation's fees: fills in missing ones like {@link fillFees}, from the market's
 * fees, raised to the bundler's minimum. */
export function chooseOperationFees(
  given: GivenFees,
  market: FeePair,
  floor: FeeFloor = { maxPriorityFeePerGas: 0n },
): FeePair {
  const least = larger(market.maxPriorityFeePerGas, floor.maxPriorityFeePerGas);
  return fillFees(given, withPriority(market, least), floor.maxFeePerGas);
}

function withPriority(pair: FeePair, maxPriorityFeePerGas: bigint): FeePair {
  const forBaseFee = pair.maxFeePerGas - pair.maxPriorityFeePerGas;
  return { maxFeePerGas: forBaseFee + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/** Chooses a gas price. It is paid in full, so it allows for only one more full block (12.5%),
 * without the reserve of a maximum fee. */
export function chooseGasPrice({ pair, estimatedBaseFee }: FoundFees): bigint {
  if (estimatedBaseFee === 0n) return pair.maxFeePerGas;
  const price = (estimatedBaseFee * 9n + 7n) / 8n + pair.maxPriorityFeePerGas;
  return smaller(price, pair.maxFeePerGas);
}

/** Nodes replace a transaction only if every fee is at least 10%, and at least 1 wei, higher. */
const BUMP_PERCENT = 110n;

/** Computes the fees of a replacement, with the same fields as in the pending transaction. Uses the
 * market's fees if they exceed the minimum. Throws `InvalidParamsError` if the caller sets a fee
 * that is not at least 10% and one wei above the pending one, a fee that the pending transaction
 * does not have, or a maximum below the priority fee. */
export function computeReplacementFees(
  pending: Transaction,
  { given, found, root }: { given: GivenFees; found: FoundFees; root: string },
): GivenFees {
  const least = computeLeastFees(pending);
  const names = Object.keys(least) as FeeName[];
  const other = (Object.keys(given) as FeeName[]).find((name) => !names.includes(name));
  if (other !== undefined) {
    throw new InvalidParamsError(
      `${root}.${other} is not expected here: the pending transaction has ${names.join(' and ')}.`,
    );
  }
  const { maxFeePerGas, maxPriorityFeePerGas: priority } = found.pair;
  const market = {
    gasPrice: chooseGasPrice(found),
    maxFeePerGas,
    // The caller's maximum is kept, so the priority fee must not exceed it.
    maxPriorityFeePerGas: smaller(priority, given.maxFeePerGas ?? priority),
  };
  const choose = (name: FeeName): bigint => {
    const enough = least[name] as bigint;
    const wanted = given[name];
    if (wanted === undefined) return larger(enough, market[name]);
    if (wanted >= enough) return wanted;
    throw new InvalidParamsError(
      `${root}.${name} must be at least ${toQuantity(enough)}: 10 % above the fee of the ` +
        'transaction to replace.',
    );
  };
  const fees: GivenFees = Object.fromEntries(names.map((name) => [name, choose(name)]));
  // If the caller did not set the maximum, it is raised to cover the priority fee.
  const { maxFeePerGas: maximum = 0n, maxPriorityFeePerGas: part = 0n } = fees;
  if (part <= maximum) return fees;
  if (given.maxFeePerGas === undefined) return { ...fees, maxFeePerGas: part };
  throw new InvalidParamsError(
    `${root}.maxFeePerGas must be at least ${toQuantity(part)}, the priority fee.`,
  );
}

function computeLeastFees(pending: Transaction): GivenFees {
  const fees = Object.entries(feesOf(pending));
  return Object.fromEntries(
    fees.map(([name, before]) => [
      name,
      larger(percentOf(before, BUMP_PERCENT), before + 1n),
    ]),
  );
}

export type FeeChoice = { name: LevelName | 'custom'; typed: TypedFees };

export type FeeSubject = {
  transaction: Transaction;
  /** The fee fields that the caller omitted. */
  open: readonly FeeName[];
  /** Priority fee that a rollup charges for the calldata at every level, in wei per gas. */
  priorityFloor?: bigint | undefined;
  replaced?: Transaction | undefined;
};

type FeeProblems = Partial<Record<FeeName, FeeProblem>>;

export type Priced = { transaction: Transaction } | { problems: FeeProblems };

export function findOpenFees(given: GivenFees, transaction: Transaction): FeeName[] {
  const names = Object.keys(feesOf(transaction)) as FeeName[];
  return names.filter((name) => given[name] === undefined);
}

export function priceAtLevel(
  { transaction, open, priorityFloor, replaced }: FeeSubject,
  levels: FeeLevels,
  level: LevelName,
): Transaction {
  const found = toFoundFees(levels, level, priorityFloor);
  const fixed = Object.entries(feesOf(transaction)).filter(
    ([name]) => !open.some((each) => each === name),
  );
  const given: GivenFees = Object.fromEntries(fixed);
  if (replaced) {
    const fees = computeReplacementFees(replaced, { given, found, root: 'fees' });
    return { ...transaction, ...fees };
  }
  if ('gasPrice' in transaction) {
    return { ...transaction, gasPrice: chooseGasPrice(found) };
  }
  return { ...transaction, ...fillFees(given, found.pair) };
}

export function priceAsTyped(subject: FeeSubject, typed: TypedFees): Priced {
  const { transaction, open, replaced } = subject;
  const least = replaced ? computeLeastFees(replaced) : {};
  const problems: FeeProblems = {};
  const fees = feesOf(transaction);
  for (const name of open) {
    const read = readFee(typed[name] as string, least[name]);
    if (typeof read === 'bigint') fees[name] = read;
    else problems[name] = read;
  }
  if (Object.keys(problems).length > 0) return { problems };
  const { maxFeePerGas: maximum = 0n, maxPriorityFeePerGas: priority = 0n } = fees;
  if (priority <= maximum) return { transaction: { ...transaction, ...fees } };
  return {
    problems: open.includes('maxPriorityFeePerGas')
      ? { maxPriorityFeePerGas: { kind: 'aboveMaximum', maximum } }
      : { maxFeePerGas: { kind: 'tooLow', least: priority } },
  };
}

function readFee(typed: string, least: bigint | undefined): bigint | FeeProblem {
  // Many countries use a decimal comma. But "1,000" can also be a thousand.
  const given = typed.trim();
  const text = given.replace(',', '.');
  const isAmbiguous = /,\d{3}$/u.test(given);
  if (isAmbiguous || !matches(text, GweiStruct)) return { kind: 'malformed' };
  const fee = gweiToWei(text);
  if (fee >= MAX_PLAUSIBLE_FEE) return { kind: 'tooHigh', bound: MAX_PLAUSIBLE_FEE };
  return least !== undefined && fee < least ? { kind: 'tooLow', least } : fee;
}

export function feesOf(transaction: Transaction): GivenFees {
  if ('gasPrice' in transaction) return { gasPrice: transaction.gasPrice };
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return { maxFeePerGas, maxPriorityFeePerGas };
}
