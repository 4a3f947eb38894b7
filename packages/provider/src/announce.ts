// Announces the provider to libraries that look for wallets (EIP-6963).
import { randomHex } from './eip1193';
import type { Provider } from './provider';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-labe' +
  'l="Tollkeeper"><rect width="64" height="64" rx="14" fill="#12403a"/><rect x="12"' +
  ' y="14" width="7" height="36" rx="2" fill="#f4f1e8"/><rect x="45" y="24" width="' +
  '7" height="26" rx="2" fill="#f4f1e8"/><g transform="rotate(-14 19 24)"><rect x="' +
  '15" y="21" width="40" height="7" rx="2" fill="#f4b63f"/><path d="M24 21h6l-4 7h-' +
  '6zM38 21h6l-4 7h-6z" fill="#c7402d"/></g><circle cx="15.5" cy="24.5" r="4" fill=' +
  '"#f4b63f"/><rect x="8" y="48" width="48" height="4" rx="2" fill="#f4f1e8"/></svg' +
  '>';

/** The icon from images/icon.svg as a data URI, which EIP-6963 requires. */
const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Name, icon and ids of a wallet (EIP-6963). */
export type ProviderInfo = {
  /** Unique per provider (UUID v4), and the same in every announcement. */
  uuid: string;
  name: string;
  /** A data URI of an image. */
  icon: string;
  /** Reverse domain name. */
  rdns: string;
};

/** How Tollkeeper presents itself to dapps: name, icon and EIP-6963's `rdns`. */
export const tollkeeperInfo: Readonly<Omit<ProviderInfo, 'uuid'>> = {
  name: 'Tollkeeper',
  icon,
  rdns: 'io.tollkeeper.snap',
};

/** The announced id of each provider: libraries list one wallet per id. */
const uuids = new WeakMap<Provider, string>();

/** Announces a provider alongside the page's other wallets, now and whenever a library asks, until
 * the returned function is called. Does nothing without a page, as during server-side rendering.
 * `info` overrides Tollkeeper's name or icon. */
export function announce(
  provider: Provider,
  info: { name?: string; icon?: string } = {},
): () => void {
  if (typeof window === 'undefined') return () => undefined;
  const uuid = uuids.get(provider) ?? createUuid();
  uuids.set(provider, uuid);
  const detail = Object.freeze({
    info: Object.freeze({ uuid, ...tollkeeperInfo, ...info }),
    provider,
  });
  const offer = (): void => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  window.addEventListener('eip6963:requestProvider', offer);
  offer();
  return () => window.removeEventListener('eip6963:requestProvider', offer);
}

// Creates a version 4 UUID (RFC 9562). `crypto.randomUUID` exists on secure pages only.
function createUuid(): string {
  const form = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/u;
  return randomHex(16).replace(form, '$1-$2-4$3-8$4-$5');
}
