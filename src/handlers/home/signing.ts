// Having something signed that was begun on the home page: our own dialog asks for consent,
// as it does for a website.
import type { MethodServices } from '../../methods';
import type { HomeServices } from './tab';

/** Who asks, where it is the user of the page. */
export const HOME_ORIGIN = 'Tollkeeper';

/**
 * Make what a signing method works with.
 *
 * @param origin - Who is said to ask.
 * @param mayHoldSecrets - Whether the result goes to MetaMask.
 */
export function toSigningServices(
  origin: string,
  mayHoldSecrets: boolean,
  { methodServices, consent }: Pick<HomeServices, 'methodServices' | 'consent'>,
): MethodServices {
  return {
    ...methodServices,
    requireConsent: async (confirmation) => {
      await consent.require(origin, confirmation);
    },
    confirmsItself: true,
    isFromDapp: true,
    mayHoldSecrets,
  };
}
