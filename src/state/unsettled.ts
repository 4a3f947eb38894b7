// A change of an account that MetaMask is told of: noted before, and struck out when both
// sides are known to agree. What is left of it after a failure says what to ask MetaMask.
import { exactOptional, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { oneOf } from '../structs';
import { AccountRecordStruct } from './account-record';
import { SessionStruct } from './session';

/** A noted change. */
export const UnsettledStruct = object({
  change: oneOf(['add', 'update', 'remove']),
  /** The account that is to be added; it is none of ours until MetaMask holds it. */
  record: exactOptional(AccountRecordStruct),
  /** The session of the client in which MetaMask was told. */
  session: SessionStruct,
});

/** A change that MetaMask has not answered for. */
export type Unsettled = Infer<typeof UnsettledStruct>;
