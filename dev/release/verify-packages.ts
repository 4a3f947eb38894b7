// Compares the modules in the bundles with the published tarballs of their packages, in the locked
// versions.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runPack } from '../build/pack';
import { unpack } from './verify';

/** The text of each module by path, from a build's source map. */
export type Modules = ReadonlyMap<string, string>;

type Locked = { name?: string; version: string; integrity: string };

/** Compares modules, using the lockfile of the current folder. Returns a sentence for each
 * difference. Throws npm's output if a tarball cannot be fetched. */
export async function comparePackages(
  modules: Modules,
): Promise<{ packages: number; compared: number; differences: string[] }> {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const folders = groupByPackage(modules);
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-packages-'));
  const differences: string[] = [];
  let compared = 0;
  try {
    for (const [at, files] of folders) {
      const { name = at.replace(/^.*node_modules\//u, ''), ...locked } =
        lock.packages[at] ?? fail(`package-lock.json has no ${at}.`);
      const spec = `${name}@${locked.version}`;
      const packed = await runPack([spec, '--pack-destination', folder]);
      if (packed.integrity !== locked.integrity) {
        differences.push(`${spec} does not match package-lock.json.`);
      }
      const published = await unpack(
        join(folder, packed.filename),
        join(folder, String(compared)),
      );
      for (const [path, text] of files) {
        compared += 1;
        const theirs = await readFile(join(published, path), 'utf8').catch(
          () => undefined,
        );
        if (theirs !== text) differences.push(`${spec} has a different ${path}.`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { packages: folders.size, compared, differences };
}

function groupByPackage(modules: Modules): Map<string, Map<string, string>> {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of modules) {
    const [, at, file] =
      /(node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)\/([^?]+)/u.exec(path) ??
      [];
    if (at === undefined || file === undefined) continue;
    folders.set(at, (folders.get(at) ?? new Map<string, string>()).set(file, text));
  }
  return folders;
}

function fail(message: string): never {
  throw new Error(message);
}
