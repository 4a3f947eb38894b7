// Lending an account's key: it is fetched and compared with the account once a worker, and
// every copy that is lent is wiped after its use.
import { privateToAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';
import { secp256k1 } from '@noble/curves/secp256k1.js';

import { InternalError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { EntryPointVersion } from '../eth/user-operation';
import { ownerOf } from '../state/account-record';
import type { AccountRecord, KeySource } from '../state/account-record';
import { derivePrivateKey } from './derive';
import type { GetEntropy } from './derive';

/** Lends the private key of an account to a function. */
export type WithPrivateKey = <Result>(
  record: AccountRecord,
  use: (privateKey: Uint8Array) => Result,
) => Promise<Result>;

/**
 * Create the lender of keys. A key is fetched, and compared with its account, when it is
 * first lent; what is lent is a copy.
 */
export function createSigner(getEntropy: GetEntropy): WithPrivateKey {
  // A table for the first signature that takes half as long to compute as noble's own. Each
  // later one takes 0.2 ms longer: a worker signs once or twice before it is stopped.
  secp256k1.Point.BASE.precompute(4);
  // MetaMask takes longer to derive a key than we take to sign with it. A record never
  // changes: what is changed is another object. Nothing outlives the worker.
  const compared = new WeakMap<AccountRecord, Uint8Array>();
  return async (record, use) => {
    const known = compared.get(record);
    if (known) return lend(known.slice(), use);
    const entryPoint = record.type === 'eip155:eoa' ? undefined : record.entryPoint;
    const source = { ...record.key, entryPoint };
    return withKey(source, getEntropy, (key) => {
      assertOwnKey(key, record);
      compared.set(record, key.slice());
      return use(key);
    });
  };
}

function assertOwnKey(key: Uint8Array, record: AccountRecord): void {
  if (isSameAddress(addressOfKey(key), ownerOf(record))) return;
  throw new InternalError('The key is not the one of the account.');
}

/** Where a key comes from, and of a smart account's owner, the account's EntryPoint. */
export type OwnedKey = KeySource & { entryPoint?: EntryPointVersion | undefined };

/** Get the address that a key controls, in lower case. */
export async function fetchKeyAddress(
  source: OwnedKey,
  getEntropy: GetEntropy,
): Promise<Hex> {
  return withKey(source, getEntropy, addressOfKey);
}

async function withKey<Result>(
  source: OwnedKey,
  getEntropy: GetEntropy,
  use: (key: Uint8Array) => Result,
): Promise<Result> {
  const key =
    source.kind === 'derived'
      ? await derivePrivateKey(getEntropy, source)
      : hexToBytes(source.privateKey);
  return lend(key, use);
}

function lend<Result>(key: Uint8Array, use: (key: Uint8Array) => Result): Result {
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

function addressOfKey(key: Uint8Array): Hex {
  return bytesToHex(privateToAddress(key));
}
