// Signed transactions in serialized form, and a function that changes their fields.
import { fromRlp, toRlp } from 'viem';
import type { Hex } from 'viem';

import { signTransaction } from '../../dev/signing';
import type { Transaction } from '../../src/core/payload';
import { parseTransactionRequest } from '../../src/eth/transaction';
import { owner, privateKey } from '../fixtures/eth/owner';
import { transactions } from './transactions';

/** The content of an RLP list. */
export type Items = (Hex | Items)[];

const from = owner.address.toLowerCase();

export const makeTransaction = (fields: object): Transaction =>
  parseTransactionRequest({ ...fields, from }, 'tx') as Transaction;

export const signed = Object.entries(transactions).map(([name, fields]) => {
  const transaction = makeTransaction(fields);
  return { name, transaction, raw: signTransaction(transaction, privateKey).raw };
});

export function edit(raw: Hex, change: (items: Items) => Items): Hex {
  const isTyped = Number(raw.slice(0, 4)) <= 0x7f;
  const items = fromRlp(isTyped ? `0x${raw.slice(4)}` : raw) as unknown as Items;
  const edited = toRlp(change(items) as Hex[]);
  return isTyped ? `${raw.slice(0, 4) as Hex}${edited.slice(2)}` : edited;
}

export const rawOf = (type: string): Hex =>
  signed.find(({ transaction }) => transaction.type === type)?.raw ?? '0x';
