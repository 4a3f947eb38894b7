// Finds the kind of an account.
import type { NodeClient } from '../../../packages/client/src';
import type { AccountRecord } from '../../state/account-record';
import { fetchDelegated } from './delegated';
import { createEoa } from './eoa';
import type { AccountKind, Operator } from './kind';
import { createSafe } from './safe';
import { createSimple } from './simple';

export function kindOf(record: AccountRecord): AccountKind {
  if (record.type === 'eip155:eoa') return createEoa(record);
  return record.implementation === 'safe' ? createSafe(record) : createSimple(record);
}

/** Fetches the account that sends the user operations of a record on a chain: the smart account, or
 * the EOA as its delegation makes it; undefined for an EOA without a delegation that is offered. */
export async function fetchOperator(
  record: AccountRecord,
  node: NodeClient,
): Promise<Operator | undefined> {
  return record.type === 'eip155:eoa'
    ? fetchDelegated(record, node)
    : kindOf(record).smart;
}
