// Whether calls are for an address that was made to be taken for another: those that they
// name outright, and those in the arguments of functions that are known.
import { addressesIn } from '../eth/known-calls';
import { findLookAlikes } from '../eth/look-alike';
import { lookAlikeNotices } from '../ui/confirm/look-alike-notices';
import type { Translate } from '../ui/i18n';
import type { Notice } from '../ui/notice';
import type { MethodServices } from './method';

/** A call, or the creation of a contract. */
type Called = Parameters<typeof addressesIn>[0];

/**
 * Find what is to be said of the addresses of calls.
 *
 * @returns Nothing where no dialog is shown.
 */
export async function findCallNotices(
  calls: readonly Called[],
  services: Pick<MethodServices, 'confirmsItself' | 'knownAddresses'>,
): Promise<(translate: Translate) => Notice[]> {
  if (!services.confirmsItself) return () => [];
  const known = await services.knownAddresses();
  const found = findLookAlikes(calls.flatMap(addressesIn), known.all);
  return (translate) => lookAlikeNotices(found, translate);
}
