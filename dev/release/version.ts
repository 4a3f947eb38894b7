// Runs after `changeset version`. Copies the version in package.json to manifests, openrpc.json and
// the lockfile.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { escapeRegistry, INSIGHT_SNAP } from '../build/build';
import { PACKAGES, readPackage } from '../build/pack';

const { version } = await readPackage('.');

for (const folder of PACKAGES) {
  const path = join(folder, 'snap.manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  const text = JSON.stringify({ ...manifest, version }, null, 2);
  await writeFile(path, escapeRegistry(`${text}\n`));
}

const contract = await readFile('openrpc.json', 'utf8');
await writeFile(
  'openrpc.json',
  contract.replace(/"version": "[^"]*"/u, `"version": "${version}"`),
);

const lockfile = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  version: string;
  packages: Record<string, { version: string }>;
};
lockfile.version = version;
for (const path of ['', INSIGHT_SNAP]) {
  Object.assign(lockfile.packages[path] ?? {}, { version });
}
await writeFile('package-lock.json', `${JSON.stringify(lockfile, null, 2)}\n`);
