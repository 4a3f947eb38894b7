// Keys from the wallet's entropy. The salt is the whole derivation path: it must never
// change for an index, or accounts would be lost.
import { isValidPrivate } from '@ethereumjs/util';
import type { Hex } from '@metamask/utils';
import { hexToBytes, isObject } from '@metamask/utils';

import {
  InternalError,
  InvalidParamsError,
  PlatformError,
  TollkeeperError,
} from '../errors';

/** Gives 32 bytes of the wallet's entropy for a salt (`snap_getEntropy`). */
export type GetEntropy = (salt: string, source?: string) => Promise<Hex>;

/** Version of the derivation, part of the salt. */
const DERIVATION_VERSION = 1;

/**
 * Derive the private key of an index.
 *
 * @returns 32 bytes, a valid secp256k1 key; wipe them after use.
 * @throws {InvalidParamsError} If the wallet has no such entropy source.
 */
export async function derivePrivateKey(
  getEntropy: GetEntropy,
  { index, entropySource }: { index: number; entropySource?: string | undefined },
): Promise<Uint8Array> {
  const salt = `tollkeeper/v${DERIVATION_VERSION}/${index}`;
  const entropy = getEntropy(salt, entropySource);
  const key = hexToBytes(await entropy.catch(explain));
  // One in 2^128: so rare that it cannot be met, and not to be passed over if it is.
  if (!isValidPrivate(key)) throw new InternalError(`Index ${index} has no valid key.`);
  return key;
}

// MetaMask has no code for this: its words are all there is.
function explain(cause: unknown): never {
  const message = isObject(cause) && 'message' in cause ? String(cause.message) : '';
  if (cause instanceof TollkeeperError) throw cause;
  if (!/entropy source .*not found/iu.test(message)) {
    throw new PlatformError('MetaMask failed snap_getEntropy', { cause });
  }
  throw new InvalidParamsError('The wallet has no entropy source with that id.', {
    cause,
  });
}
