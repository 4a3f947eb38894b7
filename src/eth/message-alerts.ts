// What is remarkable about a message that a site wants signed: a sign-in that is not its own,
// or bytes that are something else than a message.
import { hexToBytes } from '@metamask/utils';

import type { ChainId } from './chain';
import { findDisguisedMessage } from './disguises';
import type { DisguiseAlert, DisguiseContext } from './disguises';
import { isSameAddress } from './hex';
import type { Hex } from './hex';
import { parseSiwe, resemblesSiwe } from './message';
import type { SiweMessage } from './message';
import { hostOf } from './origin';
import { decodeRlp } from './rlp';

/** What is remarkable about a message; times in ms since 1970. */
export type MessageAlert =
  | DisguiseAlert
  /** It wants to be taken for a sign-in, but is not written as one. */
  | { kind: 'siweMalformed' }
  /** It signs in to another site than the one that asks. */
  | { kind: 'siweDomain'; domain: string; origin: string }
  /** Likewise, by its scheme. */
  | { kind: 'siweScheme'; scheme: string; origin: string }
  | { kind: 'siweAddress'; address: Hex }
  | { kind: 'siweUri'; uri: string }
  | { kind: 'siweChain'; chainId: ChainId }
  | { kind: 'siweFuture'; time: number }
  | { kind: 'siweExpired'; time: number }
  | { kind: 'siweNotYet'; time: number }
  /** 32 bytes: nobody can read what they stand for. */
  | { kind: 'hash' }
  /** The hex of 32 bytes, as text. */
  | { kind: 'hashAsText' }
  /** A transaction without signature. */
  | { kind: 'transaction' }
  /** What typed data hash to (EIP-712). */
  | { kind: 'digest' };

/** Who is asked by whom, where and when, and what else the snap knows. */
export type SigningContext = DisguiseContext & {
  /** As the platform gives it; no site's where MetaMask stands between. */
  origin: string;
  /** Chains that there is a node for; undefined if that is not known. */
  chains: readonly ChainId[] | undefined;
  /** In ms since 1970. */
  now: number;
};

/** How far a site's clock may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Shortest transaction: six empty items. */
const TRANSACTION_ITEMS = { min: 6, max: 14 };

/**
 * Find what a signer should know about a message, the worst first.
 *
 * @param text - The message as text, if it is one.
 */
export function findMessageAlerts(
  { bytes, text }: { bytes: Uint8Array; text: string | undefined },
  context: SigningContext,
): MessageAlert[] {
  const written = findBytes(bytes, text);
  const disguises = findDisguisedMessage({ bytes, written, text }, context);
  if (text !== undefined && resemblesSiwe(text)) {
    const message = parseSiwe(text);
    const alerts = message ? findSiweAlerts(message, context) : undefined;
    return [...disguises, ...(alerts ?? [{ kind: 'siweMalformed' } as const])];
  }
  if (disguises.length > 0) return disguises;
  if (written.length === 32) {
    return [{ kind: text === undefined ? 'hash' : 'hashAsText' }];
  }
  if (written.length === 66 && written[0] === 0x19 && written[1] === 1) {
    return [{ kind: 'digest' }];
  }
  return isTransaction(written) ? [{ kind: 'transaction' }] : [];
}

/** List the addresses that a text names. */
export function listTextAddresses(text = ''): Hex[] {
  return (text.match(/\b0x[0-9a-f]{40}\b/giu) ?? []) as Hex[];
}

function findSiweAlerts(message: SiweMessage, context: SigningContext): MessageAlert[] {
  const { address, chainId, issuedAt, expirationTime, notBefore } = message;
  const { account, chains, now } = context;
  const alerts: (MessageAlert | undefined)[] = [
    ...findPlaceAlerts(message, context.origin),
    isSameAddress(address, account) ? undefined : { kind: 'siweAddress', address },
    !chains || chains.includes(chainId) ? undefined : { kind: 'siweChain', chainId },
    issuedAt > now + CLOCK_SKEW_MS ? { kind: 'siweFuture', time: issuedAt } : undefined,
    expirationTime !== undefined && expirationTime <= now
      ? { kind: 'siweExpired', time: expirationTime }
      : undefined,
    notBefore !== undefined && notBefore > now + CLOCK_SKEW_MS
      ? { kind: 'siweNotYet', time: notBefore }
      : undefined,
  ];
  return alerts.filter((alert) => alert !== undefined);
}

// Without a site's origin there is nothing to compare with.
function findPlaceAlerts(
  { scheme, domain, uri }: SiweMessage,
  origin: string,
): MessageAlert[] {
  const site = /^(?<protocol>https?):/u.exec(origin)?.groups?.protocol;
  const host = hostOf(origin);
  if (site === undefined || host === undefined) return [];
  const isOwn = hostOf(`${site}://${domain}`) === host;
  const uriHost = hostOf(uri);
  return [
    ...(isOwn ? [] : [{ kind: 'siweDomain', domain, origin } as const]),
    ...(scheme === undefined || scheme.toLowerCase() === site
      ? []
      : [{ kind: 'siweScheme', scheme, origin } as const]),
    // The domain's notice says it all.
    ...(!isOwn || uriHost === undefined || uriHost === host
      ? []
      : [{ kind: 'siweUri', uri } as const]),
  ];
}

// A message that is the hex of something is that, too.
function findBytes(bytes: Uint8Array, text: string | undefined): Uint8Array {
  const digits = text?.trim().replace(/^0x/iu, '') ?? '';
  const isHex = digits.length >= 12 && /^(?:[0-9a-f]{2})+$/iu.test(digits);
  if (isHex) return hexToBytes(digits);
  // Text of 32 letters is no hash.
  return text === undefined ? bytes : new Uint8Array();
}

function isTransaction(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const isTyped = first >= 1 && first <= 4;
  try {
    const items = decodeRlp(isTyped ? bytes.subarray(1) : bytes);
    return (
      Array.isArray(items) &&
      items.length >= TRANSACTION_ITEMS.min &&
      items.length <= TRANSACTION_ITEMS.max
    );
  } catch {
    return false;
  }
}
