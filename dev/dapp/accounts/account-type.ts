// What kind of account one is, in words.
import type { KeyringAccount } from '@metamask/keyring-api';

/** Write an account's kind. */
export function describeType({ type, options }: KeyringAccount): string {
  if (type !== 'eip155:erc4337') return isImported(options) ? 'Imported' : 'Ordinary';
  const { version } = Object(options.entryPoint) as { version?: unknown };
  const known = typeof version === 'string' ? version : options.entryPoint;
  return typeof known === 'string' && known.length < 6 ? `Smart ${known}` : 'Smart';
}

function isImported({ entropy }: KeyringAccount['options']): boolean {
  return (Object(entropy) as { type?: unknown }).type === 'private-key';
}
