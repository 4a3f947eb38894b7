// What typed data can be, and where in them it stands what they allow.

/** What typed data are, by what they allow. */
export type ShapeName =
  | 'permit'
  | 'daiPermit'
  | 'nftPermit'
  | 'permit2Allowance'
  | 'permit2Transfer'
  | 'sale'
  | 'order'
  | 'transfer'
  | 'safeTransaction'
  | 'safeMessage'
  | 'delegation'
  | 'voteDelegation'
  | 'userOperation'
  | 'metaTransaction'
  | 'signIn';

/** One of them. */
export type Shape = {
  name: ShapeName;
  primaryType: RegExp;
  /** Fields that the message has, at least. */
  fields: readonly string[];
  amounts?: readonly string[];
  /** Times until when it can be used, in seconds. */
  deadlines?: readonly string[];
  /** Who may take something. */
  spenders?: readonly string[];
  /** Whose the thing is; must be the account. */
  owners?: readonly string[];
  /** Calls that are made in the account's name. */
  calls?: readonly string[];
};
