// npm run build.
import { buildSnap } from './build';
import { buildDapp, describeDapp } from './dapp';
import { buildLibraries, libraries, moduleOf } from './libraries';
import { describeSize } from './size';

const [{ isManifestChanged }, , dapp] = await Promise.all([
  buildSnap(),
  buildLibraries(),
  buildDapp(),
]);
for (const path of ['dist/bundle.js', ...libraries.map(moduleOf)]) {
  process.stdout.write(`${path}: ${await describeSize(path)}\n`);
}
process.stdout.write(`${describeDapp(dapp)}\n`);
if (isManifestChanged) process.stdout.write('snap.manifest.json: new checksum\n');
