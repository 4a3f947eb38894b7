// Decodes RLP from untrusted callers. A library that copies the remaining bytes at each list would
// block the snap for many seconds over a megabyte of nested lists: here each byte is read once, and
// items and their depth are counted.

/** Bytes, or a list of such items. */
export type RlpItem = Uint8Array | RlpItem[];

/** The storage keys of an access list lie so deep in a blob transaction with its sidecar. */
const MAX_DEPTH = 5;

/** More than a block has gas for: an address of an access list is three, and takes 2,400. */
const MAX_ITEMS = 100_000;

/** First bytes of short strings and lists are from these on; of long ones, above those. */
const STRING = 0x80;
const LONG_STRING = 0xb7;
const LIST = 0xc0;
const LONG_LIST = 0xf7;

/** Longest content with a short head. */
const MAX_SHORT = 55;

/** An item, with the start and the end of its content. */
type Span = { start: number; end: number; isList: boolean };

/**
 * Decodes RLP.
 *
 * @throws If it is malformed, or has more or deeper items than any transaction.
 * @see https://ethereum.org/developers/docs/data-structures-and-encoding/rlp/
 */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  // Some clients send nothing for an empty string.
  if (bytes.length === 0) return bytes;
  let count = 0;
  const read = ({ start, end, isList }: Span, depth: number): RlpItem => {
    count += 1;
    if (count > MAX_ITEMS || depth > MAX_DEPTH) throw new Error('too large');
    if (!isList) return bytes.slice(start, end);
    const items: RlpItem[] = [];
    for (let at = start; at < end;) {
      const span = findSpan(bytes, at, end);
      items.push(read(span, depth + Number(span.isList)));
      at = span.end;
    }
    return items;
  };
  const whole = findSpan(bytes, 0, bytes.length);
  if (whole.end !== bytes.length) throw new Error('bytes are left over');
  return read(whole, Number(whole.isList));
}

function findSpan(bytes: Uint8Array, at: number, limit: number): Span {
  const first = bytes[at] ?? 0;
  if (first < STRING) return { start: at, end: at + 1, isList: false };
  const isList = first >= LIST;
  const [short, long] = isList ? [LIST, LONG_LIST] : [STRING, LONG_STRING];
  const sized = Math.max(0, first - long);
  const start = at + 1 + sized;
  const length = sized > 0 ? readLength(bytes.subarray(at + 1, start)) : first - short;
  const end = start + length;
  if (end > limit) throw new Error('an item ends after its list');
  if (sized > 0 && (bytes[at + 1] === 0 || length <= MAX_SHORT)) {
    throw new Error('a length is not canonical');
  }
  if (!isList && length === 1 && (bytes[start] ?? 0) < STRING) {
    throw new Error('a byte is not canonical');
  }
  return { start, end, isList };
}

function readLength(bytes: Uint8Array): number {
  return bytes.reduce((length, byte) => length * 256 + byte, 0);
}
