// Finding MetaMask in a page: by EIP-6963, where each wallet says who it is; by
// `window.ethereum` where no wallet answers, if that says that it is MetaMask.
import type { Eip1193 } from './eip1193';
import { codes, ProviderRpcError } from './errors';

/** How wallets of MetaMask name themselves: the extension, Flask, the app. */
const METAMASK = /^io\.metamask(?:\.|$)/u;

/** How long wallets are given to answer, in ms: they answer in the same tick, unless their
 * script comes late. */
const WAIT_MS = 500;

type Announcement = { detail?: { info?: { rdns?: unknown }; provider?: Eip1193 } };

/** A page as far as this needs it. */
export type Page = Pick<
  EventTarget,
  'addEventListener' | 'removeEventListener' | 'dispatchEvent'
> & {
  ethereum?: Eip1193 & { isMetaMask?: boolean };
};

/**
 * Find MetaMask's provider; Flask's before others, which can hold unpublished snaps.
 *
 * @throws {ProviderRpcError} 4900 if there is none.
 */
export async function findMetaMask(page: Page | undefined): Promise<Eip1193> {
  const announced = page && (await collect(page));
  const flask = announced?.find(([rdns]) => rdns.endsWith('.flask'));
  const [, found] = flask ?? announced?.[0] ?? [];
  if (found) return found;
  if (page?.ethereum?.isMetaMask === true) return page.ethereum;
  throw new ProviderRpcError(
    codes.disconnected,
    'MetaMask was not found in this browser.',
  );
}

type Found = readonly [rdns: string, provider: Eip1193];

async function collect(page: Page): Promise<Found[]> {
  const found: Found[] = [];
  return new Promise((resolve) => {
    const listen = (event: Event): void => {
      const { info, provider } = (event as Announcement).detail ?? {};
      const rdns = String(info?.rdns);
      if (provider && METAMASK.test(rdns)) found.push([rdns, provider]);
    };
    page.addEventListener('eip6963:announceProvider', listen);
    page.dispatchEvent(new Event('eip6963:requestProvider'));
    const end = (): void => {
      page.removeEventListener('eip6963:announceProvider', listen);
      resolve(found);
    };
    if (found.length > 0) end();
    else setTimeout(end, WAIT_MS);
  });
}
