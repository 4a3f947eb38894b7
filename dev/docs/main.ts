// npm run docs: writes what is generated into the README.
import { readFile, writeFile } from 'node:fs/promises';

import { writeKeyringTable } from './keyring-table';

const README = 'README.md';

await writeFile(README, await writeKeyringTable(await readFile(README, 'utf8')));
