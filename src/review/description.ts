// What a call or a document does in words, as a descriptor has it.
import type { Hex } from '../eth/hex';
import type { CallEffect } from './effects';

/** What a field holds. */
export type DescribedValue =
  | { text: string }
  | { address: Hex; name?: string }
  /** A call in a call. */
  | { call: CallEffect };

/** A labelled value. */
export type DescribedField = { label: string; value: DescribedValue };

/** A token whose symbol and decimals, or whose name, its contract states, and nobody else. */
export type StatedToken = { address: Hex; symbol: string };

/** What a call or a document does, in the user's language. */
export type Description = {
  /** A few words, such as "Swap". */
  intent: string;
  /** The intent with its values, such as "Swap 5 ETH for at least 9 USDC". */
  sentence?: string;
  /** Whose contract it is. */
  owner?: string;
  fields: readonly DescribedField[];
  /** How many fields have no room. */
  omitted: number;
  /** The calls in all of them. */
  calls: readonly CallEffect[];
  /** Tokens among the fields that state their units themselves. */
  stated: readonly StatedToken[];
  /** The descriptor's own English texts, where what is shown is a translation. */
  original?: string;
};
