// Generates the committed documentation that depends on the code. The check "docs" fails if it is
// out of date.
import { readFile } from 'node:fs/promises';

import { usage } from '../../packages/service/src/options';
import {
  writeCoreSize,
  writeLimits,
  writeReviewLimits,
  writeSizes,
  writeWaits,
} from './figures';
import { writeKnownPage } from './known';
import {
  writeCompanionMethods,
  writeMethodsPage,
  writeSchemasPage,
} from './method-pages';
import { writeLeftOutTable, writePackageTable } from './packages';
import {
  formatAs,
  writeClientsTable,
  writeErrorTable,
  writeKeyringTable,
  writeVerificationTable,
} from './tables';

const tables: Record<string, Record<string, () => string>> = {
  'docs/reference/errors.md': {
    errors: () => writeErrorTable(false),
    'calls-errors': () => writeErrorTable(true),
  },
  'docs/reference/companion.md': { 'companion-methods': writeCompanionMethods },
  'docs/reference/keyring.md': { 'keyring-methods': writeKeyringTable },
  'docs/reference/clients.md': {
    clients: writeClientsTable,
    verification: writeVerificationTable,
  },
  'docs/reference/service.md': { flags: () => `\`\`\`text\n${usage}\`\`\`` },
  'docs/internals/bundle.md': {
    packages: writePackageTable,
    'left-out': writeLeftOutTable,
    sizes: writeSizes,
  },
  'docs/security/audit-scope.md': { 'core-size': writeCoreSize },
  'docs/security/limits.md': {
    limits: writeLimits,
    review: writeReviewLimits,
    waits: writeWaits,
  },
};

/** Generates the text of each file. Throws if a page lacks the markers of a table. */
export async function generateFiles(): Promise<Map<string, string>> {
  const files = new Map([
    ['docs/reference/methods.md', writeMethodsPage()],
    ['docs/reference/schemas.md', writeSchemasPage()],
    ['docs/reference/known.md', writeKnownPage()],
  ]);
  for (const [path, ownTables] of Object.entries(tables)) {
    let page = await readFile(path, 'utf8');
    for (const [name, write] of Object.entries(ownTables)) {
      const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
      const [before, rest] = page.split(start);
      const [, after] = rest?.split(end) ?? [];
      if (before === undefined || after === undefined) {
        throw new Error(`${path} lacks the marks of the table "${name}".`);
      }
      page = `${before}${start}\n\n${write()}\n\n${end}${after}`;
    }
    files.set(path, page);
  }
  for (const [path, text] of files) files.set(path, await formatAs(path, text));
  return files;
}
