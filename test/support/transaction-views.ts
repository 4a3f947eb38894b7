// Transactions as their dialogs are expected to show them, over the node of snap-world.
import { keccak256, parseTransaction } from 'viem';
import type { Hex, TransactionSerialized } from 'viem';

import type { Transaction } from '../../src/eth/transaction';
import { findWarnings } from '../../src/review/findings';
import { readCall } from '../../src/review/read';
import type { FeeSectionView } from '../../src/transaction/fee-section';
import { TransactionConfirmation } from '../../src/transaction/view';
import type { TransactionView } from '../../src/transaction/view';
import type { Drawing } from './dialog-rows';
import { TO } from './transactions';
import { translate } from './view';

/** What every account has. */
export const BALANCE = 10n ** 19n;

/** Fees of the node: a base fee of 1 gwei, and rewards that say nothing. */
export const LEVELS = {
  low: 1_501_000_000n,
  medium: 1_710_000_000n,
  high: 2_100_000_000n,
};

const WAITS = { low: 96_000, medium: 60_000, high: 36_000 };

type Dynamic = Extract<Transaction, { type: '0x2' }>;

/** A transfer of 1 wei. */
export const dynamic: Omit<Dynamic, 'from'> = {
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

/** What nodes take in the place of one at the medium level: a tenth more of each. */
export const REPLACING = {
  maxFeePerGas: 1_881_000_000n,
  maxPriorityFeePerGas: 11_000_000n,
};

/** Levels at which fees are drawn that are ours to fill. */
export function feesAt(age: number, least = 0n): FeeSectionView {
  const names = ['low', 'medium', 'high'] as const;
  return {
    options: names.map((name) => ({
      name,
      fee: LEVELS[name] > least ? LEVELS[name] : least,
      wait: { min: 15_000, max: WAITS[name] },
    })),
    value: 'medium',
    inputs: [],
    source: 'fee-history',
    age,
  };
}

/** Draw a transaction of an account. */
export function viewTransaction(
  { origin, account }: Drawing,
  fields: object,
  { warnings = [], ...about }: Partial<TransactionView> = {},
): ReturnType<typeof TransactionConfirmation> {
  const transaction = { from: account, ...fields } as Transaction;
  const call = readCall(transaction);
  return TransactionConfirmation({
    translate,
    origin,
    title: 'transaction.title',
    chain: 'eip155:1',
    transaction,
    call,
    warnings: [...findWarnings([call]), ...warnings],
    balance: BALANCE,
    isNonceOpen: false,
    // The node is down.
    foretold: 'unknown',
    ...about,
  });
}

/** What of a transaction that was sent its dialog shows. */
export function readSent(raw: Hex | undefined): {
  hash: Hex;
  fields: Pick<Dynamic, 'nonce' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;
} {
  if (raw === undefined) throw new Error('Nothing was sent.');
  const parsed = parseTransaction(raw as TransactionSerialized);
  const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parsed;
  const fields = { nonce: BigInt(nonce), maxFeePerGas, maxPriorityFeePerGas };
  return { hash: keccak256(raw), fields };
}
