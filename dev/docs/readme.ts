// What of the README is generated: tables between marks, each from what the code goes by.
import { format, resolveConfig } from 'prettier';

import { writeKeyringTable } from './keyring-table';
import {
  writeCallsErrorTable,
  writeCompanionTable,
  writeErrorTable,
  writeSiteTable,
} from './method-tables';

/** Tables by the name in their marks. */
const tables: Record<string, () => string> = {
  'site-methods': writeSiteTable,
  'calls-errors': writeCallsErrorTable,
  errors: writeErrorTable,
  'keyring-methods': writeKeyringTable,
  'companion-methods': writeCompanionTable,
};

/**
 * Put the tables of today into a README.
 *
 * @param readme - Its text, with two marks for each table between which it stands.
 * @returns The text with the tables, formatted.
 * @throws {Error} If a mark is missing.
 */
export async function writeReadme(readme: string): Promise<string> {
  const text = Object.entries(tables).reduce(
    (before, [name, write]) => replace(before, name, write()),
    readme,
  );
  const config = await resolveConfig('README.md');
  return format(text, { ...config, parser: 'markdown' });
}

function replace(readme: string, name: string, table: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const [before, rest] = readme.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) {
    throw new Error(`The README lacks the marks of the table "${name}".`);
  }
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}
