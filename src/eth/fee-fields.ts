// Fee fields that a transaction's user can set, and what can be wrong with what was typed.

/** A fee field; a transaction has the first or the other two. */
export type FeeName = 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas';

/** Fees as they were typed, in gwei. */
export type TypedFees = Partial<Record<FeeName, string>>;

/** What is wrong with a fee that was typed; amounts in wei. */
export type FeeProblem =
  /** It is no number of gwei. */
  | { kind: 'malformed' }
  /** Nodes take a replacement only with this. */
  | { kind: 'tooLow'; least: bigint }
  /** No fee was ever this high. */
  | { kind: 'tooHigh'; bound: bigint }
  /** The priority fee is part of the maximum fee. */
  | { kind: 'aboveMaximum'; maximum: bigint };
