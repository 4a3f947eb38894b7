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
   * @throws {LimitExceededError} As {@link Consent.require}: one that is closed counts like
   * one that is refused.
   */
  show: (origin: string, asking: Asking) => Promise<void>;
};

/** What asking needs. */
export type ConsentServices = {
  dialogs: Pick<LiveDialogs, 'show'>;
  loadTranslate: () => Promise<Translate>;
  coolDown: CoolDown;
};

/** Creates the consent service, which shows dialogs and waits for the user's decision. */
export function createConsent({
  dialogs,
  loadTranslate,
  coolDown,
}: ConsentServices): Consent {
  // Counts what is open now: nothing that outlives the requests that wait for it.
  const open: string[] = [];
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
      await show(origin, asking);
      await coolDown.note(origin, false).catch(() => undefined);
    },
  };
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
