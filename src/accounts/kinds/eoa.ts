// An ordinary account: its key signs transactions and messages on every chain.
import type { EoaRecord } from '../../state/account-record';
import type { AccountKind } from './kind';

export function createEoa({ key }: EoaRecord): AccountKind {
  return { label: '', scopes: ['eip155:0'], key, options: {}, smart: undefined };
}
