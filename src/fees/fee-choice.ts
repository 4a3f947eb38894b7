// How a user chooses the fees of a transaction that is shown: at a level, or as typed. Pure.
// Only fields that the caller left out are ever chosen.
import { InvalidParamsError } from '../errors';
import { larger, smaller, toQuantity } from '../eth/hex';
import type {
  FeeName,
  FeeProblem,
  Transaction,
  TransactionRequest,
  TypedFees,
} from '../eth/transaction';
import { GweiStruct, gweiToWei } from '../eth/units';
import { matches } from '../schema/parse';
import type { LevelName } from '../state/public-state';
import { chooseSameFees, completeTransaction, toFoundFees } from './fill-transaction';
import { MAX_PLAUSIBLE_FEE, percentOf } from './level';
import type { FeeLevels } from './level';

// Fees of a transaction that takes a pending one's place: nodes take it only if every fee
// is at least a tenth higher. Pure.

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

/** What a user chose: a level, or fees as typed. */
export type FeeChoice = { name: LevelName | 'custom'; typed: TypedFees };

/** A transaction whose fees can be chosen. */
export type FeeSubject = {
  /** As it was filled. */
  transaction: Transaction;
  /** The fields that are ours to fill. */
  open: readonly FeeName[];
  /** What a rollup asks for at every level, in wei for a unit of gas. */
  priorityFloor?: bigint | undefined;
  /** The pending transaction whose place it takes. */
  replaced?: Transaction | undefined;
};

/** A transaction with the fees that were chosen, or what is wrong with them. */
export type Priced =
  { transaction: Transaction } | { problems: Partial<Record<FeeName, FeeProblem>> };

/** List the fee fields of a transaction that its caller left out. */
export function findOpenFees(
  asked: Partial<Record<FeeName, unknown>>,
  transaction: Transaction,
): FeeName[] {
  return feeNamesOf(transaction).filter((name) => asked[name] === undefined);
}

/** Give a transaction the fees of a level. */
export function priceAtLevel(
  subject: FeeSubject,
  levels: FeeLevels,
  level: LevelName,
): Transaction {
  const {
    transaction,
    open,
    priorityFloor: priorityFeePerGas = 0n,
    replaced,
  } = subject;
  const found = toFoundFees(levels, level, { priorityFeePerGas });
  const fixed = withoutFees(transaction, open);
  if (!replaced) return completeTransaction(fixed, found);
  const market = chooseSameFees(transaction, found);
  const given = feesOf(fixed);
  const fees = computeReplacementFees(replaced, { given, market, root: 'fees' });
  return { ...transaction, ...fees };
}

/** Give a transaction the fees that were typed: every open one. */
export function priceAsTyped(subject: FeeSubject, typed: TypedFees): Priced {
  const { transaction, open, replaced } = subject;
  const least = replaced ? computeLeastFees(replaced) : {};
  const problems: Partial<Record<FeeName, FeeProblem>> = {};
  const fees = feesOf(transaction);
  for (const name of open) {
    const read = readFee(typed[name] as string, least[name]);
    if (typeof read === 'bigint') fees[name] = read;
    else problems[name] = read;
  }
  if (Object.keys(problems).length > 0) return { problems };
  const { maxFeePerGas: maximum = 0n, maxPriorityFeePerGas: priority = 0n } = fees;
  if (priority <= maximum) return { transaction: { ...transaction, ...fees } };
  const name = open.includes('maxPriorityFeePerGas')
    ? 'maxPriorityFeePerGas'
    : 'maxFeePerGas';
  return {
    problems: {
      [name]:
        name === 'maxFeePerGas'
          ? { kind: 'tooLow', least: priority }
          : { kind: 'aboveMaximum', maximum },
    },
  };
}

/** Get the fees of a transaction that can be chosen, in wei. */
export function feesOf(
  transaction: Partial<Record<FeeName, bigint>>,
): Partial<Record<FeeName, bigint>> {
  const names = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
  const found = names.flatMap((name) => {
    const fee = transaction[name];
    return fee === undefined ? [] : [[name, fee] as const];
  });
  return Object.fromEntries(found);
}

function feeNamesOf(transaction: Transaction): FeeName[] {
  return Object.keys(feesOf(transaction)) as FeeName[];
}

function withoutFees(
  transaction: Transaction,
  open: readonly FeeName[],
): TransactionRequest & Pick<Transaction, 'chainId' | 'nonce' | 'gasLimit'> {
  const kept = Object.entries(transaction).filter(
    ([name]) => !(open as readonly string[]).includes(name),
  );
  return Object.fromEntries(kept) as ReturnType<typeof withoutFees>;
}

function readFee(typed: string, least: bigint | undefined): bigint | FeeProblem {
  // Half of the world writes a comma; what a figure was read as is shown at once.
  const text = typed.trim().replace(',', '.');
  if (!matches(text, GweiStruct)) return { kind: 'malformed' };
  const fee = gweiToWei(text);
  if (fee >= MAX_PLAUSIBLE_FEE) return { kind: 'tooHigh', bound: MAX_PLAUSIBLE_FEE };
  return least !== undefined && fee < least ? { kind: 'tooLow', least } : fee;
}
