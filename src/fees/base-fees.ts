// Base fees of past blocks, for the eye: as they were last seen, by chain, in the public
// document. What cannot be read or written there is as good as not known.
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { MAX_BASE_FEES } from '../state/public-state';
import type { PublicState, PublicStore } from '../state/public-state';
import type { FeeChain } from './level-sources';
import { collectAnswers, withAnswers } from './server-answers';

/** Blocks to ask for; the answer tells of one more, which is to come. */
const BLOCKS = 60;

/** Known ones are used again for so long, in ms: a block comes every few seconds. */
const FRESH_MS = 5_000;

/** Base fees of blocks in a row. */
export type BaseFees = {
  /** When they were fetched, in ms since 1970. */
  at: number;
  /** Number of the oldest block. */
  oldest: bigint;
  /** In wei, from the oldest block to the one to come. */
  baseFees: bigint[];
};

/** Find the base fees of a chain as they were last seen. */
export async function findBaseFees(
  store: PublicStore,
  chainId: ChainId,
): Promise<BaseFees | undefined> {
  const state = await store.read().catch((): Partial<PublicState> => ({}));
  const stored = state.baseFees?.[toCaip2(chainId)];
  if (!stored) return undefined;
  const { at, oldest, baseFees } = stored;
  return { at, oldest: BigInt(oldest), baseFees: baseFees.map(BigInt) };
}

/**
 * Fetch the base fees of a chain and keep them, unless they were just fetched. A chain
 * whose base fees are all zero has no market to show.
 *
 * @throws {TollkeeperError} What the node says.
 */
export async function refreshBaseFees(
  { id, node }: Pick<FeeChain, 'id' | 'node'>,
  { store, now }: { store: PublicStore; now: () => number },
): Promise<void> {
  const seen = await findBaseFees(store, id);
  if (seen && Math.abs(now() - seen.at) < FRESH_MS) return;
  const { note, answers } = collectAnswers(now);
  try {
    const blocks = toQuantity(BLOCKS);
    const history = await node.request('eth_feeHistory', [blocks, 'latest', []]);
    note('node');
    // A node can tell of more than it was asked for.
    const surplus = Math.max(0, history.baseFeePerGas.length - MAX_BASE_FEES);
    const oldest = BigInt(history.oldestBlock) + BigInt(surplus);
    const baseFees = history.baseFeePerGas.slice(surplus).map(BigInt);
    await keep(id, { at: now(), oldest, baseFees }, store);
  } catch (error) {
    note('node', error);
    throw error;
  } finally {
    await store
      .update((state) => withAnswers(state, id, answers))
      .catch(() => undefined);
  }
}

async function keep(
  chainId: ChainId,
  told: BaseFees,
  store: PublicStore,
): Promise<void> {
  const { at, baseFees, oldest } = told;
  if (!baseFees.some((fee) => fee > 0n)) return;
  const kept = { at, oldest: toQuantity(oldest), baseFees: baseFees.map(toQuantity) };
  const update = store.update((state) => ({
    ...state,
    baseFees: { ...state.baseFees, [toCaip2(chainId)]: kept },
  }));
  await update.catch(() => undefined);
}
