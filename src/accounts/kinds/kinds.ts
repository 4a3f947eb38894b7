// Finds the kind of an account.
import type { NodeClient } from '../../../packages/client/src';
import { fetchDelegation } from '../../chains/delegation';
import type { Implementation } from '../../eth/delegation';
import type { AccountRecord } from '../../state/account-record';
import type { AccountKind, Operator } from './kind';
import { createSafe } from './safe';
import { createSimple, toSimpleOperator } from './simple';

export function kindOf(record: AccountRecord): AccountKind {
  if (record.type === 'eip155:eoa') {
    const { key } = record;
    return { label: '', scopes: ['eip155:0'], key, options: {}, smart: undefined };
  }
  return record.implementation === 'safe' ? createSafe(record) : createSimple(record);
}

/** Fetches the account that sends the user operations of a record on a chain: the smart account, or
 * the EOA as its delegation (EIP-7702) makes it; undefined for an EOA without a delegation that is
 * offered. */
export async function fetchOperator(
  record: AccountRecord,
  node: NodeClient,
): Promise<Operator | undefined> {
  if (record.type !== 'eip155:eoa') return kindOf(record).smart;
  const { implementation } = (await fetchDelegation(node, record.address)) ?? {};
  return implementation && toDelegated(record, implementation);
}

/** Creates the operations of an EOA that delegates to a contract; its own key signs. */
export function toDelegated(
  record: AccountRecord,
  { entryPoint }: Implementation,
): Operator {
  const { address } = record;
  const contract = toSimpleOperator({ address, owner: address, entryPoint });
  return { ...contract, record, origin: undefined };
}
