// What stands beside transactions and signatures in MetaMask's own confirmation.
import { SignatureInsightView } from '../../../src/ui/insight/signature';
import { TransactionInsightView } from '../../../src/ui/insight/transaction';
import { danger, info, warning } from '../../../src/ui/notice';
import { screensOf } from '../screen';
import { MAINNET } from './people';

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
export const insightScreens = [
  ...screensOf(SignatureInsightView, {
    'of a permit': {
      notices: [
        warning('It has no limit: all of this token can be taken.'),
        info('It lets somebody take tokens from your account.'),
      ],
    },
  }),
  ...screensOf(TransactionInsightView, {
    'fees at a level': { chain: MAINNET, notices: [], fees },
    'fees that are too high': {
      chain: MAINNET,
      notices: [
        danger('It lets the contract take all of this token, for ever.'),
        info('This creates a contract: the data are its code.'),
      ],
      fees: { ...fees, level: 'high', tenthsOfHigh: 32n },
    },
    'fees below the base fee': {
      chain: MAINNET,
      notices: [],
      fees: { ...fees, level: undefined, isBelowBaseFee: true },
    },
  }),
];
