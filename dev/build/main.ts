// npm run build.
import { buildSnap } from './build';
import { buildClient, clientModule } from './client';
import { describeSize } from './size';

const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildClient()]);
for (const path of ['dist/bundle.js', clientModule]) {
  process.stdout.write(`${path}: ${await describeSize(path)}\n`);
}
if (isManifestChanged) process.stdout.write('snap.manifest.json: new checksum\n');
