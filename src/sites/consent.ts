// Asks the user for consent. The wallet queues dialogs; limits here keep sites from flooding users.
import type { Approval, HeldTask } from '../core/approval';
import type { Core } from '../core/core';
import type {
  Answer,
  DialogValues,
  Showing,
  Snapshot as CoreSnapshot,
} from '../core/dialog';
import { LimitExceededError, toRetryContext, UserRejectedError } from '../core/errors';
import type { Changes } from '../core/frame';
import type { SigningTask } from '../core/payload';
import type { Effect } from '../review/effects';
import { MAX_COUNTED } from '../state/private-state';
import type { PrivateState, PrivateStore, Refusals } from '../state/private-state';
import { findOwn, without } from '../state/store';
import { warning } from '../ui/components';
import type { Notice } from '../ui/components';
import type { PagedView, VerifiedOrigin } from '../ui/confirmation';
import type { TextKey, Translate } from '../ui/i18n';

/** Draws a dialog for a snapshot, given the tasks as the core holds them. */
export type Draw = (translate: Translate, tasks: readonly HeldTask[]) => PagedView;

export type Cost = {
  label: TextKey;
  amount: bigint;
  write: (amount: bigint, translate: Translate) => string;
};

export type Snapshot = Omit<CoreSnapshot, 'draw' | 'costs'> & {
  draw: Draw;
  costs?: readonly Cost[];
  /** Effects of approval as data, for `tollkeeper-snap/testing`. */
  effects?: readonly Effect[];
};

export type Confirmation = Omit<Showing, 'takeSnapshot'> & {
  takeSnapshot: () => Snapshot;
  /** Origin information from MetaMask, for requests that MetaMask forwards. */
  verified?: VerifiedOrigin | undefined;
};

/** Creates a dialog that never changes. */
export function toConfirmation(
  tasks: readonly SigningTask[],
  draw: Draw,
  effects: readonly Effect[] = [],
): Confirmation {
  return { takeSnapshot: () => ({ tasks, draw, effects }) };
}

const MAX_COSTS = 3;

/** Maximum open dialogs, in total and per origin. The total does not limit the wallet's own
 * origins. */
export const LIMITS = { all: 20, origin: 5 };

/** Maximum informational views of one origin per window. */
export const VIEWS = { count: 5, windowMs: 60_000 };

export type Consent = {
  /** Throws `LimitExceededError` if dialogs of an origin were refused too often. */
  assertReady: (origin: string) => Promise<void>;
  /**
   * Shows a dialog and waits until the user approves it.
   *
   * @param texts - The messages of the dialog, if they are already being loaded.
   * @throws {UserRejectedError} If the user refuses or closes it.
   * @throws {LimitExceededError} If too many dialogs are open, or the user refused this origin
   *   too often.
   */
  require: (
    origin: string,
    confirmation: Confirmation,
    texts?: Promise<Translate>,
  ) => Promise<Approval>;
  /** Shows a dialog that signs nothing, like {@link Consent.require}; returns the values of its
   * fields. */
  ask: (origin: string, draw: Draw) => Promise<DialogValues>;
  /** Shows an informational dialog, and waits until the user closes it. Throws `LimitExceededError`
   * like {@link Consent.require}, or if the origin is already showing one, or has shown too many
   * recently. */
  show: (origin: string, draw: Draw) => Promise<void>;
  /** Calls `ask`, or shares the answer to an open question with the same key. Each key must always
   * have the same result type. */
  share: <Result>(key: string, ask: () => Promise<Result>) => Promise<Result>;
};

/** An open dialog. Its refusal does not count if the refusal of another dialog of the same origin
 * counted while this one was open: a site may ask several times before the user sees the first
 * dialog. */
type OpenDialog = { origin: string; countsRefusal: boolean };

type ConsentParts = {
  core: Pick<Core, 'requestApproval'>;
  loadTranslate: () => Promise<Translate>;
  store: PrivateStore;
  now: () => number;
};

export function createConsent(parts: ConsentParts): Consent {
  const { core, loadTranslate, now } = parts;
  // Not stored, because dialogs end with the requests that wait for them.
  const open: OpenDialog[] = [];
  const shared = new Map<string, Promise<unknown>>();
  const coolDown = createCoolDown(parts);
  const countView = createViewLimit(now);
  const show = async (
    own: OpenDialog,
    confirmation: Confirmation,
    texts?: Promise<Translate>,
  ): Promise<Answer | undefined> => {
    assertRoom(open, own.origin);
    open.push(own);
    try {
      const translate = await (texts ?? loadTranslate());
      const answer = await core.requestApproval(localize(confirmation, translate));
      if (!answer && own.countsRefusal) {
        const others = open.filter(
          (each) => each.origin === own.origin && each !== own,
        );
        for (const other of others) other.countsRefusal = false;
      }
      return answer;
    } finally {
      open.splice(open.indexOf(own), 1);
    }
  };
  const requireAnswer = async (
    origin: string,
    confirmation: Confirmation,
    texts?: Promise<Translate>,
  ): Promise<Answer> => {
    await coolDown.assertNotWaiting(origin);
    const own = { origin, countsRefusal: true };
    const answer = await show(own, confirmation, texts);
    const isApproved = answer !== undefined;
    // The user's answer is valid, whether or not it can be counted.
    if (isApproved || own.countsRefusal) {
      await coolDown.note(origin, isApproved).catch(() => undefined);
    }
    if (answer) return answer;
    throw new UserRejectedError();
  };
  return {
    assertReady: coolDown.assertNotWaiting,
    require: async (...asked) => (await requireAnswer(...asked)).approval,
    ask: async (origin, draw) =>
      (await requireAnswer(origin, toConfirmation([], draw))).values,
    show: async (origin, draw) => {
      await coolDown.assertNotWaiting(origin);
      // A view that is refused for lack of room does not count.
      assertRoom(open, origin);
      const release = countView(origin);
      try {
        await show({ origin, countsRefusal: false }, toConfirmation([], draw));
      } finally {
        release();
      }
    },
    share: async <Result>(key: string, ask: () => Promise<Result>) => {
      const asked = shared.get(key) as Promise<Result> | undefined;
      if (asked) return asked;
      const asking = ask().finally(() => shared.delete(key));
      shared.set(key, asking);
      return asking;
    },
  };
}

function localize(
  { takeSnapshot, verified, ...others }: Confirmation,
  translate: Translate,
): Showing {
  return {
    ...others,
    takeSnapshot: () => {
      const { draw, costs = [], ...snapshot } = takeSnapshot();
      return {
        ...snapshot,
        costs: costs.map(({ amount }) => amount),
        draw: (tasks) => {
          const view = draw(translate, tasks);
          return {
            ...view,
            draw: (frame) => {
              const changes = writeChanges(frame.changes, costs, translate);
              return view.draw({ ...frame, changes, verified });
            },
          };
        },
      };
    },
  };
}

function writeChanges(
  changes: Changes | undefined,
  costs: readonly Cost[],
  translate: Translate,
): Notice[] {
  if (!changes) return [];
  const higherCosts = changes.costs.flatMap(({ index, before, after }) => {
    const { label, write: toText } = costs[index] ?? {};
    if (!label || !toText) return [];
    const [from, to] = [before, after].map((each) => toText(each, translate));
    return [`${translate(label)}: ${from} → ${to}`];
  });
  const all = [...new Set(higherCosts)];
  const more = all.length - MAX_COSTS;
  const named = [
    ...all.slice(0, MAX_COSTS),
    ...(more > 0 ? [translate('list.more', { count: more })] : []),
  ].join('; ');
  return [
    ...(changes.isInputOpen ? [warning(translate('changed.input'))] : []),
    ...(named === '' ? [] : [warning(translate('changed.cost', { changes: named }))]),
    ...(changes.isWarned ? [warning(translate('changed.warning'))] : []),
  ];
}

// Limits informational views, where closing is not a refusal. The returned function is called when
// a view opens, and returns a function to call when it closes.
function createViewLimit(now: () => number): (origin: string) => () => void {
  const open = new Set<string>();
  let opened: { origin: string; time: number }[] = [];
  return (origin) => {
    const time = now();
    // A clock that was set back must not delay anyone.
    opened = opened.filter(
      (each) => each.time <= time && time - each.time < VIEWS.windowMs,
    );
    const own = opened.filter((each) => each.origin === origin);
    if (open.has(origin)) throw tooManyViews('It already has one open.', 1);
    if (own.length >= VIEWS.count) {
      const waitMs = (own[0]?.time ?? time) + VIEWS.windowMs - time;
      const seconds = Math.ceil(waitMs / 1000);
      throw tooManyViews(`It may open the next one in ${seconds} s.`, seconds);
    }
    open.add(origin);
    opened.push({ origin, time });
    return () => open.delete(origin);
  };
}

function tooManyViews(reason: string, seconds: number): LimitExceededError {
  return new LimitExceededError(`This origin shows too many status views. ${reason}`, {
    context: toRetryContext(seconds),
  });
}

function assertRoom(open: readonly OpenDialog[], origin: string): void {
  const own = open.filter((other) => other.origin === origin).length;
  const hasRoom = isOwnOrigin(origin) || open.length < LIMITS.all;
  if (hasRoom && own < LIMITS.origin) return;
  throw new LimitExceededError(
    'Too many confirmations are open; answer or close them first.',
    { context: toRetryContext(1) },
  );
}

/** Number of consecutive refusals before a site has to wait. */
export const REFUSALS_BEFORE_WAIT = 3;

/** Maximum time between two refusals of a streak that is shorter than {@link REFUSALS_BEFORE_WAIT}.
 * A later refusal begins a new streak. */
const STREAK_MS = 60_000;

/** How long a site that had to wait is remembered. */
const MEMORY_MS = 24 * 3_600_000;

/** The first and the longest wait. Each further refusal doubles the wait. */
export const WAIT_MS = { first: 30_000, longest: 3_600_000 };

/** Maximum origins to remember. The oldest are dropped first. */
const MAX_ORIGINS = 100;

/** Origin of requests that the user makes on the home page. */
export const HOME_ORIGIN = 'Tollkeeper';

// Returns whether an origin is the wallet's own, which sites must not delay.
function isOwnOrigin(origin: string): boolean {
  return origin === 'metamask' || origin === HOME_ORIGIN;
}

// Makes an origin wait after several refusals, so that users do not approve just to stop its
// requests.
function createCoolDown({ store, now }: ConsentParts) {
  return {
    assertNotWaiting: async (origin: string): Promise<void> => {
      // Returns before any state is read, so a locked wallet does not ask to unlock.
      if (isOwnOrigin(origin)) return;
      const row = findOwn((await store.read()).refusals, origin);
      const waitMs = row ? findWait(row, now()) : 0;
      if (!row || waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      throw new LimitExceededError(
        `${REFUSALS_BEFORE_WAIT} or more dialogs of this origin were refused in a row; it may open the ` +
          `next one in ${seconds} s.`,
        { context: toRetryContext(seconds) },
      );
    },
    // An approval ends the streak.
    note: async (origin: string, isApproved: boolean): Promise<void> => {
      if (isOwnOrigin(origin)) return;
      if (isApproved && !findOwn((await store.read()).refusals, origin)) return;
      await store.update(({ refusals: rows, ...state }) => ({
        ...state,
        refusals: isApproved ? without(rows, origin) : withRefusal(rows, origin, now()),
      }));
    },
  };
}

// A clock that was set back must not delay anyone.
function findWait({ count, last }: Refusals, time: number): number {
  if (count < REFUSALS_BEFORE_WAIT || time < last) return 0;
  const wait = WAIT_MS.first * 2 ** (count - REFUSALS_BEFORE_WAIT);
  return last + Math.min(wait, WAIT_MS.longest) - time;
}

function isRemembered({ count, last }: Refusals, time: number): boolean {
  return (
    time >= last && time - last < (count < REFUSALS_BEFORE_WAIT ? STREAK_MS : MEMORY_MS)
  );
}

// The newest refusal comes last, so the oldest are dropped first.
function withRefusal(
  rows: PrivateState['refusals'],
  origin: string,
  time: number,
): PrivateState['refusals'] {
  const before = findOwn(rows, origin);
  const count = before && isRemembered(before, time) ? before.count : 0;
  const next = { count: Math.min(count + 1, MAX_COUNTED), last: time };
  const others = Object.entries(without(rows, origin)).filter(([, row]) =>
    isRemembered(row, time),
  );
  return Object.fromEntries([...others.slice(1 - MAX_ORIGINS), [origin, next]]);
}
