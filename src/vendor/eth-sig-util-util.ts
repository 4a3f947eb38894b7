// Replaces @ethereumjs/util 8 in eth-sig-util, with the functions that are used: the package
// itself brings a second noble, an RLP, and polyfills for url, util and events, of which a
// signature needs nothing. Hashes and curves are the same noble that @ethereumjs/tx signs by.
import {
  ecrecover as recover,
  isHexString,
  publicToAddress as toAddress,
} from '@ethereumjs/util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

export { fromRPCSig as fromRpcSig, isHexString } from '@ethereumjs/util';

/** A signature as eth-sig-util puts it together: `r` and `s` of 32 bytes, `v` 27 or 28. */
type Signature = { v: bigint; r: Buffer; s: Buffer };

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x0${toHex(bytes)}`);

/** View bytes as a Buffer; here nothing is written to either, so none are copied. */
export function arrToBufArr(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Read hex digits after `0x`, a number, or bytes. */
export function toBuffer(value: string | bigint | Uint8Array): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (typeof value === 'string' && !isHexString(value)) throw new TypeError('Not hex.');
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

export function bufferToHex(bytes: Uint8Array): string {
  return `0x${toHex(bytes)}`;
}

export function bufferToInt(bytes: Uint8Array): number {
  return Number(toBigInt(bytes));
}

export function fromSigned(bytes: Uint8Array): bigint {
  return BigInt.asIntN(256, toBigInt(bytes));
}

export function toUnsigned(value: bigint): Buffer {
  return toBuffer(BigInt.asUintN(256, value));
}

/** Hash a message with its EIP-191 prefix. */
export function hashPersonalMessage(message: Uint8Array): Buffer {
  const prefix = Buffer.from(`\u0019Ethereum Signed Message:\n${message.length}`);
  return arrToBufArr(keccak_256(Buffer.concat([prefix, message])));
}

/** Sign a digest by RFC 6979; `s` is in the lower half. */
export function ecsign(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const [recovery = 0, ...rest] = [
    ...secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' }),
  ];
  const compact = Buffer.from(rest);
  return {
    v: BigInt(recovery + 27),
    r: compact.subarray(0, 32),
    s: compact.subarray(32),
  };
}

export function ecrecover(
  ...[digest, v, r, s]: [Uint8Array, bigint, Uint8Array, Uint8Array]
): Buffer {
  return arrToBufArr(recover(digest, v, r, s));
}

export function publicToAddress(publicKey: Uint8Array): Buffer {
  return arrToBufArr(toAddress(publicKey));
}
