// What `npm run docs` writes, compared with what is committed.
import { readFile } from 'node:fs/promises';

import { writeApiPage } from '../docs/api-page';
import { writeOpenRpc } from '../docs/openrpc';
import { writeReadme } from '../docs/readme';
import { report } from './check';
import type { Outcome } from './check';

/** Checks that the generated documentation is what the code says today. */
export async function checkDocs(): Promise<Outcome> {
  const start = Date.now();
  const stale: string[] = [];
  for (const [path, write] of [
    ['openrpc.json', writeOpenRpc],
    ['docs/api.md', writeApiPage],
    ['README.md', async () => writeReadme(await readFile('README.md', 'utf8'))],
  ] as const) {
    if ((await readFile(path, 'utf8')) !== (await write())) stale.push(path);
  }
  return report({
    name: 'docs',
    isPassed: stale.length === 0,
    summary: `${((Date.now() - start) / 1000).toFixed(1)} s`,
    details: `Run npm run docs and commit ${stale.join(', ')}.`,
  });
}
