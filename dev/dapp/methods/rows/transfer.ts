// The transaction of the examples: a small payment whose fees are left to the snap.
import type { Hex } from 'viem';

/** A thousandth of an ether, in wei. */
export const SMALL_VALUE = '0x38d7ea4c68000';

/** Create the params of a transaction. */
export function createTransfer({
  ordinary,
  recipient,
  chainId,
}: {
  ordinary: Hex;
  recipient: Hex;
  chainId: Hex;
}): readonly unknown[] {
  return [{ from: ordinary, to: recipient, value: SMALL_VALUE, data: '0x', chainId }];
}
