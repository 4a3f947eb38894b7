// Where MetaMask sends its user to decide on a request that waits.
import type { Translate } from '../ui/i18n';

/** A redirect as keyring-api writes it. MetaMask checks that we may send there. */
export type Redirect = { message: string; url: string };

/** Create the writer of redirects to the companion page. */
export function createRedirect(
  companionOrigin: string,
  loadTranslate: () => Promise<Translate>,
): (requestId: string) => Promise<Redirect> {
  return async (requestId) => {
    const translate = await loadTranslate();
    const url = new URL('/', companionOrigin);
    url.searchParams.set('request', requestId);
    return { message: translate('redirect.message'), url: url.href };
  };
}
