// What went wrong, as far as it is for the user.
import { InternalError, TollkeeperError, UserRejectedError } from '../../errors';
import { toShownText } from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import { danger, info } from '../../ui/notice';
import type { Notice } from '../../ui/notice';

/** Longest message that is shown: servers' words can stand in it. */
const MAX_LENGTH = 1_000;

/** Say what went wrong; that the user said no is no fault. */
export function toFailure(error: unknown, translate: Translate): Notice {
  if (error instanceof UserRejectedError) return info(translate('home.refused'));
  const isTold = error instanceof TollkeeperError && !(error instanceof InternalError);
  const message = isTold ? error.message : translate('home.failed');
  return danger(toShownText(message, MAX_LENGTH).text);
}
