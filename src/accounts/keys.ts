// Private keys: derived from the wallet's entropy, or imported. A key is fetched, and compared
// with its account, once a worker; every copy that is lent is wiped after its use.
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
} from '../errors';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { Approval } from '../sites/approval';
import { ownerOf } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { OwnedKey } from './kinds/kind';
import { kindOf } from './kinds/kinds';

/** Gives 32 bytes of the wallet's entropy for a salt (`snap_getEntropy`). */
export type GetEntropy = (salt: string, source?: string) => Promise<Hex>;

/** Lends the private key of an account to a function. */
export type WithPrivateKey = <Result>(
  record: AccountRecord,
  use: (privateKey: Uint8Array) => Result,
) => Promise<Result>;

/** Signs approved content with an account's key, once. */
export type Sign = <Content, Signed>(
  approval: Approval<Content>,
  sign: (content: Content, privateKey: Uint8Array) => Signed,
) => Promise<Signed>;

/** Version of the derivation, part of the salt. The salt is the whole derivation path: it must
 * never change for a key, or accounts would be lost. */
const DERIVATION_VERSION = 1;

// A table for the first signature that takes half as long to compute as noble's own. Each
// later one takes 0.2 ms longer: a worker signs once or twice before it is stopped.
secp256k1.Point.BASE.precompute(4);

export function createSign(
  account: AccountRecord,
  withPrivateKey: WithPrivateKey,
): Sign {
  return async (approval, sign) => {
    const content = approval.use();
    return withPrivateKey(account, (key) => sign(content, key));
  };
}

/** Creates the access to keys. Callers get a copy, as long as the account is there. */
export function createSigner(
  getEntropy: GetEntropy,
  isThere: (record: AccountRecord) => Promise<boolean>,
): WithPrivateKey {
  // MetaMask takes longer to derive a key than we take to sign with it. A record never changes:
  // changes go to another object. Nothing outlives the worker.
  const compared = new WeakMap<AccountRecord, Uint8Array>();
  return async (record, use) => {
    // A dialog, or the transaction before, can have taken long.
    if (!(await isThere(record))) {
      throw new NotFoundError(
        'The account was removed from Tollkeeper while the request waited. It was not signed.',
      );
    }
    const known = compared.get(record);
    if (known) return lend(known.slice(), use);
    const { address, key } = record;
    const found = await findKey(record, getEntropy).catch((cause: unknown) => {
      if (!(cause instanceof NoSourceError)) throw cause;
      throw new UnavailableError(
        `MetaMask has no Secret Recovery Phrase with the id that the account ${address} was ` +
          'created with. Import the phrase into MetaMask if it is not there, then restore its ' +
          "accounts on Tollkeeper's home page: this one stays what it is.",
        { cause },
      );
    });
    if (found) {
      compared.set(record, found.slice());
      return lend(found, use);
    }
    throw new UnavailableError(
      key.kind === 'imported'
        ? `The key that is stored for the account ${address} is the key of another address. ` +
            'Export it on the home page if you need it; then delete the account and import ' +
            'its own key.'
        : `MetaMask derives the key of another address for the account ${address}. Use the ` +
            'Secret Recovery Phrase with which the account was created.',
    );
  };
}

// Owners of the first smart accounts have the key of their index's EOA.
async function findKey(
  record: AccountRecord,
  getEntropy: GetEntropy,
): Promise<Uint8Array | undefined> {
  for (const source of [kindOf(record).key, record.key]) {
    const key = await fetchKey(source, getEntropy);
    if (isValidPrivate(key) && isSameAddress(addressOfKey(key), ownerOf(record))) {
      return key;
    }
    key.fill(0);
  }
  return undefined;
}

/** Returns whether the key of an account can be had from where its record says. */
export async function hasKey(
  record: AccountRecord,
  getEntropy: GetEntropy,
): Promise<boolean> {
  try {
    const key = await findKey(record, getEntropy);
    key?.fill(0);
    return key !== undefined;
  } catch (error) {
    if (error instanceof NoSourceError) return false;
    throw error;
  }
}

/** The wallet has no such entropy source. */
class NoSourceError extends InvalidParamsError {}

/** Gets the address that a key controls, in lower case; throws `InvalidParamsError` if the wallet
 * has no such entropy source. */
export async function fetchKeyAddress(
  source: OwnedKey,
  getEntropy: GetEntropy,
): Promise<Hex> {
  return lend(await fetchKey(source, getEntropy), addressOfKey);
}

async function fetchKey(source: OwnedKey, getEntropy: GetEntropy): Promise<Uint8Array> {
  if (source.kind === 'imported') return hexToBytes(source.privateKey);
  const { index, entropySource, entryPoint, implementation = 'erc4337' } = source;
  const owner = entryPoint === undefined ? '' : `${implementation}/${entryPoint}/`;
  const salt = `tollkeeper/v${DERIVATION_VERSION}/${owner}${index}`;
  const key = hexToBytes(await getEntropy(salt, entropySource).catch(explain));
  // One in 2^128: so rare that it cannot be met, and not to be passed over if it is.
  if (!isValidPrivate(key)) throw new InternalError(`Index ${index} has no valid key.`);
  return key;
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

function lend<Result>(key: Uint8Array, use: (key: Uint8Array) => Result): Result {
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

/** Gets the address of a private key, in lower case. */
export function addressOfKey(key: Uint8Array): Hex {
  return bytesToHex(privateToAddress(key));
}
