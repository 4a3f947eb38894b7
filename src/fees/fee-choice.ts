// How a user chooses the fees of a transaction that is shown: at a level, or as typed. Pure.
// Only fields that the caller left out are ever chosen.
import type { FeeName, FeeProblem, TypedFees } from '../eth/fee-fields';
import { GweiStruct, gweiToWei } from '../eth/gwei';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { matches } from '../parse';
import { chooseSameFees, completeTransaction } from './complete-transaction';
import { toFoundFees } from './fill-transaction';
import type { FeeLevels, LevelName } from './level';
import { MAX_PLAUSIBLE_FEE } from './plausible';
import { computeLeastFees, computeReplacementFees } from './replacement-fees';

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
