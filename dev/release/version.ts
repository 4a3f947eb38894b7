// After `changeset version`: the manifest and the lockfile get the version of package.json.
import { readFile, writeFile } from 'node:fs/promises';

import { escapeRegistry } from '../build/build';
import { readPackage } from '../build/pack';

const { version } = await readPackage('.');

const manifest = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as object;
const text = JSON.stringify({ ...manifest, version }, null, 2);
await writeFile('snap.manifest.json', escapeRegistry(`${text}\n`));

const lockfile = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  version: string;
  packages: { '': { version: string } };
};
lockfile.version = version;
lockfile.packages[''].version = version;
await writeFile('package-lock.json', `${JSON.stringify(lockfile, null, 2)}\n`);
