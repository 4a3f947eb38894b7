// The fees that the service suggests, from the node's own history. One look at the history
// serves a whole block, whoever asks and however many at once; the answers are kept as the
// text that is sent.
import { FeeHistoryStruct, toWire } from '../../src/client';
import type { FeeHistory, SuggestedGasFees } from '../../src/client';
import { weiToGwei } from '../../src/eth/gwei';
import { toQuantity } from '../../src/eth/hex';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from '../../src/fees/fee-history';
import { toNodeFailure } from './failure';
import { requireResult } from './head';
import type { Head } from './head';
import type { Ask } from './upstream';

/** The resources of the gas API. */
export const gasResources = ['suggestedGasFees', 'baseFeePercentile'] as const;

/** A resource of the gas API. */
export type GasResource = (typeof gasResources)[number];

/** What is known of a block's fees: for callers as JSON, for us in wei. */
export type BlockFees = Record<GasResource, string> & { fees: SuggestedGasFees };

/** Knows the fees of the newest block. */
export type Gas = {
  /** The fees if they are known without asking. */
  peek: () => BlockFees | undefined;
  /** @throws {ServiceFailure} If the node does not say. */
  fetch: () => Promise<BlockFees>;
};

type Entry = { key: string; asked: Promise<BlockFees>; known?: BlockFees };

/** Create what knows the fees. */
export function createGas(ask: Ask, head: Head): Gas {
  let entry: Entry | undefined;

  const open = (key: string): Entry => {
    const opened: Entry = { key, asked: fetchFees(ask) };
    opened.asked.then(
      (known) => {
        opened.known = known;
      },
      () => {
        // A failure is nobody's but those who wait for it now.
        if (entry === opened) entry = undefined;
      },
    );
    return opened;
  };

  return {
    peek: () => {
      const key = head.peek()?.key;
      return key !== undefined && entry?.key === key ? entry.known : undefined;
    },
    fetch: async () => {
      const { key } = await head.fetch();
      if (entry?.key !== key) entry = open(key);
      return entry.asked;
    },
  };
}

async function fetchFees(ask: Ask): Promise<BlockFees> {
  const params = [toQuantity(HISTORY_BLOCKS), 'latest', REWARD_PERCENTILES];
  const history = requireResult<FeeHistory>(
    await ask('eth_feeHistory', params),
    FeeHistoryStruct,
  );
  try {
    const fees = computeSuggestedFees(history);
    const baseFeePercentile = weiToGwei(computeBaseFeePercentile(history));
    return {
      fees,
      suggestedGasFees: JSON.stringify(toWire(fees)),
      baseFeePercentile: JSON.stringify({ baseFeePercentile }),
    };
  } catch {
    throw toNodeFailure('The chain has no base fee, and so no fee market.');
  }
}
