// Transactions in the form that callers use (docs/reference/service.md#transaction-to-sign).
import type { Json } from '@metamask/utils';

import type { Hex } from '../../src/eth/hex';

export const TO: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

export const ACCESS_LIST: { address: Hex; storageKeys: Hex[] }[] = [
  { address: TO, storageKeys: [`0x${'01'.padStart(64, '0')}`] },
];

/** An EIP-4844 versioned hash. */
export const BLOB_HASH: Hex = `0x01${'b0'.repeat(31)}`;

/** An EIP-7702 authorization for every chain, with an arbitrary signature. */
export const AUTHORIZATION = {
  chainId: '0x0',
  address: TO,
  nonce: '0x1',
  yParity: '0x1',
  r: `0x${'1'.repeat(64)}`,
  s: `0x${'2'.repeat(64)}`,
} satisfies Record<string, Hex>;

/** Complete transactions on chain 1, one per type, without a sender. */
export const transactions = {
  legacy: {
    type: '0x0',
    chainId: '0x1',
    nonce: '0x0',
    to: TO,
    value: '0x2386f26fc10000',
    data: '0x',
    gasLimit: '0x5208',
    gasPrice: '0x4a817c800',
  },
  'EIP-2930': {
    type: '0x1',
    chainId: '0x1',
    nonce: '0x7',
    to: TO,
    value: '0x0',
    data: '0xa9059cbb',
    gasLimit: '0x186a0',
    gasPrice: '0x4a817c800',
    accessList: ACCESS_LIST,
  },
  'EIP-1559': {
    type: '0x2',
    chainId: '0x1',
    nonce: '0x8',
    to: TO,
    value: '0x1',
    data: '0xa9059cbb',
    gasLimit: '0x186a0',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    accessList: [],
  },
  'EIP-4844': {
    type: '0x3',
    chainId: '0x1',
    nonce: '0x9',
    to: TO,
    value: '0x1',
    data: '0x',
    gasLimit: '0x5208',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    accessList: [],
    maxFeePerBlobGas: '0x4a817c800',
    blobVersionedHashes: [BLOB_HASH],
  },
  'EIP-7702': {
    type: '0x4',
    chainId: '0x1',
    nonce: '0xa',
    to: TO,
    value: '0x0',
    data: '0xa9059cbb',
    gasLimit: '0x186a0',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    accessList: ACCESS_LIST,
    authorizationList: [AUTHORIZATION],
  },
} satisfies Record<string, Record<string, Json>>;

export function subsetsOf(names: readonly string[]): string[][] {
  return names.reduce<string[][]>(
    (subsets, name) => [...subsets, ...subsets.map((subset) => [...subset, name])],
    [[]],
  );
}
