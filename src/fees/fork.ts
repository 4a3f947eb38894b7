// Finds a chain's gas rules. `eth_config` (EIP-7910) names the contracts of a fork; nodes without it
// show them by their estimate for a transfer of an account to itself, which EIP-2780 makes cheaper.
// Without an answer in time the older rules are assumed.
import { tryInTime } from '../../packages/client/src/abort';
import { shareByChain } from '../chains/chain';
import type { Chain } from '../chains/chain';
import type { ChainId } from '../eth/chain';
import { ZERO_ADDRESS } from '../eth/hex';
import { computeIntrinsicGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';

/** Finds a chain's rules; never fails. Any request is made in the tick of the call. */
export type FindFork = (chain: Chain) => Promise<GasFork>;

const HOUR_MS = 3_600_000;

/** A dialog may wait for the answer. */
const TIME_LIMIT_MS = 2_000;

const SELF_CALL = { from: ZERO_ADDRESS, to: ZERO_ADDRESS } as const;

const SELF_GAS = computeIntrinsicGas(
  { to: ZERO_ADDRESS, value: 0n, data: '0x' },
  'prague',
  { recipient: 'self' },
);

/** Creates the finder of forks; one a worker. It remembers each fork for an hour, or until the next
 * fork of the chain. */
export function createFindFork({
  now,
  epoch,
}: Record<'now' | 'epoch', () => number>): FindFork {
  const known = new Map<ChainId, { fork: GasFork; until: number }>();
  const ask = shareByChain(async (chain: Chain): Promise<GasFork> => {
    const found = await tryInTime(
      async (signal) => fetchFork(chain, signal),
      TIME_LIMIT_MS,
    );
    // A node that lacks the method gets the other request next time.
    if (!found) return 'prague';
    const { fork, next = Infinity } = found;
    known.set(chain.id, { fork, until: Math.min(now() + HOUR_MS, next) });
    return fork;
  }, epoch);
  return async (chain) => {
    const found = known.get(chain.id);
    return found && now() < found.until ? found.fork : ask(chain);
  };
}

// One request at a time: few nodes lack eth_config, and that is remembered for a day.
async function fetchFork(
  { node }: Chain,
  signal: AbortSignal,
): Promise<{ fork: GasFork; next?: number } | undefined> {
  if (node.lacks('eth_config')) {
    const estimate = await node.request('eth_estimateGas', [SELF_CALL], { signal });
    return { fork: BigInt(estimate) < SELF_GAS ? 'amsterdam' : 'prague' };
  }
  const config = await node.tryRequest('eth_config', [], { signal });
  if (!config) return undefined;
  const { current, next } = config;
  // A system contract of Amsterdam (EIP-8282).
  const contracts = current.systemContracts ?? {};
  return {
    fork: 'BUILDER_DEPOSIT_CONTRACT_ADDRESS' in contracts ? 'amsterdam' : 'prague',
    ...(next && { next: next.activationTime * 1_000 }),
  };
}
