// The digest of a payload. Screens show it (ERC-8213), and the key signs it. For a Safe's message
// or document, the key signs a SafeMessage that contains it.
import { eoaCode7702AuthorizationHashedMessageToSign } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { hashesByEip712 } from './entry-points';
import { toQuantity } from './hex';
import type { Hex } from './hex';
import { hashMessage } from './message';
import { hashUserOperation, packGas } from './operation';
import type { Authorization, SigningPayload } from './payload';
import { toSafeOperation } from './safe';
import { buildTransaction } from './transaction';
import { hashTypedData, hashTypedEntries } from './typed-data';
import type { Hashes } from './typed-data';

/** Payloads that `signBytes` signs. */
export type BytesPayload = Extract<
  SigningPayload,
  { kind: 'message' | 'document' | 'entries' | 'operation' }
>;

/** A Safe's message or document gets the hash that verifiers pass to the Safe (ERC-1271). A key
 * export has no digest. Throws `InvalidParamsError` if a value is out of range or does not fit its
 * type. */
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
      if (domain.implementation === 'safe') {
        // Throws if limits or fees do not fit into the document.
        packGas(operation);
        const document = toSafeOperation(operation, domain.chainId);
        return { digest: hashTypedData(document).digest };
      }
      const hash = hashUserOperation(operation, domain);
      // Up to EntryPoint 0.7, the hash is signed as a message.
      const isMessage = !hashesByEip712(domain.entryPoint);
      return { digest: isMessage ? hashMessage(hexToBytes(hash)) : hash };
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

/** Converts an authorization for @ethereumjs/util. */
export function toItems({ chainId, address, nonce }: Authorization): {
  chainId: Hex;
  address: Hex;
  nonce: Hex;
} {
  return { chainId: toQuantity(chainId), address, nonce: toQuantity(nonce) };
}
