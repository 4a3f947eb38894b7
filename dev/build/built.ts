// Builds that are repeated only after a change of what they read, or of what they wrote: one that was
// cut off or deleted is made anew.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { CACHE, hashFiles } from '../test/check';
import { DEV_SNAP } from '../wallet/options';
import {
  buildDevSnap,
  buildInsightSnap,
  buildSnap,
  INSIGHT_SNAP,
  SOURCES,
} from './build';
import { buildLibraries, libraries, LIBRARY_SOURCES, moduleOf } from './libraries';

/** What the builds read; the lockfile covers the packages. */
const INPUTS = [
  ...SOURCES,
  ...LIBRARY_SOURCES,
  'dev/wallet/options.ts',
  'dev/build',
  'dev/clear-signing',
];

/** What each build writes, and the build: it returns whether a manifest has changed. */
export const outputs = {
  build: {
    written: ['dist/bundle.js', 'dist/files', INSIGHT_SNAP, DEV_SNAP],
    build: async (): Promise<boolean> => {
      const builds = await Promise.all([
        // The development snap starts from the manifest that the other build writes.
        buildSnap().then(async (isChanged) => {
          await buildDevSnap();
          return isChanged;
        }),
        buildInsightSnap(),
      ]);
      return builds.includes(true);
    },
  },
  libraries: {
    written: libraries.map((name) => dirname(moduleOf(name))),
    build: async (): Promise<boolean> => {
      await buildLibraries();
      return false;
    },
  },
};

/** Builds unless neither the sources nor the output have changed. */
export async function buildChanged(
  name: keyof typeof outputs,
): Promise<{ isBuilt: boolean; isManifestChanged: boolean }> {
  const { written, build } = outputs[name];
  const stamp = join(CACHE, name);
  const before = await readFile(stamp, 'utf8').catch(() => '');
  const isBuilt = before === (await digest(written));
  const isManifestChanged = !isBuilt && (await build());
  await mkdir(CACHE, { recursive: true });
  if (!isManifestChanged) await writeFile(stamp, await digest(written));
  return { isBuilt, isManifestChanged };
}

/** Builds the snaps and the libraries where they are missing, half-made or older than their sources. */
export async function ensureBuilt(): Promise<void> {
  process.stdout.write('Builds what has changed …\n');
  await buildChanged('build');
  await buildChanged('libraries');
}

async function digest(written: readonly string[]): Promise<string> {
  const { version } = process;
  const { TOLLKEEPER_COMPANION_ORIGIN: origin } = process.env;
  const files = await hashFiles([...INPUTS, ...written]);
  return JSON.stringify({ version, origin, files });
}
