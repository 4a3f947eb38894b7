// The unencrypted document, which can be read and written while the wallet is locked: fee
// levels as they were last seen and how servers answered, the number of the client's session,
// whether anything sent is pending, and marks of the sites with a grant. Nothing secret,
// nothing that reveals whose wallet it is.
import type { Infer, Struct } from '@metamask/superstruct';

import { PlatformError, TollkeeperError } from '../core/errors';
import { HexQuantityStruct } from '../eth/hex';
import {
  array,
  exactOptional,
  list,
  literal,
  named,
  nullable,
  object,
  oneOf,
  record,
  text,
} from '../schema/structs';
import { ScopeStruct } from './account-record';
import { SessionStruct, Store, TimeStruct } from './store';
import type { Migration, StateBackend } from './store';

const StoredLevelStruct = object({
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
});

/** A number from 0 on. */
const upTo = (max: number): Struct<number, null> =>
  named<number>(
    `a number from 0 to ${max}`,
    (value) => typeof value === 'number' && value >= 0 && value <= max,
  );

const WaitStruct = upTo(Number.MAX_SAFE_INTEGER);

const WaitsStruct = object({ min: WaitStruct, max: WaitStruct });

const MarketStruct = object({
  /** From 0, empty, to 1. */
  congestion: upTo(1),
  baseFeeTrend: oneOf(['up', 'down']),
  priorityFeeTrend: oneOf(['up', 'down']),
  /** Time until inclusion by level, in ms. */
  waits: object({ low: WaitsStruct, medium: WaitsStruct, high: WaitsStruct }),
});

/** Fee levels as they are stored: quantities in hex, in wei. */
export const StoredLevelsStruct = object({
  source: oneOf(['gas-api', 'rollup-estimate', 'fee-history', 'base-fee', 'gas-price']),
  /** A server that is not used, since it suggested far more. */
  passedOver: exactOptional(literal('gas-api')),
  /** When they were fetched, in ms since 1970. */
  at: TimeStruct,
  /** Number of the newest block then, if a subscription reported it. */
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
  /** From the oldest block to the one to come, in wei. */
  baseFees: list(HexQuantityStruct, { min: 1, max: MAX_BASE_FEES }),
});

/** How a server answered: as it should, or what kept it from that. */
const AnswerStruct = object({
  at: TimeStruct,
  kind: oneOf(['ok', 'limited', 'quota', 'denied', 'unreachable', 'failed']),
  /** When it wants to be asked again, if it said so. */
  retryAt: exactOptional(TimeStruct),
});

const AnswersStruct = object({
  gas: exactOptional(AnswerStruct),
  node: exactOptional(AnswerStruct),
});

/** Most methods that are remembered as absent. */
export const MAX_ABSENCES = 100;

const AbsenceStruct = object({
  chain: ScopeStruct,
  server: oneOf(['node', 'wallet', 'bundler']),
  method: text(64),
  /** When the server said so. */
  at: TimeStruct,
});

const collections = {
  levels: record(ScopeStruct, StoredLevelsStruct),
  baseFees: exactOptional(record(ScopeStruct, BaseFeesStruct)),
  /** How the fee servers last answered, by chain. */
  answers: exactOptional(record(ScopeStruct, AnswersStruct)),
  /** Methods that servers lack, the latest found last. */
  absent: exactOptional(list(AbsenceStruct, { max: MAX_ABSENCES })),
};

const PublicStateStruct = object({
  version: literal(6),
  ...collections,
  /** The network that is meant where a request names none, once another one was used. */
  network: exactOptional(HexQuantityStruct),
  /** How often the client was started since the snap was installed. */
  session: SessionStruct,
  /** When the newest pending transaction was sent, in ms since 1970; null if there is none.
   * What it is, the encrypted document says. */
  pendingSince: nullable(TimeStruct),
  /** Version of the last greeting or list of changes. */
  greeted: nullable(text(64)),
  /** Two bytes of the hash of each origin that was granted an account: others are answered
   * without the encrypted document. */
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

// Versions 1 to 5 differ by what they lack. Number 1 was given twice, so that the fields tell more
// than the number; of 4 there is a form that says only whether something is pending.
const fillIn: Migration = ({ isTracking, ...others }) => ({
  ...added,
  ...(isTracking === true && { pendingSince: 0 }),
  ...others,
});

export function openPublicStore(backend: StateBackend): PublicStore {
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

/** The number of the client's session; kept in the clear, since the client starts locked. */
export type ClientSession = {
  current: () => Promise<number>;
  /** Counts a new session: the client has started anew. */
  begin: () => Promise<void>;
};

export function createClientSession(store: PublicStore): ClientSession {
  return {
    current: async () => {
      try {
        // After one that is just being begun, which a read would overtake.
        return (await store.update((state) => state)).session;
      } catch (error) {
        // A document that is not valid stays so: every session is taken for the first then.
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
