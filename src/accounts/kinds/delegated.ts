// An ordinary account that delegates to an account contract on a chain (EIP-7702). Its own key
// signs its operations, and nothing deploys it.
import type { NodeClient } from '../../../packages/client/src';
import { fetchDelegation } from '../../chains/delegation';
import type { Implementation } from '../../eth/delegation';
import type { AccountRecord, EoaRecord } from '../../state/account-record';
import type { Operator } from './kind';
import { toSimpleOperator } from './simple';

/** Fetches an account as its delegation makes it; undefined if it delegates to no contract that is
 * offered. */
export async function fetchDelegated(
  record: EoaRecord,
  node: NodeClient,
): Promise<Operator | undefined> {
  const { implementation } = (await fetchDelegation(node, record.address)) ?? {};
  return implementation && toDelegated(record, implementation);
}

/** Creates the operations of an account that delegates to a contract that is offered. */
export function toDelegated(
  record: AccountRecord,
  { entryPoint }: Implementation,
): Operator {
  const { address } = record;
  const contract = toSimpleOperator({ address, owner: address, entryPoint });
  return { ...contract, record, origin: undefined };
}
