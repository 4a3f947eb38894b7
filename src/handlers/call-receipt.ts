// Receipts of calls as EIP-5792 has them: those of transactions, with no other logs than
// the calls' own.
import type { Json } from '@metamask/utils';

import type { IncludedResult } from '../activity/call-batches';
import {
  Bytes32Struct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../eth/hex';
import { matches } from '../schema/parse';
import { array, type } from '../schema/structs';

const LogStruct = type({
  address: NodeAddressStruct,
  data: NodeBytesStruct,
  topics: array(Bytes32Struct),
});

// Of a bundler's receipt: that of the transaction that carried the operation.
const CarriedStruct = type({ receipt: type({ gasUsed: HexQuantityStruct }) });

/** Write the receipt of a transaction, or of a user operation: with its own logs and its
 * own success, and what else the transaction's receipt says that carried it. */
export function toCallReceipt({ hash, inclusion, receipt }: IncludedResult): Json {
  const { blockHash, blockNumber, success, transactionHash = hash } = inclusion;
  const carrier = matches(receipt, CarriedStruct) ? receipt.receipt : inclusion;
  return {
    logs: toLogs(receipt),
    status: success === false ? '0x0' : '0x1',
    blockHash,
    blockNumber,
    gasUsed: carrier.gasUsed,
    transactionHash,
  };
}

// A bundler's logs are told as they came: what is no log is left out.
function toLogs(receipt: object): Json[] {
  const logs: unknown = 'logs' in receipt ? receipt.logs : [];
  const all: unknown[] = Array.isArray(logs) ? logs : [];
  return all.flatMap((log) => {
    if (!matches(log, LogStruct)) return [];
    const { address, data, topics } = log;
    return [{ address, data, topics }];
  });
}
