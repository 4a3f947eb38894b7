// Fees of a transaction that takes a pending one's place: nodes take it only if every fee
// is at least a tenth higher. Pure.
import { InvalidParamsError } from '../errors';
import type { FeeName } from '../eth/fee-fields';
import { larger, smaller, toQuantity } from '../eth/hex';
import type { Transaction } from '../eth/transaction';
import { percentOf } from './level-rules';

/** Nodes ask for 10 % at least. */
const BUMP_PERCENT = 110n;

/** Fees in wei for a unit of gas, of which a transaction has one kind or the other. */
export type GivenFees = Partial<Record<FeeName, bigint>>;

/**
 * Compute the fees of a replacement.
 *
 * @param pending - The transaction whose place it takes.
 * @param given - What the caller wants; must be a tenth above the pending one's.
 * @param market - What would be filled now, of the pending one's kind; taken where it is
 * higher than the least.
 * @returns The same kind of fees as the pending transaction has.
 * @throws {InvalidParamsError} Naming the fee and the least that is enough.
 */
export function computeReplacementFees(
  pending: Transaction,
  { given, market, root }: { given: GivenFees; market: GivenFees; root: string },
): GivenFees {
  const old = listFees(pending);
  const names = old.map(([name]) => name);
  assertKind(given, names, root);
  const choose = (name: FeeName, before: bigint): bigint => {
    const least = percentOf(before, BUMP_PERCENT);
    const wanted = given[name];
    if (wanted === undefined) return larger(least, marketOf(name, market, given));
    if (wanted >= least) return wanted;
    throw new InvalidParamsError(
      `${root}.${name} must be at least ${toQuantity(least)}: a tenth above that of the ` +
        'transaction that is to be replaced.',
    );
  };
  const fees = Object.fromEntries(
    old.map(([name, before]) => [name, choose(name, before)]),
  );
  return withinMaximum(fees, given, root);
}

/** Compute the least fees that nodes take for a transaction's replacement, in wei. */
export function computeLeastFees(pending: Transaction): GivenFees {
  return Object.fromEntries(
    listFees(pending).map(([name, before]) => [name, percentOf(before, BUMP_PERCENT)]),
  );
}

// The caller's maximum stands, so that a priority fee of ours has to fit below it.
function marketOf(name: FeeName, market: GivenFees, given: GivenFees): bigint {
  const fee = market[name] as bigint;
  return name === 'maxPriorityFeePerGas'
    ? smaller(fee, given.maxFeePerGas ?? fee)
    : fee;
}

function listFees(pending: Transaction): [FeeName, bigint][] {
  if ('gasPrice' in pending) return [['gasPrice', pending.gasPrice]];
  const { maxFeePerGas, maxPriorityFeePerGas } = pending;
  return [
    ['maxFeePerGas', maxFeePerGas],
    ['maxPriorityFeePerGas', maxPriorityFeePerGas],
  ];
}

function assertKind(given: GivenFees, names: readonly FeeName[], root: string): void {
  const other = (Object.keys(given) as FeeName[]).find((name) => !names.includes(name));
  if (other === undefined) return;
  throw new InvalidParamsError(
    `${root}.${other} is not expected here: the pending transaction has ${names.join(' and ')}.`,
  );
}

// One that was given bounds the other; of two that are ours the maximum covers both.
function withinMaximum(fees: GivenFees, given: GivenFees, root: string): GivenFees {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = fees;
  if (maxPriorityFeePerGas <= maxFeePerGas) return fees;
  if (given.maxFeePerGas === undefined) {
    return { ...fees, maxFeePerGas: maxPriorityFeePerGas };
  }
  throw new InvalidParamsError(
    `${root}.maxFeePerGas must be at least ${toQuantity(maxPriorityFeePerGas)}, the priority fee.`,
  );
}
