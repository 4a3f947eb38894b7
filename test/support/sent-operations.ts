// Sent user operations.
import type { Json } from '@metamask/utils';

import type { SentTransaction } from '../../src/state/sent-transaction';
import { RECEIPT } from './receipts';
import { hashOf, pendingOf } from './sent-transactions';
import { without } from './without';

export const encodeNonce = (count: number) =>
  `0x${count.toString(16).padStart(64, '0')}`;

/** Creates a pending operation with nonce 7 and only the required fields. */
export function pendingOperation(n: number, fields: Partial<SentTransaction> = {}) {
  const sent: SentTransaction = { ...pendingOf(n), entryPoint: '0.7', ...fields };
  return without(sent, 'raw');
}

export function operationReceipt(n: number, fields: Record<string, Json> = {}) {
  return {
    userOpHash: hashOf(n),
    sender: pendingOf(n).from,
    nonce: '0x7',
    success: true,
    actualGasUsed: '0x64',
    actualGasCost: '0x1f5',
    logs: [],
    receipt: RECEIPT,
    ...fields,
  };
}

/** Creates a bundler's answer to eth_getUserOperationByHash for a pending operation. */
export function foundOperation(n: number) {
  return {
    userOperation: { sender: pendingOf(n).from, nonce: '0x7' },
    entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    blockNumber: null,
    blockHash: null,
    transactionHash: null,
  };
}
