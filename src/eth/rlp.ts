// Decodes RLP from untrusted callers. Items and depth are counted first: the library copies the
// remaining bytes at each list, so a megabyte of nested lists would block the snap for many
// seconds.
import { RLP } from '@ethereumjs/rlp';
import type { NestedUint8Array } from '@ethereumjs/rlp';

export type RlpItem = Uint8Array | NestedUint8Array;

/** Maximum depth: that of an access list's storage keys in a blob transaction with a sidecar. */
const MAX_DEPTH = 5;

/** Maximum number of items, more than a block has gas for: an address in an access list is three
 * items and costs 2,400 gas. */
const MAX_ITEMS = 100_000;

/** A short item starts with a byte of at least STRING or LIST; a long item with one above
 * LONG_STRING or LONG_LIST. */
const STRING = 0x80;
const LONG_STRING = 0xb7;
const LIST = 0xc0;
const LONG_LIST = 0xf7;

/** Decodes RLP; throws if it is malformed, or has more or deeper items than any transaction. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  assertReadable(bytes);
  return RLP.decode(bytes);
}

function assertReadable(bytes: Uint8Array): void {
  // Ends of the open lists, innermost last.
  const open: number[] = [];
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    while (at >= (open.at(-1) ?? Infinity)) open.pop();
    const { start, end, isList } = readItem(bytes, at);
    count += 1;
    if (isList) open.push(end);
    if (count > MAX_ITEMS || open.length > MAX_DEPTH) throw new Error('too large');
    at = isList ? start : end;
  }
}

// The library checks the lengths.
function readItem(bytes: Uint8Array, at: number) {
  const first = bytes[at] ?? 0;
  if (first < STRING) return { start: at, end: at + 1, isList: false };
  const isList = first >= LIST;
  const [short, long] = isList ? [LIST, LONG_LIST] : [STRING, LONG_STRING];
  const lengthBytes = Math.max(0, first - long);
  const start = at + 1 + lengthBytes;
  const digits = bytes.subarray(at + 1, start);
  const length = digits.reduce((sum, byte) => sum * 256 + byte, 0);
  return { start, end: start + (lengthBytes > 0 ? length : first - short), isList };
}
