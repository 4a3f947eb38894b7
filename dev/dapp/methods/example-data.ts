// The typed data of the examples: one a version.
import type { Hex } from 'viem';

import { entryPoints } from './given';

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const receiptTypes = [
  { name: 'toll', type: 'uint256' },
  { name: 'paidTo', type: 'string' },
];

/** Create typed data without arrays. */
export function createReceipt(chainId: Hex): object {
  return {
    types: { EIP712Domain: domainTypes, Receipt: receiptTypes },
    primaryType: 'Receipt',
    domain: createDomain(chainId),
    message: { toll: '21000', paidTo: 'the keeper' },
  };
}

/** Create typed data with a struct and an array in them. */
export function createReceiptWithList(chainId: Hex): object {
  return {
    types: {
      EIP712Domain: domainTypes,
      Cart: [
        { name: 'wheels', type: 'uint8' },
        { name: 'goods', type: 'string' },
      ],
      Receipt: [...receiptTypes, { name: 'carts', type: 'Cart[]' }],
    },
    primaryType: 'Receipt',
    domain: createDomain(chainId),
    message: {
      toll: '21000',
      paidTo: 'the keeper',
      carts: [
        { wheels: 2, goods: 'salt' },
        { wheels: 4, goods: 'cloth' },
      ],
    },
  };
}

/** Create values of typed data v1. */
export function createValues(): object[] {
  return [
    { type: 'string', name: 'paidTo', value: 'the keeper' },
    { type: 'uint32', name: 'toll', value: '21000' },
  ];
}

function createDomain(chainId: Hex): object {
  return {
    name: 'Toll',
    chainId: Number(chainId),
    verifyingContract: entryPoints['0.6'],
  };
}
