// What stands beside transactions and signatures in MetaMask's own confirmation.
import { danger, info, warning } from '../../../src/ui/warnings';
import { SignatureInsightView } from '../../../src/insights/signature';
import { TransactionInsightView } from '../../../src/insights/transaction';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { MAINNET, SPENDER } from './people';

const fees = {
  level: 'medium',
  isBelowBaseFee: false,
  tenthsOfHigh: 8n,
  mediumCost: 441_000_000_000_000n,
  mediumWait: 30_000,
  congestion: 0.51,
  baseFeeTrend: 'up',
} as const;

/** Insights. */
export const insightScreens: Screen[] = [
  ...screensOf(SignatureInsightView, {
    'of a permit': { warnings: [warning('typed.unlimited'), info('shape.permit')] },
  }),
  ...screensOf(TransactionInsightView, {
    'fees that are too high': {
      chain: MAINNET,
      warnings: [danger('alert.operator', { operator: SPENDER })],
      fees: { ...fees, level: 'high', tenthsOfHigh: 32n },
    },
    'fees at a level': { chain: MAINNET, warnings: [], fees },
    'fees below the base fee': {
      chain: MAINNET,
      warnings: [],
      fees: { ...fees, level: undefined, isBelowBaseFee: true },
    },
  }),
];
