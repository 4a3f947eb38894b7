// What we call an account, until its user calls it something else.
import type { AccountRecord } from '../state/account-record';

/** Suggest a name: `Tollkeeper 1`, `Tollkeeper Smart 1`, `Tollkeeper (imported)`. */
export function suggestName({ type, key }: AccountRecord): string {
  const kind = type === 'eip155:eoa' ? 'Tollkeeper' : 'Tollkeeper Smart';
  return key.kind === 'derived' ? `${kind} ${key.index + 1}` : `${kind} (imported)`;
}
