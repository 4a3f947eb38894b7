// The rule of a chain whose nodes keep the latest blocks only (spec section 8): no older state and
// no older block is served. Receipts and transactions that are older are answered with null, other
// requests for what is older with an error.
import { isObject } from '@metamask/utils';

import { HexQuantityStruct } from '../../src/eth/hex';
import { matches } from '../../src/parse';
import { codes } from './failure';
import type { Outcome } from './failure';
import type { Head } from './head';
import type { Ask } from './upstream';

const BLOCKS = 128n;

/** The oldest block that a request is about: by number, tag or hash, and how many before it. */
type Oldest = { block: unknown; before?: bigint };

/** Finds the oldest block that a request is about, from its params. */
export type Reach = (params: readonly unknown[]) => Oldest;

/** A request about the block that a param names; left out, it is the latest. */
export function atBlock(index: number): Reach {
  return (params) => ({ block: params[index] ?? 'latest' });
}

/** `eth_feeHistory`: so many blocks up to the one that is named. */
export const overHistory: Reach = ([count, newest]) => ({
  block: newest,
  before: matches(count, HexQuantityStruct) ? BigInt(count) - 1n : 0n,
});

/** `eth_getLogs`: one block by its hash, or all from one on. */
export const ofFilter: Reach = ([filter]) => {
  const { blockHash, fromBlock = 'latest' } = isObject(filter) ? filter : ({} as never);
  return { block: blockHash ?? fromBlock };
};

/** What the rule asks. */
type Asking = { head: Head; ask: Ask };

/**
 * Refuse a request that is about what nodes of such a chain do not keep.
 *
 * @returns Undefined if it may be answered.
 */
export async function refuseArchive(
  { block, before = 0n }: Oldest,
  asking: Asking,
): Promise<Outcome | undefined> {
  const number = await findNumber(block, asking);
  if (number === undefined || (await isKept(number - before, asking))) return undefined;
  const message = `Archive requests are not served: this one is about a block before the latest ${BLOCKS}.`;
  return { error: { code: codes.refused, message } };
}

/** Tell whether a receipt or transaction is in a block that is no longer answered for. */
export async function isTooOld(result: unknown, asking: Asking): Promise<boolean> {
  const number = isObject(result) ? result['blockNumber'] : undefined;
  return matches(number, HexQuantityStruct) && !(await isKept(BigInt(number), asking));
}

async function isKept(number: bigint, { head }: Asking): Promise<boolean> {
  const newest = await head.fetch();
  return number > newest.number - BLOCKS;
}

// Undefined where the node does not know it: then it says so itself.
async function findNumber(
  block: unknown,
  { head, ask }: Asking,
): Promise<bigint | undefined> {
  if (block === 'latest' || block === 'pending') return (await head.fetch()).number;
  if (block === 'earliest') return 0n;
  const isTag = block === 'finalized';
  if (!isTag && matches(block, HexQuantityStruct) && !isHash(block)) {
    return BigInt(block);
  }
  const method = isTag ? 'eth_getBlockByNumber' : 'eth_getBlockByHash';
  const outcome = await ask(method, [block, false]);
  const found = 'result' in outcome ? outcome.result : undefined;
  const number = isObject(found) ? found['number'] : undefined;
  return matches(number, HexQuantityStruct) ? BigInt(number) : undefined;
}

function isHash(block: string): boolean {
  return block.length === 66;
}
