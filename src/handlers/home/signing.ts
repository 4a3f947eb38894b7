// Having something signed that was begun on the home page: our own dialog asks for consent,
// as it does for a website.
import type { MethodServices } from '../../methods';
import { asTold } from '../second-confirmation';
import type { HomeServices } from './tab';

/** Who asks, where it is the user of the page. */
export const HOME_ORIGIN = 'Tollkeeper';

/**
 * Make what a signing method works with.
 *
 * @param origin - Who is said to ask.
 * @param isOfMetaMask - Whether MetaMask asks, says for whom, and gets the result.
 */
export function toSigningServices(
  origin: string,
  isOfMetaMask: boolean,
  { methodServices, consent }: Pick<HomeServices, 'methodServices' | 'consent'>,
): MethodServices {
  return {
    ...methodServices,
    requireConsent: async (asking) =>
      consent.require(origin, isOfMetaMask ? asTold(asking) : asking),
    confirmsItself: true,
    isFromDapp: !isOfMetaMask,
    mayHoldSecrets: isOfMetaMask,
  };
}
