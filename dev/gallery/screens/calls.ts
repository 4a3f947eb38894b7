// Several calls at once, and what became of them.
import { warning } from '../../../src/ui/warnings';
import { decodeContent } from '../../../src/calldata/decoded-call';
import { CallsStatusView } from '../../../src/calls/status-view';
import { CallsConfirmation } from '../../../src/calls/view';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { MAINNET, OWN, SITE, TOKEN } from './people';
import { PAYMENT, TRANSFER } from './transactions';

const call = (changes: object = {}, isEstimated = true) => {
  const transaction = { ...PAYMENT, ...changes };
  return { transaction, call: decodeContent(transaction), isEstimated };
};

const view = { origin: SITE, account: OWN, chain: MAINNET, warnings: [] };

const MANY = Array.from({ length: 25 }, (_, index) => call({ nonce: BigInt(index) }));

const HASH = `0x${'a1b2c3d4'.repeat(8)}` as const;

const status = { id: `0x${'7e'.repeat(32)}`, chain: MAINNET };

/** Screens of calls. */
export const callsScreens: Screen[] = [
  ...screensOf(CallsConfirmation, {
    single: { ...view, calls: [call()] },
    several: {
      ...view,
      warnings: [warning('warning.notAtomic')],
      calls: [
        call(),
        call({ to: TOKEN, value: 0n, data: TRANSFER, nonce: 43n }, false),
      ],
    },
    many: { ...view, calls: MANY },
    'many, the last page': {
      ...view,
      calls: MANY,
      frame: { page: 1, seen: new Set([0]) },
    },
  }),
  ...screensOf(CallsStatusView, {
    'on their way': {
      ...status,
      status: 100,
      sent: [
        { hash: HASH, state: 'included' },
        { hash: HASH, state: 'pending' },
      ],
    },
    'that failed in part': {
      ...status,
      status: 600,
      sent: [
        { hash: HASH, state: 'included' },
        { hash: HASH, state: 'failed' },
        { hash: HASH, state: 'dropped' },
      ],
    },
    'by the hundred': {
      ...status,
      status: 200,
      sent: Array.from({ length: 100 }, () => ({
        hash: HASH,
        state: 'included' as const,
      })),
    },
  }),
];
