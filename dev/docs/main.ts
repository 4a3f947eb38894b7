// npm run docs: writes what is generated from the code: openrpc.json, docs/api.md and tables
// of the README. For one of them the snap is built, in another folder.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { buildElsewhere } from '../build/elsewhere';
import { countShares } from '../build/shares';
import { writeApiPage } from './api-page';
import { writeOpenRpc } from './openrpc';
import { OWN, replaceBundleTable, writeReadme } from './tables';

const README = 'README.md';

await writeFile('openrpc.json', await writeOpenRpc());
await mkdir('docs', { recursive: true });
await writeFile('docs/api.md', await writeApiPage());
const { bundle, map } = await buildElsewhere();
const shares = countShares(bundle, map, OWN);
const readme = replaceBundleTable(await readFile(README, 'utf8'), shares);
await writeFile(README, await writeReadme(readme));
