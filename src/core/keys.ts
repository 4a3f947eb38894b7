// Private keys, derived from the wallet's entropy or imported. To sign, each worker fetches a key
// once and checks that it belongs to its account. Code outside of this folder handles a key only
// when it is imported or exported.
import { isValidPrivate, privateToAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes, isObject } from '@metamask/utils';
import { secp256k1 } from '@noble/curves/secp256k1.js';

import {
  InternalError,
  InvalidParamsError,
  NotFoundError,
  PlatformError,
  TollkeeperError,
  UnavailableError,
} from './errors';
import { isSameAddress } from './hex';
import type { Hex } from './hex';
import type { AccountRef, KeyRef } from './payload';
import type { Vault } from './vault';

/** Derives 32 bytes from the wallet's entropy and a salt (`snap_getEntropy`). */
export type GetEntropy = (salt: string, source?: string) => Promise<Hex>;

/** Version of the derivation. It is part of the salt, which is the whole derivation path. A
 * different salt gives different keys, so accounts would be lost. */
const DERIVATION_VERSION = 1;

// Uses a smaller table than noble's default. The first signature is ready in half the time, and
// later ones take 0.2 ms longer. A worker signs only once or twice before MetaMask stops it.
secp256k1.Point.BASE.precompute(4);

class NoSourceError extends InvalidParamsError {}

export type Keys = {
  /** Returns the address of a key, in lower case. Throws `InvalidParamsError` if the wallet does
   * not have the entropy source. */
  addressOf: (ref: KeyRef) => Promise<Hex>;
  has: (account: AccountRef) => Promise<boolean>;
  /** Passes a copy of an account's key to a function of the core, and wipes the copy afterwards.
   * Throws `NotFoundError` if the account is gone, `InvalidParamsError` if it was changed, and
   * `UnavailableError` if its key is not available. */
  lend: <Result>(
    account: AccountRef,
    use: (key: Uint8Array) => Result,
  ) => Promise<Result>;
};

export function createKeys(
  getEntropy: GetEntropy,
  vault: Vault,
  findAccount: (id: string) => Promise<AccountRef | undefined>,
): Keys {
  // Keeps checked keys until the worker ends: MetaMask derives a key more slowly than we sign.
  const checkedKeys = new Map<string, Uint8Array>();

  // Returns undefined if an imported key is missing or invalid.
  const fetchKey = async (ref: KeyRef): Promise<Uint8Array | undefined> => {
    if (ref.kind === 'imported') {
      const found = vault.find(ref.held);
      return found === undefined ? undefined : hexToBytes(found);
    }
    const { index, entropySource, entryPoint, implementation = 'erc4337' } = ref;
    const owner = entryPoint === undefined ? '' : `${implementation}/${entryPoint}/`;
    const salt = `tollkeeper/v${DERIVATION_VERSION}/${owner}${index}`;
    const key = hexToBytes(
      await getEntropy(salt, entropySource).catch(rethrowEntropyError),
    );
    // The chance of this is about 1 in 2^128. Skipping to another key would still be wrong.
    if (!isValidPrivate(key)) {
      throw new InternalError(`Index ${index} has no valid key.`);
    }
    return key;
  };
  // Tries every source: early smart accounts share the key of the EOA with the same index.
  const findKey = async ({
    owner,
    keys,
  }: AccountRef): Promise<Uint8Array | undefined> => {
    for (const ref of keys) {
      const key = await fetchKey(ref);
      if (key && isSameAddress(addressOfKey(key), owner)) return key;
      key?.fill(0);
    }
    return undefined;
  };
  const requireKey = async (account: AccountRef): Promise<Uint8Array> => {
    const { address, keys } = account;
    const key = await findKey(account).catch((cause: unknown) => {
      if (!(cause instanceof NoSourceError)) throw cause;
      throw new UnavailableError(
        `MetaMask has no Secret Recovery Phrase with the id that the account ${address} was ` +
          'created with. Import the phrase into MetaMask if it is not there, then restore its ' +
          "accounts on Tollkeeper's home page: this account stays the same.",
        { cause },
      );
    });
    if (key) return key;
    throw new UnavailableError(
      keys[0]?.kind === 'imported'
        ? `The stored key of the account ${address} belongs to another address. ` +
            'Export it on the home page if you need it; then delete the account and import ' +
            'its own key.'
        : `MetaMask derives the key of another address for the account ${address}. Use the ` +
            'Secret Recovery Phrase with which the account was created.',
    );
  };
  return {
    addressOf: async (ref) => {
      const key = await fetchKey(ref);
      if (!key) throw new InternalError('The imported key is missing.');
      const address = addressOfKey(key);
      key.fill(0);
      return address;
    },
    has: async (account) => {
      try {
        const key = await findKey(account);
        key?.fill(0);
        return key !== undefined;
      } catch (error) {
        if (error instanceof NoSourceError) return false;
        throw error;
      }
    },
    lend: async (account, use) => {
      // The account can change while a dialog is open or an earlier transaction is pending.
      await assertUnchanged(account, findAccount);
      const cacheKey = JSON.stringify(account);
      const kept = checkedKeys.get(cacheKey) ?? (await requireKey(account));
      checkedKeys.set(cacheKey, kept);
      const key = kept.slice();
      try {
        return use(key);
      } finally {
        key.fill(0);
      }
    },
  };
}

async function assertUnchanged(
  account: AccountRef,
  findAccount: (id: string) => Promise<AccountRef | undefined>,
): Promise<void> {
  const now = await findAccount(account.id);
  if (!now) {
    throw new NotFoundError(
      'The account was removed from Tollkeeper while the request waited. It was not signed.',
    );
  }
  if (JSON.stringify(now) === JSON.stringify(account)) return;
  throw new InvalidParamsError(
    `The account ${account.address} was changed while the request waited. It was not signed.`,
  );
}

// MetaMask has no error code for a missing entropy source, so the message decides.
function rethrowEntropyError(cause: unknown): never {
  if (cause instanceof TollkeeperError) throw cause;
  const message = isObject(cause) && 'message' in cause ? String(cause.message) : '';
  if (!/entropy source .*not found/iu.test(message)) {
    throw new PlatformError('MetaMask could not execute snap_getEntropy', { cause });
  }
  throw new NoSourceError('The wallet has no entropy source with that id.', { cause });
}

function addressOfKey(key: Uint8Array): Hex {
  return bytesToHex(privateToAddress(key));
}
