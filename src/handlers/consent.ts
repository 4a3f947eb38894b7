// Asking the user: dialogs are queued by the wallet, with a limit, so that no site can
// bury its user in them.
import { any, boolean, object, record, string } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { LimitExceededError, UserRejectedError } from '../errors';
import type { Confirmation } from '../methods';
import { matches } from '../parse';
import type { Translate } from '../ui/i18n';
import { isOwnOrigin } from './cool-down';
import type { CoolDown } from './cool-down';
import type { LiveDialogs } from './live-dialogs';

/** Most dialogs of sites that wait at a time, and most of one origin. */
const LIMITS = { all: 20, origin: 5 };

const AnswerStruct = object({ approved: boolean(), values: record(string(), any()) });

/** What the user filled in, by field name. */
export type DialogValues = Record<string, Json>;

/** Obtains consent, or throws. */
export type Consent = {
  /**
   * Show a dialog and wait until the user approves.
   *
   * @returns What was filled in.
   * @throws {UserRejectedError} If the user refuses or closes it.
   * @throws {LimitExceededError} If too many dialogs are open, or the origin's were refused
   * too often.
   */
  require: (origin: string, confirmation: Confirmation) => Promise<DialogValues>;
  /**
   * Show a dialog that asks for nothing, and wait until the user closes it.
   *
   * @throws {LimitExceededError} As {@link Consent.require}: one that is closed counts like
   * one that is refused.
   */
  show: (origin: string, confirmation: Confirmation) => Promise<void>;
};

/** What asking needs. */
export type ConsentServices = {
  dialogs: Pick<LiveDialogs, 'show'>;
  loadTranslate: () => Promise<Translate>;
  coolDown: CoolDown;
};

/** Create the one who asks. */
export function createConsent({
  dialogs,
  loadTranslate,
  coolDown,
}: ConsentServices): Consent {
  // Counts what is open now: nothing that outlives the requests that wait for it.
  const open: string[] = [];
  const show = async (origin: string, confirmation: Confirmation): Promise<Json> => {
    await coolDown.assertOver(origin);
    assertRoom(open, origin);
    open.push(origin);
    try {
      return await dialogs.show(confirmation, await loadTranslate());
    } finally {
      open.splice(open.indexOf(origin), 1);
    }
  };
  // The user's answer stands, whether or not it can be counted.
  const note = async (origin: string, isApproved: boolean): Promise<void> =>
    coolDown.note(origin, isApproved).catch(() => undefined);
  return {
    require: async (origin, confirmation) => {
      const answer = await show(origin, confirmation);
      const isApproved = matches(answer, AnswerStruct) && answer.approved;
      await note(origin, isApproved);
      if (isApproved) return answer.values;
      throw new UserRejectedError();
    },
    show: async (origin, confirmation) => {
      await show(origin, confirmation);
      await note(origin, false);
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
