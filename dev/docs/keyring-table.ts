// The README's table of keyring methods, generated from what the code goes by.
import { permissions } from '../../src/handlers/permissions';
import type { OriginClass } from '../../src/handlers/permissions';
import { refusedMethods } from '../../src/keyring/rows';
import { toTable } from './table';

const COLUMNS: readonly (readonly [title: string, origin: OriginClass])[] = [
  ['MetaMask', 'metamask'],
  ['Companion', 'companion'],
  ['Dapp', 'dapp'],
  ['Other snap', 'snap'],
];

/** Write the table: who may call which method. */
export function writeKeyringTable(): string {
  const titles = COLUMNS.map(([title]) => title);
  return toTable(['Method', ...titles], Object.keys(permissions.keyring).map(toRow));
}

function toRow(method: string): string[] {
  const cells = COLUMNS.map(([, origin]) => {
    if (permissions.keyring[method]?.includes(origin) !== true) return '4100';
    return Object.hasOwn(refusedMethods, method) ? '4200' : 'yes';
  });
  return [`\`${method}\``, ...cells];
}
