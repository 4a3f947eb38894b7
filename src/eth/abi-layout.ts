// Whether bytes lie as an ABI encoder lays values: the heads, then every dynamic part right
// after the one before it. What lies so takes no more memory decoded than it has bytes; a
// false length, or a thousand pointers to one long part, would fill the memory.
import { bytesToBigInt } from '@metamask/utils';

/** Bytes of an ABI word. */
const WORD = 32;

/** More than anybody reads, or asks of an account at once: the decoder takes half a
 * millisecond for each. */
const MAX_ITEMS = 250;

/**
 * Tell whether bytes have the layout of arguments, to the last byte. Values and padding
 * are not looked at. Arrays of a fixed length are not known, nor are those of more items
 * than anybody reads.
 */
export function hasLayout(types: readonly string[], bytes: Uint8Array): boolean {
  return measureAll(types, bytes) === bytes.length;
}

/** List the types in a signature or a tuple: `f(address,(bool,bytes)[])` → two. */
export function listTypes(signature: string): string[] {
  const inner = signature.slice(signature.indexOf('(') + 1, -1);
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] === '(') depth += 1;
    if (inner[at] === ')') depth -= 1;
    if (inner[at] !== ',' || depth > 0) continue;
    types.push(inner.slice(start, at));
    start = at + 1;
  }
  return inner === '' ? [] : [...types, inner.slice(start)];
}

// Each returns the number of bytes that the parts take, undefined if they lie otherwise.
function measureAll(types: readonly string[], bytes: Uint8Array): number | undefined {
  let head = 0;
  let end = types.reduce((sum, type) => sum + headSizeOf(type), 0);
  for (const type of types) {
    if (isDynamic(type)) {
      if (readNumber(bytes, head) !== end) return undefined;
      const size = measure(type, bytes.subarray(end));
      if (size === undefined) return undefined;
      end += size;
    }
    head += headSizeOf(type);
  }
  return end <= bytes.length ? end : undefined;
}

function measure(type: string, bytes: Uint8Array): number | undefined {
  if (type.endsWith(')')) return measureAll(listTypes(type), bytes);
  const length = readNumber(bytes, 0);
  if (length === undefined || length > bytes.length) return undefined;
  if (!type.endsWith('[]')) return WORD + Math.ceil(length / WORD) * WORD;
  const items = bytes.subarray(WORD);
  if (length > MAX_ITEMS || length * WORD > items.length) return undefined;
  const size = measureAll(Array<string>(length).fill(type.slice(0, -2)), items);
  return size === undefined ? undefined : WORD + size;
}

function isDynamic(type: string): boolean {
  if (type.endsWith(')')) return listTypes(type).some(isDynamic);
  return type.endsWith('[]') || type === 'bytes' || type === 'string';
}

function headSizeOf(type: string): number {
  if (!type.endsWith(')') || isDynamic(type)) return WORD;
  return listTypes(type).reduce((sum, each) => sum + headSizeOf(each), 0);
}

function readNumber(bytes: Uint8Array, at: number): number | undefined {
  if (at + WORD > bytes.length) return undefined;
  return Number(bytesToBigInt(bytes.slice(at, at + WORD)));
}
