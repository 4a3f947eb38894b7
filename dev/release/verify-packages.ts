// Compares each module of a package in the bundles with the file in the published tarball of the locked
// version. The modules are those that the build itself lists, as it read them.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runPack } from '../build/pack';
import { unpack } from './verify';

/** Text of each module by its path, as a build's source map has them. */
export type Modules = ReadonlyMap<string, string>;

type Locked = { name?: string; version: string; integrity: string };

/** Compares modules, using the lockfile of the current folder. Returns the number of compared
 * packages and modules, and a sentence for each difference. Throws npm's output if a tarball is missing. */
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
        differences.push(`${spec} is not what package-lock.json has.`);
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
        if (theirs !== text) differences.push(`${spec} has another ${path}.`);
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
    // The innermost package; other modules are ours, or the bundler's.
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
