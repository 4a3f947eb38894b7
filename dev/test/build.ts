// The builds that tests run on, made again only when something that they read has changed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { buildDevSnap, buildSnap } from '../build/build';
import { buildLibraries, libraries, moduleOf } from '../build/libraries';
import { describeSize } from '../build/size';
import { DEV_SNAP } from '../wallet/options';
import { CACHE, report } from './check';
import type { Outcome } from './check';
import { hashFiles } from './hash-files';

const STAMP = join(CACHE, 'build');

/** What the builds read and write; the packages are those of the lockfile. */
const FILES = [
  ...['src', 'images', 'locales', 'openrpc.json', 'dev/build', 'dev/wallet/options.ts'],
  ...['package.json', 'package-lock.json', 'tsconfig.json'],
  ...['snap.config.ts', 'snap.manifest.json'],
  ...['dist/bundle.js', ...libraries.map((each) => dirname(moduleOf(each))), DEV_SNAP],
];

/** Builds the snap, the libraries and the development snap. */
export async function checkBuild(): Promise<Outcome> {
  const start = Date.now();
  try {
    const isBuilt =
      (await readFile(STAMP, 'utf8').catch(() => '')) === (await digest());
    const isManifestChanged = !isBuilt && (await build());
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    const sizes = [`bundle ${await describeSize('dist/bundle.js')}`];
    for (const each of libraries) {
      sizes.push(`${each} ${await describeSize(moduleOf(each))}`);
    }
    return report({
      name: 'build',
      isPassed: !isManifestChanged,
      summary: `${seconds} s${isBuilt ? ' (unchanged)' : ''}, ${sizes.join('; ')}`,
      // The checksum in the manifest is what MetaMask verifies.
      details: 'The build changed snap.manifest.json: commit it as it is now.',
    });
  } catch (error) {
    return report({
      name: 'build',
      isPassed: false,
      summary: '',
      details: String(error),
    });
  }
}

async function build(): Promise<boolean> {
  const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildLibraries()]);
  await buildDevSnap();
  await mkdir(CACHE, { recursive: true });
  if (!isManifestChanged) await writeFile(STAMP, await digest());
  return isManifestChanged;
}

async function digest(): Promise<string> {
  const { version } = process;
  const { TOLLKEEPER_COMPANION_ORIGIN: origin } = process.env;
  return JSON.stringify({ version, origin, files: await hashFiles(FILES) });
}
