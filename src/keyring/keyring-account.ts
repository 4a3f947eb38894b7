// Accounts as MetaMask knows them (keyring-api's KeyringAccount), made of our records.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { scopesOf } from '../accounts/record';
import { listAccountMethods } from '../routes';
import type { AccountRecord, KeySource } from '../state/account-record';

/** Write an account for MetaMask; nothing secret is in it. */
export function toKeyringAccount(record: AccountRecord): KeyringAccount {
  return {
    id: record.id,
    type: record.type,
    address: record.address,
    scopes: scopesOf(record),
    options: { ...keyOptions(record.key), ...contractOptions(record) },
    methods: listAccountMethods(record.type),
  };
}

function keyOptions(key: KeySource): Record<string, Json> {
  if (key.kind === 'imported') return { entropy: { type: 'private-key' } };
  const { index, entropySource } = key;
  return {
    entropy: { type: 'custom' },
    index,
    ...(entropySource === undefined ? {} : { entropySource }),
  };
}

function contractOptions(record: AccountRecord): Record<string, Json> {
  if (record.type === 'eip155:eoa') return {};
  const { owner, entryPoint, factory, salt } = record;
  return { owner, entryPoint, factory, salt };
}
