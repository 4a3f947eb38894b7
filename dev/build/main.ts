// npm run build.
import { buildSnap } from './build';
import { buildLibraries, libraries, moduleOf } from './libraries';
import { describeSize } from './size';

const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildLibraries()]);
for (const path of ['dist/bundle.js', ...libraries.map(moduleOf)]) {
  process.stdout.write(`${path}: ${await describeSize(path)}\n`);
}
if (isManifestChanged) process.stdout.write('snap.manifest.json: new checksum\n');
