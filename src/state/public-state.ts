// The unencrypted document, which can be read and written while the wallet is locked. It contains
// nothing secret, and nothing that identifies the user.
import {
  array,
  define,
  exactOptional,
  literal,
  nullable,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';

import { PlatformError, TollkeeperError } from '../core/errors';
import type { Backend } from '../core/vault';
import { HexQuantityStruct } from '../eth/hex';
import { list, oneOf, text } from '../schema/structs';
import { ScopeStruct } from './account-record';
import { SessionStruct, Store, TimeStruct } from './store';
import type { Migration } from './store';

const StoredLevelStruct = object({
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
});

const upTo = (max: number): Struct<number, null> =>
  define<number>(
    `a number from 0 to ${max}`,
    (value) => typeof value === 'number' && value >= 0 && value <= max,
  );

const WaitStruct = upTo(Number.MAX_SAFE_INTEGER);

const WaitsStruct = object({ min: WaitStruct, max: WaitStruct });

const MarketStruct = object({
  /** From 0 (empty blocks) to 1 (full blocks). */
  congestion: upTo(1),
  baseFeeTrend: oneOf(['up', 'down']),
  priorityFeeTrend: oneOf(['up', 'down']),
  /** Time until inclusion by level, in ms. */
  waits: object({ low: WaitsStruct, medium: WaitsStruct, high: WaitsStruct }),
});

/** Stored fee levels: quantities in hex, fees in wei. */
export const StoredLevelsStruct = object({
  source: oneOf(['gas-api', 'rollup-estimate', 'fee-history', 'base-fee', 'gas-price']),
  /** A server that was ignored because it suggested far higher fees. */
  passedOver: exactOptional(literal('gas-api')),
  at: TimeStruct,
  /** Number of the newest block at that time, if a subscription reported it. */
  head: exactOptional(HexQuantityStruct),
  estimatedBaseFee: HexQuantityStruct,
  low: StoredLevelStruct,
  medium: StoredLevelStruct,
  high: StoredLevelStruct,
  market: exactOptional(MarketStruct),
});

export const MAX_BASE_FEES = 64;

const BaseFeesStruct = object({
  at: TimeStruct,
  oldest: HexQuantityStruct,
  /** Base fees in wei, from the block `oldest` to the block after the newest one. */
  baseFees: list(HexQuantityStruct, { min: 1, max: MAX_BASE_FEES }),
});

const AnswerStruct = object({
  at: TimeStruct,
  kind: oneOf(['ok', 'limited', 'quota', 'denied', 'unreachable', 'failed']),
  /** When to ask the server again, if it limited requests. */
  retryAt: exactOptional(TimeStruct),
});

const AnswersStruct = object({
  gas: exactOptional(AnswerStruct),
  node: exactOptional(AnswerStruct),
});

/** Maximum number of methods remembered as absent. */
export const MAX_ABSENCES = 100;

const AbsenceStruct = object({
  chain: ScopeStruct,
  server: oneOf(['node', 'wallet', 'bundler']),
  method: text(64),
  at: TimeStruct,
});

const collections = {
  levels: record(ScopeStruct, StoredLevelsStruct),
  baseFees: exactOptional(record(ScopeStruct, BaseFeesStruct)),
  answers: exactOptional(record(ScopeStruct, AnswersStruct)),
  /** Methods that servers lack, the most recently found last. */
  absent: exactOptional(list(AbsenceStruct, { max: MAX_ABSENCES })),
};

const PublicStateStruct = object({
  version: literal(6),
  ...collections,
  /** The default network, stored before the snap first switches to a different one. */
  network: exactOptional(HexQuantityStruct),
  /** Number of client starts since the snap was installed. */
  session: SessionStruct,
  /** When the last transaction was sent, in ms since 1970, or null once all outcomes are final. The
   * transactions are in the encrypted document. */
  pendingSince: nullable(TimeStruct),
  /** The version for which the last greeting or list of changes was shown. */
  greeted: nullable(text(64)),
  /** Two bytes of the hash of each origin with a grant, so that other origins are answered without
   * the encrypted document. */
  grantMarks: exactOptional(array(text(6))),
});

export type Absence = Infer<typeof AbsenceStruct>;
export type Market = Infer<typeof MarketStruct>;
export type ServerAnswer = Infer<typeof AnswerStruct>;
export type ServerAnswers = Infer<typeof AnswersStruct>;
export type StoredBaseFees = Infer<typeof BaseFeesStruct>;
export type StoredLevels = Infer<typeof StoredLevelsStruct>;
export type PublicState = Infer<typeof PublicStateStruct>;

export type PublicStore = Store<PublicState>;

const added = { session: 0, pendingSince: null, greeted: null };

// Versions 1 to 5 differ in the fields they lack. Version number 1 was used twice, so the fields
// are more reliable than the number. One form of version 4 says only whether something is pending.
const fillIn: Migration = ({ isTracking, ...others }) => ({
  ...added,
  ...(isTracking === true && { pendingSince: 0 }),
  ...others,
});

export function openPublicStore(backend: Backend): PublicStore {
  return new Store<PublicState>(
    {
      name: 'public state',
      struct: PublicStateStruct,
      collections,
      isCache: true,
      migrations: [fillIn],
      empty: { version: 6, levels: {}, ...added, grantMarks: [] },
    },
    backend,
  );
}

/** The client's session number. It is unencrypted, since the client starts locked. */
export type ClientSession = {
  current: () => Promise<number>;
  /** Counts a new session: the client has restarted. */
  begin: () => Promise<void>;
};

export function createClientSession(store: PublicStore): ClientSession {
  return {
    current: async () => {
      try {
        // Waits for a session that is just beginning, which a plain read would miss.
        return (await store.update((state) => state)).session;
      } catch (error) {
        // An invalid document stays as it is, and every session then counts as the first one.
        const isOurs = !(error instanceof PlatformError);
        if (isOurs && error instanceof TollkeeperError) return 0;
        throw error;
      }
    },
    begin: async () => {
      await store.update((state) => ({ ...state, session: state.session + 1 }));
    },
  };
}
