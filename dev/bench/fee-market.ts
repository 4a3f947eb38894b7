// Generates chains for replaying fees, because recorded blocks with all their tips are not
// published: senders come and go, a builder fills each block with the highest payers, and the base
// fee follows EIP-1559 or the OP stack's variant of it. The same seed gives the same blocks.
//
// The mainnet-like chain was compared with 340 recorded base fees (blocks 21,527,387 to 21,527,726
// of 2025-01-01, in OilerNetwork/pitchlake_cron at 36d186f). They show that a third of the blocks
// were full, and another third less than a fifth full.

type Gwei = number;

/** A block as described by `eth_feeHistory`, and the tip needed for inclusion. */
export type Block = {
  baseFee: Gwei;
  gasUsedRatio: number;
  /** Tips per gas and their gas amounts, lowest first. */
  tips: readonly { tip: Gwei; gas: number }[];
  /** The tip above which another transaction would have been included. */
  leastTip: Gwei;
};

type Model = {
  name: string;
  blockMs: number;
  gasLimit: number;
  /** Share of the gas limit above which the base fee rises. */
  target: number;
  /** A block that uses twice the target raises the base fee by 1 / denominator. */
  denominator: number;
  /** The base fee that half of the senders would pay when demand is calm. */
  baseFee: Gwei;
  /** Standard deviation of the logarithm of what senders would pay. */
  spread: number;
  /** Gas of the senders who arrive per block, in multiples of the target. */
  demand: number;
  /** Persistence of demand: the share that remains after a block. */
  memory: number;
  drift: number;
  /** Unevenness of arrivals: the standard deviation of their logarithm. */
  noise: number;
  /** Share of senders who bid little more than the base fee. */
  tight: number;
  /** Probability that a block starts a rush, the factor by which the rush raises what senders would
   * pay, and its average length in blocks. */
  rush: { chance: number; times: number; blocks: number };
  /** The median tip that senders offer. */
  tip: Gwei;
  /** The builders' minimum tips, and the share of blocks that each builds. */
  builders: readonly { leastTip: Gwei; share: number }[];
  /** Maximum share of a block's gas that searchers use. They pay the builder outside the
   * transaction fee. */
  private: number;
};

/** Profit-seeking builders accept any tip. Geth's default minimum is 0.001 gwei; it used to be 1
 * gwei. */
const BUILDERS = [
  { leastTip: 0.000_001, share: 0.94 },
  { leastTip: 0.001, share: 0.05 },
  { leastTip: 1, share: 0.01 },
] as const;

const MAINNET: Model = {
  name: 'mainnet-like',
  blockMs: 12_000,
  gasLimit: 36_000_000,
  target: 0.5,
  denominator: 8,
  baseFee: 5,
  spread: 0.7,
  demand: 2,
  memory: 0.8,
  drift: 0.6,
  noise: 1.4,
  tight: 0.3,
  rush: { chance: 0.004, times: 2, blocks: 8 },
  tip: 0.3,
  builders: BUILDERS,
  private: 0.12,
};

export const models: readonly Model[] = [
  MAINNET,
  {
    name: '2 s rollup',
    blockMs: 2_000,
    gasLimit: 60_000_000,
    target: 1 / 6,
    denominator: 250,
    baseFee: 0.01,
    spread: 0.7,
    demand: 2,
    memory: 0.9,
    drift: 0.3,
    noise: 0.9,
    tight: 0.3,
    rush: { chance: 0.003, times: 5, blocks: 30 },
    tip: 0.004,
    builders: [{ leastTip: 0.000_1, share: 1 }],
    private: 0,
  },
  {
    ...MAINNET,
    name: 'spiky',
    baseFee: 20,
    rush: { chance: 0.02, times: 6, blocks: 12 },
    tip: 0.8,
  },
];

type Sender = { gas: number; maxFee: Gwei; tip: Gwei; until: number };

/** Gas of the replayed transactions, such as a token transfer or a swap. */
export const REPLAYED_GAS = 100_000;

const WARM_UP = 100;

export function generateBlocks(model: Model, count: number, seed: number): Block[] {
  const random = createRandom(seed);
  const target = model.gasLimit * model.target;
  const blocks: Block[] = [];
  let { baseFee } = model;
  let pool: Sender[] = [];
  let drift = 0;
  let rushUntil = -1;
  for (let number = 0; number < count + WARM_UP; number += 1) {
    if (random.next() < model.rush.chance) {
      rushUntil = number + Math.ceil(model.rush.blocks * (0.5 + random.next()));
    }
    drift = drift * model.memory + random.normal() * model.drift;
    const times = number < rushUntil ? model.rush.times : 1;
    const arriving =
      target *
      model.demand *
      Math.exp(drift + random.normal() * model.noise - model.noise ** 2 / 2);
    for (let gas = 0; gas < arriving;) {
      const sender = createSender(model, { baseFee, number, times, random });
      pool.push(sender);
      gas += sender.gas;
    }
    const block = buildBlock(model, pool, { baseFee, random });
    const { taken } = block;
    pool = pool.filter((each) => !taken.has(each) && each.until > number);
    if (number >= WARM_UP) blocks.push(block);
    const used = block.gasUsedRatio * model.gasLimit;
    baseFee *= 1 + (used - target) / target / model.denominator;
    baseFee = Math.max(baseFee, 1e-6);
  }
  return blocks;
}

// Each sender has a maximum fee at which the transaction is worthwhile. Within that limit, some bid
// slightly more than the base fee and others leave room. Senders who are priced out wait a while.
function createSender(
  model: Model,
  {
    baseFee,
    number,
    times,
    random,
  }: { baseFee: Gwei; number: number; times: number; random: Random },
): Sender {
  const gas = random.next() < 0.3 ? 21_000 : 120_000 * Math.exp(random.normal() * 0.8);
  const worth = model.baseFee * times * Math.exp(random.normal() * model.spread);
  const tip = model.tip * Math.exp(random.normal() * 1.3) * Math.sqrt(times);
  const room =
    random.next() < model.tight ? 1 + random.next() * 0.1 : 1.2 + random.next();
  const maxFee = Math.min(worth, baseFee * room + tip);
  return { gas, tip, maxFee, until: number + 20 };
}

function buildBlock(
  model: Model,
  pool: readonly Sender[],
  { baseFee, random }: { baseFee: Gwei; random: Random },
): Block & { taken: ReadonlySet<Sender> } {
  const least = pickBuilder(model, random);
  const tipOf = ({ maxFee, tip }: Sender): Gwei => Math.min(tip, maxFee - baseFee);
  const waiting = pool
    .map((sender) => ({ sender, gas: sender.gas, tip: tipOf(sender) }))
    .filter(({ tip }) => tip >= least)
    .sort((one, other) => other.tip - one.tip);
  const searchers = model.gasLimit * model.private * random.next();
  const included =
    searchers > 0
      ? [
          { tip: 0, gas: searchers / 2 },
          { tip: 1e-9, gas: searchers / 2 },
        ]
      : [];
  const taken = new Set<Sender>();
  let left = model.gasLimit - searchers;
  let leastTip = least;
  for (const { sender, gas, tip } of waiting) {
    if (gas > left) continue;
    if (left >= REPLAYED_GAS && left - gas < REPLAYED_GAS) leastTip = tip;
    left -= gas;
    taken.add(sender);
    included.push({ tip, gas });
  }
  const tips = included.sort((one, other) => one.tip - other.tip);
  return { baseFee, gasUsedRatio: 1 - left / model.gasLimit, tips, leastTip, taken };
}

function pickBuilder({ builders }: Model, random: Random): Gwei {
  let at = random.next();
  for (const { leastTip, share } of builders) {
    at -= share;
    if (at < 0) return leastTip;
  }
  return builders[0]?.leastTip ?? 0;
}

/** Finds a percentile of the tips weighted by gas, as nodes do. */
export function findPercentile(tips: Block['tips'], percent: number): Gwei {
  const total = tips.reduce((sum, { gas }) => sum + gas, 0);
  let gas = 0;
  for (const each of tips) {
    gas += each.gas;
    if (gas >= (total * percent) / 100) return each.tip;
  }
  return tips.at(-1)?.tip ?? 0;
}

type Random = { next: () => number; normal: () => number };

/** Creates a generator from a seed: mulberry32, with the Box-Muller transform for normal values. */
function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}
