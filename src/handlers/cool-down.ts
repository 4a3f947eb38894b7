// Who asks again after a no, and again, is made to wait: nobody says yes at last because they
// were asked often enough. The row of refusals is stored (see there), the rule stands here.
import { LimitExceededError } from '../errors';
import { MAX_COUNTED } from '../state/private-state';
import type { PrivateState, PrivateStore, Refusals } from '../state/private-state';

/** Refusals in a row from which on a site has to wait. */
const PATIENCE = 3;

/** Each of the first ones comes within this of the one before, or begins a new row. */
const ROW_MS = 60_000;

/** A site that had to wait is remembered for so long. */
const MEMORY_MS = 24 * 3_600_000;

/** The first wait, and the longest; each further refusal doubles it. */
const WAIT_MS = { first: 30_000, longest: 3_600_000 };

/** Most origins that are remembered; beyond, the oldest go. */
const MAX_ORIGINS = 100;

/** Who asks, where it is the user of the home page. */
export const HOME_ORIGIN = 'Tollkeeper';

/** Who asks because the user has just done something in the wallet itself. */
const ownOrigins: readonly string[] = ['metamask', HOME_ORIGIN];

/** Tell whether an origin is the wallet's own: what a site does must not hold it up. */
export function isOwnOrigin(origin: string): boolean {
  return ownOrigins.includes(origin);
}

/** Keeps sites that are refused from asking on. */
export type CoolDown = {
  /**
   * Let an origin ask its user something.
   *
   * @throws {LimitExceededError} If it has to wait; says how long.
   */
  assertOver: (origin: string) => Promise<void>;
  /** Note how a dialog of an origin ended: a yes ends the row. */
  note: (origin: string, isApproved: boolean) => Promise<void>;
};

/** Create the one who makes sites wait. */
export function createCoolDown({
  store,
  now,
}: {
  store: PrivateStore;
  now: () => number;
}): CoolDown {
  return {
    assertOver: async (origin) => {
      const row = findRow(await store.read(), origin);
      const waitMs = row ? findWait(row, now()) : 0;
      if (!row || waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      throw new LimitExceededError(
        `${PATIENCE} or more dialogs of this origin were refused in a row; it may open the ` +
          `next one in ${seconds} s.`,
        { context: { rate: { backoff_seconds: seconds } } },
      );
    },
    note: async (origin, isApproved) => {
      if (isOwnOrigin(origin)) return;
      if (isApproved && !findRow(await store.read(), origin)) return;
      await store.update((state) => ({
        ...state,
        refusals: isApproved ? without(state, origin) : withOne(state, origin, now()),
      }));
    },
  };
}

function findRow({ refusals }: PrivateState, origin: string): Refusals | undefined {
  return Object.hasOwn(refusals, origin) ? refusals[origin] : undefined;
}

// A clock that was set back makes nobody wait.
function findWait({ count, last }: Refusals, time: number): number {
  if (count < PATIENCE || time < last) return 0;
  const wait = WAIT_MS.first * 2 ** (count - PATIENCE);
  return last + Math.min(wait, WAIT_MS.longest) - time;
}

function isHolding({ count, last }: Refusals, time: number): boolean {
  return time >= last && time - last < (count < PATIENCE ? ROW_MS : MEMORY_MS);
}

function without(state: PrivateState, origin: string): PrivateState['refusals'] {
  const rows = Object.entries(state.refusals);
  return Object.fromEntries(rows.filter(([other]) => other !== origin));
}

// In the order of their last refusals, since the newest is put last.
function withOne(
  state: PrivateState,
  origin: string,
  time: number,
): PrivateState['refusals'] {
  const before = findRow(state, origin);
  const count = before && isHolding(before, time) ? before.count : 0;
  const next = { count: Math.min(count + 1, MAX_COUNTED), last: time };
  const others = Object.entries(without(state, origin)).filter(([, row]) =>
    isHolding(row, time),
  );
  return Object.fromEntries([...others.slice(1 - MAX_ORIGINS), [origin, next]]);
}
