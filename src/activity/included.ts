// What is kept of a receipt: where something was included, whether it succeeded, what it
// cost. Pure.
import type { OperationReceipt, Receipt } from '../client';
import { MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { Inclusion } from '../state/sent-transaction';

/** Something that was included, with its receipt as it was told. */
export type Included = { status: 'included'; inclusion: Inclusion; receipt: object };

/** Take what is kept of a transaction's receipt. */
export function toIncluded(receipt: Receipt): Included {
  const { blockNumber, blockHash, gasUsed, effectiveGasPrice, status } = receipt;
  const success = status ? { success: status === '0x1' } : {};
  const cost = toAmount(BigInt(gasUsed) * BigInt(effectiveGasPrice));
  const where = { blockNumber, blockHash };
  return {
    status: 'included',
    inclusion: { ...where, gasUsed, effectiveGasPrice, cost, ...success },
    receipt,
  };
}

/** Take what is kept of a user operation's receipt; the price is what its gas cost. */
export function toIncludedOperation(receipt: OperationReceipt): Included {
  const { blockNumber, blockHash, transactionHash, success, raw } = receipt;
  const { actualGasUsed, actualGasCost } = receipt;
  const price = actualGasUsed === 0n ? 0n : actualGasCost / actualGasUsed;
  return {
    status: 'included',
    inclusion: {
      blockNumber,
      blockHash,
      transactionHash,
      gasUsed: toAmount(actualGasUsed),
      effectiveGasPrice: toAmount(price),
      cost: toAmount(actualGasCost),
      success,
    },
    receipt: raw as object,
  };
}

// A figure that no chain can have must not keep the others from being stored.
function toAmount(amount: bigint): Inclusion['cost'] {
  return toQuantity(smaller(amount, MAX_UINT256));
}
