// The README's table of keyring methods, generated from what the code goes by.
import { format, resolveConfig } from 'prettier';

import { permissions } from '../../src/handlers/permissions';
import type { OriginClass } from '../../src/handlers/permissions';
import { refusedMethods } from '../../src/keyring/rows';

const START = '<!-- keyring-methods:start -->';

const END = '<!-- keyring-methods:end -->';

const COLUMNS: readonly (readonly [title: string, origin: OriginClass])[] = [
  ['MetaMask', 'metamask'],
  ['Companion', 'companion'],
  ['Dapp', 'dapp'],
  ['Other snap', 'snap'],
];

/**
 * Put the table of today into a README.
 *
 * @param readme - Its text, with the two marks between which the table stands.
 * @returns The text with the table, formatted.
 * @throws {Error} If a mark is missing.
 */
export async function writeKeyringTable(readme: string): Promise<string> {
  const [before, rest] = readme.split(START);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) {
    throw new Error('The README lacks the marks of the table.');
  }
  const table = [head(), ...Object.keys(permissions.keyring).map(toRow)].join('\n');
  const text = `${before}${START}\n\n${table}\n\n${END}${after}`;
  const config = await resolveConfig('README.md');
  return format(text, { ...config, parser: 'markdown' });
}

function head(): string {
  const titles = COLUMNS.map(([title]) => title);
  return `| Method | ${titles.join(' | ')} |\n|${' --- |'.repeat(titles.length + 1)}`;
}

function toRow(method: string): string {
  const cells = COLUMNS.map(([, origin]) => {
    if (permissions.keyring[method]?.includes(origin) !== true) return '4100';
    return Object.hasOwn(refusedMethods, method) ? '4200' : 'yes';
  });
  return `| \`${method}\` | ${cells.join(' | ')} |`;
}
