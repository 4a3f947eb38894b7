// Requests for the same chain share one fetch while it runs.
import type { ChainId } from '../eth/chain';

/** Shares the result of a running fetch among its callers, unless it may never end. */
export function shareByChain<Place extends { id: ChainId }, Result>(
  fetch: (chain: Place) => Promise<Result>,
  epoch: () => number,
): (chain: Place) => Promise<Result> {
  const underWay = new Map<ChainId, { since: number; result: Promise<Result> }>();
  return async (chain) => {
    const before = underWay.get(chain.id);
    if (before?.since === epoch()) return before.result;
    const fetching = { since: epoch(), result: fetch(chain) };
    underWay.set(chain.id, fetching);
    try {
      return await fetching.result;
    } finally {
      if (underWay.get(chain.id) === fetching) underWay.delete(chain.id);
    }
  };
}
