// The gas market of the home page.
import { GasTab } from '../../../src/home/gas';
import type { GasMarket, GasView } from '../../../src/home/gas';
import { info } from '../../../src/ui/notice';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { BASE, MAINNET, NOW, SEPOLIA } from './people';

const GWEI = 1_000_000_000n;

/** Base fees of past blocks: they rise, fall and rise again. */
const baseFees = [
  14_215, 14_902, 15_630, 15_011, 14_387, 15_940, 17_612, 18_205, 17_330, 16_118,
  15_204, 14_871, 15_522, 16_980, 18_644, 20_071, 19_356, 18_002, 17_421, 18_239,
].map((thousandths) => BigInt(thousandths) * (GWEI / 1_000n));

const market: GasMarket = {
  levels: {
    low: { maxFeePerGas: 18_489_342_117n, maxPriorityFeePerGas: 250_000_000n },
    medium: { maxFeePerGas: 25_083_436_402n, maxPriorityFeePerGas: GWEI },
    high: { maxFeePerGas: 31_677_530_687n, maxPriorityFeePerGas: 2n * GWEI },
  },
  baseFee: 18_239_342_117n,
  baseFees,
  waits: {
    low: { min: 15_000, max: 60_000 },
    medium: { min: 15_000, max: 30_000 },
    high: { min: 15_000, max: 15_000 },
  },
  source: 'gas-api',
  ageMs: 4_000,
  congestion: 0.58,
  baseFeeTrend: 'up',
  priorityFeeTrend: 'down',
};

const price = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 3n * GWEI };

const servers: GasView['servers'] = {
  configured: { gas: true, node: true, socket: false, bundler: true, paymaster: false },
  gas: { kind: 'ok', at: NOW - 4_000 },
  node: { kind: 'limited', at: NOW - 90_000, retryAt: NOW + 45_000 },
  inUse: [
    { chain: MAINNET, source: 'gas-api', ageMs: 4_000 },
    { chain: BASE, source: 'rollup-estimate', ageMs: 12_000 },
    {
      chain: SEPOLIA,
      source: 'fee-history',
      passedOver: 'gas-api',
      ageMs: 7_200_000,
    },
  ],
  now: NOW,
};

const view = { chains: [MAINNET, BASE, SEPOLIA], chain: MAINNET, notices: [], servers };

/** A market of which everything is known. */
export const gasWithHistory: Omit<GasView, 'translate'> = { ...view, market };

/** Screens of the gas market. */
export const homeGasScreens: Screen[] = screensOf(GasTab, {
  'with history': gasWithHistory,
  'of a gas price': {
    ...view,
    chains: [SEPOLIA],
    chain: SEPOLIA,
    market: {
      levels: { low: price, medium: price, high: price },
      baseFee: undefined,
      baseFees: [],
      waits: undefined,
      source: 'gas-price',
      ageMs: 600_000,
    },
  },
  'with nothing known': {
    ...view,
    notices: [info('No server has told fees yet. They are asked again in a minute.')],
    servers: { inUse: [], now: NOW },
  },
  'without a network': {
    chains: [],
    notices: [],
    servers: { inUse: [], now: NOW },
  },
});
