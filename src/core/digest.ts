// The digest of what is signed: what a screen shows of it (ERC-8213), and what the key signs.
import { eoaCode7702AuthorizationHashedMessageToSign } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { toQuantity } from './hex';
import type { Hex } from './hex';
import { hashMessage } from './message';
import { findOperationDocument, hashUserOperation } from './operation';
import type { Authorization, SigningPayload } from './payload';
import { buildTransaction } from './transaction';
import { hashTypedData, hashTypedEntries } from './typed-data';
import type { Hashes } from './typed-data';

/** What is signed as bytes: payloads whose signature is 65 bytes. */
export type BytesPayload = Extract<
  SigningPayload,
  { kind: 'message' | 'document' | 'entries' | 'operation' }
>;

/** Hashes a payload as its key signs it, or as the Safe gets it in whose name it is signed; a key has no
 * digest. Throws `InvalidParamsError` if a field is out of range. */
export function hashPayload(payload: SigningPayload): Hashes {
  switch (payload.kind) {
    case 'message':
      return { digest: hashMessage(hexToBytes(payload.bytes)) };
    case 'document':
      return hashTypedData(payload.document);
    case 'entries':
      return { digest: hashTypedEntries(payload.entries) };
    case 'operation': {
      const { operation, domain } = payload;
      const document = findOperationDocument(operation, domain);
      if (document) return { digest: hashTypedData(document).digest };
      return { digest: hashMessage(hexToBytes(hashUserOperation(operation, domain))) };
    }
    case 'transaction': {
      const { transaction } = payload;
      return {
        digest: bytesToHex(buildTransaction(transaction).getHashedMessageToSign()),
      };
    }
    case 'authorization': {
      const items = toItems(payload.authorization);
      return { digest: bytesToHex(eoaCode7702AuthorizationHashedMessageToSign(items)) };
    }
    case 'key':
      return { digest: '0x' };
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
