// The chains that an account serves.
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { AccountRecord } from '../state/account-record';

/** Get the CAIP-2 chains of an account; `eip155:0` stands for every EVM chain. */
export function scopesOf(record: AccountRecord): `eip155:${string}`[] {
  return record.type === 'eip155:eoa' ? ['eip155:0'] : record.scopes;
}

/** Tell whether an account serves a chain. */
export function serves(record: AccountRecord, chainId: ChainId): boolean {
  const scopes = scopesOf(record);
  return scopes.includes('eip155:0') || scopes.includes(toCaip2(chainId));
}
