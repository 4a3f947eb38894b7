// Which rules of gas a chain follows. Its node tells by `eth_config` (EIP-7910), which names the
// contracts that a fork brought; a node without it, by what it estimates for a transfer of an
// account to itself, which EIP-2780 makes cheaper. Nobody waits long for it: what is not known is
// taken to be as it was before.
import { withTimeLimit } from '../../packages/client/src/abort';
import type { Chain } from '../chains/chain';
import type { ChainId } from '../eth/chain';
import { ZERO_ADDRESS } from '../eth/hex';
import { computeIntrinsicGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import { shareByChain } from './levels';

/** Finds a chain's rules; never fails. Asks its node in the tick of the call, if at all. */
export type FindFork = (chain: Chain) => Promise<GasFork>;

const HOUR_MS = 3_600_000;

/** A dialog may wait for it. */
const TIME_LIMIT_MS = 2_000;

/** A system contract of Amsterdam (EIP-8282), as clients name it. */
const AMSTERDAM_CONTRACT = 'BUILDER_DEPOSIT_CONTRACT_ADDRESS';

const SELF_CALL = { from: ZERO_ADDRESS, to: ZERO_ADDRESS } as const;

const SELF_GAS = computeIntrinsicGas(
  { to: ZERO_ADDRESS, value: 0n, data: '0x' },
  'prague',
  { recipient: 'self' },
);

/** What is known, and until when, in ms since 1970. */
type Known = { fork: GasFork; until: number };

/** Creates what finds forks; once a worker, which remembers each for an hour, or until the next
 * fork of the chain begins. */
export function createFindFork({
  now,
  epoch,
}: {
  now: () => number;
  epoch: () => number;
}): FindFork {
  const known = new Map<ChainId, Known>();
  const ask = shareByChain(async (chain): Promise<GasFork> => {
    const found = await withTimeLimit(
      async (signal) => fetchFork(chain, signal),
      TIME_LIMIT_MS,
    ).catch(() => undefined);
    // A node that lacks the method is asked otherwise next time.
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

// One question: nodes are few that lack the configuration, and tell so once a day.
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
  const isAmsterdam = AMSTERDAM_CONTRACT in (current.systemContracts ?? {});
  return {
    fork: isAmsterdam ? 'amsterdam' : 'prague',
    ...(next && { next: next.activationTime * 1_000 }),
  };
}
