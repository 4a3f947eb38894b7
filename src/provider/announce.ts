// Offering the provider to libraries that look for wallets (EIP-6963).
import { icon } from './icon';
import type { Provider } from './provider';
import { randomHex } from './random';

/** What a wallet says of itself. */
export type ProviderInfo = {
  /** Unique for each announcement (UUID v4). */
  uuid: string;
  name: string;
  /** A data URI of an image. */
  icon: string;
  /** Reverse domain name. */
  rdns: string;
};

/**
 * Offer a provider beside the wallets of the page, now and whenever a library asks. Does nothing
 * where there is no page, as while a server renders one.
 *
 * @param provider - What `createProvider` made.
 * @param info - Another name or icon than Tollkeeper's.
 * @returns A function that takes the offer back.
 */
export function announce(
  provider: Provider,
  info: Partial<Pick<ProviderInfo, 'name' | 'icon'>> = {},
): () => void {
  if (typeof window === 'undefined') return () => undefined;
  const own = { name: 'Tollkeeper', icon, rdns: 'io.tollkeeper.snap', ...info };
  const detail = Object.freeze({
    info: Object.freeze({ uuid: createUuid(), ...own }),
    provider,
  });
  const tell = (): void => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  window.addEventListener('eip6963:requestProvider', tell);
  tell();
  return () => window.removeEventListener('eip6963:requestProvider', tell);
}

// `crypto.randomUUID` is there on secure pages alone. Version 4, of the variant of RFC 9562.
function createUuid(): string {
  return randomHex(16).replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/u,
    '$1-$2-4$3-8$4-$5',
  );
}
