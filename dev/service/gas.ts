// The fees that the service suggests, from the node's own history. One look at the history
// serves a whole block, whoever asks and however many at once; the answers are kept as the
// text that is sent.
import { FeeHistoryStruct, toWire } from '../../src/client';
import type { FeeHistory, SuggestedGasFees } from '../../src/client';
import { BlockHeaderStruct } from '../../src/client/rpc/block';
import { weiToGwei } from '../../src/eth/gwei';
import { toQuantity } from '../../src/eth/hex';
import { computeBlockMs, MEASURED_BLOCKS } from '../../src/fees/block-time';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from '../../src/fees/fee-history';
import { matches } from '../../src/parse';
import { toNodeFailure } from './failure';
import { requireResult } from './head';
import type { Head, HeadBlock } from './head';
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

  const open = ({ key, number }: HeadBlock): Entry => {
    const opened: Entry = { key, asked: fetchFees(ask, number) };
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
      const newest = await head.fetch();
      if (entry?.key !== newest.key) entry = open(newest);
      return entry.asked;
    },
  };
}

async function fetchFees(ask: Ask, newest: bigint): Promise<BlockFees> {
  const params = [toQuantity(HISTORY_BLOCKS), 'latest', REWARD_PERCENTILES];
  const [told, blockMs] = await Promise.all([
    ask('eth_feeHistory', params),
    fetchBlockMs(ask, newest),
  ]);
  const history = requireResult<FeeHistory>(told, FeeHistoryStruct);
  try {
    const fees = computeSuggestedFees(history, blockMs);
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

async function fetchBlockMs(ask: Ask, newest: bigint): Promise<number | undefined> {
  const older = newest > MEASURED_BLOCKS ? newest - MEASURED_BLOCKS : 0n;
  const [last, first] = await Promise.all(
    [newest, older].map(async (number) => {
      const told = await ask('eth_getBlockByNumber', [toQuantity(number), false]);
      const header = 'result' in told ? told.result : undefined;
      return matches(header, BlockHeaderStruct) ? header : undefined;
    }),
  );
  return computeBlockMs(last, first);
}
