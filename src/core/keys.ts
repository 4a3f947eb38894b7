// Private keys: derived from the wallet's entropy, or imported. A key is fetched, and compared with its
// account, once a worker. No function outside of this folder gets one.
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

/** Gives 32 bytes of the wallet's entropy for a salt (`snap_getEntropy`). */
export type GetEntropy = (salt: string, source?: string) => Promise<Hex>;

/** Version of the derivation, part of the salt. The salt is the whole derivation path: it must
 * never change for a key, or accounts would be lost. */
const DERIVATION_VERSION = 1;

// A table for the first signature that takes half as long to compute as noble's own. Each
// later one takes 0.2 ms longer: a worker signs once or twice before it is stopped.
secp256k1.Point.BASE.precompute(4);

/** The wallet has no such entropy source. */
class NoSourceError extends InvalidParamsError {}

export type Keys = {
  /** Gets the address of a key, in lower case; throws `InvalidParamsError` if the wallet has no such
   * entropy source. */
  addressOf: (ref: KeyRef) => Promise<Hex>;
  /** Returns whether the key of an account can be had from where it says. */
  has: (account: AccountRef) => Promise<boolean>;
  /** Lends the key of an account to a function of the core, and wipes it afterwards. Throws
   * `NotFoundError` if the account is gone, `UnavailableError` if its key cannot be had. */
  lend: <Result>(
    account: AccountRef,
    use: (key: Uint8Array) => Result,
  ) => Promise<Result>;
};

export function createKeys(
  getEntropy: GetEntropy,
  vault: Vault,
  /** Finds an account as it is now. */
  findAccount: (id: string) => Promise<AccountRef | undefined>,
): Keys {
  // MetaMask takes longer to derive a key than we take to sign with it. Nothing outlives the worker.
  const compared = new Map<string, Uint8Array>();

  // Undefined if what is stored is no key.
  const fetchKey = async (ref: KeyRef): Promise<Uint8Array | undefined> => {
    if (ref.kind === 'imported') {
      const found = vault.find(ref.held);
      return found === undefined ? undefined : hexToBytes(found);
    }
    const { index, entropySource, entryPoint, implementation = 'erc4337' } = ref;
    const owner = entryPoint === undefined ? '' : `${implementation}/${entryPoint}/`;
    const salt = `tollkeeper/v${DERIVATION_VERSION}/${owner}${index}`;
    const key = hexToBytes(await getEntropy(salt, entropySource).catch(explain));
    // One in 2^128: so rare that it cannot be met, and not to be passed over if it is.
    if (!isValidPrivate(key)) {
      throw new InternalError(`Index ${index} has no valid key.`);
    }
    return key;
  };
  // Owners of the first smart accounts have the key of their index's EOA.
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
          "accounts on Tollkeeper's home page: this one stays what it is.",
        { cause },
      );
    });
    if (key) return key;
    throw new UnavailableError(
      keys[0]?.kind === 'imported'
        ? `The key that is stored for the account ${address} is the key of another address. ` +
            'Export it on the home page if you need it; then delete the account and import ' +
            'its own key.'
        : `MetaMask derives the key of another address for the account ${address}. Use the ` +
            'Secret Recovery Phrase with which the account was created.',
    );
  };
  return {
    addressOf: async (ref) => {
      const key = await fetchKey(ref);
      if (!key) throw new InternalError('The imported key is not held.');
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
      // A dialog, or the transaction before, can have taken long.
      await assertUnchanged(account, findAccount);
      const name = JSON.stringify(account);
      const kept = compared.get(name) ?? (await requireKey(account));
      compared.set(name, kept);
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

// MetaMask has no code for this: its words are all there is.
function explain(cause: unknown): never {
  if (cause instanceof TollkeeperError) throw cause;
  const message = isObject(cause) && 'message' in cause ? String(cause.message) : '';
  if (!/entropy source .*not found/iu.test(message)) {
    throw new PlatformError('MetaMask failed snap_getEntropy', { cause });
  }
  throw new NoSourceError('The wallet has no entropy source with that id.', { cause });
}

function addressOfKey(key: Uint8Array): Hex {
  return bytesToHex(privateToAddress(key));
}
