// Transactions that others have published are signed and read as they say.
import { hexToBytes, keccak256 } from 'viem';

import {
  parseRawTransaction,
  signTransaction,
} from '../../../src/eth/sign-transaction';
import { parseTransactionRequest } from '../../../src/eth/transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { published, unprotected } from '../../fixtures/eth/transactions';

describe.each(Object.entries(published))('the published %s transaction', (_, each) => {
  const transaction = parseTransactionRequest(each.request, 'tx') as Transaction;
  const signed = signTransaction(transaction, hexToBytes(each.privateKey));

  it('is signed to the same bytes', () => {
    const { raw, hash, signature } = each;
    const facts = { ...signed, hash: keccak256(signed.raw) };
    expect(facts).toMatchObject({
      ...(raw && { raw }),
      ...(hash && { hash }),
      ...(signature && { signature }),
    });
    expect([raw, hash, signature].some((fact) => fact !== undefined)).toBe(true);
  });

  it('is read from its bytes, with its signer', () => {
    const read = parseRawTransaction(signed.raw, 'raw');
    expect(read.hash).toBe(keccak256(signed.raw));
    const from = transaction.from.toLowerCase();
    expect({ ...read.transaction, chainId: read.chainId }).toStrictEqual({
      ...transaction,
      from,
    });
  });
});

it('reads a transaction from before EIP-155, which names no chain', () => {
  expect(parseRawTransaction(unprotected.raw, 'raw')).toStrictEqual({
    hash: keccak256(unprotected.raw),
    chainId: undefined,
    transaction: {
      type: '0x0',
      from: unprotected.from,
      to: `0x${'0'.repeat(40)}`,
      value: 0n,
      data: '0x01',
      nonce: 0n,
      gasLimit: 0n,
      gasPrice: 0n,
    },
  });
});
