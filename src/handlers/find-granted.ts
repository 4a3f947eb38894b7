// What was sent, as far as an origin may know of it.
import type { Hex } from '../eth/hex';
import type { SentTransaction } from '../state/sent-transaction';
import type { Grants } from './grants';

/** What finding needs. */
export type FindGrantedServices = {
  grants: Pick<Grants, 'list'>;
  findSent: (hash: Hex) => Promise<SentTransaction | undefined>;
};

/**
 * Find what was sent from an account that an origin was granted. That it was sent from here
 * tells whose account it is: of any other nobody learns whether it was.
 */
export async function findGranted(
  hash: Hex,
  origin: string,
  { grants, findSent }: FindGrantedServices,
): Promise<SentTransaction | undefined> {
  const sent = await findSent(hash);
  if (!sent) return undefined;
  const granted = await grants.list(origin);
  return granted.some(({ id }) => id === sent.account) ? sent : undefined;
}
