// What the REST pair answers (spec 4.1), also where no gas API is configured or it is down:
// then it is computed from the fees of past blocks, as the development service does it.
import type { FeeHistory, GasApi, NodeClient, SuggestedGasFees } from '../client';
import { InternalError, TollkeeperError, UnavailableError } from '../errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { MAX_BASE_FEES } from '../state/public-state';
import type { PublicState, PublicStore } from '../state/public-state';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  findBlockMs,
  findFeeHistory,
} from './fee-history';
import type { FeeChain } from './level-sources';
import { collectAnswers, withAnswers } from './server-answers';

// Base fees of past blocks, for the eye: as they were last seen, by chain, in the public
// document. What cannot be read or written there is as good as not known.

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

/** What was told, and whether it was computed, since no gas API told it. */
export type Told<Result> = { result: Result; isComputed: boolean };

/**
 * Fetch the suggested fees of a chain (spec 2.1), in wei.
 *
 * @throws {UnavailableError} If the chain has no fee market; else what the node says.
 */
export async function fetchSuggestedFees(
  chain: FeeChain,
): Promise<Told<SuggestedGasFees>> {
  return fromEither(
    chain,
    async (gas) => gas.suggestedGasFees(chain.id),
    async (node) => {
      const [history, blockMs] = await Promise.all([
        requireHistory(node),
        findBlockMs(node),
      ]);
      return computeSuggestedFees(history, blockMs);
    },
  );
}

/**
 * Fetch the base fee that half of the past ones do not exceed (spec 2.2), in wei.
 *
 * @throws {UnavailableError} If the chain has no fee market; else what the node says.
 */
export async function fetchBaseFeePercentile(chain: FeeChain): Promise<Told<bigint>> {
  return fromEither(
    chain,
    async (gas) => gas.baseFeePercentile(chain.id),
    async (node) => computeBaseFeePercentile(await requireHistory(node)),
  );
}

async function fromEither<Result>(
  { node, gas }: FeeChain,
  ask: (gas: GasApi) => Promise<Result>,
  compute: (node: NodeClient) => Promise<Result>,
): Promise<Told<Result>> {
  try {
    if (gas) return { result: await ask(gas), isComputed: false };
  } catch (error) {
    if (!(error instanceof TollkeeperError) || error instanceof InternalError) {
      throw error;
    }
  }
  return { result: await compute(node), isComputed: true };
}

async function requireHistory(node: NodeClient): Promise<FeeHistory> {
  const history = await findFeeHistory(node);
  if (history) return history;
  throw new UnavailableError('The chain has no base fee, and so no suggested fees.');
}
