// A message that a site wants signed, decoded once, and what its signer should know about it: a
// sign-in that is not the site's own, or bytes that are something else than a message.
import { hexToBytes } from '@metamask/utils';

import { toCaip2 } from '../eth/chain';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hostOf } from '../eth/host';
import { parseSiwe, resemblesSiwe } from '../eth/message';
import type { SiweMessage } from '../eth/message';
import { decodeRlp } from '../eth/rlp';
import { findText } from '../ui/format';
import { danger, info, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { findDisguisedMessage } from './disguises';
import type { SigningContext } from './disguises';
import { findLookAlikes } from './findings';

/** A message, decoded. */
export type DecodedMessage = {
  bytes: Uint8Array;
  /** Undefined if the bytes are no text that can be shown. */
  text: string | undefined;
  /** What it says, if it is a sign-in (EIP-4361). */
  signIn: SiweMessage | undefined;
};

/** How far a site's clock may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Shortest transaction: six empty items. */
const TRANSACTION_ITEMS = { min: 6, max: 14 };

/** Decodes a message. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const text = findText(bytes);
  return { bytes, text, signIn: text === undefined ? undefined : parseSiwe(text) };
}

/** Finds what a signer should know about a message. */
export function findMessageWarnings(
  message: DecodedMessage,
  context: SigningContext,
): Warning[] {
  return [
    ...findContentWarnings(message, context),
    ...findLookAlikes(listTextAddresses(message.text), context.known),
  ];
}

function findContentWarnings(
  { bytes, text, signIn }: DecodedMessage,
  context: SigningContext,
): Warning[] {
  const written = findBytes(bytes, text);
  const disguises = findDisguisedMessage({ bytes, written, text }, context);
  if (text !== undefined && resemblesSiwe(text)) {
    // It wants to be taken for a sign-in, but is not written as one.
    const found = signIn
      ? findSiweWarnings(signIn, context)
      : [danger('siwe.malformed')];
    return [...disguises, ...found];
  }
  if (disguises.length > 0) return disguises;
  if (written.length === 32) {
    return [text === undefined ? danger('message.hash') : warning('message.hash')];
  }
  if (text !== undefined && bytes.length === 32) return [info('message.mayBeHash')];
  // What typed data hash to (EIP-712).
  if (written.length === 66 && written[0] === 0x19 && written[1] === 1) {
    return [danger('message.digest')];
  }
  return isTransaction(written) ? [danger('message.transaction')] : [];
}

function listTextAddresses(text = ''): Hex[] {
  return (text.match(/\b0x[0-9a-f]{40}\b/giu) ?? []) as Hex[];
}

function findSiweWarnings(message: SiweMessage, context: SigningContext): Warning[] {
  const { address, chainId, issuedAt, expirationTime, notBefore } = message;
  const { account, chains, now } = context;
  const latest = now + CLOCK_SKEW_MS;
  const isExpired = expirationTime !== undefined && expirationTime <= now;
  const found = [
    ...findPlaceWarnings(message, context.origin),
    !isSameAddress(address, account) && danger('siwe.otherAddress', { address }),
    chains &&
      !chains.includes(chainId) &&
      warning('siwe.otherChain', { chain: { chain: toCaip2(chainId) } }),
    issuedAt > latest && warning('siwe.future', { time: { time: issuedAt } }),
    isExpired && warning('siwe.expired', { time: { time: expirationTime } }),
    notBefore !== undefined &&
      notBefore > latest &&
      warning('siwe.notYet', { time: { time: notBefore } }),
  ];
  return found.filter((each) => typeof each === 'object');
}

// Without a site's origin there is nothing to compare with.
function findPlaceWarnings(
  { scheme, domain, uri }: SiweMessage,
  origin: string,
): Warning[] {
  const site = /^(?<protocol>https?):/u.exec(origin)?.groups?.protocol;
  const host = hostOf(origin);
  if (site === undefined || host === undefined) return [];
  const isOwn = hostOf(`${site}://${domain}`) === host;
  const uriHost = hostOf(uri);
  return [
    ...(isOwn ? [] : [danger('siwe.otherDomain', { domain, origin })]),
    ...(scheme === undefined || scheme.toLowerCase() === site
      ? []
      : [danger('siwe.otherScheme', { scheme })]),
    // The domain's warning says it all.
    ...(!isOwn || uriHost === undefined || uriHost === host
      ? []
      : [warning('siwe.otherUri', { uri })]),
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
