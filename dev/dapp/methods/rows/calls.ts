// Batches of calls (EIP-5792).
import { defineRow } from '../row';
import type { MethodRow } from '../row';
import { checkInclusion } from '../verify/inclusion';

/** Methods of EIP-5792. */
export const callRows: readonly MethodRow[] = [
  defineRow({
    name: 'wallet_getCapabilities',
    about: 'Answers on which chains an account sends calls, and whether atomically.',
    needs: ['account', 'chainId'],
    example: ({ account, chainId }) => [account, [chainId]],
  }),
  defineRow({
    name: 'wallet_sendCalls',
    about: 'Sends calls: a smart account at once, an ordinary one in their order.',
    needs: ['account', 'chainId'],
    example: ({ account, chainId, recipient }) => [
      {
        version: '2.0.0',
        from: account,
        chainId,
        atomicRequired: false,
        calls: [
          { to: recipient, value: '0x1' },
          { to: recipient, value: '0x2' },
        ],
      },
    ],
    verify: checkInclusion('calls'),
    learn: ({ result }) => ({ callsId: (result as { id: string }).id }),
  }),
  defineRow({
    name: 'wallet_getCallsStatus',
    about: 'Answers what became of calls that this site sent.',
    needs: ['callsId'],
    example: ({ callsId }) => [callsId],
  }),
  defineRow({
    name: 'wallet_showCallsStatus',
    about: 'Shows the user what became of calls; answers once they have closed it.',
    needs: ['callsId'],
    example: ({ callsId }) => [callsId],
  }),
];
