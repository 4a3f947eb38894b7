// Builds the files that commands and checks need, unless they are up to date.
import { dirname, join } from 'node:path';

import { CACHE } from '../test/check';
import { DEV_SNAP } from '../wallet/options';
import {
  buildDevSnap,
  buildInsightSnap,
  buildSnap,
  INSIGHT_SNAP,
  SOURCES,
} from './build';
import { buildIfChanged } from './changed';
import { buildLibraries, libraries, LIBRARY_SOURCES, moduleOf } from './libraries';

const INPUTS = [
  ...SOURCES,
  ...LIBRARY_SOURCES,
  'dev/wallet/options.ts',
  'dev/build',
  'dev/clear-signing',
];

export const outputs = {
  build: {
    written: ['dist/bundle.js', 'dist/files', INSIGHT_SNAP, DEV_SNAP],
    build: async (): Promise<boolean> => {
      const builds = await Promise.all([
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

export async function buildChanged(
  name: keyof typeof outputs,
): Promise<{ isBuilt: boolean; isManifestChanged: boolean }> {
  return buildIfChanged(join(CACHE, name), { inputs: INPUTS, ...outputs[name] });
}

export async function ensureBuilt(): Promise<void> {
  process.stdout.write('Builds what has changed …\n');
  await buildChanged('build');
  await buildChanged('libraries');
}
