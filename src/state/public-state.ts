// The unencrypted document, which can be read and written while the wallet is locked: fee
// levels as they were last seen, the number of the client's session, and whether anything
// sent is pending. Nothing secret, nothing that tells whose wallet it is.
import {
  exactOptional,
  literal,
  max,
  min,
  nullable,
  number,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { HexQuantityStruct } from '../eth/hex';
import { integerBetween, oneOf, text } from '../structs';
import { ScopeStruct } from './account-record';
import type { Migration } from './migrations';
import { SessionStruct } from './session';
import { Store } from './store';
import type { StateBackend } from './store';

const StoredLevelStruct = object({
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
});

const WaitStruct = max(min(number(), 0), Number.MAX_SAFE_INTEGER);

const StoredWaitStruct = object({ min: WaitStruct, max: WaitStruct });

/** How a chain's market of fees is. */
const MarketStruct = object({
  /** From 0, empty, to 1. */
  congestion: max(min(number(), 0), 1),
  /** `up` or `down` by the spec; the source's own words otherwise. */
  baseFeeTrend: text(32),
  priorityFeeTrend: text(32),
  /** Time until inclusion by level, in ms. */
  waits: object({
    low: StoredWaitStruct,
    medium: StoredWaitStruct,
    high: StoredWaitStruct,
  }),
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
  /** How the market is, where the source tells. */
  market: exactOptional(MarketStruct),
});

const PublicStateStruct = object({
  version: literal(5),
  /** Fee levels by CAIP-2 chain id. */
  levels: record(ScopeStruct, StoredLevelsStruct),
  /** How often the client was started since the snap was installed. */
  session: SessionStruct,
  /** When the newest was sent of what is pending, in ms since 1970; null while nothing is.
   * What it is, the encrypted document says. */
  pendingSince: nullable(integerBetween(0, Number.MAX_SAFE_INTEGER)),
  /** The version whose user was greeted or told what is new. */
  greeted: nullable(text(64)),
});

// Levels can say since then at which head they were fetched; those before do not.
const toVersion2: Migration = (document) => document;

const toVersion3: Migration = (document) => ({ ...document, session: 0 });

const toVersion4: Migration = (document) => ({ ...document, pendingSince: null });

// Levels can say since then how the market is; those before do not.
const toVersion5: Migration = (document) => ({ ...document, greeted: null });

/** How a chain's market of fees is. */
export type Market = Infer<typeof MarketStruct>;

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
      migrations: [toVersion2, toVersion3, toVersion4, toVersion5],
      empty: {
        version: 5,
        levels: {},
        session: 0,
        pendingSince: null,
        greeted: null,
      },
    },
    backend,
  );
}
