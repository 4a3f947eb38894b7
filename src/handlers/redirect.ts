// Where MetaMask sends its user to decide on a request that waits.
import type { Translate } from '../ui/i18n';

/** A redirect as keyring-api writes it. MetaMask checks that we may send there. */
export type Redirect = { message: string; url?: string };

/**
 * Create the writer of redirects: to the companion page, if there is one. The home page has no
 * address: the message says where it is.
 */
export function createRedirect(
  companionOrigin: string | undefined,
  loadTranslate: () => Promise<Translate>,
): (requestId: string) => Promise<Redirect> {
  return async (requestId) => {
    const translate = await loadTranslate();
    const message = translate('redirect.message');
    if (companionOrigin === undefined) {
      return { message: `${message} ${translate('welcome.page.where')}` };
    }
    const url = new URL('/', companionOrigin);
    url.searchParams.set('request', requestId);
    return { message, url: url.href };
  };
}
