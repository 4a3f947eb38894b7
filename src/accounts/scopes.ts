// The chains that an account serves.
import type { AccountRecord } from '../state/account-record';

/** Get the CAIP-2 chains of an account; `eip155:0` stands for every EVM chain. */
export function scopesOf(record: AccountRecord): `eip155:${string}`[] {
  return record.type === 'eip155:eoa' ? ['eip155:0'] : record.scopes;
}
