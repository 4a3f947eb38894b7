// What went wrong, as far as it is for the user.
import { InternalError, TollkeeperError } from '../../errors';
import { toShownText } from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import { danger } from '../../ui/notice';
import type { Notice } from '../../ui/notice';

/** Longest message that is shown: servers' words can stand in it. */
const MAX_LENGTH = 1_000;

/** Say what went wrong. */
export function findFailure(error: unknown, translate: Translate): Notice {
  const isTold = error instanceof TollkeeperError && !(error instanceof InternalError);
  const message = isTold ? error.message : translate('home.failed');
  return danger(toShownText(message, MAX_LENGTH).text);
}
