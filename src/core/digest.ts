// The digest of what is signed: what a screen shows of it (ERC-8213), and what the key signs.
import { eoaCode7702AuthorizationHashedMessageToSign } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { toQuantity } from './hex';
import type { Hex } from './hex';
import { hashMessage } from './message';
import { findOperationDocument, hashUserOperation } from './operation';
import type { Authorization, SigningPayload } from './payload';
import { toSafeMessage } from './safe';
import { buildTransaction } from './transaction';
import { hashTypedData, hashTypedEntries } from './typed-data';
import type { TypedData, TypedEntry } from './typed-data';

/** What is signed as bytes: payloads whose signature is 65 bytes. */
export type BytesPayload = Extract<
  SigningPayload,
  { kind: 'message' | 'document' | 'entries' | 'operation' }
>;

/** The form in which such a payload is signed. */
export type SignedForm =
  | { message: Uint8Array }
  | { document: TypedData }
  | { entries: readonly TypedEntry[] };

/** Finds the form in which a payload is signed: a Safe's owner signs a document of the Safe for the hash
 * of the message or document. */
export function formOf(payload: BytesPayload): SignedForm {
  switch (payload.kind) {
    case 'message': {
      const message = hexToBytes(payload.bytes);
      if (!payload.safe) return { message };
      return { document: toSafeMessage(hashMessage(message), payload.safe) };
    }
    case 'document': {
      const { document, safe } = payload;
      return {
        document: safe ? toSafeMessage(hashTypedData(document), safe) : document,
      };
    }
    case 'entries':
      return { entries: payload.entries };
    case 'operation': {
      const { operation, domain } = payload;
      const document = findOperationDocument(operation, domain);
      if (document) return { document };
      return { message: hexToBytes(hashUserOperation(operation, domain)) };
    }
  }
}

/** Hashes a payload as its key signs it, or as the Safe gets it in whose name it is signed; a key has no
 * digest. Throws `InvalidParamsError` if a field is out of range. */
export function digestOf(payload: SigningPayload): Hex {
  switch (payload.kind) {
    case 'message':
      return hashMessage(hexToBytes(payload.bytes));
    case 'document':
      return hashTypedData(payload.document);
    case 'entries':
      return hashTypedEntries(payload.entries);
    case 'operation': {
      const { operation, domain } = payload;
      const document = findOperationDocument(operation, domain);
      if (document) return hashTypedData(document);
      return hashMessage(hexToBytes(hashUserOperation(operation, domain)));
    }
    case 'transaction':
      return bytesToHex(buildTransaction(payload.transaction).getHashedMessageToSign());
    case 'authorization':
      return bytesToHex(
        eoaCode7702AuthorizationHashedMessageToSign(toItems(payload.authorization)),
      );
    case 'key':
      return '0x';
  }
}

/** Writes an authorization as the library takes it. */
export function toItems({ chainId, address, nonce }: Authorization): {
  chainId: Hex;
  address: Hex;
  nonce: Hex;
} {
  return { chainId: toQuantity(chainId), address, nonce: toQuantity(nonce) };
}
