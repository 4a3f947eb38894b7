// personal_sign's message (EIP-191, version 0x45) and its signature.
import { personalSign } from '@metamask/eth-sig-util';
import { hexToBytes, stringToBytes } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { viewOf } from './hex';
import type { Hex } from './hex';

/** Largest message, in bytes; more than anyone can read, and enough for any real one. */
const MAX_MESSAGE_BYTES = 1_000_000;

/**
 * Read the message of a `personal_sign` request.
 *
 * @param message - `0x` and an even number of hex digits are bytes; anything else is
 * UTF-8 text.
 * @throws {InvalidParamsError} If it is hex with an odd number of digits, or too long.
 */
export function parseMessage(message: string): Uint8Array {
  const isHex = /^0x[0-9a-f]*$/iu.test(message);
  if (isHex && message.length % 2 === 1) {
    throw new InvalidParamsError('The message is hex with an odd number of digits.');
  }
  const bytes = isHex ? hexToBytes(message) : stringToBytes(message);
  if (bytes.length > MAX_MESSAGE_BYTES) {
    throw new InvalidParamsError(
      `The message has ${bytes.length} bytes; at most ${MAX_MESSAGE_BYTES} can be signed.`,
    );
  }
  return bytes;
}

/** Sign a message with its EIP-191 prefix; `v` is 27 or 28. */
export function signMessage(message: Uint8Array, privateKey: Uint8Array): Hex {
  return personalSign({
    privateKey: viewOf(privateKey),
    data: Buffer.from(message),
  }) as Hex;
}
