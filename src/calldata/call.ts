// A call, decoded and described.
import type { Authorization } from '../eth/authorization';
import type { Hex } from '../eth/hex';
import type { Warning } from '../ui/warnings';
import type { KnownCall } from './known-functions';

/** What a transaction or a call does; wei. */
export type CallContent = {
  /** The account that does it. */
  from: Hex;
  /** Null creates a contract. */
  to: Hex | null;
  value: bigint;
  data: Hex;
  /** Given by transactions of type 0x4. */
  authorizationList?: readonly (Pick<Authorization, 'address'> & { r?: bigint })[];
};

/** What somebody may take. */
export type Allowance = {
  /** The contract of the tokens. */
  token: Hex;
  spender: Hex;
  /** In the token's smallest unit; undefined for all of a collection. */
  amount: bigint | undefined;
  /** When it ends, in s since 1970, where that is said. */
  expiration?: bigint;
};

/** A call, decoded. */
export type DecodedCall = CallContent & {
  /** The function, if it is a well-known one. */
  known: KnownCall | undefined;
  /** What it lets others take: nothing is no allowance. */
  allowances: readonly Allowance[];
  /** Whom it is for, and the addresses in its arguments. */
  addresses: readonly Hex[];
  /** What its signer should know about it, and the calls in it, whatever the chain is like. */
  warnings: readonly Warning[];
  /** The calls that it contains. */
  inner: readonly DecodedCall[];
  /** What it does in words, where a descriptor says so. */
  description?: Description;
};

/** What a field holds. */
export type DescribedValue =
  | { text: string }
  | { address: Hex; name?: string }
  /** A call in a call. */
  | { call: DecodedCall };

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
  /** Tokens among the fields that state their units themselves. */
  stated: readonly StatedToken[];
  /** The descriptor's own English texts, where what is shown is a translation. */
  original?: string;
};
