// Keeps a chain's fee levels fresh, block by block, while somebody asks for them, and lets
// the snap fall asleep when nobody does.
import type { Chain, Chains } from '../chains/chain';
import type { LiveChains } from '../chains/live-chains';
import type { ChainId } from '../eth/chain';
import type { FeeLevels } from '../fees/level';
import type { LevelsByChain } from '../fees/levels';

/** Levels are refreshed for so long after somebody asked, in ms. */
const IDLE_MS = 60_000;

/** What live levels need. */
export type LiveLevelServices = {
  levels: LevelsByChain;
  live: Pick<LiveChains, 'watch' | 'unwatch'>;
  chains: Pick<Chains, 'connect'>;
  /** Tell whether a chain's blocks are watched for another reason, too. */
  isWatched: (chainId: ChainId) => boolean;
};

/** Fee levels that follow the blocks. */
export type LiveLevels = {
  /** Get the levels of a chain; from then on its blocks are watched, if it has a socket. */
  get: (chain: Chain) => Promise<FeeLevels>;
  /** As `get`, for whoever asks the chain's node something else in the same tick. */
  prepare: LevelsByChain['prepare'];
  /** Take note of a new block; never fails. */
  onHead: (chainId: ChainId) => Promise<void>;
};

/** Create fee levels that follow the blocks. */
export function createLiveLevels({
  levels,
  live,
  chains,
  isWatched,
}: LiveLevelServices): LiveLevels {
  const prepare: LiveLevels['prepare'] = async (chain) => {
    const get = await levels.prepare(chain);
    return async () => {
      const watching = chain.head ? live.watch(chain.id) : undefined;
      try {
        return await get();
      } finally {
        // In a snap, what a request began and did not wait for never ends after it, and
        // whoever watched next would wait for ever.
        await watching;
      }
    };
  };
  return {
    get: async (chain) => (await prepare(chain))(),
    prepare,
    onHead: async (chainId) => {
      try {
        if (levels.wasAskedWithin(chainId, IDLE_MS)) {
          await levels.refresh(await chains.connect(chainId));
        } else if (!isWatched(chainId)) {
          await live.unwatch(chainId);
        }
      } catch {
        // The next one who asks learns what is wrong.
      }
    },
  };
}
