// Measures whether fee levels keep their promises at every block of the chains in fee-market.ts.
// Compares our levels with MetaMask's former algorithm, viem, and geth's `eth_gasPrice`.
import { createPublicClient, custom, type EIP1193RequestFn } from 'viem';

import {
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from '../../src/fees/fee-history';
import { levelRules } from '../../src/fees/level';
import { levelNames, type LevelName } from '../../src/ui/i18n';
import { findPercentile, generateBlocks, models, type Block } from './fee-market';
import type { Bench, Row } from './measure';

const SEED = 24;
const BLOCKS = 1_000;

/** Number of blocks after the last measured one, for the reading time and any promised wait. */
const AHEAD = 40;

/** How long users read before they approve, in ms. */
const READING_MS = 8_000;

type Offer = { maxFee: number; tip: number };

type Algorithm = (past: readonly Block[], next: Block) => Offer | Promise<Offer>;

/** An algorithm, and the longest inclusion time that it promises. */
type Contestant = { algorithm: Algorithm; toBlocks: (blockMs: number) => number };

/** Percentage of offers included in time, and their average overpayment in percent. */
type Outcome = { included: number; overpaid: number };

const figures = [
  ['included', 'included in time', { atLeast: 1 }],
  ['overpaid', 'overpaid', { atMost: 1 }],
] as const;

export async function* benchFees(): Bench {
  const chains = models.map((model) => ({
    ...model,
    blocks: generateBlocks(model, BLOCKS + AHEAD, SEED),
  }));
  const replayAll = async (contestant: Contestant): Promise<Outcome[]> =>
    Promise.all(chains.map(async (chain) => replay(chain, contestant)));
  const names = [...models.map(({ name }) => name), 'average'];
  for (const level of levelNames) {
    const ours = withAverage(await replayAll(ourLevel(level)));
    // viem and geth do not promise an inclusion time, so they are judged by the time of our level.
    const toBlocks = (): number => levelRules[level].waitBlocks.max;
    const others: Record<string, Contestant> = {
      'MetaMask before': metamaskLevel(level),
      viem: { algorithm: askViem, toBlocks },
      eth_gasPrice: { algorithm: askGeth, toBlocks },
    };
    for (const [name, contestant] of Object.entries(others)) {
      const theirs = withAverage(await replayAll(contestant));
      // viem and geth make low offers, so only our low level has to beat them.
      const isCompared = level === 'low' || name === 'MetaMask before';
      const rows = names.flatMap((chain, index) =>
        figures.map(([figure, words, bound]): Row => {
          const isBound = isCompared && chain === 'average';
          return {
            what: `${chain}: ${words}`,
            ours: ours[index]?.[figure] ?? NaN,
            theirs: theirs[index]?.[figure] ?? NaN,
            unit: '%',
            bound: isBound ? bound : undefined,
          };
        }),
      );
      yield { name: `fees, ${level}`, ours: 'tollkeeper', theirs: name, rows };
    }
  }
}

async function replay(
  { blocks, blockMs }: { blocks: readonly Block[]; blockMs: number },
  { algorithm, toBlocks }: Contestant,
): Promise<Outcome> {
  const wait = toBlocks(blockMs);
  const read = Math.ceil(READING_MS / blockMs);
  let [offered, included, paid, needed] = [0, 0, 0, 0];
  for (let head = HISTORY_BLOCKS; head < blocks.length - AHEAD; head += 1) {
    const [next, ...others] = blocks.slice(head + 1);
    if (!next) break;
    const past = blocks.slice(head + 1 - HISTORY_BLOCKS, head + 1);
    const { maxFee, tip } = await algorithm(past, next);
    const found = [next, ...others].slice(read, read + wait).find((block) => {
      return Math.min(tip, maxFee - block.baseFee) >= block.leastTip;
    });
    offered += 1;
    if (!found) continue;
    included += 1;
    paid += Math.min(maxFee, found.baseFee + tip);
    needed += found.baseFee + found.leastTip;
  }
  return {
    included: (included / offered) * 100,
    overpaid: (paid / needed - 1) * 100,
  };
}

function withAverage(outcomes: readonly Outcome[]): Outcome[] {
  const average = (name: keyof Outcome): number =>
    outcomes.reduce((sum, outcome) => sum + outcome[name], 0) / outcomes.length;
  return [
    ...outcomes,
    { included: average('included'), overpaid: average('overpaid') },
  ];
}

function ourLevel(name: LevelName): Contestant {
  const algorithm: Algorithm = (past, next) => {
    const level = computeSuggestedFees({
      oldestBlock: '0x1',
      baseFeePerGas: [...past, next].map(({ baseFee }) => toHexWei(baseFee)),
      gasUsedRatio: past.map(({ gasUsedRatio }) => gasUsedRatio),
      reward: past.map(({ tips }) =>
        REWARD_PERCENTILES.map((percent) => toHexWei(findPercentile(tips, percent))),
      ),
    })[name];
    return {
      maxFee: toGwei(level.suggestedMaxFeePerGas),
      tip: toGwei(level.suggestedMaxPriorityFeePerGas),
    };
  };
  return { algorithm, toBlocks: () => levelRules[name].waitBlocks.max };
}

/** `fetchGasEstimatesViaEthFeeHistory` of MetaMask/core, before 9349754a9e. */
const METAMASK = {
  low: { percentile: 10, ofBaseFee: 1.1, ofTip: 0.94, leastTip: 1, seconds: 30 },
  medium: { percentile: 20, ofBaseFee: 1.2, ofTip: 0.97, leastTip: 1.5, seconds: 45 },
  high: { percentile: 30, ofBaseFee: 1.25, ofTip: 0.98, leastTip: 2, seconds: 60 },
};

function metamaskLevel(name: LevelName): Contestant {
  const { percentile, ofBaseFee, ofTip, leastTip, seconds } = METAMASK[name];
  const algorithm: Algorithm = (past) => {
    const tips = past.slice(-5).map((block) => findPercentile(block.tips, percentile));
    const tip = Math.max((tips.sort(byAmount)[2] ?? 0) * ofTip, leastTip);
    return { tip, maxFee: lastBaseFee(past) * ofBaseFee + tip };
  };
  return { algorithm, toBlocks: (blockMs) => Math.floor((seconds * 1_000) / blockMs) };
}

const askViem: Algorithm = async (past) => {
  const answers: Record<string, unknown> = {
    eth_getBlockByNumber: {
      baseFeePerGas: toHexWei(lastBaseFee(past)),
      transactions: [],
    },
    eth_maxPriorityFeePerGas: toHexWei(suggestTip(past)),
  };
  const request = (async ({ method }: { method: string }) =>
    Promise.resolve(answers[method])) as EIP1193RequestFn;
  const client = createPublicClient({ transport: custom({ request }) });
  const fees = await client.estimateFeesPerGas();
  return { maxFee: toGwei(fees.maxFeePerGas), tip: toGwei(fees.maxPriorityFeePerGas) };
};

// A type 0 transaction pays its full offer, whatever the base fee.
const askGeth: Algorithm = (past) => {
  const price = lastBaseFee(past) + suggestTip(past);
  return { maxFee: price, tip: price };
};

/** Suggests a tip as go-ethereum's eth/gasprice does: the 60th percentile of the three lowest tips
 * above 1 wei in each of the last twenty blocks. */
function suggestTip(past: readonly Block[]): number {
  const least = past.flatMap(({ tips }) =>
    tips
      .map(({ tip }) => tip)
      .filter((tip) => tip >= 2e-9)
      .slice(0, 3),
  );
  return least.sort(byAmount)[Math.floor((least.length - 1) * 0.6)] ?? 0;
}

function lastBaseFee(past: readonly Block[]): number {
  return past.at(-1)?.baseFee ?? 0;
}

function byAmount(one: number, other: number): number {
  return one - other;
}

function toHexWei(gwei: number): `0x${string}` {
  return `0x${Math.round(gwei * 1e9).toString(16)}`;
}

function toGwei(wei: bigint): number {
  return Number(wei) / 1e9;
}
