// A transaction as the wallet shows it to a snap before it is confirmed. What is not there yet
// (the gas of a call whose estimate failed, say) may be missing or empty.
import { matches, validate } from '../schema/parse';
import { anything, named, nullable, optional, type } from '../schema/structs';
import { findQuantity, NodeAddressStruct, NodeBytesStruct } from './hex';
import type { Hex } from './hex';

/** What is known of a transaction; wei. */
export type InsightTransaction = {
  from: Hex;
  /** Null creates a contract. */
  to: Hex | null;
  value: bigint;
  data: Hex;
  /** Undefined while it is not known, as most are until the transaction is confirmed. */
  nonce: bigint | undefined;
  /** Undefined while it is not known. */
  gasLimit: bigint | undefined;
  /** For a unit of gas; both are the gas price where there is only one. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | undefined;
};

const RecipientStruct = named<Hex | ''>(
  'an address, or nothing',
  (value) => value === '' || value === '0x' || matches(value, NodeAddressStruct),
);

const DataStruct = named<Hex | ''>(
  'bytes, or nothing',
  (value) => value === '' || matches(value, NodeBytesStruct),
);

const ShownTransactionStruct = type({
  from: NodeAddressStruct,
  to: optional(nullable(RecipientStruct)),
  value: optional(anything()),
  data: optional(nullable(DataStruct)),
  nonce: optional(anything()),
  gas: optional(anything()),
  gasPrice: optional(anything()),
  maxFeePerGas: optional(anything()),
  maxPriorityFeePerGas: optional(anything()),
});

/** Read what the wallet shows of a transaction; undefined if it is none. */
export function findInsightTransaction(shown: unknown): InsightTransaction | undefined {
  const read = validate(shown, ShownTransactionStruct);
  if (!('value' in read)) return undefined;
  const { from, to = null, value, data, nonce, gas, gasPrice, ...dynamic } = read.value;
  const price = findQuantity(gasPrice);
  const maxFeePerGas = findQuantity(dynamic.maxFeePerGas) ?? price;
  const maxPriorityFeePerGas =
    findQuantity(dynamic.maxPriorityFeePerGas) ?? maxFeePerGas;
  return {
    from,
    to: to === '' || to === '0x' ? null : to,
    value: findQuantity(value) ?? 0n,
    data: data === '' ? '0x' : (data ?? '0x'),
    nonce: findQuantity(nonce),
    gasLimit: findQuantity(gas),
    fees:
      maxFeePerGas === undefined || maxPriorityFeePerGas === undefined
        ? undefined
        : { maxFeePerGas, maxPriorityFeePerGas },
  };
}
