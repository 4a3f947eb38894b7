// The one noble's keccak, in place of older copies: that of ethereum-cryptography, which
// eth-sig-util brings, and that of @noble/hashes 1 in @metamask/utils, which takes texts.
import { keccak_256 as hash } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Hash bytes, or the UTF-8 bytes of a text. */
export function keccak256(data: string | Uint8Array): Uint8Array {
  return hash(typeof data === 'string' ? utf8ToBytes(data) : data);
}

/** Under the name that @noble/hashes gives it. */
export { keccak256 as keccak_256 };
