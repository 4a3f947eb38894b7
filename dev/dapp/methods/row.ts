// A method as the page shows it: one row a method.
import type { Given, Known, Need } from './given';
import type { Check } from './verify/check';

/** Asks the provider. */
export type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;

/** Params of a method: the array that it takes, or an object that says more. */
export type Params = readonly unknown[] | Record<string, unknown>;

/** An answer, and what it answers. */
export type Answered = { params: Params; result: unknown; given: Given };

/** A method that sites may call. */
export type MethodRow = {
  /** Its name on the wire. */
  name: string;
  /** What it does, in a line. */
  about: string;
  /** What its example cannot be made without. */
  needs: readonly Need[];
  /** Make its example; what it needs is there. */
  example: (given: Given) => Params;
  /** Find what other forms take up, in its answer. */
  learn?: (answered: Answered, request: Request) => Known | Promise<Known>;
  /** Look whether the answer is right. */
  verify?: Check;
  /** Whether the wallet has a method of the same name: the snap must be asked outright. */
  isWallets?: boolean;
};

type Draft<N extends Need> = Omit<MethodRow, 'needs' | 'example'> & {
  needs: readonly N[];
  example: (given: Given & { [K in N]-?: NonNullable<Given[K]> }) => Params;
};

/** Define a row: its example finds all that the row needs. */
export function defineRow<N extends Need>(row: Draft<N>): MethodRow {
  const { needs, example, ...others } = row;
  // Nobody makes an example before all that it needs is there.
  return { ...others, needs, example: example as unknown as MethodRow['example'] };
}
