// The encrypted document: accounts with imported keys, credentials, grants.
import { array, literal, object, record } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { text } from '../structs';
import { AccountRecordStruct, ScopeStruct } from './account-record';
import { ChainRowStruct } from './chain-row';
import { Store } from './store';
import type { StateBackend } from './store';

const PrivateStateStruct = object({
  version: literal(1),
  /** Accounts by id. */
  accounts: record(text(36), AccountRecordStruct),
  /** Configured chains by CAIP-2 id. */
  chains: record(ScopeStruct, ChainRowStruct),
  /** Ids of the accounts that an origin may see and ask to sign. */
  grants: record(text(2_048), array(text(36))),
});

/** What is stored encrypted. */
export type PrivateState = Infer<typeof PrivateStateStruct>;

/** The store of the encrypted document. */
export type PrivateStore = Store<PrivateState>;

/** Open the encrypted document. */
export function openPrivateStore(backend: StateBackend): PrivateStore {
  return new Store<PrivateState>(
    {
      name: 'encrypted state',
      struct: PrivateStateStruct,
      migrations: [],
      empty: { version: 1, accounts: {}, chains: {}, grants: {} },
    },
    backend,
  );
}
