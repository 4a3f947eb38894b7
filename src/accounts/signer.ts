// Lending an account's key: it is fetched, compared with the account, used and wiped.
import { privateToAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { InternalError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { AccountRecord, KeySource } from '../state/account-record';
import { derivePrivateKey } from './derive';
import type { GetEntropy } from './derive';

/** Lends the private key of an account to a function. */
export type WithPrivateKey = <Result>(
  record: AccountRecord,
  use: (privateKey: Uint8Array) => Result,
) => Promise<Result>;

/** Create the lender of keys. A key is compared with its account when it is first lent. */
export function createSigner(getEntropy: GetEntropy): WithPrivateKey {
  // Deriving an address costs as much as signing does, and a record never changes: what
  // is changed is another object.
  const compared = new WeakSet<AccountRecord>();
  return async (record, use) =>
    withKey(record.key, getEntropy, (key) => {
      if (!compared.has(record)) assertOwnKey(key, record);
      compared.add(record);
      return use(key);
    });
}

function assertOwnKey(key: Uint8Array, record: AccountRecord): void {
  const expected = record.type === 'eip155:eoa' ? record.address : record.owner;
  if (isSameAddress(addressOfKey(key), expected)) return;
  throw new InternalError('The key is not the one of the account.');
}

/** Get the address that a key source's key controls, in lower case. */
export async function fetchKeyAddress(
  source: KeySource,
  getEntropy: GetEntropy,
): Promise<Hex> {
  return withKey(source, getEntropy, addressOfKey);
}

async function withKey<Result>(
  source: KeySource,
  getEntropy: GetEntropy,
  use: (key: Uint8Array) => Result,
): Promise<Result> {
  const key =
    source.kind === 'derived'
      ? await derivePrivateKey(getEntropy, source)
      : hexToBytes(source.privateKey);
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

function addressOfKey(key: Uint8Array): Hex {
  return bytesToHex(privateToAddress(key));
}
