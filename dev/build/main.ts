// npm run build.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import { buildSnap } from './build';

const { isManifestChanged } = await buildSnap();
const bundle = await readFile('dist/bundle.js');
process.stdout.write(
  `dist/bundle.js: ${bundle.length} bytes, ${gzipSync(bundle).length} gzipped\n` +
    (isManifestChanged ? 'snap.manifest.json: new checksum\n' : ''),
);
