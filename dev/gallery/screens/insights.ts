// What stands beside transactions and signatures in MetaMask's own confirmation.
import type { CallAlert } from '../../../src/eth/alerts';
import type { TypedAlert } from '../../../src/eth/typed-alerts';
import { writeCallAlert } from '../../../src/ui/confirm/call-alerts';
import { writeTypedAlert } from '../../../src/ui/confirm/typed-notices';
import { SignatureInsightView } from '../../../src/ui/insight/signature';
import { TransactionInsightView } from '../../../src/ui/insight/transaction';
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

const permitAlerts: TypedAlert[] = [
  { kind: 'unlimited' },
  { kind: 'shape', shape: 'permit', parties: [SPENDER] },
];

const callAlerts: CallAlert[] = [{ kind: 'operator', operator: SPENDER }];

/** Insights. */
export const insightScreens: Screen[] = [
  {
    view: 'SignatureInsightView',
    state: 'of a permit',
    draw: (translate) =>
      SignatureInsightView({
        translate,
        notices: permitAlerts.map((alert) => writeTypedAlert(alert, translate)),
      }),
  },
  {
    view: 'TransactionInsightView',
    state: 'fees that are too high',
    draw: (translate) =>
      TransactionInsightView({
        translate,
        chain: MAINNET,
        notices: callAlerts.map((alert) => writeCallAlert(alert, translate, MAINNET)),
        fees: { ...fees, level: 'high', tenthsOfHigh: 32n },
      }),
  },
  ...screensOf(TransactionInsightView, {
    'fees at a level': { chain: MAINNET, notices: [], fees },
    'fees below the base fee': {
      chain: MAINNET,
      notices: [],
      fees: { ...fees, level: undefined, isBelowBaseFee: true },
    },
  }),
];
