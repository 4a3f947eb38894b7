// Builds the snaps again in another folder, to check that the bundle depends on neither the folder
// nor the time. This build also writes a source map, which does not change the bundle.
import {
  cp,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { readPackage } from '../clear-signing/sources';
import { runMmSnap, SOURCES } from './build';
import { KEYRING_FILES, writeShipped } from './shipped';

export type BuiltElsewhere = {
  bundle: string;
  /** The modules of both bundles as the build read them, by path. */
  modules: Map<string, string>;
  /** The checksum in the manifest after the build. */
  shasum: string;
};

type SourceMap = { sources: string[]; sourcesContent: string[] };

// Does not resolve symbolic links, so that the packages have another path, which must not change
// the bundle.
const TRACED = `
  export default {
    ...config,
    evaluate: false,
    customizeWebpackConfig: (given) => {
      const webpack = config.customizeWebpackConfig?.(given) ?? given;
      const resolve = { ...webpack.resolve, symlinks: false };
      const resolveLoader = { ...webpack.resolveLoader, symlinks: false };
      return { ...webpack, devtool: 'hidden-source-map', resolve, resolveLoader };
    },
  };
`;

const CONFIG = 'snap.config.ts';

// Makes Node, too, find the packages in the folder: webpack orders modules by the path of their
// loader.
const IN_FOLDER = ['--preserve-symlinks', '--preserve-symlinks-main'];

/** Builds the snaps of the current folder in a temporary one. Throws mm-snap's output if it fails.
 * */
export async function buildElsewhere(): Promise<BuiltElsewhere> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tollkeeper-build-')));
  try {
    for (const path of [...SOURCES, 'packages/client/src', 'dev/build']) {
      await cp(path, join(folder, path), { recursive: true });
    }
    await writeShipped(folder, readPackage(), KEYRING_FILES);
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    // mm-snap's configuration cannot import another file in TypeScript.
    const config = await readFile(CONFIG, 'utf8');
    const traced = config.replace('export default config;', TRACED);
    if (traced === config) throw new Error(`${CONFIG} exports no "config".`);
    await writeFile(join(folder, CONFIG), traced);
    const read = async (path: string): Promise<string> =>
      readFile(join(folder, path), 'utf8');
    const modules = new Map<string, string>();
    const build = async (environment: Record<string, string>): Promise<void> => {
      await runMmSnap(environment, { cwd: folder, options: IN_FOLDER });
      const map = JSON.parse(await read('dist/bundle.js.map')) as SourceMap;
      map.sources.forEach((path, index) =>
        modules.set(path, map.sourcesContent[index] ?? ''),
      );
    };
    await build({ TOLLKEEPER_SNAP_INPUT: 'src/insight-snap/index.ts' });
    await build({});
    const manifest = JSON.parse(await read('snap.manifest.json')) as {
      source: { shasum: string };
    };
    return {
      bundle: await read('dist/bundle.js'),
      modules,
      shasum: manifest.source.shasum,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
