// Signs with test keys by calling the core's functions.
import { bytesToHex } from '@metamask/utils';
import type { Hex } from '@metamask/utils';

import { isOwnAuthorization } from '../src/core/authorization';
import { hashPayload } from '../src/core/digest';
import type { BytesPayload } from '../src/core/digest';
import type { SigningDomain, Transaction, UserOperation } from '../src/core/payload';
import * as core from '../src/core/sign';
import type { TypedData, TypedEntry } from '../src/core/typed-data';
import { withOwnNonce } from '../src/eth/delegation';

export const { signAuthorization } = core;

/** Signs a transaction. Signs the sender's own authorizations in it first. */
export function signTransaction(
  transaction: Transaction,
  key: Uint8Array,
): core.SignedTransaction {
  if (transaction.type !== '0x4') return core.signTransaction(transaction, key);
  const { authorizationList, nonce } = transaction;
  const signed = withOwnNonce(authorizationList, nonce).map((each) =>
    isOwnAuthorization(each) ? core.signAuthorization(each, key) : each,
  );
  return core.signTransaction({ ...transaction, authorizationList: signed }, key);
}

const signBytes = (payload: BytesPayload, key: Uint8Array): Hex =>
  core.signBytes(payload, hashPayload(payload).digest, key);

export const signMessage = (message: Uint8Array, key: Uint8Array): Hex =>
  signBytes({ kind: 'message', bytes: bytesToHex(message) }, key);

export const signTypedData = (document: TypedData, key: Uint8Array): Hex =>
  signBytes({ kind: 'document', document }, key);

export const signTypedEntries = (
  entries: readonly TypedEntry[],
  key: Uint8Array,
): Hex => signBytes({ kind: 'entries', entries }, key);

export const signUserOperation = (
  operation: UserOperation,
  domain: SigningDomain,
  key: Uint8Array,
): Hex => signBytes({ kind: 'operation', operation, domain }, key);
