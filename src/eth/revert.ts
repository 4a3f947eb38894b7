// Decodes Solidity's revert reasons: `Error(string)` of require and revert with a text, and
// `Panic(uint256)` of the compiler's checks.
import { bytesToString, hexToBytes } from '@metamask/utils';

import { matches } from '../schema/parse';
import { NodeBytesStruct } from './hex';
import type { Hex } from './hex';

const ERROR_SELECTOR = '0x08c379a0';

const PANIC_SELECTOR = '0x4e487b71';

/** Hex digits of an ABI word. */
const WORD_DIGITS = 64;

/** Longest reason that is passed on: it is the contract's text. */
const MAX_REASON_LENGTH = 300;

/** @see https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const PANICS: Record<string, string> = {
  '0': 'a check that the compiler made',
  '1': 'an assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division by zero',
  '33': 'a number that is no value of the enum',
  '34': 'a storage byte array that is encoded wrongly',
  '49': 'pop of an empty array',
  '50': 'an array index out of bounds',
  '65': 'too much memory',
  '81': 'a call of an internal function that is not set',
};

/** Finds the reason in the data of a node's error, which are the bytes of a revert or an object
 * that contains them; undefined if they have neither form. */
export function findRevertReason(data: unknown): string | undefined {
  const bytes = findBytes(data);
  if (bytes === undefined) return undefined;
  try {
    return decodeReason(bytes);
  } catch {
    // The bytes only begin like a reason.
    return undefined;
  }
}

function decodeReason(bytes: Hex): string | undefined {
  const selector = bytes.slice(0, ERROR_SELECTOR.length).toLowerCase();
  const content = bytes.slice(ERROR_SELECTOR.length);
  if (selector === ERROR_SELECTOR) return decodeText(content);
  if (selector !== PANIC_SELECTOR || content.length !== WORD_DIGITS) return undefined;
  const code = String(readWord(content, 0));
  return `panic ${code}: ${PANICS[code] ?? 'an unknown kind'}`;
}

// By hand: a decoder of the whole ABI would be most of what a page loads for the client.
function decodeText(content: string): string | undefined {
  const start = Number(readWord(content, 0)) * 2;
  const length = Number(readWord(content, start)) * 2;
  const digits = content.slice(start + WORD_DIGITS, start + WORD_DIGITS + length);
  if (digits.length !== length) return undefined;
  if (digits === '') return '';
  return bytesToString(hexToBytes(digits)).slice(0, MAX_REASON_LENGTH);
}

/** @throws {SyntaxError} If the content ends before. */
function readWord(content: string, start: number): bigint {
  return BigInt(`0x${content.slice(start, start + WORD_DIGITS)}`);
}

// Some nodes wrap the bytes: `{ data: "0x…" }`.
function findBytes(data: unknown): Hex | undefined {
  if (matches(data, NodeBytesStruct)) return data;
  if (typeof data !== 'object' || data === null || !('data' in data)) return undefined;
  return matches(data.data, NodeBytesStruct) ? data.data : undefined;
}
