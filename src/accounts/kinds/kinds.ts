// Finds the kind of an account: an EOA; a SimpleAccount (ERC-4337), which verifies no messages; or
// a Safe 1.4.1 with one owner and the Safe4337Module (see eth/smart-account.ts).
import type { NodeClient } from '../../../packages/client/src';
import { fetchDelegation } from '../../chains/delegation';
import type { Implementation } from '../../core/authorization';
import { toSafeSignature } from '../../core/safe';
import { encodeIntents, readCallData } from '../../eth/account-calls';
import { isSignedBy } from '../../eth/operation-signature';
import { DUMMY_SIGNATURE } from '../../eth/user-operation';
import type { AccountRecord, SmartRecord } from '../../state/account-record';
import type { AccountKind, OperationAccount } from './kind';

export function kindOf(record: AccountRecord): AccountKind {
  if (record.type === 'eip155:eoa') {
    return { label: '', scopes: ['eip155:0'], options: {}, smart: undefined };
  }
  const { implementation, scopes, owner, entryPoint, factory, salt } = record;
  // MetaMask has stored the options of early SimpleAccounts without an implementation, and options
  // cannot change.
  const contract = { ...(implementation && { implementation }), entryPoint };
  const origin = { ...contract, owner, factory, salt: BigInt(salt) };
  return {
    label: implementation ? ' Safe' : ' Smart',
    scopes,
    options: { owner, ...contract, factory, salt },
    smart: { ...toOperator(record), record, origin },
  };
}

function toOperator({
  address,
  owner,
  entryPoint,
  implementation,
}: Pick<SmartRecord, 'address' | 'owner' | 'entryPoint' | 'implementation'>): Omit<
  OperationAccount,
  'record' | 'origin'
> {
  const isSafe = implementation === 'safe';
  const code = implementation ?? entryPoint;
  const domain = { entryPoint, ...(implementation && { implementation }) };
  return {
    address,
    owner,
    entryPoint,
    dummySignature: isSafe ? toSafeSignature(DUMMY_SIGNATURE) : DUMMY_SIGNATURE,
    encode: (intents) => encodeIntents(code, intents),
    read: (callData) => readCallData(code, callData),
    isSigned: (operation, chainId) =>
      isSignedBy(operation, { ...domain, chainId }, owner),
    ...(implementation && { implementation }),
  };
}

/** Fetches the account that sends a record's user operations on a chain: the smart account, or the
 * EOA with its delegation (EIP-7702). Undefined for an EOA without a known delegation. */
export async function fetchOperationAccount(
  record: AccountRecord,
  node: NodeClient,
): Promise<OperationAccount | undefined> {
  if (record.type !== 'eip155:eoa') return kindOf(record).smart;
  const { implementation } = (await fetchDelegation(node, record.address)) ?? {};
  return implementation && toDelegated(record, implementation);
}

export function toDelegated(
  record: AccountRecord,
  { entryPoint }: Implementation,
): OperationAccount {
  const { address } = record;
  // Simple7702Account encodes calls and verifies signatures like SimpleAccount.
  const contract = toOperator({ address, owner: address, entryPoint });
  return { ...contract, record, origin: undefined };
}
