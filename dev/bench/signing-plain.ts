// The yardstick of the bench of signing: micro-eth-signer, which is `@noble/curves` with the
// encoding that the standards ask for and little else.
import { hexToBytes } from '@metamask/utils';
import { eip191Signer, signTyped, Transaction } from 'micro-eth-signer';

import type { TypedData } from '../../src/eth/typed-data';
import type { DYNAMIC, LEGACY } from './signing-cases';

/** Signs a message in hex (EIP-191). */
export function signText(text: string, key: Uint8Array): string {
  return eip191Signer.sign(hexToBytes(text), key, false);
}

/** Signs a document (EIP-712). */
export function signDocument(document: TypedData, key: Uint8Array): string {
  return signTyped(document as never, key, false);
}

/** Signs a transaction of type 0x0 (EIP-155) or 0x2 (EIP-1559); answers with its raw form. */
export function signPlain(
  { type, to, data, ...quantities }: typeof LEGACY | typeof DYNAMIC,
  key: Uint8Array,
): string {
  const numbers = Object.entries(quantities).map(([name, hex]) => [name, BigInt(hex)]);
  const fields = { to, data, ...Object.fromEntries(numbers) } as never;
  const transaction =
    type === '0x0'
      ? Transaction.prepare({ type: 'legacy', ...(fields as object) } as never, false)
      : Transaction.prepare(fields, false);
  return transaction.signBy(key, false).toHex();
}
