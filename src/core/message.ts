// Messages, hashed by EIP-191.
import { bytesToHex, concatBytes, stringToBytes } from '@metamask/utils';

import { keccak256 } from './hex';
import type { Hex } from './hex';

export const MESSAGE_PREFIX = '\u0019Ethereum Signed Message:\n';

export function hashMessage(message: Uint8Array): Hex {
  const prefix = stringToBytes(`${MESSAGE_PREFIX}${message.length}`);
  return bytesToHex(keccak256(concatBytes([prefix, message])));
}
