// Keys from the wallet's entropy. The salt is the whole derivation path: it must never
// change for a key, or accounts would be lost.
import { isValidPrivate } from '@ethereumjs/util';
import { hexToBytes, isObject } from '@metamask/utils';

import {
  InternalError,
  InvalidParamsError,
  PlatformError,
  TollkeeperError,
} from '../errors';
import type { Hex } from '../eth/hex';
import type { EntryPointVersion } from '../eth/user-operation';

/** Gives 32 bytes of the wallet's entropy for a salt (`snap_getEntropy`). */
export type GetEntropy = (salt: string, source?: string) => Promise<Hex>;

/** Which key is derived. */
export type Derivation = {
  index: number;
  /** The wallet's entropy source; its primary one by default. */
  entropySource?: string | undefined;
  /** Of a smart account's owner: the EntryPoint of the account. An EOA has none. */
  entryPoint?: EntryPointVersion | undefined;
};

/** Version of the derivation, part of the salt. */
const DERIVATION_VERSION = 1;

/**
 * Derive a private key. No two accounts share one: otherwise an EOA, or an account for
 * another EntryPoint, could sign a user operation of a smart account.
 *
 * @returns 32 bytes, a valid secp256k1 key; wipe them after use.
 * @throws {InvalidParamsError} If the wallet has no such entropy source.
 */
export async function derivePrivateKey(
  getEntropy: GetEntropy,
  { index, entropySource, entryPoint }: Derivation,
): Promise<Uint8Array> {
  const owner = entryPoint === undefined ? '' : `erc4337/${entryPoint}/`;
  const salt = `tollkeeper/v${DERIVATION_VERSION}/${owner}${index}`;
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
