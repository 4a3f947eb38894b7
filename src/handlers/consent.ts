// Asking the user: dialogs are queued by the wallet, with a limit, so that no site can
// bury its user in them.
import { LimitExceededError, UserRejectedError } from '../errors';
import type { Asking, DialogValues } from '../methods';
import type { Translate } from '../ui/i18n';
import { isOwnOrigin } from './cool-down';
import type { CoolDown } from './cool-down';
import type { LiveDialogs } from './live-dialogs';

/** Most dialogs of sites that wait at a time, and most of one origin. */
const LIMITS = { all: 20, origin: 5 };

/** Most views that ask for nothing of one origin in a window. */
const VIEWS = { count: 5, windowMs: 60_000 };

/** Obtains consent, or throws. */
export type Consent = {
  /**
   * Shows a dialog and waits until the user approves it.
   *
   * @returns What was approved; of a dialog that never changes, what was filled in.
   * @throws {UserRejectedError} If the user refuses or closes it.
   * @throws {LimitExceededError} If too many dialogs are open, or the origin's were refused
   * too often.
   */
  require: <Approved = DialogValues>(
    origin: string,
    asking: Asking<Approved>,
  ) => Promise<Approved>;
  /**
   * Shows a dialog that asks for nothing, and waits until the user closes it.
   *
   * @throws {LimitExceededError} As {@link Consent.require}; or if the origin has shown
   * another just now, or too many of late.
   */
  show: (origin: string, asking: Asking) => Promise<void>;
};

/** What asking needs. */
export type ConsentServices = {
  dialogs: Pick<LiveDialogs, 'show'>;
  loadTranslate: () => Promise<Translate>;
  coolDown: CoolDown;
  now: () => number;
};

/** Creates the consent service, which shows dialogs and waits for the user's decision. */
export function createConsent({
  dialogs,
  loadTranslate,
  coolDown,
  now,
}: ConsentServices): Consent {
  // Counts what is open now: nothing that outlives the requests that wait for it.
  const open: string[] = [];
  const countView = createViewLimit(now);
  const show = async <Approved>(
    origin: string,
    asking: Asking<Approved>,
  ): Promise<{ approved: Approved } | undefined> => {
    assertRoom(open, origin);
    open.push(origin);
    try {
      return await dialogs.show(asking, await loadTranslate());
    } finally {
      open.splice(open.indexOf(origin), 1);
    }
  };
  return {
    require: async (origin, asking) => {
      await coolDown.assertOver(origin);
      const answer = await show(origin, asking);
      // The user's answer stands, whether or not it can be counted.
      await coolDown.note(origin, answer !== undefined).catch(() => undefined);
      if (answer) return answer.approved;
      throw new UserRejectedError();
    },
    show: async (origin, asking) => {
      await coolDown.assertOver(origin);
      const release = countView(origin);
      try {
        await show(origin, asking);
      } finally {
        release();
      }
    },
  };
}

/**
 * Creates a limit for views that ask for nothing: closing one is no refusal, so the cool-down
 * does not bound them. An origin shows one at a time, and a few a minute.
 *
 * @returns Counts a view, and gives what is called when it is closed.
 */
function createViewLimit(now: () => number): (origin: string) => () => void {
  const open = new Set<string>();
  let opened: { origin: string; time: number }[] = [];
  return (origin) => {
    const time = now();
    // A clock that was set back holds nobody up.
    opened = opened.filter(
      (each) => each.time <= time && time - each.time < VIEWS.windowMs,
    );
    const own = opened.filter((each) => each.origin === origin);
    if (open.has(origin)) throw tooManyViews('It has one open already.', 1);
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
  return new LimitExceededError(
    `This origin shows too many views of what it sent. ${reason}`,
    { context: { rate: { backoff_seconds: seconds } } },
  );
}

function assertRoom(open: readonly string[], origin: string): void {
  const own = open.filter((other) => other === origin).length;
  const hasRoom = isOwnOrigin(origin) || open.length < LIMITS.all;
  if (hasRoom && own < LIMITS.origin) return;
  throw new LimitExceededError(
    'Too many confirmations are open; answer or close them first.',
    { context: { rate: { backoff_seconds: 1 } } },
  );
}
