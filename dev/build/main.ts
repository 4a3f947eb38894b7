// npm run build
import { readArgs } from '../args';
import { step } from '../demo/print';
import { buildInsightSnap, buildSnap, INSIGHT_SNAP } from './build';
import { buildDapp, describeDapp } from './dapp';
import { buildLibraries, libraries, moduleOf } from './libraries';
import { describeSize } from './size';

readArgs(`npm run build

Builds the snaps, the libraries and the companion page in dist.`);

const [keyring, insight, , dapp] = await step('Build', async () =>
  Promise.all([buildSnap(), buildInsightSnap(), buildLibraries(), buildDapp()]),
);
const bundles = ['dist/bundle.js', `${INSIGHT_SNAP}/dist/bundle.js`];
for (const path of [...bundles, ...libraries.map(moduleOf)]) {
  process.stdout.write(`${path}: ${await describeSize(path)}\n`);
}
process.stdout.write(`${describeDapp(dapp)}\n`);
if (keyring) process.stdout.write('snap.manifest.json: new checksum\n');
if (insight) process.stdout.write(`${INSIGHT_SNAP}/snap.manifest.json: new checksum\n`);
