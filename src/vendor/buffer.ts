// Replaces Node's Buffer, 27 kB of polyfill: eth-sig-util makes Buffers of texts and
// hex digits, joins them, and writes them as hex. Nothing else of a Buffer is used.
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';

// By its instances alone: Buffer.from takes other values than Uint8Array.from.
const Bytes = Uint8Array as unknown as new (
  ...view: [bytes: ArrayBufferLike, offset: number, length: number]
) => Uint8Array;

/** Bytes that can say their hex digits. */
export class Buffer extends Bytes {
  /**
   * Copy bytes, encode a text as UTF-8 or read its hex digits; view an ArrayBuffer.
   *
   * @throws {TypeError} If it is asked for another encoding.
   */
  static from(value: string | Iterable<number>, encoding?: 'utf8' | 'hex'): Buffer;
  static from(view: ArrayBufferLike, offset: number, length: number): Buffer;
  static from(...[value, how, length = 0]: [unknown, unknown?, number?]): Buffer {
    if (value instanceof ArrayBuffer) return new Buffer(value, Number(how), length);
    return viewOf(typeof value === 'string' ? read(value, how) : copy(value));
  }

  static concat(parts: Uint8Array[]): Buffer {
    return viewOf(concatBytes(...parts));
  }

  /**
   * Write the hex digits; or, for the messages that abi-utils writes beforehand for every
   * value, in case it is wrong, how many bytes there are.
   *
   * @throws {TypeError} If it is asked for another encoding.
   */
  override toString(encoding?: string): string {
    if (encoding === undefined) return `${this.length} bytes`;
    if (encoding !== 'hex') throw new TypeError(`No Buffer is written as ${encoding}.`);
    return bytesToHex(this);
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return new Buffer(buffer, byteOffset, length);
}

function copy(value: unknown): Uint8Array {
  return Uint8Array.from(value as Iterable<number>);
}

function read(text: string, encoding: unknown = 'utf8'): Uint8Array {
  if (encoding === 'hex') return hexToBytes(text);
  if (encoding === 'utf8') return new TextEncoder().encode(text);
  throw new TypeError(`A Buffer is made of no ${String(encoding)} here.`);
}
