// Stored accounts, for tests.
import { privateKeyToAddress } from 'viem/accounts';

import { deriveAccountId } from '../../src/accounts/repository';
import type { Hex } from '../../src/eth/hex';
import type { AccountRecord, SmartRecord } from '../../src/state/account-record';
import { keyOfIndex, ownerKeyOfIndex } from './entropy';

export const IMPORTED_KEY: Hex = `0x${'1f'.repeat(32)}`;

type EoaRecord = AccountRecord & { type: 'eip155:eoa' };

export function derivedRecord(index = 0, entropySource?: string): EoaRecord {
  const key = {
    kind: 'derived' as const,
    index,
    ...(entropySource === undefined ? {} : { entropySource }),
  };
  return toEoa(keyOfIndex(index, entropySource), key);
}

/** Creates an EOA with an imported key, which the core stores separately. */
export function importedRecord(privateKey: Hex = IMPORTED_KEY): EoaRecord {
  return toEoa(privateKey, { kind: 'imported', privateKey } as never);
}

/** Creates the smart account at index 0, for EntryPoint 0.6 and chain 1 by default. */
export function smartRecord(changes: Partial<SmartRecord> = {}): SmartRecord {
  const { entryPoint = '0.6' } = changes;
  const identity = {
    type: 'eip155:erc4337',
    address: '0x00000000000000000000000000000000005a57a1',
    owner: lower(privateKeyToAddress(ownerKeyOfIndex(0, entryPoint))),
    entryPoint,
    factory: '0x9406cc6185a346906296840746125a0e44976454',
    salt: '0x0',
    ...changes,
  } as const;
  const key = { kind: 'derived', index: 0 } as const;
  const id = deriveAccountId(identity);
  return { id, key, scopes: ['eip155:1'], ...identity };
}

export function lower(address: string): Hex {
  return address.toLowerCase() as Hex;
}

function toEoa(privateKey: Hex, key: AccountRecord['key']): EoaRecord {
  const identity = {
    type: 'eip155:eoa',
    address: lower(privateKeyToAddress(privateKey)),
  } as const;
  return { ...identity, id: deriveAccountId(identity), key };
}
