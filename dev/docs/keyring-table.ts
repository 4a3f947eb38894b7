// The README's table of keyring methods, generated from what the code goes by.
import { findRoute, listMethods } from '../../src/routes';
import type { Caller } from '../../src/routes';
import { toTable } from './table';

const COLUMNS: readonly (readonly [title: string, origin: Caller])[] = [
  ['MetaMask', 'metamask'],
  ['Companion', 'companion'],
  ['Dapp', 'dapp'],
  ['Other snap', 'snap'],
];

/** Write the table: who may call which method. */
export function writeKeyringTable(): string {
  const titles = COLUMNS.map(([title]) => title);
  return toTable(['Method', ...titles], listMethods('keyring').map(toRow));
}

function toRow(method: string): string[] {
  const cells = COLUMNS.map(([, origin]) => {
    const { by = [], kind } = findRoute(method) ?? {};
    if (!by.includes(origin)) return '4100';
    return kind === 'refused' ? '4200' : 'yes';
  });
  return [`\`${method}\``, ...cells];
}
