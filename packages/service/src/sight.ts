// Records a node's newest and finalized blocks at each check, and describes problems for /health.
import { matches } from '../../../src/schema/parse';
import { HeadStruct, type Head } from '../../client/src/rpc/block';
import type { NodeAsk } from './upstream';

/** A node's newest and finalized blocks. `lateMs` is the minimum age of the newest block on
 * arrival, by our clock; it is negative if the timestamp is in the future. */
export type Observation = Partial<Record<'newest' | 'final', Head | undefined>> & {
  lateMs: number;
  at: number;
};

/** Tolerated clock differences and block delays. */
const MAX_EARLY_MS = 15_000;
const MAX_LATE_MS = 60_000;

export async function inspect(ask: NodeAsk, last?: Observation): Promise<Observation> {
  const [newest, final] = await Promise.all(
    ['latest', 'finalized'].map(async (tag) => {
      const { outcome } = await ask('eth_getBlockByNumber', [tag, false]);
      return matches(outcome.result, HeadStruct) ? outcome.result : undefined;
    }),
  );
  const at = Date.now();
  const bornMs = newest ? Number(newest.timestamp) * 1_000 : at;
  // A new block cannot have arrived before the last check.
  const isNew = last?.newest && last.newest.number !== newest?.number;
  const lateMs = isNew ? Math.max(0, last.at - bornMs) : (last?.lateMs ?? 0);
  return { newest, final, lateMs: Math.min(lateMs, at - bornMs), at };
}

export function describeSight({ newest, final, lateMs }: Observation): string[] {
  if (!newest) return [];
  const age = `${Math.abs(Math.round(lateMs / 1_000))} s`;
  return [
    lateMs < -MAX_EARLY_MS &&
      `its newest block is ${age} in the future: a clock is wrong`,
    lateMs > MAX_LATE_MS &&
      `its newest block came ${age} late: it is syncing, or a clock is wrong`,
    !newest.baseFeePerGas && 'its blocks have no base fee: the gas API has no fees',
    final &&
      BigInt(final.number) >= BigInt(newest.number) &&
      'it reports its newest block as final',
  ].filter((note) => typeof note === 'string');
}
