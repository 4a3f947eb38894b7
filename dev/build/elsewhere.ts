// Builds the snaps again in another folder, to check that the bundle depends neither on the folder
// nor on the time. The added source map does not change the bundle.
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
  modules: Map<string, string>;
  shasum: string;
};

type SourceMap = { sources: string[]; sourcesContent: string[] };

// Symbolic links stay unresolved, so that the packages have a different path, which must not change
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

// webpack orders modules by the path of their loader, so Node, too, must find the packages in the
// folder.
const IN_FOLDER = ['--preserve-symlinks', '--preserve-symlinks-main'];

/** Builds the snaps in a temporary folder. If mm-snap fails, throws its output. */
export async function buildElsewhere(): Promise<BuiltElsewhere> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tollkeeper-build-')));
  try {
    for (const path of [...SOURCES, 'packages/client/src', 'dev/build']) {
      await cp(path, join(folder, path), { recursive: true });
    }
    await writeShipped(folder, readPackage(), KEYRING_FILES);
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    // mm-snap's configuration cannot import another TypeScript file.
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
