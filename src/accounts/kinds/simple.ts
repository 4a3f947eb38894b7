// SimpleAccount (ERC-4337): a contract for one EntryPoint that its owner's key controls. It verifies
// no messages.
import { encodeIntents, readCallData } from '../../eth/account-calls';
import { isSignedBy, signUserOperation } from '../../eth/sign-user-operation';
import { DUMMY_SIGNATURE } from '../../eth/user-operation';
import type { SmartRecord } from '../../state/account-record';
import type { AccountKind, Operator } from './kind';

export function createSimple(record: SmartRecord): AccountKind {
  const { key, scopes, owner, entryPoint, factory, salt } = record;
  const origin = { owner, entryPoint, factory, salt: BigInt(salt) };
  return {
    label: ' Smart',
    scopes,
    key: { ...key, entryPoint },
    // MetaMask has the options of the first SimpleAccounts without an implementation, and options
    // cannot be changed.
    options: { owner, entryPoint, factory, salt },
    smart: { ...toSimpleOperator({ ...record, entryPoint }), record, origin },
  };
}

/** Creates the operations of SimpleAccount's code, which Simple7702Account shares. */
export function toSimpleOperator({
  address,
  owner,
  entryPoint,
}: Pick<Operator, 'address' | 'owner' | 'entryPoint'>): Omit<
  Operator,
  'record' | 'origin'
> {
  return {
    ...{ address, owner, entryPoint },
    dummySignature: DUMMY_SIGNATURE,
    encode: (intents) => encodeIntents(entryPoint, intents),
    read: (callData) => readCallData(entryPoint, callData),
    sign: (operation, chainId, privateKey) =>
      signUserOperation(operation, { chainId, entryPoint }, privateKey),
    isSigned: (operation, chainId) =>
      isSignedBy(operation, { chainId, entryPoint }, owner),
  };
}
