// The rule of a chain that keeps receipts and transactions of its latest blocks only
// (spec section 8): what is older is answered with null.
import { isObject } from '@metamask/utils';

import { HexQuantityStruct } from '../../src/eth/hex';
import { matches } from '../../src/parse';
import type { Head } from './head';

const BLOCKS = 128n;

/** Tell whether a receipt or transaction is in a block that is no longer answered for. */
export async function isTooOld(result: unknown, head: Head): Promise<boolean> {
  const number = isObject(result) ? result['blockNumber'] : undefined;
  if (!matches(number, HexQuantityStruct)) return false;
  const newest = await head.fetch();
  return BigInt(number) <= newest.number - BLOCKS;
}
