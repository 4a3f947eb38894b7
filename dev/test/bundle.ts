// The bundle as anybody can check it: built again elsewhere it is the same, byte by byte, and
// the README says of all that is in it what it is for.
import { readFile } from 'node:fs/promises';

import { buildElsewhere } from '../build/elsewhere';
import { countShares } from '../build/shares';
import { findBundleFaults, OWN } from '../docs/bundle-table';
import { report } from './check';
import type { Outcome } from './check';

/** Check the bundle; the build must have run. */
export async function checkBundle(): Promise<Outcome> {
  const start = Date.now();
  const faults = await findFaults();
  const summary = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  const isPassed = faults.length === 0;
  return report({ name: 'bundle', isPassed, summary, details: faults.join('\n') });
}

async function findFaults(): Promise<string[]> {
  try {
    const { bundle, map, shasum } = await buildElsewhere();
    const manifest = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as {
      source: { shasum: string };
    };
    const isSame = bundle === (await readFile('dist/bundle.js', 'utf8'));
    const shares = countShares(bundle, map, OWN);
    return [
      ...(isSame ? [] : ['Built in another folder, the bundle is another one.']),
      ...(shasum === manifest.source.shasum
        ? []
        : [`Built in another folder, the checksum is ${shasum}.`]),
      ...findBundleFaults(shares, await readFile('README.md', 'utf8')),
    ];
  } catch (error) {
    return [String(error)];
  }
}
