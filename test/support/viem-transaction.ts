// A transaction of spec 2.7 as viem takes it.
import type { AccessList, Hex, TransactionSerializable } from 'viem';

/** Read a transaction that lacks nothing. */
export function toViem(fields: Record<string, unknown>): TransactionSerializable {
  const { type, to, data, accessList } = fields;
  const amount = (name: string): bigint => BigInt(fields[name] as string);
  const body = {
    chainId: Number(fields.chainId),
    nonce: Number(fields.nonce),
    to: to === null ? null : (to as Hex),
    value: amount('value'),
    data: data as Hex,
    gas: amount('gasLimit'),
  };
  if (type === '0x0') return { ...body, type: 'legacy', gasPrice: amount('gasPrice') };
  const list = accessList as AccessList;
  if (type === '0x1') {
    const gasPrice = amount('gasPrice');
    return { ...body, type: 'eip2930', gasPrice, accessList: list };
  }
  return {
    ...body,
    type: 'eip1559',
    maxFeePerGas: amount('maxFeePerGas'),
    maxPriorityFeePerGas: amount('maxPriorityFeePerGas'),
    accessList: list,
  };
}
