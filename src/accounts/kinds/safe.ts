// Safe 1.4.1 with one owner and the Safe4337Module: see eth/smart-account.ts.
import { encodeIntents, readCallData } from '../../eth/account-calls';
import { isSignedBy, signUserOperation } from '../../eth/sign-user-operation';
import { toSafeMessage, toSafeSignature } from '../../eth/smart-account';
import { DUMMY_SIGNATURE } from '../../eth/user-operation';
import type { SmartRecord } from '../../state/account-record';
import type { AccountKind } from './kind';

const implementation = 'safe';

export function createSafe(record: SmartRecord): AccountKind {
  const { address, key, scopes, owner, entryPoint, factory, salt } = record;
  const domain = { entryPoint, implementation } as const;
  return {
    label: ' Safe',
    scopes,
    key: { ...key, entryPoint, implementation },
    options: { owner, implementation, entryPoint, factory, salt },
    smart: {
      ...{ record, address, owner, entryPoint },
      origin: { implementation, entryPoint, factory, owner, salt: BigInt(salt) },
      dummySignature: toSafeSignature(DUMMY_SIGNATURE),
      encode: (intents) => encodeIntents(implementation, intents),
      read: (callData) => readCallData(implementation, callData),
      sign: (operation, chainId, privateKey) =>
        signUserOperation(operation, { ...domain, chainId }, privateKey),
      isSigned: (operation, chainId) =>
        isSignedBy(operation, { ...domain, chainId }, owner),
      toMessage: (hash, chainId) => toSafeMessage(hash, { address, chainId }),
    },
  };
}
