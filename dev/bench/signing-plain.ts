// The yardstick of the bench of signing: `@noble/curves` and nothing around it but the
// encoding that the standards ask for, which checks nothing.
import { RLP } from '@ethereumjs/rlp';
import type { Json } from '@metamask/utils';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  bytesToHex,
  concatBytes,
  hexToBytes,
  utf8ToBytes,
} from '@noble/hashes/utils.js';

import type { TypedData } from '../../src/eth/typed-data';
import type { DYNAMIC, LEGACY } from './signing-cases';

/** Sign a text (EIP-191). */
export function signText(text: string, key: Uint8Array): string {
  const message = toBytes(text);
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`);
  return signDigest(keccak_256(concatBytes(prefix, message)), key);
}

/** Sign a document (EIP-712). */
export function signDocument(document: TypedData, key: Uint8Array): string {
  const hashStruct = createHasher(document.types);
  const hash = concatBytes(
    Uint8Array.of(0x19, 0x01),
    hashStruct('EIP712Domain', document.domain),
    hashStruct(document.primaryType, document.message),
  );
  return signDigest(keccak_256(hash), key);
}

/** Sign a transaction of type 0x0 (EIP-155); answers with its raw form. */
export function signLegacy(tx: typeof LEGACY, key: Uint8Array): string {
  const fields = [tx.nonce, tx.gasPrice, tx.gasLimit, tx.to, tx.value, tx.data].map(
    toItem,
  );
  const unsigned = RLP.encode([...fields, toItem(tx.chainId), '', '']);
  const { parity, r, s } = sign(keccak_256(unsigned), key);
  const v = 35n + 2n * BigInt(tx.chainId) + BigInt(parity);
  return `0x${bytesToHex(RLP.encode([...fields, v, trim(r), trim(s)]))}`;
}

/** Sign a transaction of type 0x2 (EIP-1559); answers with its raw form. */
export function signDynamic(tx: typeof DYNAMIC, key: Uint8Array): string {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit } = tx;
  const fees = [maxPriorityFeePerGas, maxFeePerGas, gasLimit];
  const fields = [
    ...[chainId, nonce, ...fees, tx.to, tx.value, tx.data].map(toItem),
    [],
  ];
  const type = Uint8Array.of(2);
  const digest = keccak_256(concatBytes(type, RLP.encode(fields)));
  const { parity, r, s } = sign(digest, key);
  const signed = RLP.encode([...fields, parity, trim(r), trim(s)]);
  return `0x${bytesToHex(concatBytes(type, signed))}`;
}

/** Sign an operation of EntryPoint 0.6 (ERC-4337) at its address, for chain 31337. */
export function signOperation(
  operation: PlainOperation,
  entryPoint: string,
  key: Uint8Array,
): string {
  const [sender, nonce, ...gas] = operation.words.map(toWord);
  const [initCode, callData, paymaster] = operation.bytes.map((hex) =>
    keccak_256(toBytes(hex)),
  );
  const parts = [sender, nonce, initCode, callData, ...gas, paymaster];
  const packed = keccak_256(concatBytes(...parts.filter((part) => part !== undefined)));
  const place = concatBytes(packed, toWord(entryPoint), toWord('31337'));
  return signText(`0x${bytesToHex(keccak_256(place))}`, key);
}

/** Fields of an operation: what fills a word, from the sender to the fees; and its bytes. */
type PlainOperation = { words: readonly string[]; bytes: readonly string[] };

function toWord(value: string): Uint8Array {
  return hexToBytes(BigInt(value).toString(16).padStart(64, '0'));
}

type Signature = { parity: number; r: Uint8Array; s: Uint8Array };

function sign(digest: Uint8Array, key: Uint8Array): Signature {
  const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' });
  const [parity = 0] = bytes;
  return { parity, r: bytes.subarray(1, 33), s: bytes.subarray(33) };
}

function signDigest(digest: Uint8Array, key: Uint8Array): string {
  const { parity, r, s } = sign(digest, key);
  return `0x${bytesToHex(concatBytes(r, s, Uint8Array.of(27 + parity)))}`;
}

type HashStruct = (name: string, value: Json) => Uint8Array;

// The hash of a type is made once a document, however many values are of it.
function createHasher(types: TypedData['types']): HashStruct {
  const hashes = new Map<string, Uint8Array>();
  const typeHashOf = (name: string): Uint8Array => {
    const known = hashes.get(name) ?? keccak_256(utf8ToBytes(encodeType(name, types)));
    hashes.set(name, known);
    return known;
  };
  const encode = (type: string, value: Json): Uint8Array => {
    if (type.endsWith('[]')) {
      const item = type.slice(0, -2);
      const words = (value as Json[]).map((each) => encode(item, each));
      return keccak_256(concatBytes(...words));
    }
    if (types[type]) return hashStruct(type, value);
    if (type === 'string') return keccak_256(utf8ToBytes(value as string));
    if (type === 'bytes32') return toBytes(value as string);
    return toWord(value as string);
  };
  const hashStruct: HashStruct = (name, value) => {
    const values = value as Record<string, Json>;
    const words = (types[name] ?? []).map((field) =>
      encode(field.type, values[field.name] ?? null),
    );
    return keccak_256(concatBytes(typeHashOf(name), ...words));
  };
  return hashStruct;
}

function encodeType(name: string, types: TypedData['types']): string {
  const found = new Set([name]);
  for (const each of found) {
    for (const { type } of types[each] ?? []) {
      const item = type.replace('[]', '');
      if (types[item]) found.add(item);
    }
  }
  const [first = '', ...others] = found;
  return [first, ...others.sort()]
    .map((each) => {
      const fields = (types[each] ?? []).map((field) => `${field.type} ${field.name}`);
      return `${each}(${fields.join(',')})`;
    })
    .join('');
}

function toBytes(hex: string): Uint8Array {
  return hexToBytes(hex.slice(2));
}

// Addresses and data as they are; quantities are minimal already.
function toItem(hex: string): Uint8Array {
  return toBytes(hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`);
}

function trim(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0));
}
