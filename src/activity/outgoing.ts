// What is kept of a signed transaction when it is sent.
import { toCaip2 } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { Transaction } from '../eth/transaction';
import { feesOf } from '../eth/transaction-cost';
import type { AccountRecord } from '../state/account-record';
import type { Outgoing } from './keep-and-send';

/** Who sends: the account, and the origin that asked for it. */
export type SentBy = { account: Pick<AccountRecord, 'id' | 'address'>; origin: string };

/** A transaction as it goes over the wire. */
export type Wire = { hash: Hex; raw: Hex };

/** Write a signed transaction as it is kept. */
export function toOutgoing(
  transaction: Transaction,
  { hash, raw }: Wire,
  { account, origin }: SentBy,
): Outgoing {
  const { chainId, to, nonce, value, type } = transaction;
  const fees = feesOf(transaction).map(([name, fee]) => [name, toQuantity(fee)]);
  return {
    hash,
    chain: toCaip2(chainId),
    account: account.id,
    from: account.address,
    to,
    nonce: toQuantity(nonce),
    value: toQuantity(value),
    fees: Object.fromEntries(fees) as Outgoing['fees'],
    origin,
    // With its blobs it is long, and nodes take a replacement for twice the fees only.
    ...(type === '0x3' ? {} : { raw }),
  };
}
