// npm run docs: writes what is generated from the code: openrpc.json, docs/api.md and tables
// of the README.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { writeApiPage } from './api-page';
import { writeOpenRpc } from './openrpc';
import { writeReadme } from './readme';

const README = 'README.md';

await writeFile('openrpc.json', await writeOpenRpc());
await mkdir('docs', { recursive: true });
await writeFile('docs/api.md', await writeApiPage());
await writeFile(README, await writeReadme(await readFile(README, 'utf8')));
