// The unencrypted document, which can be read and written while the wallet is locked: fee
// levels as they were last seen, the number of the client's session, and whether anything
// sent is pending. Nothing secret, nothing that tells whose wallet it is.
import {
  exactOptional,
  literal,
  nullable,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { HexQuantityStruct } from '../eth/hex';
import { integerBetween, oneOf } from '../structs';
import { ScopeStruct } from './account-record';
import type { Migration } from './migrations';
import { SessionStruct } from './session';
import { Store } from './store';
import type { StateBackend } from './store';

const StoredLevelStruct = object({
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
});

const StoredLevelsStruct = object({
  source: oneOf(['gas-api', 'rollup-estimate', 'fee-history', 'gas-price']),
  /** When they were fetched, in ms since 1970. */
  at: integerBetween(0, Number.MAX_SAFE_INTEGER),
  /** Number of the newest block then, where a subscription told it. */
  head: exactOptional(HexQuantityStruct),
  estimatedBaseFee: HexQuantityStruct,
  low: StoredLevelStruct,
  medium: StoredLevelStruct,
  high: StoredLevelStruct,
});

const PublicStateStruct = object({
  version: literal(4),
  /** Fee levels by CAIP-2 chain id. */
  levels: record(ScopeStruct, StoredLevelsStruct),
  /** How often the client was started since the snap was installed. */
  session: SessionStruct,
  /** When the newest was sent of what is pending, in ms since 1970; null while nothing is.
   * What it is, the encrypted document says. */
  pendingSince: nullable(integerBetween(0, Number.MAX_SAFE_INTEGER)),
});

// Levels can say since then at which head they were fetched; those before do not.
const toVersion2: Migration = (document) => document;

const toVersion3: Migration = (document) => ({ ...document, session: 0 });

const toVersion4: Migration = (document) => ({ ...document, pendingSince: null });

/** Fee levels as they are stored: quantities in hex, in wei. */
export type StoredLevels = Infer<typeof StoredLevelsStruct>;

/** What is stored in the clear. */
export type PublicState = Infer<typeof PublicStateStruct>;

/** The store of the unencrypted document. */
export type PublicStore = Store<PublicState>;

/** Open the unencrypted document. */
export function openPublicStore(backend: StateBackend): PublicStore {
  return new Store<PublicState>(
    {
      name: 'public state',
      struct: PublicStateStruct,
      migrations: [toVersion2, toVersion3, toVersion4],
      empty: { version: 4, levels: {}, session: 0, pendingSince: null },
    },
    backend,
  );
}
