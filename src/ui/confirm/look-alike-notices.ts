// Addresses that resemble known ones, in words.
import type { LookAlike } from '../../eth/look-alike';
import type { Translate } from '../i18n';
import { danger } from '../notice';
import type { Notice } from '../notice';

/** Most that are named: one is enough to stop. */
const MAX_NAMED = 3;

/** Warn of addresses that are made to be taken for others. */
export function lookAlikeNotices(
  found: readonly LookAlike[],
  translate: Translate,
): Notice[] {
  return found
    .slice(0, MAX_NAMED)
    .map(({ address, known }) =>
      danger(translate('warning.lookAlike', { address, known })),
    );
}
