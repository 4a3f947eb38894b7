// Converts a transaction, as described in docs/reference/service.md#transaction-to-sign, to viem's
// form.
import type { AccessList, Hex, TransactionSerializable } from 'viem';

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
  const fees = {
    maxFeePerGas: amount('maxFeePerGas'),
    maxPriorityFeePerGas: amount('maxPriorityFeePerGas'),
    accessList: list,
  };
  if (type === '0x2') return { ...body, ...fees, type: 'eip1559' };
  if (type === '0x3') {
    const maxFeePerBlobGas = amount('maxFeePerBlobGas');
    const blobVersionedHashes = fields.blobVersionedHashes as Hex[];
    const whole = { ...body, ...fees, maxFeePerBlobGas, blobVersionedHashes };
    // viem's types require a sidecar; its code does not.
    return { ...whole, type: 'eip4844' } as unknown as TransactionSerializable;
  }
  const signed = fields.authorizationList as Record<string, unknown>[];
  const authorizationList = signed.map((each) => ({
    address: each.address as Hex,
    r: each.r as Hex,
    s: each.s as Hex,
    chainId: Number(each.chainId),
    nonce: Number(each.nonce),
    yParity: Number(each.yParity),
  }));
  return { ...body, ...fees, type: 'eip7702', authorizationList };
}
