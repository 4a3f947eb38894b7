// A transaction and its fee levels, for dialogs and insights.
import type { Transaction } from '../../src/core/payload';
import { TO } from './transactions';

/** Maximum fees by level, for the base fee of 1 gwei and the low rewards in FEE_ANSWERS. */
export const LEVELS = {
  low: 1_501_000_000n,
  medium: 1_710_000_000n,
  high: 2_100_000_000n,
};

/** A transfer of 1 wei. */
export const dynamic: Omit<Extract<Transaction, { type: '0x2' }>, 'from'> = {
  chainId: 1n,
  to: TO,
  value: 1n,
  data: '0x',
  gasLimit: 21_000n,
  type: '0x2',
  nonce: 5n,
  maxFeePerGas: LEVELS.medium,
  maxPriorityFeePerGas: 2n,
  accessList: [],
};
