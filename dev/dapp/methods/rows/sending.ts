// Transactions: filled in, sent, replaced.
import type { Hex } from 'viem';

import type { Known } from '../given';
import { defineRow } from '../row';
import type { Answered, MethodRow } from '../row';
import { checkInclusion } from '../verify/inclusion';
import { createTransfer } from './transfer';

const learnHash = ({ result }: Answered): Known => ({ transactionHash: result as Hex });

/** Methods that send transactions. */
export const sendingRows: readonly MethodRow[] = [
  defineRow({
    name: 'eth_fillTransaction',
    about: 'Fills in what a transaction leaves out; signs nothing, asks nobody.',
    needs: ['ordinary', 'chainId'],
    example: createTransfer,
  }),
  defineRow({
    name: 'eth_sendTransaction',
    about: 'Fills in, signs, sends and follows a transaction.',
    needs: ['ordinary', 'chainId'],
    example: createTransfer,
    verify: checkInclusion('transaction'),
    learn: learnHash,
  }),
  defineRow({
    name: 'eth_sendRawTransaction',
    about: 'Sends a transaction that is signed already; asks nobody.',
    needs: ['raw'],
    example: ({ raw }) => [raw],
    verify: checkInclusion('transaction'),
    learn: (answered) => ({ ...learnHash(answered), raw: undefined }),
  }),
  defineRow({
    name: 'tollkeeper_replaceTransaction',
    about: 'Speeds a pending transaction up, or cancels it.',
    needs: ['transactionHash'],
    example: ({ transactionHash }) => [transactionHash, { action: 'speedUp' }],
    verify: checkInclusion('transaction'),
    learn: learnHash,
  }),
];
